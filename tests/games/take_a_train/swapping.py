"""Two tables that differ in one seat's secrets alone, and everything that a seat might try at them.

Secrets are drawn near the edges that rules look at: nothing, the least, all the cash, as much as another seat, one unit
more or less.
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
    """Return the state with other secrets of one seat: cash, purposes, closed fist, Twist hand, replacements' faces.

    Where the bank lies open, a third seat (never the viewer) has what the seat lacks.
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
    """Return a row with one seat's value replaced."""
    return (*values[:seat], value, *values[seat + 1 :])


def near(luck: random.Random, low: int, high: int, edges: list[int]) -> int:
    """Return an amount from `low` to `high`: mostly an edge, or a unit beside one."""
    around = [low, high, *(edge + by for edge in edges for by in (-UNIT, 0, UNIT))]
    fits = [amount for amount in around if low <= amount <= high]
    return luck.choice(fits) if luck.random() < 0.9 else low + UNIT * luck.randrange((high - low) // UNIT + 1)


def price_edges(table: Table) -> list[int]:
    """Return the amounts that rules compare cash with: nothing, powers that lie open, prices of exchanges."""
    prices = [table.fixed.book.price(t, table.fixed.players) or 0 for t in range(1, table.fixed.players + 1)]
    return [0, *(power(table, card) for card in table.revealed), *prices]


def fist_edges(state: State[Table], head: Fists, other: int) -> list[int]:
    """Return the amounts that a fist may be near to: other fists, what reaches the power."""
    least = [power(state.table, head.card)] if head.card else []
    return [0, *least, *[amount for s, amount in enumerate(head.amounts) if amount is not None and s != other]]


def with_cash(state: State[Table], table: Table, other: int, viewer: int | None, luck: random.Random) -> Table:
    """Return the table with other money behind one screen, all that it has promised still there."""
    owes = [max((step.owes(Seat(s)) for step in state.agenda), default=0) for s in range(table.fixed.players)]
    head = state.agenda[0] if state.agenda else None
    if isinstance(head, Fists) and head.firsts:
        owes[other] = head.firsts[other] or 0  # the closed fist is swapped as well
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
    """Return what changes in a step that remembers a beginner's cash, so that the same things happened before."""
    unable = getattr(step, "unable", None)
    beginner = getattr(step, "beginner", -1)
    return {"unable": after.cash[beginner] + unable - before.cash[beginner]} if unable is not None else {}


def purposed(table: Table, other: int, luck: random.Random) -> Table:
    """Return the table with other purposes behind one screen: none fulfilled, all of them, or some."""
    met = luck.choice([0, ALL, luck.getrandbits(len(PURPOSES))])
    held = luck.choice([0, ALL, luck.getrandbits(len(PURPOSES))]) | table.claimed[other]
    fresh = moved_to(table.fresh, other, met) if table.fresh else ()
    known = moved_to(table.known, other, luck.random() < 0.5) if not table.fixed.dealt else table.known
    table = replace(
        table, met=moved_to(table.met, other, met), held=moved_to(table.held, other, held), fresh=fresh, known=known
    )
    return update_ripe(table)


def faced(table: Table, other: int, luck: random.Random) -> Table:
    """Return the table with other faces under the replacements of one seat, where the companion knows them."""
    pool = list(table.pool)
    own = []
    for train in table.trains[other]:
        if not train.face_up and train.loco and pool:
            at = luck.randrange(len(pool))
            train, pool[at] = replace(train, loco=pool[at]), train.loco
        own.append(train)
    return replace(table, trains=moved_to(table.trains, other, tuple(own)), pool=tuple(pool))


def dealt_anew(table: Table, head: Pick, other: int, luck: random.Random) -> tuple[Table, Pick]:
    """Return the table with other Twist cards in one seat's hand and before it; the box has the rest."""
    loose = [*head.hands[other], *head.placed[other], *table.pool]
    luck.shuffle(loose)
    hand = tuple(loose.pop() for _ in head.hands[other])
    placed = tuple(loose.pop() for _ in head.placed[other])
    hands, rest = moved_to(head.hands, other, hand), moved_to(head.placed, other, placed)
    return replace(table, pool=tuple(loose)), replace(head, hands=hands, placed=rest)


def ready_to_claim(state: State[Table], viewer: int, luck: random.Random) -> State[Table]:
    """Return the state in which a seat has purposes that it could claim: what others hold may close that."""
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
    """Yield everything that a seat might try now, sensible or not, with amounts at the edges of its own knowledge."""
    table = state.table
    head = state.agenda[0] if state.agenda else None
    price = getattr(head, "price", 0)
    edges = {0, price, table.cash[seat], *price_edges(table)}
    amounts = sorted({edge + by for edge in edges for by in (-UNIT, 0, UNIT)} | {25, 10**6})
    for amount in amounts:
        for kind in (ev.Opened, ev.Bid, ev.Committed, ev.Raised, ev.RaiseGrown, *HANDS):
            yield kind(seat, amount)
        if amount - table.cash[seat] <= UNIT:  # a strict bank tells when it is empty
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
