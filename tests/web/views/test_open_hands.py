"""Test open hands on pages: each seat confirms its own sum, others see only sums, and the host can enter all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.engine import Event, Seat
from companion.games.take_a_train import events as ev
from companion.match.actor import Actor
from companion.table.sight_records import SightState
from tests.support.web.visitors import Room, regions, said

A, B, C = Seat(0), Seat(1), Seat(2)


@pytest.fixture
def closed(tmp_path: Path) -> Iterator[Room]:
    """Yield a Blind lot for a locomotive of power 200 in which real hands are closed."""
    with Room(tmp_path) as room:
        room.set_up(3, deck="ours", bid_channel="hand")
        room.join_all()
        happen(room, ev.StarterNamed(A), ev.TokenDrawn("blind"), ev.LocosRevealed(("steam-1", "steam-4", "diesel-1")))
        happen(room, ev.Nominated(A, "diesel-1"))
        yield room


@pytest.fixture
def room(closed: Room) -> Room:
    """Return the same lot just after its hands have opened."""
    happen(closed, ev.RevealSignalled())
    return closed


def happen(room: Room, *events: Event) -> None:
    """Apply some events."""
    for event in events:
        assert room.table.propose(event, Actor.TABLE).accepted, event
    room.context.hub.refresh()


def part(room: Room, page: str, region: str) -> str:
    """Return a region of a page."""
    return regions(room.anybody.read(page))[region]


def last(room: Room) -> Any:
    """Return the last event."""
    return room.table.snapshot().entries[-1].event


def test_one_tap_confirms_what_was_counted(room: Room) -> None:
    """Bill's page asks him to confirm his sum and accepts it; the others' pages only show it."""
    happen(room, ev.FistCounted(B, 2400))
    own, other = part(room, room.seats[B], "actions"), part(room, room.seats[A], "actions")
    assert "$2,400 lie here." in own
    assert "$2,400" not in other
    assert "$2,400?" in part(room, room.seats[A], "play")
    assert room.anybody.say(room.seats[B], "fist_confirmed", seat=1, amount=2400).status_code == 204
    assert last(room) == ev.FistConfirmed(B, 2400)
    assert "confirmed" in part(room, room.page("watch"), "play")


def test_a_least_bid_is_told_to_the_beginner_alone(room: Room) -> None:
    """Jane shows 100 for power 200, and only her page says for how much it counts."""
    happen(room, ev.FistCounted(A, 100))
    hint = "Your bid counts as $200"
    assert hint in part(room, room.seats[A], "actions")
    pages = (room.seats[B], room.page("watch"), room.page("tablet"), room.host)
    assert [hint in room.anybody.read(page) for page in pages] == [False] * 4


def test_more_than_a_seat_has_is_refused_in_private(room: Room) -> None:
    """If Bill enters 5,050 of 5,000, his page gives the reason and nothing happens."""
    before = room.count
    answer = room.anybody.say(room.seats[B], "fist_confirmed", seat=1, amount=5050)
    assert (answer.status_code, room.count) == (409, before)
    assert "$5,050 is more than you have" in said(answer)


def test_nobody_speaks_for_another_seat(room: Room) -> None:
    """Neither another seat nor the host nor the tablet can confirm Bill's sum, and nobody can count."""
    happen(room, ev.FistCounted(B, 400))
    assert room.anybody.say(room.seats[A], "fist_confirmed", seat=1, amount=300).status_code == 204
    assert last(room) == ev.FistConfirmed(A, 300), "a seat's page speaks for that seat"
    before = room.count
    for page in (room.host, room.page("tablet"), room.page("watch")):
        assert room.anybody.say(page, "fist_confirmed", seat=1, amount=400).status_code != 204
    for page in (room.seats[C], room.host, room.page("tablet")):
        assert room.anybody.say(page, "fist_counted", seat=2, amount=400).status_code != 204
    assert room.count == before


def test_a_late_ready_press_confirms_nothing(room: Room) -> None:
    """A late press of the page's own button for "ready" does nothing once there are controls."""
    happen(room, ev.FistCounted(B, 400))
    before = room.count
    assert room.anybody.tap(room.seats[B], "press", {"contact": "closed"}).status_code == 204
    assert room.count == before


