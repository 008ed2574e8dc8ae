"""Test the pages of Trains: piles to buy from, the text of every card, and a deck on its owner's page only."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from companion.engine import Seat, legal
from companion.games.trains.events import Bought, FirstNamed, Played, StartPlaced
from companion.games.trains.rules import RULES
from companion.games.trains.table import hand_of
from companion.match.actor import Actor
from tests.support.web import any_game
from tests.support.web.board_room import board_room
from tests.support.web.visitors import Room, regions

COINS = 2
"""The coins of two Normal Trains, which every hand of five starting cards contains."""


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """Yield a match with dealt cards in which Jane has played Trains worth two coins."""
    with board_room(Path(tmp_path_factory.mktemp("trains")), 2, RULES) as found:
        assert found.table.propose(FirstNamed(Seat(0)), Actor.TABLE).accepted
        while (state := state_of(found)).table.coins < COINS:
            events = [event for offer in legal(RULES, state) for event in offer]
            trains = Played(Seat(0), "normal_train")
            event = next(each for each in events if isinstance(each, StartPlaced) or each == trains)
            assert found.table.propose(event, Actor.at_seat(event.seat)).accepted
        found.context.hub.refresh()
        yield found


def state_of(room: Room) -> Any:
    """Return the state of the match."""
    return room.table.snapshot().state


def test_piles_that_can_be_paid_are_bought_by_a_tap(room: Room) -> None:
    """The seat on turn can tap exactly the piles that the rules offer, and others see the same piles without a
    button."""
    offered = {each.card for offer in legal(RULES, state_of(room)) for each in offer if isinstance(each, Bought)}
    own, other = [regions(room.anybody.get(page).text)["supply"] for page in room.seats]
    assert set(re.findall(r'data-buy="(\w+)"', own)) == offered
    assert offered == {"landfill", "conductors_station"} and "data-buy" not in other
    assert all(f'popovertarget="about-{card}"' in own for card in state_of(room).table.supply)


def test_people_tick_the_eight_cards_that_they_drew(tmp_path: Path) -> None:
    """With real cards people enter the eight preparation cards drawn at the table; seven are refused."""
    with Room(tmp_path) as own:
        any_game.lay(own, RULES.name, 2, "ours", draw_kingdom="yes")
        shown = regions(own.anybody.get(own.seats[0]).text)["turnup"]
        kinds = re.findall(r'type="checkbox" value="(\w+)"', shown)
        assert len(kinds) == 30 and 'data-pick="8" data-most="8" data-order="cards"' in shown
        assert own.anybody.say(own.seats[0], "kingdom_drawn", cards=kinds[:7]).status_code == 409
        assert own.anybody.say(own.seats[0], "kingdom_drawn", cards=kinds[4:12]).status_code == 204
        assert set(kinds) & set(state_of(own).table.supply) == set(kinds[4:12])


def test_every_card_of_the_match_has_its_text(room: Room) -> None:
    """Each pile and the Normal Trains have one text on the page."""
    texts = regions(room.anybody.get(room.seats[1]).text)["display"]
    assert set(re.findall(r'id="about-(\w+)"', texts)) == {"normal_train", *state_of(room).table.supply}
    assert "Draw three cards" not in texts and "Return all Waste of your hand." in unescape(texts)


def test_a_card_tells_its_viewer_what_it_does_now(room: Room) -> None:
    """A card's text shows its price, its effect on the viewer's hand and the number owned, except on shared pages."""
    table = state_of(room).table
    hand = table.zones.named(hand_of(table.turn))
    pages = [room.anybody.get(page).text for page in (*room.seats, room.page("watch"))]
    found = re.findall(r'data-about-now="(\w+)">(.*?)</div>', pages[table.turn], re.DOTALL)
    told = {card: unescape(re.sub(r"<[^>]*>", " ", text)).split(".")[:-1] for card, text in found}
    said = {card: [" ".join(each.split()) for each in sentences] for card, sentences in told.items()}
    assert said["landfill"][0] == f"Now it returns {hand.count('waste')} Waste"
    for card in {"landfill", "skyscraper"}:
        cost, coins = table.fixed.book[card].cost or 0, table.coins
        lacks = f"You lack {cost - coins} coin{'s' * (cost - coins != 1)} for it"
        keeps = f"You can buy it and keep {coins - cost} coin{'s' * (coins - cost != 1)}"
        assert (keeps if cost <= coins else lacks) in said[card]
    owned = table.owned[table.turn]
    assert all((f"You own {owned.get(card)}" in sentences) == (card in owned) for card, sentences in said.items())
    assert not any("You lack" in page or "You can buy" in page for page in pages[:-1] if page is not pages[table.turn])
    assert "data-about-now" not in pages[-1]


def test_a_deck_is_on_its_owners_page_alone(room: Room) -> None:
    """Only its owner's page shows what a deck contains, because that depends on the cards drawn."""
    pages = {page: regions(room.anybody.get(page).text) for page in (*room.seats, room.host, room.page("watch"))}
    told = [page for page, found in pages.items() if "own-deck" in "".join(found.values())]
    assert told == room.seats
    assert "In your deck (5 cards)" in pages[room.seats[0]]["holdings"]
