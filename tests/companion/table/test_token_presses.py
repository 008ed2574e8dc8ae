"""Tokens and presses at a live table: readable places change with the signal, and open hands block seats."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.engine import Confirming, Deciding, Event, Raising, Refusal, Seat, Timing, Unveiling
from companion.match.actor import Actor
from companion.messages import Press, Ready, Reveal, TokensReadable, YourTurn
from companion.table.sight_records import SightState, TokenNotice
from companion.table.snapshot import Snapshot
from companion.table.token_presses import pressed_claim, unsettled_seats, withheld_seats
from tests.support.coin_table import A, B, C, CoinTable, coin_table
from tests.support.sealed_coins.rules import RULES, BadgeClaimed, HouseDrawn, Signalled

CLAIM = BadgeClaimed(B)
OTHERS = tuple(sorted(place.name for place in RULES.token_places(3) if not place.name.endswith("money")))
ALL = tuple(sorted(place.name for place in RULES.token_places(3)))


@pytest.fixture
def coins(tmp_path: Path) -> Iterator[CoinTable]:
    """Yield a table before the house's token is drawn."""
    with coin_table(tmp_path) as found:
        yield found


def test_places_close_before_anything_else_is_shown(coins: CoinTable) -> None:
    """Places become unreadable before lamps, pages or snapshots show that fists may close."""
    assert coins.readable() == ALL
    coins.cues.clear()
    coins.table.listen(lambda shown, entries: coins.cues.append(YourTurn(seats=(9,))))
    coins.say(HouseDrawn("house-low"))
    assert coins.cues[:3] == [TokensReadable(places=OTHERS), Ready(waiting=(A, B, C)), YourTurn(seats=(9,))]


def test_places_open_with_the_signal(coins: CoinTable) -> None:
    """Places become readable only with the durable signal, not with its countdown."""
    coins.say(HouseDrawn("house-low"))
    for seat in (A, B, C):
        coins.press(seat)
    assert any(isinstance(cue, Reveal) for cue in coins.cues) and coins.readable() == OTHERS
    coins.wait(4)
    assert coins.events[-1] == Signalled() and coins.readable() == ALL


def test_no_match_opens_no_place(coins: CoinTable) -> None:
    """Without a match no place is readable."""
    coins.table.leave()
    assert coins.readable() == ()


def test_seats_are_held_back_by_what_lies_there() -> None:
    """Notices about open hands and old money block their seats, and the first one gives the reason."""
    notices = (
        TokenNotice("open_hand", "seat.2.money", B),
        TokenNotice("take_back", "seat.2.money", B, 50),
        TokenNotice("take_back", "seat.3.money", C, 50),
        TokenNotice("spread", "seat.1.money", A),
        TokenNotice("take_back", "somewhere", None, 50),
    )
    assert withheld_seats(SightState(True, notices=notices)) == {
        B: Refusal("R-00", "hand_open", {}),
        C: Refusal("R-00", "money_first", {}),
    }


def test_seats_whose_tokens_moved_are_unsettled() -> None:
    """A notice about moved or unread tokens makes a seat's count unsettled, and other notices do not."""
    notices = (
        TokenNotice("moved", "seat.2.money", B, 50),
        TokenNotice("take_back", "seat.3.money", C, 50),
        TokenNotice("moved", "somewhere", None, 50),
        TokenNotice("spread", "seat.1.money", A),
    )
    assert unsettled_seats(SightState(True, notices=notices)) == {A, B}


def raising() -> Raising:
    """Return the timing of an Open auction that A leads."""

    def none(*_: object) -> Event:
        return Signalled()

    return Raising("lot", A, 100, 0, 3, none, none, none, none, 50, 500, "leader")


FISTS = Unveiling("lot", (A, B), (A, B), Signalled)


@pytest.mark.parametrize(
    ("timing", "taken"),
    [
        (None, True),
        (Deciding("turn", B, Signalled()), False),
        (Deciding("turn", A, Signalled()), True),
        (FISTS, False),
        (Unveiling("lot", (A, C), (A, C), Signalled), True),
        (Confirming("sums", ((B, Signalled()),)), False),
        (Confirming("sums", ((A, Signalled()),)), True),
        (raising(), False),
    ],
)
def test_a_press_takes_a_claim_only_where_it_means_nothing_else(
    monkeypatch: pytest.MonkeyPatch, timing: Timing | None, taken: bool
) -> None:
    """A press takes a claim only if it cannot mean a bid, a pass, readiness or a confirmation."""
    monkeypatch.setattr(Snapshot, "timing", timing)
    shown = Snapshot(1, "1", sight=SightState(True, claims=(CLAIM,)))
    assert pressed_claim(shown, Press(B, 1)) == (CLAIM if taken else None)


def test_only_a_closing_contact_of_its_seat_takes_a_claim() -> None:
    """Only a closing press of the claim's own seat takes it, and none during a pause."""
    shown = Snapshot(1, "1", sight=SightState(True, claims=(BadgeClaimed(A), CLAIM)))
    paused = Snapshot(1, "1", paused=True, sight=shown.sight)
    assert pressed_claim(shown, Press(B, 1)) == CLAIM
    assert [pressed_claim(shown, Press(*each)) for each in ((C, 1), (B, 1, "held", 1), (B, 1, "opened"), (-1, 1))] == [
        None
    ] * 4
    assert pressed_claim(paused, Press(B, 1)) is None


def test_a_claim_that_is_refused_is_told_to_its_seat(coins: CoinTable) -> None:
    """A refused claim is reported to its seat."""
    coins.lay("seat.2.badge", "badge")
    assert coins.sight.claims == (CLAIM,)
    coins.table.propose(CLAIM, Actor.at_seat(B))
    coins.table.press(Press(Seat(1), coins.now))
    assert coins.told == [(B, Refusal("S-3", "claimed", {}))]
    assert coins.events == [CLAIM]


def test_a_press_that_is_delivered_twice_claims_once(coins: CoinTable) -> None:
    """A press that is delivered twice claims once, without a refusal."""
    coins.lay("seat.2.badge", "badge")
    for _ in range(2):
        coins.table.press(Press(Seat(1), coins.now))
    assert (coins.events, coins.told, coins.sight.claims) == ([CLAIM], [], ())
