"""Play one lot of every kind of auction on four pages at once."""

from __future__ import annotations

import re

import pytest

from companion.games.take_a_train.rules import RULES
from tests.web.browser.devices import Device
from tests.web.browser.room import Room

pytestmark = pytest.mark.browser
CARDS = ("steam-1", "steam-4", "diesel-1")


def begun(room: Room, kind: str) -> None:
    """Begin a game with real cards in which the tablet draws this token first and Jane starts."""
    room.begin()
    room.tablet.move("starter_named", ("seat", 0))
    assert room.agree().moment == "draw_token"
    room.tablet.move("token_drawn", ("kind", kind))
    room.agree()


def test_pass(room: Room) -> None:
    """Jane opens, Bill bids more, Tom and Jane pass, and Bill pays his bid."""
    jane, bill, tom = room.phones
    begun(room, "pass")
    room.locos_turned_up(*CARDS)
    assert room.agree().moment == "nominate"
    jane.move("nominated", ("card", "steam-4"))
    assert room.agree().moment == "opening"
    jane.move("opened", amount=250)
    assert room.agree().lot.price == 250
    bill.move("bid", amount=400)
    assert room.agree().lot.leader == 1
    tom.move("passed")
    room.agree()
    jane.move("passed")
    view = room.agree()
    assert view.seats[1].trains[0].loco.id == "steam-4"
    assert room.state.table.cash == (5000, 4600, 5000)


def test_blind(room: Room) -> None:
    """Nobody sees a bid before all fists are closed, and the beginner breaks a tie."""
    jane, bill, tom = room.phones
    begun(room, "blind")
    room.locos_turned_up(*CARDS)
    room.agree()
    jane.move("nominated", ("card", "diesel-1"))
    assert room.agree().moment == "fists"
    jane.move("committed", amount=300)
    room.agree()
    bill.move("committed", amount=1250)
    view = room.agree()
    assert [seat.committed for seat in view.seats] == [True, True, False]
    for device in (room.tablet, room.host, jane, tom):
        assert not told_anywhere(device, 1250)
    assert told_anywhere(bill, 1250)
    tom.move("committed", amount=1250)
    view = room.agree()
    assert (view.moment, view.lot.tied) == ("break_tie", (1, 2))
    jane.move("tie_broken", ("winner", 2))
    assert room.agree().seats[2].trains[0].loco.id == "diesel-1"
    assert room.state.table.cash == (5000, 5000, 3750)


def told_anywhere(device: Device, amount: int) -> bool:
    """Return whether an amount appears as a number, but not as part of a token, in anything that a page ever
    received."""
    said = "|".join([str(amount), f"{amount:,}", f"{amount:,}".replace(",", "\u202f")])
    return re.search(rf"(?<!\w)({said})(?!\w)", device.page.content()) is not None


def test_double_blind(room: Room) -> None:
    """The first fists open, the second ones add to them, and the highest sum buys."""
    jane, bill, tom = room.phones
    begun(room, "double_blind")
    room.locos_turned_up(*CARDS)
    jane.move("nominated", ("card", "steam-4"))
    room.agree()
    for phone, amount in ((tom, 350), (jane, 200), (bill, 100)):
        phone.move("committed", amount=amount)
        view = room.agree()
    assert view.lot.stage == "second"
    assert [seat.bid for seat in view.seats] == [200, 100, 350]
    for phone, amount in ((jane, 100), (tom, 0), (bill, 1150)):
        phone.move("committed", amount=amount)
        view = room.agree()
    assert view.seats[1].trains[0].loco.id == "steam-4"
    assert room.state.table.cash == (5000, 3750, 5000)


