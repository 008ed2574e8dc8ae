"""Build pairs of tables that differ only in one seat's secrets, and the events that a seat might try at them.

Amounts are drawn near the limits in the rules: zero, the minimum, all the cash, another seat's amount, or one unit more
or less.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from companion.engine import Event, Seat, State
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.looks import show_bank
from companion.games.take_a_train.purposes import ALL, BY_ID, PURPOSES, update_ripe
from companion.games.take_a_train.steps.sealed_auctions import Fists
from companion.games.take_a_train.steps.twist import Pick
from companion.games.take_a_train.table import BANK_TOTAL, Table, power
from companion.mechanics.seating import with_value

UNIT = 50
HANDS = (ev.FistCounted, ev.FistConfirmed, ev.FistCorrected)


def swapped(state: State[Table], other: int, viewer: int | None, luck: random.Random) -> State[Table]:
    """Return the state with one seat's secrets changed: cash, purposes, closed fist, Twist hand and replacement faces.

    If the bank is public, a third seat (never the viewer) holds the difference in cash.
    """
    table = faced(state.table, other, luck)
    table = purposed(with_cash(state, table, other, viewer, luck), other, luck)
    agenda = tuple([replace(step, **changed(step, state.table, table, other)) for step in state.agenda])
    head = agenda[0] if agenda else None
    if isinstance(head, Fists) and head.amounts[other] is not None:
        amount = near(luck, *head.bounds(table, Seat(other)), fist_edges(state, head, other))
        agenda = (replace(head, amounts=moved_to(head.amounts, other, amount)), *agenda[1:])
    if isinstance(head, Pick) and table.fixed.dealt:
        table, head = dealt_anew(table, head, other, luck)
        agenda = (head, *agenda[1:])
    return State(table, agenda, state.effects)


def moved_to(values: tuple[Any, ...], seat: int, value: Any) -> tuple[Any, ...]:
    """Return the values with one seat's value replaced."""
    return (*values[:seat], value, *values[seat + 1 :])