def test_an_outdated_page_confirms_nothing(room: Room) -> None:
    """If Bill's money was counted after he typed an amount, his page must show the count first."""
    seen = room.count
    happen(room, ev.FistCounted(B, 2400))
    answer = room.anybody.say(room.seats[B], "fist_confirmed", seat=1, amount=2300, seen=seen)
    assert answer.status_code == 409
    assert last(room) == ev.FistCounted(B, 2400)


def test_a_correction_is_shown_to_all_and_answered_by_each(room: Room) -> None:
    """If Bill corrects 2,400 to 2,300, every page shows both sums, and Jane and Tom must agree."""
    happen(room, ev.FistConfirmed(B, 2400))
    assert room.anybody.say(room.seats[B], "fist_corrected", seat=1, amount=2300).status_code == 204
    for page in (*room.seats, room.page("watch"), room.page("tablet"), room.host):
        assert "$2,400 → $2,300?" in part(room, page, "play")
    assert "Do you agree?" in part(room, room.seats[A], "status")
    assert "Still to agree: Jane and Tom." in part(room, room.seats[B], "status")
    assert "Agree" not in part(room, room.seats[B], "actions")
    assert room.anybody.say(room.seats[A], "correction_answered", seat=0, yes="true").status_code == 204
    assert room.anybody.say(room.seats[C], "correction_answered", seat=2, yes="true").status_code == 204
    assert "$2,300" in part(room, room.page("watch"), "play")
    happen(room, ev.FistCorrected(B, 2200))
    assert room.anybody.say(room.seats[A], "correction_answered", seat=0, yes="false").status_code == 204
    assert last(room) == ev.CorrectionAnswered(A, False)
    assert "$2,200" not in part(room, room.page("watch"), "play")


def test_the_host_enters_all_sums(room: Room) -> None:
    """The host's form contains confirmed sums, which cannot be changed there; a seat's page has no such form."""
    happen(room, ev.FistCounted(A, 300), ev.FistConfirmed(B, 2400))
    form = part(room, room.host, "turnup")
    assert '<input type="hidden" name="amounts" value="2400">' in form
    assert 'value="300"' in form
    assert "bids_revealed" not in part(room, room.seats[A], "turnup")
    assert room.anybody.say(room.host, "bids_revealed", amounts=["300", "2300", "0"]).status_code == 409
    assert room.anybody.say(room.host, "bids_revealed", amounts=["300", "2400", "0"]).status_code == 204
    assert last(room) == ev.BidsRevealed((300, 2400, 0))


def test_going_back_past_a_word_needs_everybody(room: Room) -> None:
    """The host can undo a count at once, but a confirmed sum only with everybody's consent."""
    happen(room, ev.FistCounted(B, 400))
    assert room.table.ask_undo(room.table.snapshot().entries[-2].seq, Actor.HOST).accepted
    assert (last(room), room.table.snapshot().undo) == (ev.RevealSignalled(), None)
    happen(room, ev.FistConfirmed(B, 400))
    assert room.table.ask_undo(room.table.snapshot().entries[-2].seq, Actor.HOST).accepted
    assert last(room) == ev.FistConfirmed(B, 400)
    assert room.table.snapshot().undo is not None


def test_sums_to_be_typed_are_folded_where_a_camera_counts(closed: Room) -> None:
    """While fists are closed, the table's page asks for sums only if no camera will count them."""
    for tokens in (False, True):
        closed.table.show_sight(SightState(True, tokens=tokens))
        closed.context.hub.refresh()
        for page in (closed.page("tablet"), closed.host):
            assert ('data-fold="hand-bids"' in part(closed, page, "turnup")) is tokens


def test_an_empty_hand_need_not_wait_to_be_counted(room: Room) -> None:
    """Bill can say on his page that his hand is empty before a camera has counted it."""
    assert '<input type="hidden" name="amount" value="0">' in part(room, room.seats[B], "actions")
    assert room.anybody.say(room.seats[B], "fist_confirmed", seat=1, amount=0).status_code == 204
    assert last(room) == ev.FistConfirmed(B, 0)
