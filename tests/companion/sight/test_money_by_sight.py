"""Take a Train with real tokens under a camera: auctions without typed numbers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion.engine import Refusal, Seat, tokens_seen
from companion.games import GAMES
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.purposes import PURPOSES
from companion.match.actor import Actor
from companion.messages import SECOND
from companion.sight.tracker import SightTracker
from companion.table.sight_records import TokenNotice
from companion.table.snapshot import Snapshot
from tests.support.coin_table import DOUBT, SOON, A, B, C, CoinTable, coin_table
from tests.support.judging import proposed

MONEY = ("seat.1.money", "seat.2.money", "seat.3.money")
CARDS = ("steam-1", "steam-4", "diesel-1")
"""Locomotives of powers 100, 200 and 300."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[CoinTable]:
    """Yield a match with real hands, before the auction token is drawn."""
    game: Any = GAMES["take-a-train"]
    assert tokens_seen(game)
    with coin_table(tmp_path, game, bid_channel="hand") as found:
        found.say(ev.StarterNamed(A))
        yield found


def lot(table: CoinTable, kind: str) -> CoinTable:
    """Draw an auction token, turn up locomotives and let A nominate the one of power 200."""
    table.lay("auction.token", f"auction-{kind}")
    assert table.events[-1] == ev.TokenDrawn(kind)
    table.say(ev.LocosRevealed(CARDS))
    table.say(ev.Nominated(A, "steam-4"))
    return table


def pay(table: CoinTable, *sums: tuple[str, ...]) -> None:
    """Give the signal and lay the tokens of each seat down."""
    table.signal()
    table.lying |= {place: tuple(tokens) for place, tokens in zip(MONEY, sums, strict=True)}
    table.look(6)


def confirm(table: CoinTable) -> None:
    """Let all seats confirm their sums with a press after a while."""
    table.wait(1)
    for seat in (A, B, C):
        table.press(seat)


def cash(table: CoinTable) -> tuple[int, ...]:
    """Return the cash of all seats."""
    state: Any = table.shown.state
    found: tuple[int, ...] = state.table.cash
    return found


def test_a_blind_lot_by_tokens_and_presses_alone(table: CoinTable) -> None:
    """A Blind lot is played by token and presses alone, and B pays the counted 750."""
    lot(table, "blind")
    pay(table, ("money-500",), ("money-500", "money-50", "money-100", "money-100"), ())
    assert table.events[-3:] == [ev.FistCounted(A, 500), ev.FistCounted(B, 750), ev.FistCounted(C, 0)]
    confirm(table)
    assert cash(table) == (5000, 4250, 5000)
    assert [each for each in table.notices if each.key != "take_back"] == []


def test_both_fists_of_double_blind(table: CoinTable) -> None:
    """In Double blind the second bid is the sum without the first one, and an unchanged place counts after a while."""
    lot(table, "double_blind")
    pay(table, ("money-500",), ("money-100",), ("money-500",))
    confirm(table)
    assert not set(MONEY) & set(table.readable())
    table.signal()
    table.look()
    assert table.events[-1] == ev.RevealSignalled()
    table.lying |= {MONEY[0]: ("money-500", "money-500"), MONEY[1]: ("money-100", "money-1000")}
    table.look()
    assert table.events[-2:] == [ev.FistCounted(A, 500), ev.FistCounted(B, 1000)]
    table.wait(6)
    assert table.events[-1] == ev.FistCounted(C, 0)
    confirm(table)
    assert cash(table) == (5000, 3900, 5000)


def test_after_a_restart_a_first_fist_alone_is_no_second_one(table: CoinTable) -> None:
    """After a restart the first bid alone does not count as a second one, because hands may still be moving."""
    lot(table, "double_blind")
    pay(table, ("money-500",), ("money-100",), ("money-500",))
    confirm(table)
    table.restart()
    table.signal()
    table.look()
    assert table.events[-1] == ev.RevealSignalled()
    table.lying[MONEY[0]] = ("money-500", "money-100")
    table.look()
    assert table.events[-1] == ev.FistCounted(A, 100)
    table.wait(6)
    assert table.events[-2:] == [ev.FistCounted(B, 0), ev.FistCounted(C, 0)]


