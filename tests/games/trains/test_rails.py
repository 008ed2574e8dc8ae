"""Test where rails and stations may be, what they cost, and the cards that change that."""

from __future__ import annotations

import pytest

from companion.engine import CellName
from companion.games.trains.catalogue import RAILS, STATION, WASTE
from companion.games.trains.events import Applied, Declined, Played, RailLaid, StationBuilt
from companion.games.trains.rails import price
from companion.games.trains.rules import RULES
from tests.games.proofs import proves
from tests.games.trains.build import A, B, C, after, declines, on_small_map, plays, turn, waste_gained, why

__all__ = ["on_small_map"]
pytestmark = pytest.mark.usefixtures("on_small_map")


def lays(cell: str) -> RailLaid:
    """Return the event of the first seat laying a rail."""
    return RailLaid(A, CellName(cell))


def builds(cell: str) -> StationBuilt:
    """Return the event of the first seat building a station."""
    return StationBuilt(A, CellName(cell))


@proves("R-16", "T-1")
def test_a_city_with_two_stations_and_a_rival() -> None:
    """A city with two stations costs three coins, a rival one more, and sharing brings a second Waste."""
    state = turn([RAILS], coins=4, rails=(("M1",), ("C3",)), stations={"C3": 2})
    assert [(item.key, item.amount) for item in price(state.table, A, "C3")] == [("city", 3), ("shared", 1)]
    state = plays(state, RAILS, lays("C3"))
    assert (state.table.coins, waste_gained(state)) == (0, 2)


@proves("R-16", "T-2")
def test_too_few_coins_change_nothing() -> None:
    """A rail that costs more than the seat has is refused."""
    state = turn([RAILS], coins=3, rails=(("M1",), ("C3",)), stations={"C3": 2})
    state = after(state, Played(A, RAILS))
    assert why(state, lays("C3")) == ("R-16", "too_dear", None)
    assert state.table.coins == 3


@proves("R-16", "T-3")
def test_two_rivals_on_a_field() -> None:
    """Two rivals cost two coins but bring only one Waste for sharing."""
    state = plays(turn([RAILS], coins=2, rails=(("KJ",), ("IU", "F2"), ("IU", "F2"))), RAILS, lays("F2"))
    assert (state.table.coins, waste_gained(state)) == (0, 2)


@proves("R-15", "T-4", "T-5", "T-6", "A-08")
@pytest.mark.parametrize(
    ("rails", "cell", "key"),
    [
        ((("SM",), ("YO",)), "SS", "barrier"),
        ((("SM",), ("YO",)), "SM", "already_yours"),
        ((("R4",), ("YO",)), "S1", "sea"),
        ((("SM",), ("YO",)), "KJ", "not_adjacent"),
    ],
)
def test_where_no_rail_may_lie(rails: tuple[tuple[str, ...], ...], cell: str, key: str) -> None:
    """A rail may not cross a barrier or lie in the sea, on an own cell or too far away."""
    state = after(turn([RAILS], coins=9, rails=rails), Played(A, RAILS))
    assert why(state, lays(cell)) == ("R-15", key, None)


@proves("R-08", "K27", "T-8")
def test_a_tunnel_that_leads_nowhere() -> None:
    """If no cell is affordable, a tunnel has no lasting effect and brings no Waste."""
    state = plays(turn(["tunnel"], rails=(("SM", "F1", "SS"), ("IU",))), "tunnel")
    assert type(state.agenda[0]).__name__ == "Act"
    assert not state.table.holds("tunnel") and waste_gained(state) == 0


@proves("R-09", "K27", "T-9")
def test_a_tunnel_without_waste_left() -> None:
    """A tunnel lays its rail even if no Waste is left."""
    state = plays(turn(["tunnel"], rails=(("F4",), ("IU",)), supply={WASTE: 0}), "tunnel", lays("M1"))
    assert "M1" in state.table.rails[A] and waste_gained(state) == 0


@proves("K27", "R-20", "T-10")
def test_a_tunnel_lasts() -> None:
    """After a tunnel, a mountain costs nothing, and a rival on it one coin."""
    state = plays(turn(["tunnel", RAILS], rails=(("F3",), ("IU",))), "tunnel", lays("F4"))
    assert plays(state, RAILS, lays("M1")).table.coins == 0
    state = plays(turn(["tunnel", RAILS], coins=1, rails=(("F3",), ("M1",))), "tunnel", lays("F4"))
    assert plays(state, RAILS, lays("M1")).table.coins == 0


@proves("K23", "T-11")
def test_a_bridge_waives_rivers_alone() -> None:
    """A steel bridge makes only rivers free, so a city still costs its price."""
    state = plays(turn(["steel_bridge", RAILS], coins=1, rails=(("YO",), ("IU",))), "steel_bridge", lays("V1"))
    assert state.table.coins == 1
    state = plays(
        turn(["steel_bridge"], coins=2, rails=(("M1",), ("IU",)), stations={"C3": 1}), "steel_bridge", lays("C3")
    )
    assert state.table.coins == 0