def test_preemption(room: Room) -> None:
    """Seats bid before the cards appear, the beginner orders a tie, and each seat takes a card and pays its bid and
    the power."""
    jane, bill, tom = room.phones
    begun(room, "preemption")
    assert room.view.moment == "fists"
    for phone, amount in ((jane, 500), (tom, 0), (bill, 500)):
        phone.move("committed", amount=amount)
        view = room.agree()
    assert view.moment == "order_tie"
    jane.move("tie_ordered", pick=("1", "0"))
    assert room.agree().moment == "reveal_locos"
    room.locos_turned_up("diesel-1", "steam-1", "steam-4")
    assert room.agree().awaited == (1,)
    bill.move("loco_chosen", ("card", "diesel-1"))
    room.agree()
    jane.move("loco_chosen", ("card", "steam-4"))
    view = room.agree()
    if view.moment == "choose":
        tom.move("loco_chosen", ("card", "steam-1"))
        view = room.agree()
    assert [seat.trains[0].loco.id for seat in view.seats] == ["steam-4", "diesel-1", "steam-1"]
    powers = [seat.trains[0].loco.power for seat in view.seats]
    assert room.state.table.cash == (4500 - powers[0], 4500 - powers[1], 5000 - powers[2])


def test_open(room: Room) -> None:
    """A press on a page raises, the leader's press counts, and the count of three sells."""
    jane, bill, tom = room.phones
    begun(room, "open")
    view = room.agree()
    room.locos_turned_up(*CARDS[: view.reveal])
    view = room.agree()
    if view.moment == "nominate":
        jane.move("nominated", ("card", CARDS[0]))
        room.agree()
    jane.move("opened", amount=300)
    assert room.agree().lot.leader == 0
    jane.press()
    assert room.until(lambda view: view.lot.count == 1)
    bill.press()
    assert room.until(lambda view: view.lot.leader == 1).lot.price == 350
    assert room.agree().lot.count == 0
    tom.move("raised", amount=600)
    assert room.agree().lot.price == 600
    for count in (1, 2):
        tom.press()
        assert room.until(lambda view, count=count: view.lot.count == count)
        room.agree()
    tom.press()
    view = room.until(lambda view: view.seats[2].trains)
    room.agree()
    assert view.seats[2].trains[0].loco.id == CARDS[0]
    assert room.state.table.cash == (5000, 5000, 4400)


def test_twist_with_real_cards(room: Room) -> None:
    """Two real cards are placed, the tablet enters the cards that turn up, and one is flipped to pay less."""
    begun(room, "twist")
    for _ in range(2):
        assert room.agree().moment == "pick"
        for phone in room.phones:
            phone.move("twist_picked")
            room.agree()
    hands = (
        ("steam-1", "steam-2", "steam-3"),
        ("diesel-5", "electric-4", "electric-5"),
        ("steam-4", "steam-5", "diesel-1"),
    )
    assert room.view.moment == "turn_up"
    form = room.tablet.form("twist_revealed")
    for seat, cards in enumerate(hands):
        fields = form.locator("fieldset").nth(seat).locator("select")
        for at, card in enumerate(cards):
            fields.nth(at).select_option(card)
    room.tablet.tap(form.locator("button:not([type=button])"))
    view = room.agree()
    assert view.moment == "flips"
    assert view.awaited == (1,)
    bill = room.phones[1]
    bill.tap(bill.page.locator("form:has(input[value=flipped]) button").first)
    view = room.agree()
    assert sum(train.loco is None for train in view.seats[1].trains) == 1
    assert all(len(seat.trains) == 3 for seat in view.seats)


def test_cards_dealt_by_the_companion(room: Room) -> None:
    """When the companion deals, people enter only the starter and the token."""
    room.begin(deck="dealt")
    room.tablet.move("starter_named", ("seat", 1))
    assert room.agree().moment == "draw_token"
    bill = room.phones[1]
    bill.tap(bill.page.locator('form[hx-post="draw"] button'))
    view = room.agree()
    assert view.kind
    assert not view.chance
    for phone in room.phones:
        assert phone.page.locator("#region-goals .purpose").count() == 3
    room.hurry(lambda state: RULES.view(state, None).moment == "act")
    view = room.agree()
    assert all(view.market)
    seat = view.awaited[0]
    room.phones[seat].move("turn_passed")
    assert room.agree().awaited != (seat,)
