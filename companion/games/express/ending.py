"""How a turn can end: what must hold for a discard, and for going out (R-17 to R-22, R-26)."""

from __future__ import annotations

from companion.engine import Refusal
from companion.games.express import events as ev
from companion.games.express import refusals
from companion.games.express.finishing import finishing_plan, long_enough
from companion.games.express.laying import least_left, not_held, take_back, taking_back
from companion.games.express.profile import ACTIONS
from companion.games.express.scoring import scorable
from companion.games.express.table import Table, hand_of
from companion.games.express.trains import group_of

ENDING = (ev.Discarded, ev.DiscardedUnused, ev.WentOut, ev.TurntablePlayed, ev.DisasterPlayed)
"""Events that end a turn."""
TURNTABLE = "turntable"
Ending = ev.Discarded | ev.DiscardedUnused | ev.WentOut | ev.TurntablePlayed | ev.DisasterPlayed


def card_of(event: Ending) -> str:
    """Return the card with which a turn ends."""
    return TURNTABLE if isinstance(event, ev.TurntablePlayed) else event.card


def missing_to_go_out(table: Table) -> tuple[str, ...]:
    """Return which conditions of going out fail, `a` to `d`, if the last card were discarded now (R-26).

    (a) a train of five and another one of four, (b) every train scores, (c) all cards but one are laid, (d) a card
    is left to discard. A hand fails (c) or (d), never both.
    """
    count = table.hand(table.turn)
    held = {
        "a": long_enough([len(train.cars) for train in table.own_trains]),
        "b": all(map(scorable, table.own_trains)),
        "c": count <= 1,
        "d": count >= 1,
    }
    return tuple([name for name, holds in held.items() if not holds])


def ending_objection(table: Table, event: Ending) -> Refusal | None:
    """Return why the turn cannot end so, None if it can; a disaster's target is not looked at."""
    card = card_of(event)
    kind = group_of(table.fixed.book, card)
    if not kind:
        return refusals.NOT_IN_PROFILE(card=card)
    if isinstance(event, ev.DiscardedUnused | ev.DisasterPlayed) and kind not in ACTIONS:
        return refusals.NO_ACTION(card=card)
    if isinstance(event, ev.Discarded) and kind in ACTIONS:
        return refusals.ANNOUNCE(card=card)
    if isinstance(event, ev.WentOut):
        return leaving_objection(table) or not_held(table, event.seat, card)
    if table.first_round and isinstance(event, ev.DisasterPlayed | ev.TurntablePlayed):
        return refusals.FIRST_ROUND()
    empty = None if table.hand(event.seat) else short_hand(table)
    return empty or not_held(table, event.seat, card) or staying_objection(table)


def staying_objection(table: Table) -> Refusal | None:
    """Return why the seat on turn cannot end its turn and stay in with any discard (R-17, R-19, R-27)."""
    found = short_hand(table) or limit_objection(table)
    if found is None and table.answer == "yes" and can_go_out(table):
        return refusals.MUST_GO_OUT.to(table.turn)
    return found


def can_go_out(table: Table) -> bool:
    """Whether the seat on turn can go out with its dealt hand, as the table lies; of real cards, it knows itself."""
    if not table.fixed.dealt:
        return False
    hand = table.zones.named(hand_of(table.turn))
    return finishing_plan(table.fixed.book, table.own_trains, hand) is not None


def short_hand(table: Table) -> Refusal | None:
    """Return that the seat on turn has laid too much to discard and stay in, and how much it takes back (R-17, R-26).

    It needs one card to discard and one to keep, unless it goes out. Everybody can count that.
    """
    held = table.hand(table.turn)
    if held > 1 or (held and not table.laid_now):
        return None
    if held:
        return refusals.TAKE_ONE_BACK() if leaving_objection(table) else refusals.KEEP_ONE()
    tables = [take_back(table, back.seat, back.train, back.card) for back in taking_back(table)]
    enough = any(short_hand(each) is None or leaving_objection(each) is None for each in tables)
    return refusals.TAKE_BACK() if enough else refusals.TAKE_TWO_BACK()


def limit_objection(table: Table) -> Refusal | None:
    """Return that a hand would be too large (R-19)."""
    left = table.hand(table.turn) - 1
    if left > own_limit(table) and not table.waived:
        return refusals.TOO_MANY.to(table.turn, count=left, most=table.fixed.limit)
    return None


def own_limit(table: Table) -> int:
    """Return how many cards the seat on turn may keep: of a dealt hand also those that it cannot lay (R-19, A-05)."""
    limit = table.fixed.limit
    if table.fixed.dealt and table.hand(table.turn) - 1 > limit:
        return max(limit, least_left(table))
    return limit


def leaving_objection(table: Table) -> Refusal | None:
    """Return why the seat on turn cannot go out with any discard (R-22, R-26, R-27)."""
    if table.first_round:
        return refusals.FIRST_ROUND()
    if table.answer == "no":
        return refusals.PARTNER_SAID_NO()
    missing = missing_to_go_out(table)
    return refusals.CANNOT_GO_OUT(missing=list(missing)) if missing else None
