"""The bot of Game of Trains: compares the lines after each possible action, one step ahead.

It never gets a state: it cannot use the pile, other hands or the closed discard.
"""

from __future__ import annotations

import msgspec

from companion.engine import Event, Luck, Offer, Seat, State, Step
from companion.games.game_of_trains import events as ev
from companion.games.game_of_trains.bot.worth import Measure, measure
from companion.games.game_of_trains.catalogue import Book
from companion.games.game_of_trains.lines import ascending, replace_wagon
from companion.games.game_of_trains.steps.setup import Choose
from companion.games.game_of_trains.steps.turn import Act, Place
from companion.games.game_of_trains.steps.uses import APART, AT, BY, moved, uses
from companion.games.game_of_trains.table import GAP, HANDS, LENGTH, LOCK, Cards, Line, Locks, Table
from companion.mechanics.pool import sample, without
from companion.mechanics.seating import clockwise

SAMPLES = 12
"""A draw is evaluated with this many numbers, spread evenly over the deck."""
RIVAL = 0.5
"""The value of putting the nearest rival one draw farther from victory, in own draws."""
THREAT = 0.6
"""The value of a padlock on a useful wagon while the pool holds the card that would remove it, in own draws.

A bot that also protected wagons without danger won only 315 of 700 games against one that never protected: a turn is
worth more than that, so this bot hardly ever uses a padlock.
"""
LOSS = 30.0
"""The cost of leaving the next player a winning card in the pool, in own draws; less for later players."""
NEAR = 14.0
"""Only rivals nearer than this many draws can win with one card of the pool."""
LOST_LOCK = 0.3
"""The cost of losing a padlock, in own draws."""
MOVES = (*APART, *BY)
"""Abilities that change only one's own line."""


class Known(msgspec.Struct, frozen=True, gc=False):
    """What one seat may know when it is asked: visible cards and its own hand, built up from nothing."""

    seat: Seat
    moment: type[Step[Table]]
    offers: tuple[Offer, ...]
    """The seat's own offers."""
    players: int
    lines: tuple[Line, ...]
    locks: tuple[Locks, ...]
    pool: Cards
    book: Book
    """Every wagon's number and ability, which are public."""
    hand: Cards
    """The cards it drew, if the companion dealt them or was told."""
    draws: int
    """How many cards it drew."""

    def locked(self, seat: Seat, position: int) -> bool:
        """Whether a seat's wagon at a position has a padlock."""
        return position in LOCK and self.locks[seat][LOCK[position]] != 0


class Mind:
    """Plays a seat of Game of Trains."""

    def asked(self, state: State[Table]) -> tuple[Seat, ...]:
        """Return the seats that may want to act now."""
        head = state.agenda[0]
        return head.awaits(state.table) if isinstance(head, Act | Place | Choose) else ()

    def look(self, state: State[Table], seat: Seat) -> Known:
        """Return what the seat may know."""
        table, head = state.table, state.agenda[0]
        return Known(
            seat=seat,
            moment=type(head),
            offers=tuple([offer for offer in head.legal(table) if offer.by == seat]),
            players=table.fixed.players,
            lines=table.lines,
            locks=table.locks,
            pool=table.pool,
            book=table.fixed.book,
            hand=table.hand(seat),
            draws=table.zones.count(HANDS[seat]),
        )

    def choose(self, own: Known, luck: Luck) -> Event | None:
        """Return what the seat does, or None when it waits."""
        if not own.offers:
            return None
        if own.moment is Choose:
            return choose_kept(own, luck)
        return choose_position(own, own.hand[0]) if own.moment is Place else choose_action(own)

    def together(self, state: State[Table], luck: Luck) -> Event | None:
        """Return None: no event is made by all seats together."""
        return None


POLICY = Mind()
"""The registered bot."""


def ruler(own: Known) -> Measure:
    """Return the measure of the deck that is played with."""
    return measure(own.book.numbers)


def choose_kept(own: Known, luck: Luck) -> Event:
    """Return which drawn card is kept, and where (R-06)."""
    hand = own.hand
    if not hand:  # with real cards, the bot draws from those that are not visible
        lying = {card for line in own.lines for card in line} | set(own.pool)
        hand = sample(tuple([card for card in own.book.numbers if card not in lying]), own.draws, luck)
    line, rule = own.lines[own.seat], ruler(own)
    _, card, position = min(
        [(rule.draws(replace_wagon(line, at, card)), card, at) for card in hand for at in range(1, LENGTH + 1)]
    )
    return ev.Kept(own.seat, card, position)


def choose_position(own: Known, card: int) -> Event:
    """Return where to place the drawn card: nearest to victory without helping a rival to win (R-08)."""
    line, rule = own.lines[own.seat], ruler(own)

    def cost(position: int) -> float:
        after = replace_wagon(line, position, card)
        if ascending(after):
            return -LOSS
        lost = LOST_LOCK if own.locked(own.seat, position) else 0.0
        return rule.draws(after) + lost + danger(own, join_pool(own, own.pool, line[position - 1]), own.lines)

    return ev.Placed(own.seat, min(range(1, LENGTH + 1), key=cost))


