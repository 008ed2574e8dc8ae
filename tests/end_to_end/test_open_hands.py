"""Tests of a Double Blind lot with money counted by the camera: from tokens to presses, confirmations and cash."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.engine import Refusal, Seat, Setup, money_place
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.rules import RULES
from companion.messages import Sighted, TokenSighting
from companion.sight.lasting import PATIENCE
from companion.sight.token_readings import REACHING
from companion.sight.tracker import SightTracker
from companion.table.sight_records import TokenNotice
from tests.support.judging import take_all
from tests.support.presses import Live, S, hit

A, B, C = Seat(0), Seat(1), Seat(2)
PLACES = tuple(place.name for place in RULES.token_places(3))
BLACK = tuple(money_place(seat) for seat in (A, B, C))


class CountedTable:
    """A live table and a camera that names each visible token; its readings are judged a second later."""

    def __init__(self, live: Live) -> None:
        self.live = live
        self.tracker = SightTracker()
        self.number = 0

    def happen(self, *events: ev.Event) -> None:
        """Apply events that no token shows."""
        self.live.say(*events)
        self.tracker.follow_table(self.live.shown)

    def lay(self, **money: str) -> tuple[TokenNotice, ...]:
        """Lay tokens at places, let the camera propose an event and return its messages."""
        readable = RULES.readable_places(self.live.shown.state)  # type: ignore[arg-type]
        lying = {place.replace("_", "."): tokens.split() for place, tokens in money.items()}
        found = tuple([TokenSighting(place, token) for place in lying for token in lying[place] if place in readable])
        self.live.now += S
        self.number += 1
        self.tracker.accept_reading(Sighted(self.live.now, self.number, tokens=found, token_places=readable))
        for _ in range(2):
            self.tracker.follow_table(self.live.shown)
            take_all(self.tracker, self.live.table, self.live.now)
            self.live.now += max(PATIENCE, REACHING)
        return self.tracker.sight.notices

    def press(self, *seats: Seat) -> None:
        """Let seats press, a second apart."""
        now = self.live.now
        self.live.play(*[hit(seat, now + n * S) for n, seat in enumerate(seats, 1)])
        self.tracker.follow_table(self.live.shown)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[CountedTable]:
    """Yield a table with real cards and hands at the start of a match."""
    with Live(tmp_path / "journal.db") as live:
        live.table.start(Setup("take-a-train", 3, {"bid_channel": "hand"}, "reconstruction", "ours"))
        found = CountedTable(live)
        found.lay()
        found.happen(ev.StarterNamed(A))
        yield found


def test_nobody_types_a_number(table: CountedTable) -> None:
    """The token, both hands and the recount of a sum above B's cash need only presses, and B pays 1,500."""
    table.lay(auction_token="auction-double_blind")
    assert table.live.events[-1] == ev.TokenDrawn("double_blind")
    table.happen(ev.LocosRevealed(("steam-1", "steam-4", "diesel-1")), ev.Nominated(A, "diesel-1"))
    assert not set(BLACK) & set(RULES.readable_places(table.live.shown.state))  # type: ignore[arg-type]
    table.happen(ev.RevealSignalled())
    notices = table.lay(seat_1_money="money-1000 money-100", seat_2_money="money-5000 money-500")
    assert table.live.events[-2:] == [ev.FistCounted(A, 1100), ev.FistCounted(C, 0)]
    assert [(notice.key, notice.seat, notice.amount) for notice in notices] == [("again", B, 0)]
    too_much = Refusal("R-16", "hand_exceeds_cash", {"amount": 5500, "most": 5000}, B)
    assert table.tracker.sight.reasons == ((B, too_much),)
    table.lay(seat_1_money="money-1000 money-100", seat_2_money="money-500 money-500")
    table.press(C, A, B)
    assert table.live.events[-3:] == [ev.FistConfirmed(C, 0), ev.FistConfirmed(A, 1100), ev.FistConfirmed(B, 1000)]
    table.happen(ev.RevealSignalled())
    table.lay(
        seat_1_money="money-1000 money-100", seat_2_money="money-500 money-500 money-500", seat_3_money="money-50"
    )
    assert table.live.cash == (5000, 5000, 5000)
    table.press(A, B, C)
    assert table.live.events[-3:] == [ev.FistConfirmed(A, 0), ev.FistConfirmed(B, 500), ev.FistConfirmed(C, 50)]
    assert table.live.cash == (5000, 3500, 5000)


def test_without_a_press_no_sum_is_taken(table: CountedTable) -> None:
    """Money that merely lies there is never paid, and an amount below that of the first hand is not counted."""
    table.lay(auction_token="auction-double_blind")
    table.happen(
        ev.LocosRevealed(("steam-1", "steam-4", "diesel-1")), ev.Nominated(A, "diesel-1"), ev.RevealSignalled()
    )
    table.happen(ev.FistConfirmed(A, 1000), ev.FistConfirmed(B, 500), ev.FistConfirmed(C, 0), ev.RevealSignalled())
    notices = table.lay(seat_1_money="money-500", seat_2_money="money-500", seat_3_money="money-5000")
    assert set(table.live.events[-2:]) == {ev.FistCounted(B, 0), ev.FistCounted(C, 5000)}
    assert [(notice.key, notice.seat, notice.amount, notice.due) for notice in notices] == [("less", A, 500, 1000)]
    table.live.wait(table.live.now + 3600 * S)
    assert table.live.cash == (5000, 5000, 5000)
    assert table.live.shown.state is not None
    assert RULES.view(table.live.shown.state, None).awaited == (A, B, C)
