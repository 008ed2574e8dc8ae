"""The texts of the cards."""

from __future__ import annotations

import pytest

from companion.engine import CellName
from companion.games.trains.catalogue import EXPRESS, LIMITED, NORMAL, RAILS, WASTE
from companion.games.trains.events import (
    Applied,
    Bought,
    BoughtOnDeck,
    CardChosen,
    CardNamed,
    CardRevealed,
    CardsDiscarded,
    CrewSent,
    Declined,
    GuessedRight,
    GuessedWrong,
    Played,
    RailLaid,
    Rebuilt,
    RevealedTaken,
    TopDiscarded,
    TopKept,
    TopSeen,
    WasteReturned,
)
from companion.games.trains.table import deck_of, discard_of, hand_of
from tests.games.proofs import proves
from tests.games.trains.build import (
    A,
    after,
    declines,
    draws,
    held,
    offered,
    on_small_map,
    plays,
    turn,
    waste_gained,
    why,
)

__all__ = ["on_small_map"]
pytestmark = pytest.mark.usefixtures("on_small_map")


@proves("K15", "M9", "T-15")
def test_a_dump_site_spares_buildings_their_waste() -> None:
    """A skyscraper comes without Waste; without the dump site it brings one."""
    assert waste_gained(after(turn(active=["dump_site"], coins=8), Bought(A, "skyscraper"))) == 0
    assert waste_gained(after(turn(play=[NORMAL], coins=8), Bought(A, "skyscraper"))) == 1


@proves("K18", "T-18", "T-19")
def test_a_bullet_train_pays_once() -> None:
    """With two Normal Trains in play it gives one more coin; after they have left, none."""
    state = plays(turn(["bullet_train"], play=[NORMAL, NORMAL], coins=2), "bullet_train", Applied(A))
    assert state.table.coins == 4
    state = plays(turn(["switchback", "bullet_train"], play=[NORMAL], coins=1), "switchback", CardChosen(A, NORMAL))
    assert state.table.coins == 2
    assert plays(state, "bullet_train").table.coins == 3


@proves("K07", "R-10", "T-20")
def test_an_early_train_puts_bought_cards_on_the_deck() -> None:
    """One card goes there, another does not; the Waste of a building goes to the gained pile."""
    state = plays(turn(["early_train"], coins=9), "early_train", Applied(A))
    state = after(state, BoughtOnDeck(A, "apartment"), Bought(A, RAILS))
    assert state.table.zones.named(deck_of(A)) == ("apartment",)
    assert waste_gained(state) == 1


@proves("K24", "R-20", "A-05", "T-21")
def test_an_early_train_that_leaves_ends_its_effect() -> None:
    """The next purchase cannot go onto the deck."""
    state = plays(turn(["switchback"], active=["early_train"], coins=4), "switchback", CardChosen(A, "early_train"))
    assert why(state, BoughtOnDeck(A, RAILS)) == ("R-10", "not_on_deck", None)


@proves("K22", "A-03", "T-22", "T-23")
def test_an_office_copies_a_text() -> None:
    """A copied control room draws three cards and gives no coins; first in a turn it copies nothing."""
    state = plays(
        turn(["stationmasters_office"], deck=[NORMAL] * 3, play=["control_room"]),
        "stationmasters_office",
        CardChosen(A, "control_room"),
        Applied(A),
    )
    state = draws(state, NORMAL, NORMAL, NORMAL)
    assert (held(state), state.table.coins) == ([NORMAL] * 3, 0)
    alone = plays(turn(["stationmasters_office"]), "stationmasters_office")
    assert why(alone, CardChosen(A, "control_room")) == ("R-00", "wrong_phase", None)


@proves("K10", "K22", "T-24")
def test_an_office_trashes_itself_as_a_holiday_timetable() -> None:
    """Three coins, the office is gone and the timetable stays."""
    state = plays(turn(["holiday_timetable", "stationmasters_office"]), "holiday_timetable", Declined(A))
    state = plays(state, "stationmasters_office", CardChosen(A, "holiday_timetable"), Applied(A))
    assert (state.table.played, state.table.coins) == (("holiday_timetable",), 3)
    assert "stationmasters_office" not in state.table.owned[A]


@proves("K22", "A-03")
def test_a_copied_rail_card_lasts_and_feeds_no_ironworks() -> None:
    """The office keeps up a tunnel's effect, and its copy gives no coins."""
    state = turn(["stationmasters_office"], play=["tunnel"], active=["ironworks"], rails=(("F3",), ("IU",)))
    state = plays(state, "stationmasters_office", CardChosen(A, "tunnel"), RailLaid(A, CellName("F4")))
    assert (state.table.holds("tunnel"), state.table.coins) == (1, 0)


