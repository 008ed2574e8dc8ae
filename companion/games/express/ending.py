"""The ends of a turn and of a hand: by a discard, by going out, or because nobody moves any more (R-06, R-17 to
R-27).
"""

from __future__ import annotations

from collections import Counter
from itertools import chain, combinations

import msgspec
from msgspec.structs import replace

from companion.engine import Effect, Refusal, Seat
from companion.games.express import events as ev
from companion.games.express import refusals
from companion.games.express.fixed import IDLE_ROUND
from companion.games.express.laying import least_left, not_held, take_back, taking_back
from companion.games.express.profile import JOINING, STARTERS
from companion.games.express.scoring import LEAST, value_of
from companion.games.express.table import PILE, Table, hand_of
from companion.games.express.trains import CABOOSE, DIESEL, WILD, Book, Train, group_of, joins

LONGEST, SECOND = 5, 4
"""The lengths that the two longest trains need for going out (R-26)."""
LAID = (*JOINING, "maintenance")
"""Cards that can be laid; the others can only be discarded or serve as locomotives."""
MOST_NEW = 2
"""The most new trains to try."""
MOST_TRIED = 4000
"""The most positions that the search tries: few hands come near it."""
TURNTABLE = "turntable"
MOST_TURNS = 100
"""Turns after which the last round is announced even if cards are left in the pile; the earlier ruling stopped the
hand.
"""


def card_of(event: ev.Ending) -> str:
    """Return the card with which a turn ends."""
    return TURNTABLE if isinstance(event, ev.TurntablePlayed) else event.card


def can_leave(table: Table) -> bool:
    """Return whether the seat on turn can go out; it checks the most frequent obstacle first."""
    return long_enough([len(train.cars) for train in table.own_trains]) and leaving_objection(table) is None


def missing_to_go_out(table: Table) -> tuple[str, ...]:
    """Return the unmet conditions of going out, `a` to `d`, if the last card were discarded now (R-26).

    (a) a train of five and another one of four, (b) every train scores, (c) all cards but one are laid, (d) a card is
    left to discard. A hand fails (c) or (d), never both.
    """
    count, lengths = table.hand(table.turn), [len(train.cars) for train in table.own_trains]
    held = {"a": long_enough(lengths), "b": min(lengths, default=LEAST) >= LEAST, "c": count <= 1, "d": count >= 1}
    return tuple([name for name, holds in held.items() if not holds])


def ending_objection(table: Table, event: ev.Ending) -> Refusal | None:
    """Return why the turn cannot end this way, None if it can; a disaster's target is not checked."""
    card, played = card_of(event), isinstance(event, ev.DisasterPlayed | ev.TurntablePlayed)
    is_action = card in table.fixed.actions
    if card not in table.fixed.book:
        return refusals.NOT_IN_PROFILE(card=card)
    if isinstance(event, ev.DiscardedUnused | ev.DisasterPlayed) and not is_action:
        return refusals.NO_ACTION(card=card)
    if isinstance(event, ev.Discarded) and is_action:
        return refusals.ANNOUNCE(card=card)
    if isinstance(event, ev.WentOut):
        return leaving_objection(table) or not_held(table, event.seat, card)
    if table.first_round and played:
        return refusals.FIRST_ROUND()
    empty = None if table.hand(event.seat) else short_hand(table)
    return empty or not_held(table, event.seat, card) or staying_objection(table)


def staying_objection(table: Table) -> Refusal | None:
    """Return why no discard lets the seat on turn end its turn and stay in (R-17, R-19, R-27)."""
    return short_hand(table) or keeping_objection(table)


def keeping_objection(table: Table) -> Refusal | None:
    """Return why the seat on turn, with enough cards, cannot keep all but one of them (R-19, R-27)."""
    left, seat = table.hand(table.turn) - 1, table.turn
    if left > table.fixed.limit and left > own_limit(table) and not table.waived:
        return refusals.TOO_MANY.to(seat, count=left, most=table.fixed.limit)
    return refusals.MUST_GO_OUT.to(seat) if table.answer == "yes" and can_go_out(table) else None


def can_go_out(table: Table) -> bool:
    """Return whether the seat on turn can go out with its dealt hand now; a seat with real cards knows it itself."""
    hand = table.zones.named(hand_of(table.turn))
    return table.fixed.dealt and finishing_plan(table.fixed.book, table.own_trains, hand) is not None


def short_hand(table: Table) -> Refusal | None:
    """Return that the seat on turn has laid too much to discard and stay in, and the number of cards to take back
    (R-17, R-26).

    Unless it goes out, it needs one card to discard and one to keep. Everybody can count that.
    """
    if not too_few(table):
        return None
    if table.hand(table.turn):
        return refusals.TAKE_ONE_BACK() if leaving_objection(table) else refusals.KEEP_ONE()
    tables = [take_back(table, back.seat, back.train, back.card) for back in taking_back(table)]
    enough = any(short_hand(each) is None or leaving_objection(each) is None for each in tables)
    return refusals.TAKE_BACK() if enough else refusals.TAKE_TWO_BACK()


def too_few(table: Table) -> bool:
    """Return whether the seat on turn has laid too much to discard and stay in."""
    held = table.hand(table.turn)
    return not held or (held == 1 and table.laid_now > 0)


def own_limit(table: Table) -> int:
    """Return how many cards the seat on turn may keep: for a dealt hand, including those that it cannot lay (R-19,
    A-05).
    """
    limit = table.fixed.limit
    too_many = table.fixed.dealt and table.hand(table.turn) - 1 > limit
    return max(limit, least_left(table)) if too_many else limit