@pytest.mark.parametrize("lost", [False, True])
def test_a_first_fist_that_a_new_camera_does_not_know_is_no_open_hand(table: CoinTable, lost: bool) -> None:
    """After the camera is replaced, a first bid is not mistaken for an open hand."""
    lot(table, "double_blind")
    pay(table, ("money-500",), ("money-100",), ("money-500",))
    confirm(table)
    if lost:
        table.observer.accept_reading(None)
        table.wait()
    table.open_hands = (MONEY[1],)
    table.look()
    assert [each.key for each in table.notices] == ([] if lost else ["open_hand"])
    table.signal()
    assert (table.events[-1] == ev.RevealSignalled()) == lost


def test_a_seat_says_that_its_hand_is_closed(table: CoinTable) -> None:
    """A seat can declare that its hand is closed, which is valid until the fists open."""
    lot(table, "double_blind")
    table.open_hands = (MONEY[1],)
    table.look()
    assert [each.key for each in table.notices] == ["open_hand"]
    table.observer.accept_in_order(A)
    table.wait()
    assert [each.key for each in table.notices] == ["open_hand"]
    table.observer.accept_in_order(B)
    table.wait()
    assert table.notices == []
    pay(table, ("money-500",), ("money-100",), ("money-500",))
    confirm(table)
    table.look()
    assert [each.key for each in table.notices] == ["open_hand"]


def test_a_first_fist_that_was_taken_up_and_laid_back_is_no_open_hand(table: CoinTable) -> None:
    """A first bid that is taken up and laid down again is not reported as an open hand."""
    lot(table, "double_blind")
    pay(table, ("money-500",), ("money-100",), ("money-500",))
    confirm(table)
    table.open_hands = (MONEY[1],)
    table.look()
    assert [each.key for each in table.notices] == ["open_hand"]
    first, table.open_hands, table.lying[MONEY[1]] = table.lying[MONEY[1]], (), ()
    table.look()
    assert table.notices == []
    table.open_hands, table.lying[MONEY[1]] = (MONEY[1],), first
    table.look()
    assert table.notices == []
    table.signal()
    assert table.events[-1] == ev.RevealSignalled()


def test_less_than_the_first_fist_is_asked_about(table: CoinTable) -> None:
    """If some of the first bid was taken away, the seat is asked about it, and nothing is counted."""
    lot(table, "double_blind")
    pay(table, ("money-500",), ("money-500", "money-100"), ())
    confirm(table)
    table.signal()
    table.lay(MONEY[1], "money-500", seconds=5)
    assert ev.FistCounted(B, 0) not in table.events
    assert TokenNotice("less", MONEY[1], B, 500, 600) in table.notices
    table.lay(MONEY[1], "money-500", "money-100", "money-50")
    assert table.events[-1] == ev.FistCounted(B, 50)
    assert [each for each in table.notices if each.key == "less"] == []


def test_a_sum_that_is_said_is_what_lies_there(table: CoinTable) -> None:
    """A confirmed new sum replaces the count, and only later changes are reported."""
    lot(table, "blind")
    pay(table, ("money-500",), ("money-500",), ())
    table.lay(MONEY[1], "money-500", "money-100", seconds=2.5)
    moved = TokenNotice("moved", MONEY[1], B, 600)
    assert table.notices == [moved]
    table.say(ev.FistConfirmed(B, 600), Actor.at_seat(B))
    assert table.notices == []
    table.lay(MONEY[1], "money-500", seconds=2.5)
    assert table.notices == [TokenNotice("moved", MONEY[1], B, 500)]


def test_a_sum_that_is_not_what_lies_there_stays_announced(table: CoinTable) -> None:
    """If a seat confirms its old sum although more lies there, the difference is still reported."""
    lot(table, "blind")
    pay(table, ("money-500",), ("money-500",), ())
    table.lay(MONEY[1], "money-500", "money-100", seconds=2.5)
    table.say(ev.FistConfirmed(B, 500), Actor.at_seat(B))
    assert table.notices == [TokenNotice("moved", MONEY[1], B, 600)]


