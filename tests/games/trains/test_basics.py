"""Test the basic cards, Waste, trash and declined texts (R-08, R-18, R-19, M1 to M9)."""

from __future__ import annotations

import pytest

from companion.engine import CellName
from companion.games.trains.catalogue import EXPRESS, LIMITED, NORMAL, RAILS, STATION, WASTE
from companion.games.trains.events import Applied, Bought, Declined, Played, RailLaid, Rebuilt, StationBuilt
from companion.games.trains.rails import card_points
from companion.games.trains.table import GAINED, discard_of
from tests.games.proofs import proves
from tests.games.trains.build import A, after, declines, on_small_map, plays, turn, waste_gained, why

__all__ = ["on_small_map"]
pytestmark = pytest.mark.usefixtures("on_small_map")


@proves("R-00", "R-07", "M1", "M2", "M3")
def test_trains_give_their_coins_and_have_no_text() -> None:
    """Trains bring 1, 2 and 3 coins and have no text to apply or decline."""
    state = after(turn([NORMAL, EXPRESS, LIMITED]), Played(A, NORMAL), Played(A, EXPRESS), Played(A, LIMITED))
    assert (state.table.coins, state.table.played) == (6, (NORMAL, EXPRESS, LIMITED))
    assert why(state, Applied(A)) == why(state, Declined(A)) == ("R-00", "wrong_phase", None)


@proves("M4", "R-18")
def test_lay_rails_lays_one_and_brings_waste() -> None:
    """Lay Rails lays one cube, and its Waste moves from the supply to the player's gained cards."""
    state = plays(turn([RAILS]), RAILS, RailLaid(A, CellName("F1")))
    assert state.table.rails[A] == ("SM", "F1")
    assert (state.table.zones.named(GAINED), state.table.supply[WASTE]) == ((WASTE,), 69)
    assert state.table.owned[A] == {RAILS: 1, WASTE: 1}


@proves("M5", "R-17", "R-18")
def test_station_expansion_builds_one_and_brings_waste() -> None:
    """Station Expansion builds one of the thirty stations and brings a Waste."""
    state = plays(turn([STATION]), STATION, StationBuilt(A, CellName("YO")))
    assert (state.table.stations, state.table.markers, waste_gained(state)) == ({"YO": 1}, 29, 1)


@proves("A-13", "R-08")
@pytest.mark.parametrize("card", [RAILS, STATION])
def test_the_basic_texts_may_be_declined(card: str) -> None:
    """A declined text brings neither a piece nor Waste, but the card counts as played."""
    state = declines(turn([card]), card)
    assert (state.table.rails[A], state.table.stations, waste_gained(state)) == (("SM",), {}, 0)
    assert state.table.played == (card,)


@proves("M6", "R-07", "R-10")
def test_waste_does_nothing() -> None:
    """Waste can be neither played nor bought."""
    state = turn([WASTE], coins=9, play=[NORMAL])
    assert why(state, Played(A, WASTE)) == ("R-07", "waste_is_useless", None)
    assert why(state, Bought(A, WASTE)) == ("R-10", "waste_not_sold", None)


@proves("M7", "M8", "M9", "R-18", "R-22")
@pytest.mark.parametrize(("card", "points"), [("apartment", 1), ("tower", 2), ("skyscraper", 4)])
def test_buildings_count_and_bring_waste_when_bought(card: str, points: int) -> None:
    """Buildings are worth 1, 2 and 4 points, and each purchase brings a Waste."""
    state = after(turn(play=[NORMAL], coins=8), Bought(A, card))
    assert (card_points(state.table, A), waste_gained(state)) == (points, 1)


@proves("R-09", "M7")
def test_a_building_is_bought_without_waste_left() -> None:
    """A building can be bought even if no Waste is left."""
    state = after(turn(play=[NORMAL], coins=3, supply={WASTE: 0}), Bought(A, "apartment"))
    assert state.table.zones.named(GAINED) == ("apartment",)


@proves("R-19", "K10")
def test_a_trashed_card_is_nobodys() -> None:
    """A trashed card leaves the game, but trashed Waste returns to the supply."""
    state = plays(turn(["holiday_timetable"]), "holiday_timetable", Applied(A))
    table = state.table
    assert (table.played, table.owned[A], table.supply["holiday_timetable"]) == ((), {}, 10)
    assert not table.zones.count(discard_of(A))
    state = plays(turn(["wagon_factory", WASTE], supply={WASTE: 69}), "wagon_factory", Rebuilt(A, WASTE, EXPRESS))
    assert (state.table.supply[WASTE], state.table.owned[A].get(WASTE)) == (70, None)