@proves("K22", "A-03")
def test_an_office_copies_an_office_whose_model_has_left() -> None:
    """The second office has the text that the first one copied, also when the first one is gone."""
    office = "stationmasters_office"
    state = plays(
        turn([office, office, office], play=["holiday_timetable"]), office, CardChosen(A, "holiday_timetable")
    )
    state = after(state, Applied(A))
    assert state.table.played == ("holiday_timetable",)
    state = plays(turn([office] * 2, play=["amusement_park", NORMAL]), office, CardChosen(A, "amusement_park"))
    state = plays(after(state, CardChosen(A, NORMAL)), office, CardChosen(A, office), CardChosen(A, NORMAL))
    assert ([each.copied for each in state.table.in_play], state.table.coins) == (["", "", *["amusement_park"] * 2], 2)


def test_the_later_editions_office_copies_a_card_of_the_hand() -> None:
    """The card is shown and stays there; Rail cards, offices and cards in play are not copied (facts §1.2)."""
    office = "stationmasters_office"
    hand, deck = [office, office, "control_room", "tunnel"], [NORMAL] * 3
    state = after(turn(hand, deck=deck, play=["amusement_park", NORMAL], edition="later"), Played(A, office))
    assert offered(state, A) == [CardChosen(A, "control_room"), Declined(A)]
    state = draws(after(state, CardChosen(A, "control_room"), Applied(A)), *deck)
    assert held(state) == sorted([office, "control_room", "tunnel", *deck])
    assert "control_room" in state.table.zones.view_of(hand_of(A), None)
    assert why(after(state, Played(A, office)), CardChosen(A, office)) == ("R-08", office, A)


def test_a_shown_card_may_leave_no_room_for_the_train_that_its_text_needs() -> None:
    """One real card that was drawn unseen may be the factory or a Train, never both: the text cannot be applied."""
    office, factory, station = "stationmasters_office", "wagon_factory", "passing_station"
    fields = {"deck": [factory, EXPRESS], "dealt": False, "edition": "later"}
    drawn = [Played(A, station), Applied(A), Played(A, office)]
    one = after(turn([station, office], **fields), *drawn)
    assert set(one.table.zones.kinds(hand_of(A))) == {factory, EXPRESS}
    assert offered(one, A) == [Declined(A)]
    two = after(turn([station, office, EXPRESS], **fields), *drawn)
    assert Rebuilt(A, EXPRESS, LIMITED) in offered(after(two, CardChosen(A, factory)), A)


def test_the_later_editions_factory_and_ironworks() -> None:
    """A Train for one up to three coins dearer; every Rail card feeds the ironworks (facts §1.2)."""
    state = turn(["wagon_factory", EXPRESS, RAILS], edition="later", wagon_factory="any_card", ironworks_on="lay_rails")
    state = after(state, Played(A, "wagon_factory"))
    assert offered(state, A) == [Rebuilt(A, EXPRESS, EXPRESS), Rebuilt(A, EXPRESS, LIMITED), Declined(A)]
    state = turn(["tunnel"], active=["ironworks"], edition="later", ironworks_on="lay_rails")
    assert declines(state, "tunnel").table.coins == 2
    assert declines(turn(["tunnel"], active=["ironworks"], ironworks_on="lay_rails"), "tunnel").table.coins == 0


@proves("K08", "T-25")
def test_a_freight_train_is_paid_for_waste() -> None:
    """Three Waste returned are three coins, and three more in the supply."""
    state = plays(
        turn(["freight_train", WASTE, WASTE, WASTE], supply={WASTE: 67}), "freight_train", WasteReturned(A, 3)
    )
    assert (state.table.coins, state.table.supply[WASTE], held(state)) == (4, 70, [])
    assert WASTE not in state.table.owned[A]


@proves("K12", "T-26")
def test_a_landfill_takes_all_waste() -> None:
    """One of two is refused."""
    state = after(turn(["landfill", WASTE, WASTE], supply={WASTE: 68}), Played(A, "landfill"))
    assert why(state, WasteReturned(A, 1)) == ("R-08", "landfill", A)
    assert after(state, WasteReturned(A, 2)).table.supply[WASTE] == 70


@proves("K05", "R-14", "T-28")
def test_what_cannot_be_drawn_is_lost() -> None:
    """With one card in the deck and none discarded, a control room draws one."""
    state = plays(turn(["control_room"], deck=[EXPRESS]), "control_room", Applied(A))
    assert held(draws(state, EXPRESS)) == [EXPRESS]


