"""Test a freed seat: a person who joins it cannot read its sealed bid, and everybody sees that it changed hands."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from companion.engine import Seat
from companion.games.take_a_train import events as ev
from companion.match.actor import Actor
from companion.match.history import SeatFreed, SeatTaken
from tests.support.web.visitors import Room, Visitor, said
from web.words import package, words

BILL, PIN, NEW_PIN = 1, "1111", "5555"
PLAYERS = 3
TOKEN = re.compile(r'/s/[\w-]{43}/|(content|data-page|data-shown|name="csrf" value)="[^"]+"')
"""Matches random parts that differ between pages."""


def sealed(room: Room, amount: int, **options: str) -> Room:
    """Play a Blind auction until Jane and Bill have closed their fists, after Bill has changed his amount once."""
    room.set_up(PLAYERS, deck="ours", **options)
    room.join_all()
    room.begin("blind")
    cards = ["steam-1", "diesel-1", "electric-1"]
    for seat, event, fields in (
        (0, "locos_revealed", {"cards": cards}),
        (0, "nominated", {"card": "steam-1"}),
        (0, "committed", {"amount": "2000"}),
        (BILL, "committed", {"amount": "700"}),
        (BILL, "committed", {"amount": str(amount)}),
    ):
        assert room.anybody.say(room.seats[seat], event, **fields).status_code == 204
    return room


def taken_over(room: Room) -> tuple[Visitor, str]:
    """Free Bill's seat as the host, take it on another device, and return that device and its page."""
    assert room.anybody.tap(room.host, "free", {"seat": str(BILL)}).status_code == 204
    device = room.visitor()
    return device, room.join(BILL, NEW_PIN, device).headers["Location"]


def everything(room: Room, device: Visitor, page: str) -> list[Any]:
    """Return everything that a seat's device can read: its page, its JSON, and the answer to each attempt."""
    found: list[Any] = [TOKEN.sub("", device.get(page).text)]
    found += [device.get(page + path).text for path in ("now.json", "said.json")]
    room.anybody.tap(room.host, "ask", {"seat": str(BILL)})
    for to in ("0", "1300", "1400", "4000", "5000"):
        answer = device.tap(page, "correct", {"to": to})
        found.append((answer.status_code, said(answer)))
    for event, fields in (
        ("committed", {"amount": "99950"}),
        ("committed", {"amount": "75"}),
        ("cash_corrected", {"to": "0"}),
    ):
        answer = device.say(page, event, **fields)
        found.append((answer.status_code, said(answer)))
    found.append(TOKEN.sub("", device.get(page).text))
    return found


def test_a_device_that_joins_a_freed_seat_reads_nothing_of_its_fist(tmp_path: Path) -> None:
    """The device that takes Bill's freed seat receives the same data for every bid of his."""
    games = []
    for amount in (0, 1350, 5000):
        (folder := tmp_path / str(amount)).mkdir()
        with Room(folder) as room:
            sealed(room, amount, reveal="signal")
            device, page = taken_over(room)
            games.append(everything(room, device, page))
            assert words("en")("refusal.R-00.sealed_elsewhere") in {text for _, text in games[-1][3:8]}
    assert games[1] == games[0]
    assert games[2] == games[0]


def test_cash_stays_readable_and_the_page_says_why_the_bid_is_not(room: Room) -> None:
    """The new device sees the seat's cash, and reads that another device closed the fist."""
    sealed(room, 1350)
    device, page = taken_over(room)
    shown = device.read(page)
    assert "$5,000" in shown and "1,350" not in shown
    assert "Another device closed it before the host freed the seat" in shown


def test_the_sealed_bid_stands_until_it_is_replaced(room: Room) -> None:
    """Bill's bid counts when the fists open, even if another person has his seat now."""
    sealed(room, 2350)
    taken_over(room)
    assert room.anybody.say(room.seats[2], "committed", amount="0").status_code == 204
    entries = room.table.snapshot().entries
    assert ev.FistsOpened((2000, 2350, 0)) in entries[-1].effects


def test_a_replaced_bid_is_readable_and_everybody_is_asked_again(room: Room) -> None:
    """The new device can replace the bid and read its own one, and ready seats must confirm again."""
    sealed(room, 1350, reveal="signal")
    assert room.anybody.say(room.seats[2], "committed", amount="0").status_code == 204
    device, page = taken_over(room)
    for seat in (0, 2):
        assert room.anybody.tap(room.seats[seat], "press").status_code == 204
    assert room.table.snapshot().ready == (0, 2)
    assert device.say(page, "committed", amount="400").status_code == 204
    assert room.table.snapshot().ready == ()
    assert "In your fist: $400" in device.read(page)
    assert '"amount":400' in device.get(page + "said.json").text
    assert "1350" not in device.get(page + "said.json").text


def test_an_undo_does_not_give_the_old_bid_back_to_the_new_device(room: Room) -> None:
    """After an undo of the replacement, the old bid counts again, and the new device cannot read it."""
    sealed(room, 1350)
    device, page = taken_over(room)
    assert device.say(page, "committed", amount="400").status_code == 204
    assert room.table.rewind(room.table.snapshot().entries[-2].seq, Actor.HOST).accepted
    assert room.table.snapshot().veiled == {BILL}
    assert "1,350" not in device.read(page) and "1350" not in device.get(page + "now.json").text
    assert room.table.redo(Actor.HOST).accepted
    assert "In your fist: $400" in device.read(page)


def test_the_seats_own_pin_opens_all_of_it(room: Room) -> None:
    """A person who returns from another phone with the seat's own PIN can read the bid, because nothing was freed."""
    sealed(room, 1350)
    device = room.visitor()
    page = room.join(BILL, PIN, device).headers["Location"]
    assert "In your fist: $1,350" in device.read(page)


def test_it_stays_on_everybodys_page_and_in_the_journal(room: Room) -> None:
    """The journal contains the freeing and retaking, and every page shows them until the end, even after a restart."""
    sealed(room, 1350)
    say = words("en")
    assert room.anybody.tap(room.host, "free", {"seat": str(BILL)}).status_code == 204
    assert say("people.freed", name="Bill") in room.anybody.read(room.seats[0])
    assert room.join(BILL, NEW_PIN, room.visitor()).status_code == 303
    room.restart()
    snapshot = room.table.snapshot()
    assert [body for _, body in snapshot.devices] == [SeatFreed(Seat(BILL)), SeatTaken(Seat(BILL))]
    assert snapshot.veiled == {BILL}
    for page in (room.seats[0], room.host, room.page("watch")):
        assert say("people.retaken", name="Bill") in room.anybody.read(page)


def test_a_twist_card_that_another_device_placed_stays_unread(room: Room) -> None:
    """The new device cannot read a card that was placed before, but can read and play the hand."""
    room.set_up(PLAYERS)
    room.join_all()
    while room.table.snapshot().state.table.kind != "twist":  # type: ignore[union-attr]
        room.table.leave()
        room.context.new_match()
        room.set_up(PLAYERS)
        room.join_all()
        room.begin()
    state = room.table.snapshot().state
    assert state is not None
    card = state.agenda[0].hands[BILL][0]  # type: ignore[attr-defined]
    assert room.anybody.say(room.seats[BILL], "twist_picked", card=card).status_code == 204
    device, page = taken_over(room)
    assert f'"{card}"' not in device.get(page + "now.json").text
    assert words("en", package(room.table.snapshot().game))("ui.veiled_cards") in device.read(page)