def leaving_objection(table: Table) -> Refusal | None:
    """Return why no discard lets the seat on turn go out (R-22, R-26, R-27)."""
    if table.first_round:
        return refusals.FIRST_ROUND()
    if table.answer == "no":
        return refusals.PARTNER_SAID_NO()
    missing = missing_to_go_out(table)
    return refusals.CANNOT_GO_OUT(missing=list(missing)) if missing else None


# --- the end of a hand without a winner --------------------------------------------------------------


def after_turn(table: Table, seat: Seat) -> tuple[Table, tuple[Effect, ...]]:
    """Return the table after a seat's turn, over if nobody moves any more; a last round is announced at its start.

    The round starts anew whenever somebody lays a card, and counts only while the pile is empty. By the earlier ruling
    the hand ended when nobody drew or laid for a round, or after a hundred turns.
    """
    turns = table.turns + 1
    dry = not table.zones.count(PILE) or turns >= MOST_TURNS  # people may take the discard for ever
    idle = 0 if table.drew or table.laid_now else table.idle + 1
    passive = (*table.passive, seat) if dry and table.dry and not table.laid_now else ()
    idle_round = IDLE_ROUND in table.fixed.rulings
    begins = dry and not table.dry and idle_round
    table = replace(table, turns=turns, idle=idle, dry=dry, passive=passive)
    stops = dry and not to_lay_nothing(table) if idle_round else idle >= table.fixed.players or turns >= MOST_TURNS
    if stops:
        return replace(table, over=True), (ev.HandStopped(),)
    return table, (ev.LastRoundAnnounced(),) if begins else ()


def to_lay_nothing(table: Table) -> int:
    """Return how many more seats must lay nothing to end the hand; 0 while cards are left in the pile."""
    if IDLE_ROUND not in table.fixed.rulings or not table.dry:
        return 0
    return table.fixed.players - len(set(table.passive))


# --- laying out a whole hand ----------------------------------------------------------------------


Laid = tuple[tuple[int, str], ...]
"""The laid cards in order: the number of the train and the card; new trains are negative, maintenance goes to 0."""


class Plan(msgspec.Struct, frozen=True):
    """A plan for going out: the cards to lay in order, then the discard."""

    lays: Laid
    locomotives: tuple[str, ...]
    """The locomotive of each new train."""
    discard: str


def long_enough(lengths: list[int]) -> bool:
    """Return whether trains of these lengths include a train of five and another one of four (R-26)."""
    return len(lengths) > 1 and max(lengths) >= LONGEST and sorted(lengths)[-2] >= SECOND


def finishing_plan(book: Book, trains: tuple[Train, ...], hand: tuple[str, ...]) -> Plan | None:
    """Return how to lay all cards but one and meet all conditions of going out, or None if no way is found."""
    cars = sum([len(train.cars) for train in trains])
    fixed = [card for card in hand if group_of(book, card) not in LAID]
    budget = [MOST_TRIED]
    for new in range(MOST_NEW + 1):
        if len(hand) - new - 1 < LEAST * new or len(fixed) > new + 1 or cars + len(hand) - new - 1 < LONGEST + SECOND:
            continue
        rest = list((Counter(hand) - Counter(fixed)).elements())
        cheapest = sorted(rest, key=lambda card: value_of(book, card))
        for sunk in dict.fromkeys(combinations(cheapest, new + 1 - len(fixed))):
            laid, sinks = Counter(rest) - Counter(sunk), (*fixed, *sunk)
            found = place(book, {train.number: train for train in trains}, laid, new, (), budget)
            if found is not None:
                return Plan(found, sinks[1:], sinks[0])
            if budget[0] <= 0:
                return None
    return None


def place(
    book: Book, trains: dict[int, Train], left: Counter[str], new: int, laid: Laid, budget: list[int]
) -> Laid | None:
    """Return how to lay all the cards, kind by kind, or None: first cars, then wilds, cabooses and the rest."""
    budget[0] -= 1
    card = next((each for each in sorted(left, key=lambda each: rank(book, each)) if left[each]), "")
    if not card:
        lengths = [len(train.cars) for train in trains.values()]
        return laid if not new and min(lengths, default=0) >= LEAST and long_enough(lengths) else None
    if budget[0] <= 0:
        return None
    if group_of(book, card) == "maintenance":
        return place(book, trains, left - Counter([card]), new, (*laid, (0, card)), budget)
    begins = group_of(book, card) in STARTERS
    count = left[card] if begins else 1
    fitting = (number for number, train in trains.items() if joins(book, train, card))
    for number in chain(fitting, [-new] if new and begins else []):
        train = grown(trains.get(number), number, card, count)
        rest, lays = left - Counter({card: count}), (*laid, *[(number, card)] * count)
        found = place(book, trains | {number: train}, rest, new - (number not in trains), lays, budget)
        if found is not None:
            return found
    return None


def rank(book: Book, card: str) -> tuple[int, int, str]:
    """Return the order in which kinds are placed: cars as in a passenger train, then Wild, Diesel, Caboose."""
    kinds = (*STARTERS, WILD, DIESEL, CABOOSE, "maintenance")
    return kinds.index(group_of(book, card)), book[card].order, card


def grown(train: Train | None, number: int, card: str, count: int) -> Train:
    """Return a train, perhaps a new one, after cards of one kind were added."""
    if train is None:
        return Train(number, (card,) * count)
    if card == DIESEL:
        return replace(train, diesel=True)
    return replace(train, cars=(*train.cars, *(card,) * count))