def near(luck: random.Random, low: int, high: int, edges: list[int]) -> int:
    """Return an amount from `low` to `high`, usually a limit or one unit beside it."""
    around = [low, high, *(edge + by for edge in edges for by in (-UNIT, 0, UNIT))]
    fits = [amount for amount in around if low <= amount <= high]
    return luck.choice(fits) if luck.random() < 0.9 else low + UNIT * luck.randrange((high - low) // UNIT + 1)


def price_edges(table: Table) -> list[int]:
    """Return the amounts that rules compare with cash: zero, revealed powers and exchange prices."""
    prices = [table.fixed.book.price(t, table.fixed.players) or 0 for t in range(1, table.fixed.players + 1)]
    return [0, *(power(table, card) for card in table.revealed), *prices]


def fist_edges(state: State[Table], head: Fists, other: int) -> list[int]:
    """Return the amounts that rules compare with a fist: zero, the power and other fists."""
    least = [power(state.table, head.card)] if head.card else []
    return [0, *least, *[amount for s, amount in enumerate(head.amounts) if amount is not None and s != other]]


def with_cash(state: State[Table], table: Table, other: int, viewer: int | None, luck: random.Random) -> Table:
    """Return the table with one seat's cash changed, but still enough for all that the seat has promised."""
    owes = [max((step.owes(Seat(s)) for step in state.agenda), default=0) for s in range(table.fixed.players)]
    head = state.agenda[0] if state.agenda else None
    if isinstance(head, Fists) and head.firsts:
        owes[other] = head.firsts[other] or 0  # the closed fist is exchanged as well
    elif isinstance(head, Fists):
        least, most = head.bounds(table, Seat(other))
        owes[other] = least if head.amounts[other] is not None and least <= most else 0
    price = getattr(head, "price", 0)
    edges = [*price_edges(table), *table.cash, price, price + table.fixed.options.min_raise]
    third = [s for s in range(table.fixed.players) if s not in (other, viewer)]
    if not show_bank(table):
        to = near(luck, owes[other], table.cash[other] + 5000, edges)
        return replace(table, cash=moved_to(table.cash, other, to), bank=table.bank + table.cash[other] - to)
    if not third:
        return table
    giver = luck.choice(third)
    to = near(luck, owes[other], table.cash[other] + table.cash[giver] - owes[giver], edges)
    cash = with_value(moved_to(table.cash, other, to), giver, table.cash[giver] + table.cash[other] - to)
    return replace(table, cash=cash)


def changed(step: Any, before: Table, after: Table, other: int) -> dict[str, Any]:
    """Return the changes to a step that stores the beginner's cash, so that it still shows the same difference."""
    unable = getattr(step, "unable", None)
    beginner = getattr(step, "beginner", -1)
    return {"unable": after.cash[beginner] + unable - before.cash[beginner]} if unable is not None else {}


def purposed(table: Table, other: int, luck: random.Random) -> Table:
    """Return the table with one seat's purposes changed, so that none, some or all are fulfilled."""
    met = luck.choice([0, ALL, luck.getrandbits(len(PURPOSES))])
    held = luck.choice([0, ALL, luck.getrandbits(len(PURPOSES))]) | table.claimed[other]
    fresh = moved_to(table.fresh, other, met) if table.fresh else ()
    known = moved_to(table.known, other, luck.random() < 0.5) if not table.fixed.dealt else table.known
    table = replace(
        table, met=moved_to(table.met, other, met), held=moved_to(table.held, other, held), fresh=fresh, known=known
    )
    return update_ripe(table)


def faced(table: Table, other: int, luck: random.Random) -> Table:
    """Return the table with the faces under one seat's replacements changed, as far as the companion knows them."""
    pool = list(table.pool)
    own = []
    for train in table.trains[other]:
        if not train.face_up and train.loco and pool:
            at = luck.randrange(len(pool))
            train, pool[at] = replace(train, loco=pool[at]), train.loco
        own.append(train)
    return replace(table, trains=moved_to(table.trains, other, tuple(own)), pool=tuple(pool))


def dealt_anew(table: Table, head: Pick, other: int, luck: random.Random) -> tuple[Table, Pick]:
    """Return the table with the Twist cards in one seat's hand and among its placed ones changed."""
    loose = [*head.hands[other], *head.placed[other], *table.pool]
    luck.shuffle(loose)
    hand = tuple(loose.pop() for _ in head.hands[other])
    placed = tuple(loose.pop() for _ in head.placed[other])
    hands, rest = moved_to(head.hands, other, hand), moved_to(head.placed, other, placed)
    return replace(table, pool=tuple(loose)), replace(head, hands=hands, placed=rest)


def ready_to_claim(state: State[Table], viewer: int, luck: random.Random) -> State[Table]:
    """Return the state in which a seat meets more purposes, which it could claim unless others hold them."""
    table = state.table
    met = table.met[viewer] | luck.getrandbits(len(PURPOSES))
    held = table.held[viewer] | (luck.getrandbits(len(PURPOSES)) if not table.known[viewer] else 0)
    fresh = moved_to(table.fresh or (0,) * table.fixed.players, viewer, met)
    immediate = table.fixed.options.claim_window == "immediate"
    table = replace(
        table,
        met=moved_to(table.met, viewer, met),
        held=moved_to(table.held, viewer, held),
        fresh=fresh if immediate else table.fresh,
    )
    return State(update_ripe(table), state.agenda, state.effects)


def attempts(state: State[Table], seat: Seat) -> Iterator[Event]:
    """Yield a wide range of events that a seat might try now, with amounts near the limits that it knows."""
    table = state.table
    head = state.agenda[0] if state.agenda else None
    price = getattr(head, "price", 0)
    edges = {0, price, table.cash[seat], *price_edges(table)}
    amounts = sorted({edge + by for edge in edges for by in (-UNIT, 0, UNIT)} | {25, 10**6})
    for amount in amounts:
        for kind in (ev.Opened, ev.Bid, ev.Committed, ev.Raised, ev.RaiseGrown, *HANDS):
            yield kind(seat, amount)
        if amount - table.cash[seat] <= UNIT:  # a strict bank reveals when it is empty
            yield ev.CashCorrected(seat, amount)
    yield ev.CashCorrected(seat, BANK_TOTAL + UNIT)
    yield from (ev.Claimed(seat, purpose) for purpose in (*BY_ID, "P-99"))
    yield from (ev.PurposesEntered(seat, some) for some in (("P-1", "P-2", "P-3"), ("P-4", "P-5", "P-17"), ("P-1",)))
    yield from (kind(seat) for kind in (ev.OpeningDeclined, ev.Passed, ev.TurnPassed, ev.ClaimsDone))
    for card in (*table.revealed, *table.pool[:2]):
        yield from (kind(seat, card) for kind in (ev.Nominated, ev.LocoChosen, ev.ReplacementTaken, ev.TwistPicked))
        yield from (ev.Bought(seat, card, amount) for amount in (table.fixed.book.locos[card].power or 0, 0))
        yield ev.Flipped(seat, (card,))
    yield from (ev.Flipped(seat, ()), ev.TwistPicked(seat, None), ev.TieOrdered(seat, (Seat(0), Seat(1))))
    yield from (ev.TieBroken(seat, Seat(winner)) for winner in range(table.fixed.players))
    yield from (ev.Counted(seat, count) for count in (1, 2, 3))
    for slot in range(len(table.market) + 1):
        yield from (ev.Took(seat, slot, train) for train in (None, 0, 1, 2))
        yield ev.Exchanged(seat, (slot,))
    yield from (ev.CorrectionAnswered(seat, yes) for yes in (True, False))
    yield from (ev.WagonChosen(seat, train, 0) for train in range(3))