def choose_action(own: Known) -> Event:
    """Return the best action (R-07)."""
    (offer,) = own.offers
    best, chosen = LOSS * own.players, None
    for event in offer:
        cost = cost_of(own, event)
        if cost < best:
            best, chosen = cost, event
    return chosen or ev.Drew(own.seat)


def cost_of(own: Known, event: Event) -> float:
    """Return the seat's distance from victory after an action, in draws, adjusted for the effect on rivals."""
    seat, rule, line = own.seat, ruler(own), own.lines[own.seat]
    match event:
        case ev.Drew():
            return drawing(rule, line) + danger(own, own.pool, own.lines)
        case ev.Removed(_, card):
            return removal(own, card)
        case ev.Protected(_, card, position):
            return rule.draws(line) - padlock(own, card, position) + danger(own, without(own.pool, (card,)), own.lines)
        case ev.Swapped(_, card) | ev.Shifted(_, card):
            after, changed = moved(own.book, event, line)
            if ascending(after):
                return -LOSS * own.players
            lost = sum([LOST_LOCK for at in changed if own.locked(seat, at)])
            return rule.draws(after) + lost + danger(own, without(own.pool, (card,)), own.lines)
    return LOSS * own.players


def sampled(rule: Measure) -> list[int]:
    """Return numbers spread evenly over the deck."""
    step = rule.size / SAMPLES
    return [rule.numbers[int((number + 0.5) * step)] for number in range(SAMPLES)]


def drawing(rule: Measure, line: Line) -> float:
    """Return the line's average distance from victory after a draw."""
    here, total = rule.draws(line), 0.0
    for card in sampled(rule):
        total += min([here, *[rule.draws(replace_wagon(line, at, card)) for at in range(1, LENGTH + 1)]])
    return total / SAMPLES


def padlock(own: Known, card: int, position: int) -> float:
    """Return the value of protecting a position: 0 unless its wagon is useful and in danger."""
    rule, line = ruler(own), own.lines[own.seat]
    if rule.draws(replace_wagon(line, position, GAP)) <= rule.draws(line):
        return 0.0  # the wagon is in the way
    threat = any(AT.get(own.book.abilities[other] or "") == position for other in own.pool if other != card)
    return THREAT if threat else 0.0


def removal(own: Known, card: int) -> float:
    """Return the cost of a removal: the own line with a hole, minus the harm to the nearest rival (R-15)."""
    position, rule = AT[own.book.abilities[card] or ""], ruler(own)
    hit = [not own.locked(Seat(seat), position) for seat in range(own.players)]
    before = [rule.draws(line) for line in own.lines]
    after = [
        min(drawn_into(rule, line, position), NEAR * 10) if free else now
        for line, free, now in zip(own.lines, hit, before, strict=True)
    ]
    rivals = [seat for seat in range(own.players) if seat != own.seat]
    harm = min([after[seat] for seat in rivals]) - min([before[seat] for seat in rivals])
    holed = [replace_wagon(line, position, GAP) if free else line for line, free in zip(own.lines, hit, strict=True)]
    pool = without(own.pool, (card,))
    for seat in clockwise(own.seat, own.players):
        if holed[seat][position - 1] == GAP:
            pool = join_pool(own, pool, own.lines[seat][position - 1])
    return after[own.seat] - RIVAL * harm + danger(own, pool, tuple(holed))


def drawn_into(rule: Measure, line: Line, position: int) -> float:
    """Return a line's average distance from victory after an unknown card comes to a position."""
    return sum([rule.draws(replace_wagon(line, position, card)) for card in sampled(rule)]) / SAMPLES


def join_pool(own: Known, pool: Cards, card: int) -> Cards:
    """Return the pool after a card joined it; a pair leaves (R-11)."""
    ability = own.book.abilities[card]
    equal = tuple([other for other in pool if own.book.abilities[other] == ability])
    return without(pool, equal[:1]) if equal else (*pool, card)


def danger(own: Known, pool: Cards, lines: tuple[Line, ...]) -> float:
    """Return the cost of winning cards left in the pool; highest for the next player."""
    rule, worst = ruler(own), 0.0
    for after, seat in enumerate(list(clockwise(own.seat, own.players))[1:]):
        line = lines[seat]
        if GAP in line or rule.draws(line) > NEAR:
            continue
        if any(wins(own.book, line, seat, card) for card in pool):
            worst = max(worst, LOSS / (1 + after))
    return worst


def wins(book: Book, line: Line, seat: Seat, card: int) -> bool:
    """Whether a line rises after some use of a card."""
    ability = book.abilities[card]
    return ability in MOVES and any(ascending(moved(book, use, line)[0]) for use in uses(seat, card, ability))
