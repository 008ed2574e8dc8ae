"""The bot of Game of Trains: compares the lines after each possible action, one step ahead.

It never gets a state: it cannot use the pile, other hands or the closed discard.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from companion.engine import Event, Luck, Offer, Seat, State, Step, offers_of
from companion.games.game_of_trains import events as ev
from companion.games.game_of_trains.bot.worth import Measure, measure
from companion.games.game_of_trains.catalogue import Book
from companion.games.game_of_trains.lines import ascending, replace_wagon
from companion.games.game_of_trains.steps.setup import Choose
from companion.games.game_of_trains.steps.turn import Act, Place
from companion.games.game_of_trains.steps.uses import APART, AT, BY, moved, uses
from companion.games.game_of_trains.table import GAP, HANDS, LENGTH, Cards, Line, Table
from companion.mechanics.policy import Ranked, Ranking, Term, best_first, term
from companion.mechanics.pool import sample, without
from companion.mechanics.seating import clockwise

SAMPLES = 12
"""A draw is evaluated with this many numbers, spread evenly over the deck."""
RIVAL = 0.5
"""The value of moving the nearest rival one draw farther from victory, in own draws."""
THREAT = 0.6
"""The value of a padlock on a useful wagon while the pool holds the card that would remove it, in own draws.

A bot that also protected wagons without danger won only 315 of 700 games against one that never protected. A turn is
worth more than that, so this bot hardly ever uses a padlock.
"""
LOSS = 30.0
"""The cost of leaving a winning card in the pool for the next player, in own draws; it is lower for later players."""
NEAR = 14.0
"""Only rivals nearer than this many draws can win with one card of the pool."""
LOST_LOCK = 0.3
"""The cost of losing a padlock, in own draws."""
MOVES = (*APART, *BY)
"""Abilities that change only one's own line."""


class Known(msgspec.Struct, frozen=True, gc=False):
    """The knowledge of one seat when it is asked: visible cards and its own hand, built up from nothing."""

    seat: Seat
    moment: type[Step[Table]]
    offers: tuple[Offer, ...]
    """The seat's own offers."""
    table: Table
    """The table, with the seat's own hand as its only zone."""

    @property
    def line(self) -> Line:
        """The seat's own line."""
        return self.table.lines[self.seat]

    @property
    def ruler(self) -> Measure:
        """The measure for the deck in use."""
        return measure(self.table.fixed.book.numbers)


class Mind(Ranking):
    """Plays a seat of Game of Trains."""

    def asked(self, state: State[Table]) -> tuple[Seat, ...]:
        """Return the seats that may want to act now."""
        head = state.agenda[0]
        return head.awaits(state.table) if isinstance(head, Act | Place | Choose) else ()

    def look(self, state: State[Table], seat: Seat) -> Known:
        """Return the seat's knowledge."""
        table, head = state.table, state.agenda[0]
        offers = tuple([offer for offer in offers_of(head, table) if offer.by == seat])
        return Known(seat, type(head), offers, replace(table, zones=table.zones.alone(HANDS[seat])))

    def ranked(self, own: Known, luck: Luck) -> Sequence[Ranked]:
        """Return the seat's options, ranked by the draws that its line needs afterwards; nothing when it waits."""
        if not own.offers:
            return ()
        if own.moment is Choose:
            return rank_kept(own, luck)
        return rank_positions(own, own.table.hand(own.seat)[0]) if own.moment is Place else rank_actions(own)

    def together(self, state: State[Table], luck: Luck) -> Event | None:
        """Return None: this game has no event that all seats make together."""
        return None


POLICY = Mind()
"""The bot that looks one step ahead."""


def rank_kept(own: Known, luck: Luck) -> Sequence[Ranked]:
    """Rank the drawn cards that may be kept, and their positions (R-06)."""
    table, rule = own.table, own.ruler
    hand = table.hand(own.seat)
    if not hand:  # with real cards, the bot draws from those that are not visible
        lying = {card for cards in (*table.lines, table.pool) for card in cards}
        unseen = tuple([card for card in table.fixed.book.numbers if card not in lying])
        hand = sample(unseen, table.zones.count(HANDS[own.seat]), luck)
    places = [(card, at) for card in hand for at in range(1, LENGTH + 1)]
    found = sorted([(rule.draws(replace_wagon(own.line, at, card)), card, at) for card, at in places])
    return tuple([worth_of(ev.Kept(own.seat, card, at), [own_line(own, draws)]) for draws, card, at in found])


def rank_positions(own: Known, card: int) -> Sequence[Ranked]:
    """Rank the positions for the drawn card: nearest to victory without helping a rival to win (R-08)."""
    table, line, rule = own.table, own.line, own.ruler

    def ranked(position: int) -> Ranked:
        event, after = ev.Placed(own.seat, position), replace_wagon(line, position, card)
        if ascending(after):
            return worth_of(event, [term("wins", LOSS)])
        lost = LOST_LOCK if position in table.locked(own.seat) else 0.0
        left = danger(own, join_pool(own, table.pool, line[position - 1]), table.lines)
        return worth_of(event, [own_line(own, rule.draws(after)), term("padlock_lost", -lost), term("leaves", -left)])

    return best_first([ranked(position) for position in range(1, LENGTH + 1)])