@proves("K28", "R-16", "T-12", "A-02")
def test_a_subway_spares_all_but_remote_places() -> None:
    """A subway makes everything free except remote places, but sharing still brings Waste."""
    state = plays(turn(["subway_excavation"], coins=4, rails=(("M1",), ("IU",))), "subway_excavation", lays("R4"))
    assert state.table.coins == 0
    state = turn(["subway_excavation"], rails=(("M1",), ("C3",), ("C3",)), stations={"C3": 3})
    state = plays(state, "subway_excavation", lays("C3"))
    assert (state.table.coins, waste_gained(state)) == (0, 2)


def test_the_later_edition_has_no_exception_for_remote_places() -> None:
    """In the later edition, the subway makes remote places free too (facts §1.2)."""
    state = turn(["subway_excavation"], rails=(("M1",), ("IU",)), edition="later")
    assert plays(state, "subway_excavation", lays("R4")).table.coins == 0


@proves("K02", "T-13")
def test_collaboration_shares_for_nothing() -> None:
    """With collaboration, a rival costs no coin and brings no Waste, so only the card's own Waste comes."""
    state = plays(turn(["collaboration"], coins=1, rails=(("YO",), ("V1",))), "collaboration", lays("V1"))
    assert (state.table.coins, waste_gained(state)) == (0, 1)


@proves("K15", "T-14")
def test_a_dump_site_stops_waste() -> None:
    """With a dump site, neither sharing nor the card brings Waste, and the rail still counts."""
    state = plays(turn(["dump_site", RAILS], rails=(("SM",), ("F1",))), "dump_site", Applied(A))
    assert state.table.coins == 1
    state = plays(state, RAILS, lays("F1"))
    assert waste_gained(state) == 0 and "F1" in state.table.rails[A]


@proves("R-16", "K02", "K15")
@pytest.mark.parametrize(
    ("active", "left", "shown", "gained"),
    [
        ([], 70, [("river", 1, ""), ("shared", 1, ""), ("waste", 1, "waste")], 2),
        ([], 0, [("river", 1, ""), ("shared", 1, "")], 0),
        (["dump_site"], 70, [("river", 1, ""), ("shared", 1, "")], 0),
        (["collaboration"], 70, [("river", 1, "")], 1),
    ],
)
def test_a_price_names_the_waste_that_comes(
    active: list[str], left: int, shown: list[tuple[str, int, str]], gained: int
) -> None:
    """The shown price includes the Waste for sharing, unless none is left or a card prevents it."""
    state = turn([RAILS], coins=2, rails=(("YO",), ("V1",)), active=active, supply={WASTE: left})
    state = after(state, Played(A, RAILS))
    assert [(item.key, item.amount, item.unit) for item in RULES.cost(state, lays("V1"))] == shown
    assert waste_gained(after(state, lays("V1"))) == gained


@proves("K29")
def test_a_viaduct_waives_cities() -> None:
    """A viaduct makes a city with stations free, but a rival there still costs one coin."""
    state = turn(["viaduct"], coins=1, rails=(("M1",), ("C3",)), stations={"C3": 3})
    assert plays(state, "viaduct", lays("C3")).table.coins == 0


@proves("R-17", "T-33", "T-34")
def test_stations_fill_a_city() -> None:
    """A city with one building takes one station, even without an own cube there."""
    state = plays(turn([STATION, STATION]), STATION, builds("KJ"))
    assert (state.table.stations, state.table.markers, waste_gained(state)) == ({"KJ": 1}, 29, 1)
    state = after(state, Played(A, STATION))
    assert why(state, builds("KJ")) == ("R-17", "city_full", None)
    assert why(state, builds("F1")) == ("R-17", "not_a_city", None)


@proves("R-17")
def test_there_is_no_station_without_a_marker() -> None:
    """Without a station left, the text of the card is skipped."""
    state = after(turn([STATION], markers=0), Played(A, STATION))
    assert type(state.agenda[0]).__name__ == "Act"


@proves("K11", "A-12", "T-16", "T-17")
def test_ironworks_pay_when_a_rail_card_is_played() -> None:
    """Two ironworks bring four coins for a Rail card, even a declined one, but nothing for one played before."""
    state = declines(turn([RAILS], active=["ironworks", "ironworks"]), RAILS)
    assert state.table.coins == 4
    state = plays(turn([RAILS, "ironworks"]), RAILS, lays("F1"))
    assert plays(state, "ironworks", Applied(A)).table.coins == 1


@proves("R-06")
def test_a_card_is_finished_first() -> None:
    """A seat must resolve or decline a card's text before it plays another, and no other seat may resolve it."""
    state = after(turn([RAILS, "normal_train"]), Played(A, RAILS))
    assert why(state, Played(A, "normal_train")) == ("R-06", "finish_first", None)
    assert why(state, RailLaid(B, CellName("F1"))) == ("R-00", "not_your_turn", None)
    assert why(state, RailLaid(C, CellName("F1")))[0] == "R-00"
    assert after(state, Declined(A)).table.rails[A] == ("SM",)
