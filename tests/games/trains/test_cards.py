"""Test the texts of the cards."""

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
    """With a dump site in play, a skyscraper brings no Waste."""
    assert waste_gained(after(turn(active=["dump_site"], coins=8), Bought(A, "skyscraper"))) == 0
    assert waste_gained(after(turn(play=[NORMAL], coins=8), Bought(A, "skyscraper"))) == 1


@proves("K18", "T-18", "T-19")
def test_a_bullet_train_pays_once() -> None:
    """A bullet train brings one extra coin if a Normal Train is in play, however many there are."""
    state = plays(turn(["bullet_train"], play=[NORMAL, NORMAL], coins=2), "bullet_train", Applied(A))
    assert state.table.coins == 4
    state = plays(turn(["switchback", "bullet_train"], play=[NORMAL], coins=1), "switchback", CardChosen(A, NORMAL))
    assert state.table.coins == 2
    assert plays(state, "bullet_train").table.coins == 3


@proves("K07", "R-10", "T-20")
def test_an_early_train_puts_bought_cards_on_the_deck() -> None:
    """A bought card may go onto the deck, and the Waste of a building goes to the gained pile."""
    state = plays(turn(["early_train"], coins=9), "early_train", Applied(A))
    state = after(state, BoughtOnDeck(A, "apartment"), Bought(A, RAILS))
    assert state.table.zones.named(deck_of(A)) == ("apartment",)
    assert waste_gained(state) == 1


@proves("K24", "R-20", "A-05", "T-21")
def test_an_early_train_that_leaves_ends_its_effect() -> None:
    """When the early train leaves play, no purchase can go onto the deck."""
    state = plays(turn(["switchback"], active=["early_train"], coins=4), "switchback", CardChosen(A, "early_train"))
    assert why(state, BoughtOnDeck(A, RAILS)) == ("R-10", "not_on_deck", None)


@proves("K22", "A-03", "T-22", "T-23")
def test_an_office_copies_a_text() -> None:
    """An office copies the text of a card in play but not its coins, and copies nothing as the first card of a turn."""
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
    """An office that copies a holiday timetable trashes itself and leaves the timetable."""
    state = plays(turn(["holiday_timetable", "stationmasters_office"]), "holiday_timetable", Declined(A))
    state = plays(state, "stationmasters_office", CardChosen(A, "holiday_timetable"), Applied(A))
    assert (state.table.played, state.table.coins) == (("holiday_timetable",), 3)
    assert "stationmasters_office" not in state.table.owned[A]


@proves("K22", "A-03")
def test_a_copied_rail_card_lasts_and_feeds_no_ironworks() -> None:
    """An office that copies a tunnel keeps its lasting effect, but does not trigger ironworks."""
    state = turn(["stationmasters_office"], play=["tunnel"], active=["ironworks"], rails=(("F3",), ("IU",)))
    state = plays(state, "stationmasters_office", CardChosen(A, "tunnel"), RailLaid(A, CellName("F4")))
    assert (state.table.holds("tunnel"), state.table.coins) == (1, 0)


@proves("K22", "A-03")
def test_an_office_copies_an_office_whose_model_has_left() -> None:
    """An office keeps its copied text after the copied card has left, and another office can copy it."""
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
    """In the later edition, an office copies a shown card from the hand, but no Rail card or office (facts §1.2)."""
    office = "stationmasters_office"
    hand, deck = [office, office, "control_room", "tunnel"], [NORMAL] * 3
    state = after(turn(hand, deck=deck, play=["amusement_park", NORMAL], edition="later"), Played(A, office))
    assert offered(state, A) == [CardChosen(A, "control_room"), Declined(A)]
    state = draws(after(state, CardChosen(A, "control_room"), Applied(A)), *deck)
    assert held(state) == sorted([office, "control_room", "tunnel", *deck])
    assert "control_room" in state.table.zones.view_of(hand_of(A), None)
    assert why(after(state, Played(A, office)), CardChosen(A, office)) == ("R-08", office, A)


def test_a_shown_card_may_leave_no_room_for_the_train_that_its_text_needs() -> None:
    """A real hand with one unknown card cannot hold both the factory and the Train that its text needs."""
    office, factory, station = "stationmasters_office", "wagon_factory", "passing_station"
    fields = {"deck": [factory, EXPRESS], "dealt": False, "edition": "later"}
    drawn = [Played(A, station), Applied(A), Played(A, office)]
    one = after(turn([station, office], **fields), *drawn)
    assert set(one.table.zones.kinds(hand_of(A))) == {factory, EXPRESS}
    assert offered(one, A) == [Declined(A)]
    two = after(turn([station, office, EXPRESS], **fields), *drawn)
    assert Rebuilt(A, EXPRESS, LIMITED) in offered(after(two, CardChosen(A, factory)), A)


