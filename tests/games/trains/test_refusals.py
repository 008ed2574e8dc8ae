"""Test the refusals that no other test covers: set-ups, places, draws and guesses."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.engine import BadSetup, CellName, Player, Seat, Setup, State
from companion.games.trains.catalogue import EXPRESS, LIMITED, NORMAL, RAILS, STATION, WASTE, shipped
from companion.games.trains.events import (
    Applied,
    CardChosen,
    CardNamed,
    CardRevealed,
    CardsDiscarded,
    CardsDrawn,
    CrewSent,
    FirstNamed,
    GuessedRight,
    GuessedWrong,
    Played,
    RailLaid,
    Rebuilt,
    StartPlaced,
    StationBuilt,
    TopSeen,
    WasteReturned,
)
from companion.games.trains.rules import RULES
from tests.games.proofs import proves
from tests.games.trains.build import A, B, after, begun, draws, on_small_map, plays, turn, why

__all__ = ["on_small_map"]


def bad(players: int | tuple[Player, ...] = 2, **setup: Any) -> tuple[str, str]:
    """Return the rule and the key of the refusal of a set-up, by default with two players."""
    with pytest.raises(BadSetup) as caught:
        RULES.begin(Setup(RULES.name, players, **setup))
    return caught.value.refusal.rule, caught.value.refusal.key


def refused_list(cards: list[dict[str, Any]]) -> str:
    """Return the message that refuses a list of cards."""
    with pytest.raises(BadSetup) as caught:
        RULES.begin(Setup(RULES.name, 2, catalogue={"name": "mine", "cards": cards}))
    return caught.value.message


@proves("R-01")
def test_players_that_cannot_play() -> None:
    """The number of players must be right and their colours different. Black is for stations in the printed game."""
    assert bad(1) == bad(5) == ("R-00", "bad_player_count")
    assert bad((Player("Ann", "red"), Player("Bob", "red"))) == ("R-01", "same_colour")
    black = (Player("Ann", "red"), Player("Bob", "black"))
    assert bad(black, deck="ours") == ("R-01", "station_colour")
    assert RULES.begin(Setup(RULES.name, black)).agenda
    assert RULES.begin(Setup(RULES.name, black, deck="box")).agenda
    grey = (Player("Ann", "red"), Player("Bob", "grey"))
    assert RULES.begin(Setup(RULES.name, grey, deck="ours")).agenda


@proves("R-02", "R-10")
def test_a_list_that_does_not_fit_is_refused() -> None:
    """A list is refused if it does not exist or has missing, doubled or unknown cards or wrong figures."""
    assert bad(catalogue="attic") == ("R-02", "no_such_list")
    unread = [card | {"cost": None} for card in msgspec.to_builtins(shipped().cards)]
    assert bad(catalogue={"name": "mine", "cards": unread}) == ("R-10", "cost_missing")
    assert bad(catalogue={"name": "mine"}) == ("R-02", "bad_list")
    cards = list(msgspec.to_builtins(shipped().cards))
    assert refused_list(cards[:-1]) == "These cards are missing: wagon_factory."
    said = [
        refused_list([*cards, cards[0]]),
        refused_list([*cards, cards[0] | {"id": "monorail"}]),
        refused_list([cards[0] | {"cost": 100}, *cards[1:]]),
        refused_list([cards[0] | {"count": 27}, *cards[1:]]),
    ]
    assert said == [
        "normal_train is in the list 2 times.",
        "There is no card monorail in this game.",
        "normal_train: cost must be between 0 and 99, not 100.",
        "normal_train: there must be between 28 and 99 copies, not 27.",
    ]


@proves("R-10")
def test_a_missing_cost_names_the_card() -> None:
    """The message names every card without a cost."""
    cards = list(msgspec.to_builtins(shipped().cards))
    cards[9]["cost"] = None
    assert refused_list(cards) == "R-10: the cost or value of amusement_park has not been entered."


@proves("R-00", "R-04")
def test_a_seat_that_nobody_has() -> None:
    """A seat outside the game can neither begin nor play."""
    assert why(begun(2), FirstNamed(Seat(2))) == ("R-00", "unknown_seat", None)
    assert why(turn([NORMAL]), Played(Seat(5), NORMAL)) == ("R-00", "unknown_seat", None)


@proves("R-05", "R-15", "R-17")
def test_a_cell_that_the_board_does_not_have() -> None:
    """A cell outside the board is refused for a start, a rail and a station."""
    state = after(begun(2), FirstNamed(A), *[CardsDrawn(seat, (NORMAL,) * 5) for seat in (A, B)])
    assert why(state, StartPlaced(A, CellName("Z9"))) == ("R-05", "no_such_cell", None)
    state = after(turn([RAILS, STATION], rails=(("A5",), ("A7",))), Played(A, RAILS))
    assert why(state, RailLaid(A, CellName("Z9"))) == ("R-15", "no_such_cell", None)
    state = after(turn([STATION], rails=(("A5",), ("A7",))), Played(A, STATION))
    assert why(state, StationBuilt(A, CellName("Z9"))) == ("R-17", "not_a_city", None)


@proves("R-15")
@pytest.mark.usefixtures("on_small_map")
def test_where_rails_cannot_lie() -> None:
    """A rail may not cross a barrier, lie in the sea or be too far away."""
    state = after(turn([RAILS], coins=9, rails=(("SM", "R4"), ("YO",))), Played(A, RAILS))
    assert why(state, RailLaid(A, CellName("SS"))) == ("R-15", "barrier", None)
    assert why(state, RailLaid(A, CellName("S1"))) == ("R-15", "sea", None)
    assert why(state, RailLaid(A, CellName("KJ"))) == ("R-15", "not_adjacent", None)


def asked(card: str, **table: Any) -> State[Any]:
    """Return a turn after a card was played whose text requires a choice."""
    return after(turn([card], **table), Played(A, card))


@proves("R-08")
def test_a_refused_choice_says_what_the_text_asks() -> None:
    """Each card has its own refusal of a wrong choice, which only its owner sees."""
    assert why(asked("amusement_park", play=[EXPRESS]), CardChosen(A, LIMITED)) == ("R-08", "amusement_park", A)
    assert why(asked("conductors_station"), CardsDiscarded(A, (EXPRESS,))) == ("R-08", "conductors_station", A)
    assert why(asked("freight_train"), WasteReturned(A, 1)) == ("R-08", "freight_train", A)
    assert why(asked("garage", deck=[NORMAL] * 2), CardsDiscarded(A, (NORMAL,))) == ("R-08", "garage", A)
    assert why(asked("landfill", discard=[WASTE]), WasteReturned(A, 1)) == ("R-08", "landfill", A)
    assert why(asked("mail_train"), CardsDiscarded(A, (EXPRESS,))) == ("R-08", "mail_train", A)
    assert why(asked("maintenance_factory"), CardChosen(A, EXPRESS)) == ("R-08", "maintenance_factory", A)
    assert why(asked("pulling", discard=[RAILS]), CardChosen(A, EXPRESS)) == ("R-08", "pulling", A)
    assert why(asked("station_crew"), CrewSent(A, "waste")) == ("R-08", "station_crew", A)
    assert why(asked("stationmasters_office", play=["control_room"]), CardChosen(A, "signals")) == (
        "R-08",
        "stationmasters_office",
        A,
    )
    assert why(asked("switchback", play=[EXPRESS]), CardChosen(A, LIMITED)) == ("R-08", "switchback", A)
    assert why(asked("wagon_factory"), Rebuilt(A, RAILS, EXPRESS)) == ("R-08", "wagon_factory", A)


@proves("R-08", "K16")
def test_what_a_text_does_not_ask() -> None:
    """A text without a choice can only be applied as a whole or declined."""
    state = after(turn(["passing_station"], deck=[NORMAL]), Played(A, "passing_station"))
    assert why(state, CardChosen(A, NORMAL)) == ("R-08", "whole", A)


@proves("R-17", "M5")
def test_no_station_is_left() -> None:
    """Without stations left the text is skipped, and an attempt to build names the reason."""
    state = after(turn([STATION], markers=0), Played(A, STATION))
    assert why(state, StationBuilt(A, CellName("A5"))) == ("R-17", "no_marker", None)


@proves("R-14", "K04", "K06", "K20")
def test_cards_that_a_deck_cannot_hold() -> None:
    """Cards that a deck cannot contain are refused as drawn, seen or revealed."""
    state = plays(turn(["passing_station"], deck=[NORMAL]), "passing_station", Applied(A))
    assert why(state, CardsDrawn(A, (EXPRESS,))) == ("R-14", "not_in_deck", None)
    state = plays(turn(["information_central"], deck=[NORMAL]), "information_central", Applied(A))
    assert why(state, CardRevealed(A, EXPRESS)) == ("R-14", "not_in_deck", None)
    state = draws(plays(turn(["signals"], deck=[RAILS, NORMAL]), "signals", Applied(A)), RAILS)
    assert why(state, TopSeen(A, EXPRESS)) == ("R-14", "not_in_deck", None)


@proves("R-08", "K04")
def test_a_guess_is_judged_by_the_card() -> None:
    """With dealt cards, only the true result of a guess is accepted, and only its owner sees why another is refused."""
    state = draws(plays(turn(["command_central"], deck=[RAILS, EXPRESS]), "command_central", Applied(A)), RAILS)
    right, wrong = [after(state, CardNamed(A, card), TopSeen(A, EXPRESS)) for card in (EXPRESS, NORMAL)]
    assert why(right, GuessedWrong(A)) == ("R-08", "guess", A)
    assert why(wrong, GuessedRight(A)) == ("R-08", "guess", A)