def rank_actions(own: Known) -> Sequence[Ranked]:
    """Rank the actions; drawing comes first if no other action is useful (R-07)."""
    (offer,) = own.offers
    found = best_first([worth_of(event, parts_of(own, event)) for event in offer])
    if found[0].value > -LOSS * len(own.table.lines):
        return found
    return tuple(sorted(found, key=lambda each: not isinstance(each.event, ev.Drew)))


def worth_of(event: Event, parts: Sequence[Term]) -> Ranked:
    """Return an event with the sum of its parts as its value, without the parts that are 0."""
    return Ranked(event, sum([part.amount for part in parts]), tuple([part for part in parts if part.amount]))


def own_line(own: Known, draws: float) -> Term:
    """Return the number of draws that the own line needs after an action, and now."""
    return term("line", -draws, before=own.ruler.draws(own.line))


def parts_of(own: Known, event: Event) -> Sequence[Term]:
    """Return the parts of an action's value: the seat's distance from victory, in draws, and the effect on rivals."""
    table, rule, line = own.table, own.ruler, own.line
    match event:
        case ev.Drew():
            left = danger(own, table.pool, table.lines)
            return own_line(own, drawing(rule, line)), term("leaves", -left)
        case ev.Removed(_, card):
            return removal(own, card)
        case ev.Protected(_, card, position):
            left = danger(own, without(table.pool, (card,)), table.lines)
            guarded = term("guards", padlock(own, card, position), position=position)
            return own_line(own, rule.draws(line)), guarded, term("leaves", -left)
        case ev.Swapped(_, card) | ev.Shifted(_, card):
            after, changed = moved(table.fixed.book, event, line)
            if ascending(after):
                return (term("wins", LOSS * len(table.lines)),)
            lost = sum([LOST_LOCK for at in changed if at in table.locked(own.seat)])
            left = danger(own, without(table.pool, (card,)), table.lines)
            return own_line(own, rule.draws(after)), term("padlock_lost", -lost), term("leaves", -left)
    return (term("useless", -LOSS * len(table.lines)),)


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
    table, rule = own.table, own.ruler
    if rule.draws(replace_wagon(own.line, position, GAP)) <= rule.draws(own.line):
        return 0.0  # the wagon is in its owner's way
    others = [table.fixed.book.abilities[other] or "" for other in table.pool if other != card]
    return THREAT if any(AT.get(ability) == position for ability in others) else 0.0


def removal(own: Known, card: int) -> Sequence[Term]:
    """Return the value of a removal: the own line with a hole, and the harm to the nearest rival (R-15)."""
    table, rule = own.table, own.ruler
    position = AT[table.fixed.book.abilities[card] or ""]
    pool, holed = without(table.pool, (card,)), list(table.lines)
    before = [rule.draws(line) for line in table.lines]
    after = before.copy()
    for seat in clockwise(own.seat, len(holed)):
        if position not in table.locked(seat):
            line = table.lines[seat]
            after[seat] = min(drawn_into(rule, line, position), NEAR * 10)
            holed[seat] = replace_wagon(line, position, GAP)
            pool = join_pool(own, pool, line[position - 1])
    rivals = [seat for seat in range(len(holed)) if seat != own.seat]
    harm = min([after[seat] for seat in rivals]) - min([before[seat] for seat in rivals])
    left = danger(own, pool, tuple(holed))
    return own_line(own, after[own.seat]), term("hurts", RIVAL * harm), term("leaves", -left)


def drawn_into(rule: Measure, line: Line, position: int) -> float:
    """Return a line's average distance from victory after an unknown card fills a position."""
    return sum([rule.draws(replace_wagon(line, position, card)) for card in sampled(rule)]) / SAMPLES


def join_pool(own: Known, pool: Cards, card: int) -> Cards:
    """Return the pool after a card has joined it; a pair leaves (R-11)."""
    abilities = own.table.fixed.book.abilities
    equal = tuple([other for other in pool if abilities[other] == abilities[card]])
    return without(pool, equal[:1]) if equal else (*pool, card)


def danger(own: Known, pool: Cards, lines: tuple[Line, ...]) -> float:
    """Return the cost of the winning cards left in the pool; it is highest for the next player."""
    rule, worst = own.ruler, 0.0
    for after, seat in enumerate(list(clockwise(own.seat, len(lines)))[1:]):
        line = lines[seat]
        if GAP in line or rule.draws(line) > NEAR:
            continue
        if any(wins(own.table.fixed.book, line, seat, card) for card in pool):
            worst = max(worst, LOSS / (1 + after))
    return worst


def wins(book: Book, line: Line, seat: Seat, card: int) -> bool:
    """Return whether some use of a card makes a line rise."""
    ability = book.abilities[card]
    return ability in MOVES and any(ascending(moved(book, use, line)[0]) for use in uses(seat, card, ability))