@proves("K03", "R-14", "T-30")
def test_cards_just_discarded_are_shuffled_in() -> None:
    """With an empty deck the two discarded cards are drawn again."""
    state = plays(turn(["conductors_station", NORMAL, RAILS]), "conductors_station", CardsDiscarded(A, (NORMAL, RAILS)))
    assert held(draws(state, RAILS, NORMAL)) == [RAILS, NORMAL]


@proves("K14", "T-31")
def test_a_maintenance_factory_copies_a_train_that_has_a_pile() -> None:
    """A Normal Train has none; an Express is gained, and the shown card stays."""
    state = after(turn(["maintenance_factory", NORMAL, EXPRESS]), Played(A, "maintenance_factory"))
    assert why(state, CardChosen(A, NORMAL)) == ("R-08", "maintenance_factory", A)
    state = after(state, CardChosen(A, EXPRESS))
    assert held(state) == [EXPRESS, NORMAL]
    assert state.table.owned[A][EXPRESS] == 2 and state.table.supply[EXPRESS] == 19


@proves("K14", "K25")
def test_a_train_that_everybody_has_seen_can_be_shown() -> None:
    """A Train that was revealed before it came to the hand is copied like any other."""
    state = turn(["temporary_timetable", "maintenance_factory"], deck=[EXPRESS, LIMITED])
    state = plays(state, "temporary_timetable", Applied(A), CardRevealed(A, EXPRESS), CardRevealed(A, LIMITED))
    assert plays(state, "maintenance_factory", CardChosen(A, EXPRESS)).table.owned[A][EXPRESS] == 2


@proves("K30", "A-04", "T-32", "T-39")
def test_a_wagon_factory_builds_a_train_that_costs_three_more() -> None:
    """A Normal Train becomes a Train of four coins if there is one; Waste becomes an Express."""
    assert offered(after(turn(["wagon_factory", NORMAL]), Played(A, "wagon_factory")), A) == [Declined(A)]
    state = turn(["wagon_factory", NORMAL], supply={"mail_train": 10})
    state = plays(state, "wagon_factory", Rebuilt(A, NORMAL, "mail_train"))
    assert held(state) == ["mail_train"] and NORMAL not in state.table.owned[A]
    state = plays(turn(["wagon_factory", WASTE], supply={WASTE: 60}), "wagon_factory", Rebuilt(A, WASTE, EXPRESS))
    assert (held(state), state.table.supply[WASTE]) == ([EXPRESS], 61)


@proves("A-04")
def test_readings_of_the_wagon_factory() -> None:
    """A Train alone, or up to three coins more."""
    state = after(turn(["wagon_factory", EXPRESS, RAILS], wagon_factory="train_only"), Played(A, "wagon_factory"))
    assert Rebuilt(A, EXPRESS, LIMITED) in offered(state, A) and Rebuilt(A, RAILS, LIMITED) not in offered(state, A)
    state = after(turn(["wagon_factory", LIMITED], wagon_factory="up_to_3"), Played(A, "wagon_factory"))
    assert {Rebuilt(A, LIMITED, EXPRESS), Rebuilt(A, LIMITED, LIMITED)} <= set(offered(state, A))


@proves("K25", "T-38")
def test_a_temporary_timetable_ends_with_the_cards() -> None:
    """With one Train in deck and discard it takes that one; other cards go to the discard pile."""
    state = plays(
        turn(["temporary_timetable"], deck=[RAILS, EXPRESS], discard=[WASTE]), "temporary_timetable", Applied(A)
    )
    state = after(state, CardRevealed(A, RAILS), CardRevealed(A, EXPRESS), CardRevealed(A, WASTE))
    assert held(state) == [EXPRESS]
    assert sorted(state.table.zones.named(discard_of(A))) == [RAILS, WASTE]


@proves("K06")
def test_an_information_central_takes_one_of_four() -> None:
    """The others go back in the order said, the last one on top; two cannot be taken."""
    cards = (RAILS, EXPRESS, NORMAL, LIMITED)
    state = plays(turn(["information_central"], deck=cards), "information_central", Applied(A))
    state = after(state, *[CardRevealed(A, card) for card in cards])
    assert why(state, RevealedTaken(A, LIMITED, (RAILS,))) == ("R-08", "one_of_four", A)
    state = after(state, RevealedTaken(A, LIMITED, (NORMAL, EXPRESS, RAILS)))
    assert held(state) == [LIMITED]
    assert state.table.zones.named(deck_of(A)) == (NORMAL, EXPRESS, RAILS)


