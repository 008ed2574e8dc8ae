"""Play a whole wagon stage by touch, count its profits, correct an old card, and play a whole game to its ranking."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from companion.engine import Seat
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.view import TableView
from tests.web.browser.devices import unfold
from tests.web.browser.room import Room

pytestmark = pytest.mark.browser
TRAINS = (("steam-7", "steam-1", "steam-2"), ("diesel-1", "steam-3", "steam-4"), ("steam-5", "steam-6", "diesel-2"))
"""The cards of the locomotive stage; Jane gets the ×3 of the rulebooks' example."""
TO_WAGONS = (
    ev.StarterNamed(Seat(0)),
    ev.TokenDrawn("twist"),
    *[ev.TwistPicked(Seat(seat)) for _ in range(2) for seat in range(3)],
    ev.TwistRevealed(TRAINS),
)
COALS = ["coal-200", "coal-150", "coal-150", "coal-150", "coal-100"]
OTHERS = ["food-200", "bonus", "multiplier", "food-150", "food-50"]
"""The cards that turn up after Jane's turns and after the others' turns."""


def turn(room: Room, view: TableView, coals: list[str], others: list[str]) -> str:
    """Play one turn by touch: Jane couples coal, Bill anything else, Tom exchanges once and passes."""
    seat = view.awaited[0]
    phone = room.phones[seat]
    is_coal = [bool(card and card.startswith("coal")) for card in view.market]
    if seat == 2:
        if view.round == 1 and others and others[0] == "bonus" and room.own(seat).exchange_price:
            slot = is_coal.index(False)
            phone.tap(unfolded_exchange(room, slot))
            room.agree()
            room.cards_turned_up(others.pop(0))
            room.agree()
        phone.move("turn_passed")
        return ""
    slot = is_coal.index(seat == 0)
    card = str(view.market[slot])
    train = "" if card == "bonus" else 0
    phone.move("took", ("train", train), slot=slot)
    view = room.agree()
    if view.moment == "reveal_cards":
        room.cards_turned_up((coals if seat == 0 else others).pop(0))
    return card


def unfolded_exchange(room: Room, slot: int) -> Locator:
    """Choose one card of the market for an exchange and return the button that pays for it."""
    form = room.phones[2].form("exchanged")
    label = form.locator(f"label:has(input[name=slots][value='{slot}'])")
    unfold(label)
    label.click()
    return form.locator("[data-picked]")


def test_a_wagon_stage_and_its_profits(room: Room) -> None:
    """Coal of 850 behind a ×3 pays 2,550, as in the rulebooks; then one card is corrected."""
    room.begin(*TO_WAGONS)
    assert room.agree().order == (2, 0, 1)
    room.cards_turned_up("coal-200", "food-100", "coal-150")
    coals, others, taken = list(COALS), list(OTHERS), []
    for _ in range(30):
        view = room.agree()
        if view.moment != "act":
            break
        before, paying = room.state.table.cash, [sum(train.profit for train in seat.trains) for seat in view.seats]
        taken.append((view.awaited[0], turn(room, view, coals, others)))
    assert [card for seat, card in taken if seat == 0] == ["coal-200", "coal-200", "coal-150", "coal-150", "coal-150"]
    assert {"bonus", "multiplier", "food-100"} <= {card for seat, card in taken if seat == 1}
    assert view.moment == "draw_token"
    assert room.state.table.cash == (before[0] + 2550, before[1] + paying[1], before[2] + paying[2])
    payment = room.phones[0].page.locator("#region-holdings .payment")
    expect(payment).to_contain_text("$2,550")
    tokens = {t: payment.locator(f".token.t{t} b").text_content() for t in (1000, 500, 50)}
    assert tokens == {1000: "2", 500: "1", 50: "1"}
    put_right(room)


def put_right(room: Room) -> None:
    """Correct a misread wagon as the host, whose page shows the difference first."""
    page, cash = room.host.page, room.state.table.cash
    line = (
        page.locator("ol.corrections li", has=page.locator("form[action=amend]"))
        .filter(has_text=re.compile("New in the market.*coal.*150"))
        .first
    )
    unfold(line)
    line.locator("button", has_text="Correct").click()
    select = page.locator("select", has=page.locator("option[value='coal-150'][selected]"))
    select.select_option("coal-200")
    page.get_by_role("button", name="What would change?").click()
    changes = page.locator(".changes")
    expect(changes).to_contain_text("Jane should have $150 more: take it from the bank.")
    expect(changes).to_contain_text(re.compile("200.*not.*150"))
    assert room.state.table.cash == cash
    page.get_by_role("button", name="Correct it").click()
    expect(page.locator(".changes")).to_contain_text("$150")
    page.locator("a.button.main").click()
    room.agree()
    assert room.state.table.cash == (cash[0] + 150, cash[1], cash[2])


def test_a_whole_game_ends_with_a_ranking(room: Room) -> None:
    """After three more rounds every page shows the same ranking, and the past game includes the chart of money."""
    room.begin(*TO_WAGONS)
    room.hurry(lambda state: state.over, "pass", "open")
    view = room.agree()
    assert view.moment == "over"
    assert sorted(view.cash) == sorted(room.state.table.cash)
    page = room.phones[0].page
    page.locator("#region-people a.button:not(.quiet)").click()
    expect(page.locator("svg.chart polyline")).to_have_count(3)
    expect(page.locator(".ranking li")).to_have_count(3)