def test_the_later_editions_factory_and_ironworks() -> None:
    """In the later edition, the factory rebuilds only Trains, and all Rail cards trigger ironworks (facts §1.2)."""
    state = turn(["wagon_factory", EXPRESS, RAILS], edition="later", wagon_factory="any_card", ironworks_on="lay_rails")
    state = after(state, Played(A, "wagon_factory"))
    assert offered(state, A) == [Rebuilt(A, EXPRESS, EXPRESS), Rebuilt(A, EXPRESS, LIMITED), Declined(A)]
    state = turn(["tunnel"], active=["ironworks"], edition="later", ironworks_on="lay_rails")
    assert declines(state, "tunnel").table.coins == 2
    assert declines(turn(["tunnel"], active=["ironworks"], ironworks_on="lay_rails"), "tunnel").table.coins == 0


@proves("K08", "T-25")
def test_a_freight_train_is_paid_for_waste() -> None:
    """A freight train returns three Waste to the supply for three coins."""
    state = plays(
        turn(["freight_train", WASTE, WASTE, WASTE], supply={WASTE: 67}), "freight_train", WasteReturned(A, 3)
    )
    assert (state.table.coins, state.table.supply[WASTE], held(state)) == (4, 70, [])
    assert WASTE not in state.table.owned[A]


@proves("K12", "T-26")
def test_a_landfill_takes_all_waste() -> None:
    """A landfill must return all Waste of the hand."""
    state = after(turn(["landfill", WASTE, WASTE], supply={WASTE: 68}), Played(A, "landfill"))
    assert why(state, WasteReturned(A, 1)) == ("R-08", "landfill", A)
    assert after(state, WasteReturned(A, 2)).table.supply[WASTE] == 70


@proves("K05", "R-14", "T-28")
def test_what_cannot_be_drawn_is_lost() -> None:
    """If the deck and the discard pile run out, the remaining draws are lost."""
    state = plays(turn(["control_room"], deck=[EXPRESS]), "control_room", Applied(A))
    assert held(draws(state, EXPRESS)) == [EXPRESS]


@proves("K03", "R-14", "T-30")
def test_cards_just_discarded_are_shuffled_in() -> None:
    """With an empty deck, the two discarded cards are shuffled and drawn again."""
    state = plays(turn(["conductors_station", NORMAL, RAILS]), "conductors_station", CardsDiscarded(A, (NORMAL, RAILS)))
    assert held(draws(state, RAILS, NORMAL)) == [RAILS, NORMAL]


@proves("K14", "T-31")
def test_a_maintenance_factory_copies_a_train_that_has_a_pile() -> None:
    """A maintenance factory gains a copy of a shown Train from the supply, so it cannot copy a Normal Train."""
    state = after(turn(["maintenance_factory", NORMAL, EXPRESS]), Played(A, "maintenance_factory"))
    assert why(state, CardChosen(A, NORMAL)) == ("R-08", "maintenance_factory", A)
    state = after(state, CardChosen(A, EXPRESS))
    assert held(state) == [EXPRESS, NORMAL]
    assert state.table.owned[A][EXPRESS] == 2 and state.table.supply[EXPRESS] == 19


@proves("K14", "K25")
def test_a_train_that_everybody_has_seen_can_be_shown() -> None:
    """A Train that was revealed on its way to the hand can be copied."""
    state = turn(["temporary_timetable", "maintenance_factory"], deck=[EXPRESS, LIMITED])
    state = plays(state, "temporary_timetable", Applied(A), CardRevealed(A, EXPRESS), CardRevealed(A, LIMITED))
    assert plays(state, "maintenance_factory", CardChosen(A, EXPRESS)).table.owned[A][EXPRESS] == 2


@proves("K30", "A-04", "T-32", "T-39")
def test_a_wagon_factory_builds_a_train_that_costs_three_more() -> None:
    """A wagon factory turns a card into a Train that costs exactly three coins more."""
    assert offered(after(turn(["wagon_factory", NORMAL]), Played(A, "wagon_factory")), A) == [Declined(A)]
    state = turn(["wagon_factory", NORMAL], supply={"mail_train": 10})
    state = plays(state, "wagon_factory", Rebuilt(A, NORMAL, "mail_train"))
    assert held(state) == ["mail_train"] and NORMAL not in state.table.owned[A]
    state = plays(turn(["wagon_factory", WASTE], supply={WASTE: 60}), "wagon_factory", Rebuilt(A, WASTE, EXPRESS))
    assert (held(state), state.table.supply[WASTE]) == ([EXPRESS], 61)