@proves("K07", "K16", "T-40")
def test_a_card_bought_onto_the_deck_can_be_drawn_and_played() -> None:
    """A passing station draws it in the same turn."""
    state = turn(["passing_station"], active=["early_train"], coins=3)
    state = after(state, BoughtOnDeck(A, EXPRESS), Played(A, "passing_station"), Applied(A))
    assert held(state) == [EXPRESS]
    assert after(state, Played(A, EXPRESS)).table.coins == 3


@proves("K04", "A-09")
@pytest.mark.parametrize(("name", "hand"), [(EXPRESS, [EXPRESS, RAILS]), (NORMAL, [RAILS])])
def test_command_central_guesses_the_top_card(name: str, hand: list[str]) -> None:
    """A right guess takes the card; a wrong one leaves it on the deck, seen by its owner alone."""
    guess = GuessedRight if name == EXPRESS else GuessedWrong
    state = plays(turn(["command_central"], deck=[RAILS, EXPRESS]), "command_central", Applied(A))
    state = after(
        draws(state, RAILS),
        CardNamed(A, name),
        TopSeen(A, EXPRESS),
        guess(A),
    )
    assert held(state) == hand
    if name != EXPRESS:
        zones = state.table.zones
        assert zones.view_of(deck_of(A), A) == (EXPRESS,) and zones.view_of(deck_of(A), None) == (None,)


@proves("K04")
def test_only_cards_of_the_game_are_named() -> None:
    """Another name is refused."""
    state = plays(turn(["command_central"], deck=[RAILS, EXPRESS]), "command_central", Applied(A))
    assert why(draws(state, RAILS), CardNamed(A, "ironworks")) == ("R-08", "name_unknown", A)


@proves("K20")
def test_signals_keep_or_discard_the_top_card() -> None:
    """The card on the deck is seen, and then stays or goes."""
    state = plays(turn(["signals"], deck=[RAILS, WASTE]), "signals", Applied(A))
    state = after(draws(state, RAILS), TopSeen(A, WASTE))
    assert after(state, TopKept(A)).table.zones.count(deck_of(A)) == 1
    assert after(state, TopDiscarded(A, WASTE)).table.zones.named(discard_of(A)) == (WASTE,)
    assert why(state, TopDiscarded(A, RAILS)) == ("R-08", "top", A)


@proves("K21")
def test_a_station_crew_does_one_thing() -> None:
    """It draws, gives a coin, or returns a Waste if there is one."""
    state = after(turn(["station_crew", WASTE], deck=[NORMAL], supply={WASTE: 69}), Played(A, "station_crew"))
    assert held(draws(after(state, CrewSent(A, "draw")), NORMAL)) == [NORMAL, WASTE]
    assert after(state, CrewSent(A, "coin")).table.coins == 1
    assert after(state, CrewSent(A, "waste")).table.supply[WASTE] == 70
    without = after(turn(["station_crew"]), Played(A, "station_crew"))
    assert why(without, CrewSent(A, "waste")) == ("R-08", "station_crew", A)


@proves("K01", "K13", "K17", "K19", "K26", "K09")
def test_the_other_texts() -> None:
    """A Train's value again; coins for discarded cards; a Train pulled; two cards; a point; two cards away."""
    assert (
        plays(turn(["amusement_park"], play=[LIMITED], coins=3), "amusement_park", CardChosen(A, LIMITED)).table.coins
        == 7
    )
    assert plays(turn(["mail_train", WASTE, RAILS]), "mail_train", CardsDiscarded(A, (WASTE, RAILS))).table.coins == 3
    assert held(plays(turn(["pulling"], discard=[RAILS, EXPRESS]), "pulling", CardChosen(A, EXPRESS))) == [EXPRESS]
    state = plays(turn(["signaling_area"], deck=[RAILS, RAILS]), "signaling_area", Applied(A))
    assert held(draws(state, RAILS, RAILS)) == [RAILS, RAILS]
    assert plays(turn(["tourist_train"]), "tourist_train", Applied(A)).table.track == (1, 0)
    state = draws(plays(turn(["garage"], deck=[RAILS, WASTE]), "garage", Applied(A)), RAILS, WASTE)
    assert held(after(state, CardsDiscarded(A, (RAILS, WASTE)))) == []
    assert why(state, CardsDiscarded(A, (RAILS,))) == ("R-08", "garage", A)