def test_more_than_a_seat_has_is_counted_again(table: CoinTable) -> None:
    """A sum above the seat's cash is counted again, and only that seat learns the reason."""
    lot(table, "blind")
    pay(table, ("money-500",), ("money-5000", "money-1000"), ())
    table.wait(2.5)
    assert table.notices == [TokenNotice("again", MONEY[1], B)]
    ((seat, why),) = table.sight.reasons
    assert (seat, why.audience) == (B, B)
    table.lay(MONEY[1], "money-500")
    assert table.events[-1] == ev.FistCounted(B, 500)
    assert table.notices == []


def test_old_money_is_taken_back_before_the_next_fists(table: CoinTable) -> None:
    """A seat whose last bid still lies there cannot be ready until the place is empty."""
    lot(table, "blind")
    pay(table, ("money-500",), (), ("money-100",))
    confirm(table)
    table.lay(MONEY[0], seconds=2.5)
    assert table.notices == [TokenNotice("take_back", MONEY[2], C, 100)]
    table.say(ev.LocosRevealed(("steam-2", "steam-5", "diesel-2")))
    table.say(ev.Nominated(B, "steam-2"))
    table.press(C)
    assert table.told[-1] == (C, Refusal("R-00", "money_first", {}))
    table.lay(MONEY[2])
    table.press(C)
    assert table.shown.ready == (C,)


def test_a_drawn_token_is_taken_once(table: CoinTable) -> None:
    """A single auction token is taken, and two tokens are reported."""
    table.lay("auction.token", "auction-blind", "auction-open", seconds=2.5)
    assert table.notices == [TokenNotice("two_tokens", "auction.token")]
    assert table.events == [ev.StarterNamed(A)]
    table.lay("auction.token", "auction-open")
    assert table.events[-1] == ev.TokenDrawn("open")
    assert table.shown.entries[-1].by == Actor.CAMERA


def test_a_claim_waits_for_its_seat(table: CoinTable) -> None:
    """A purpose laid open before its seat has a train is not suggested as a claim."""
    table.lay("seat.2.purpose", "purpose-P-1", seconds=5)
    assert (table.sight.claims, table.events) == ((), [ev.StarterNamed(Seat(0))])


# --- secrets --------------------------------------------------------------------------------------


def with_other_secrets(shown: Snapshot) -> Snapshot:
    """Return a snapshot with different money and purposes behind all screens."""
    state: Any = shown.state
    held = tuple([~of & ((1 << len(PURPOSES)) - 1) for of in state.table.held])
    cash = tuple([of // 2 for of in state.table.cash])
    return replace(shown, state=replace(state, table=replace(state.table, cash=cash, held=held)))


def test_other_secrets_change_nothing_that_is_said_of_tokens(table: CoinTable) -> None:
    """Proposals and notices about tokens do not depend on hidden money or purposes."""
    here, there = SightTracker(), SightTracker()
    said = []

    def compare(seconds: float = 3.0) -> None:
        """Let both trackers judge the same tokens now and later, and compare everything except private reasons."""
        table.now += SOON
        reading = table.reading()
        for _ in range(2):
            judged = []
            for tracker, shown in ((here, table.shown), (there, with_other_secrets(table.shown))):
                tracker.follow_table(shown)
                tracker.accept_reading(reading)
                moves = proposed(tracker, table.now)
                judged.append((moves, replace(tracker.sight, claims=(), reasons=())))
            assert judged[0] == judged[1]
            said.extend([each.key for each in judged[0][1].notices])
            table.now += int(seconds * SECOND)

    compare()
    table.lying |= {"seat.2.purpose": ("purpose-P-1",), "seat.3.purpose": (DOUBT,), MONEY[1]: ("money-500",)}
    compare()
    table.lay("auction.token", "auction-blind")
    table.say(ev.LocosRevealed(CARDS))
    compare()
    table.say(ev.Nominated(A, "steam-4"))
    table.lay(MONEY[1])
    compare()
    table.signal()
    table.lying |= {MONEY[0]: ("money-5000",), MONEY[1]: ("money-500", DOUBT), MONEY[2]: ("money-50",)}
    compare()
    table.look(6)
    compare()
    assert {"spread", "take_back"} <= set(said)
    assert table.events[-1] == ev.FistCounted(C, 50)
