"""The bot of Game of Trains: compares the lines after each possible action, one step ahead."""

from __future__ import annotations

from companion.engine import Event, Luck, Seat, State
from companion.games.game_of_trains import events as ev
from companion.games.game_of_trains.bot.known import Known, look
from companion.games.game_of_trains.bot.worth import Measure, measure
from companion.games.game_of_trains.lines import ascending, replace_wagon, shift, swap
from companion.games.game_of_trains.steps.setup import Choose
from companion.games.game_of_trains.steps.turn import Act, Place
from companion.games.game_of_trains.steps.uses import AT, BY, uses
from companion.games.game_of_trains.table import GAP, LENGTH, LOCK, Cards, Line, Table
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
MOVES = ("swap_adjacent", "swap_one_between", "move_right_2", "move_left_2")
"""Abilities that change only one's own line."""


class Mind:
    """Plays a seat of Game of Trains."""

    def asked(self, state: State[Table]) -> tuple[Seat, ...]:
        """Return the seats that may want to act now."""
        head = state.agenda[0]
        return head.awaits(state.table) if isinstance(head, Act | Place | Choose) else ()

    def look(self, state: State[Table], seat: Seat) -> Known:
        """Return what the seat may know."""
        return look(state, seat)

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
    locks = own.locks[own.seat]

    def cost(position: int) -> float:
        after = replace_wagon(line, position, card)
        if ascending(after):
            return -LOSS
        pool = join_pool(own, own.pool, line[position - 1])
        lost = LOST_LOCK if position in LOCK and locks[LOCK[position]] else 0.0
        return rule.draws(after) + lost + danger(own, pool, own.lines)

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
    seat, rule = own.seat, ruler(own)
    line = own.lines[seat]
    changed: tuple[int, ...]
    match event:
        case ev.Drew():
            return drawing(rule, line) + danger(own, own.pool, own.lines)
        case ev.Swapped(_, card, left, right):
            after, changed = swap(line, left, right), (left, right)
        case ev.Shifted(_, card, position):
            to = position + BY[own.book.abilities[card] or ""]
            after, changed = shift(line, position, to), tuple(range(min(position, to), max(position, to) + 1))
        case ev.Removed(_, card):
            return removal(own, card)
        case ev.Protected(_, card, position):
            return rule.draws(line) - padlock(own, card, position) + danger(own, without(own.pool, (card,)), own.lines)
        case _:
            return LOSS * own.players
    if ascending(after):
        return -LOSS * own.players
    lost = sum([LOST_LOCK for at in changed if at in LOCK and own.locks[seat][LOCK[at]]])
    return rule.draws(after) + lost + danger(own, without(own.pool, (card,)), own.lines)


def drawing(rule: Measure, line: Line) -> float:
    """Return the line's average distance from victory after a draw."""
    here = rule.draws(line)
    step = rule.size / SAMPLES
    total = 0.0
    for number in range(SAMPLES):
        card = rule.numbers[int((number + 0.5) * step)]
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
    position = AT[own.book.abilities[card] or ""]
    rule = ruler(own)
    before, after = [], []
    for seat, line in enumerate(own.lines):
        before.append(rule.draws(line))
        free = not own.locks[seat][LOCK[position]]
        after.append(min(drawn_into(rule, line, position), NEAR * 10) if free else before[-1])
    rivals = [seat for seat in range(own.players) if seat != own.seat]
    harm = min([after[seat] for seat in rivals]) - min([before[seat] for seat in rivals])
    lines = tuple(
        [
            line if own.locks[seat][LOCK[position]] else replace_wagon(line, position, GAP)
            for seat, line in enumerate(own.lines)
        ]
    )
    pool = without(own.pool, (card,))
    for seat in clockwise(own.seat, own.players):
        if lines[seat][position - 1] == GAP:
            pool = join_pool(own, pool, own.lines[seat][position - 1])
    return after[own.seat] - RIVAL * harm + danger(own, pool, lines)


def drawn_into(rule: Measure, line: Line, position: int) -> float:
    """Return a line's average distance from victory after an unknown card comes to a position."""
    step = rule.size / SAMPLES
    found = [
        rule.draws(replace_wagon(line, position, rule.numbers[int((number + 0.5) * step)])) for number in range(SAMPLES)
    ]
    return sum(found) / SAMPLES


def join_pool(own: Known, pool: Cards, card: int) -> Cards:
    """Return the pool after a card joined it; a pair leaves (R-11)."""
    ability = own.book.abilities[card]
    equal = tuple([other for other in pool if own.book.abilities[other] == ability])
    return without(pool, equal[:1]) if equal else (*pool, card)


def danger(own: Known, pool: Cards, lines: tuple[Line, ...]) -> float:
    """Return the cost of winning cards left in the pool; highest for the next player."""
    rule = ruler(own)
    worst = 0.0
    for after, seat in enumerate(list(clockwise(own.seat, own.players))[1:]):
        line = lines[seat]
        if GAP in line or rule.draws(line) > NEAR:
            continue
        if any(wins(line, own.book.abilities[card] or "", seat, card) for card in pool):
            worst = max(worst, LOSS / (1 + after))
    return worst


def wins(line: Line, ability: str, seat: Seat, card: int) -> bool:
    """Whether a line rises after some use of an ability."""
    if ability not in MOVES:
        return False
    for event in uses(seat, card, ability):
        match event:
            case ev.Swapped(_, _, left, right):
                if ascending(swap(line, left, right)):
                    return True
            case ev.Shifted(_, _, position):
                if ascending(shift(line, position, position + BY[ability])):
                    return True
    return False