@proves("A-04")
def test_readings_of_the_wagon_factory() -> None:
    """The factory may be limited to Trains, or accept up to three coins more."""
    state = after(turn(["wagon_factory", EXPRESS, RAILS], wagon_factory="train_only"), Played(A, "wagon_factory"))
    assert Rebuilt(A, EXPRESS, LIMITED) in offered(state, A) and Rebuilt(A, RAILS, LIMITED) not in offered(state, A)
    state = after(turn(["wagon_factory", LIMITED], wagon_factory="up_to_3"), Played(A, "wagon_factory"))
    assert {Rebuilt(A, LIMITED, EXPRESS), Rebuilt(A, LIMITED, LIMITED)} <= set(offered(state, A))


@proves("K25", "T-38")
def test_a_temporary_timetable_ends_with_the_cards() -> None:
    """If it finds a single Train, a temporary timetable takes that one and discards all other cards."""
    state = plays(
        turn(["temporary_timetable"], deck=[RAILS, EXPRESS], discard=[WASTE]), "temporary_timetable", Applied(A)
    )
    state = after(state, CardRevealed(A, RAILS), CardRevealed(A, EXPRESS), CardRevealed(A, WASTE))
    assert held(state) == [EXPRESS]
    assert sorted(state.table.zones.named(discard_of(A))) == [RAILS, WASTE]


@proves("K06")
def test_an_information_central_takes_one_of_four() -> None:
    """The seat takes one of four cards and puts the others back in any order. It cannot take two."""
    cards = (RAILS, EXPRESS, NORMAL, LIMITED)
    state = plays(turn(["information_central"], deck=cards), "information_central", Applied(A))
    state = after(state, *[CardRevealed(A, card) for card in cards])
    assert why(state, RevealedTaken(A, LIMITED, (RAILS,))) == ("R-08", "one_of_four", A)
    state = after(state, RevealedTaken(A, LIMITED, (NORMAL, EXPRESS, RAILS)))
    assert held(state) == [LIMITED]
    assert state.table.zones.named(deck_of(A)) == (NORMAL, EXPRESS, RAILS)


@proves("K07", "K16", "T-40")
def test_a_card_bought_onto_the_deck_can_be_drawn_and_played() -> None:
    """A card bought onto the deck can be drawn and played in the same turn."""
    state = turn(["passing_station"], active=["early_train"], coins=3)
    state = after(state, BoughtOnDeck(A, EXPRESS), Played(A, "passing_station"), Applied(A))
    assert held(state) == [EXPRESS]
    assert after(state, Played(A, EXPRESS)).table.coins == 3


@proves("K04", "A-09")
@pytest.mark.parametrize(("name", "hand"), [(EXPRESS, [EXPRESS, RAILS]), (NORMAL, [RAILS])])
def test_command_central_guesses_the_top_card(name: str, hand: list[str]) -> None:
    """A right guess takes the top card. After a wrong one, the card stays and only its owner has seen it."""
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
    """Only cards of this game can be named for a guess."""
    state = plays(turn(["command_central"], deck=[RAILS, EXPRESS]), "command_central", Applied(A))
    assert why(draws(state, RAILS), CardNamed(A, "ironworks")) == ("R-08", "name_unknown", A)


@proves("K20")
def test_signals_keep_or_discard_the_top_card() -> None:
    """The seat sees its top card and then keeps or discards it."""
    state = plays(turn(["signals"], deck=[RAILS, WASTE]), "signals", Applied(A))
    state = after(draws(state, RAILS), TopSeen(A, WASTE))
    assert after(state, TopKept(A)).table.zones.count(deck_of(A)) == 1
    assert after(state, TopDiscarded(A, WASTE)).table.zones.named(discard_of(A)) == (WASTE,)
    assert why(state, TopDiscarded(A, RAILS)) == ("R-08", "top", A)


@proves("K21")
def test_a_station_crew_does_one_thing() -> None:
    """A station crew draws a card, brings a coin or returns a Waste from the hand."""
    state = after(turn(["station_crew", WASTE], deck=[NORMAL], supply={WASTE: 69}), Played(A, "station_crew"))
    assert held(draws(after(state, CrewSent(A, "draw")), NORMAL)) == [NORMAL, WASTE]
    assert after(state, CrewSent(A, "coin")).table.coins == 1
    assert after(state, CrewSent(A, "waste")).table.supply[WASTE] == 70
    without = after(turn(["station_crew"]), Played(A, "station_crew"))
    assert why(without, CrewSent(A, "waste")) == ("R-08", "station_crew", A)


@proves("K01", "K13", "K17", "K19", "K26", "K09")
def test_the_other_texts() -> None:
    """The amusement park, mail train, pulling, signaling area, tourist train and garage apply their texts."""
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
