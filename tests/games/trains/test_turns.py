"""Test the set-up, turns, buying, passing, reshuffling, the end and the score (R-01 to R-14, R-19 to R-23)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.engine import BadSetup, CellName, Event, Player, Seat, Setup
from companion.games.trains.catalogue import EXPRESS, NORMAL, RAILS, STATION, WASTE, shipped
from companion.games.trains.events import (
    Bought,
    CardsDrawn,
    Ended,
    FirstNamed,
    KingdomDrawn,
    Played,
    RailLaid,
    Reshuffled,
    StartPlaced,
    TurnPassed,
)
from companion.games.trains.options import HOLIDAY, TOKYO
from companion.games.trains.rails import score
from companion.games.trains.rules import RULES
from companion.games.trains.steps.turn import Act
from companion.games.trains.table import deck_of, discard_of, hand_of
from tests.games.proofs import proves
from tests.games.trains.build import A, B, C, after, begun, draws, held, offered, on_small_map, turn, why

__all__ = ["on_small_map"]


def bad(players: int, **options: Any) -> tuple[str, str]:
    """Return the rule and the key of the refusal of a set-up."""
    with pytest.raises(BadSetup) as caught:
        RULES.begin(Setup(RULES.name, players, options))
    return caught.value.refusal.rule, caught.value.refusal.key


@proves("R-01", "R-02")
def test_what_cannot_begin() -> None:
    """A fifth player, a kingdom of seven or with a doubled card, equal colours and a missing cost are refused."""
    assert bad(5) == ("R-00", "bad_player_count")
    assert bad(2, kingdom=TOKYO[:7]) == bad(2, kingdom=(*TOKYO[:7], TOKYO[0])) == ("R-02", "kingdom")
    assert bad(2, kingdom=(*TOKYO[:7], "monorail")) == ("R-02", "kingdom")
    assert bad(2, edition="third") == ("R-00", "bad_option")
    with pytest.raises(BadSetup, match="R-01 same_colour"):
        RULES.begin(Setup(RULES.name, (Player("Ann", "red"), Player("Bob", "red"))))
    unread = [card | {"cost": None} for card in msgspec.to_builtins(shipped().cards)]
    with pytest.raises(BadSetup, match="R-10: the cost or value of lay_rails has not been entered"):
        RULES.begin(Setup(RULES.name, 2, catalogue={"name": "mine", "cards": unread}, deck="box"))


@proves("R-02")
@pytest.mark.parametrize(("players", "rails", "stations"), [(2, 16, 18), (3, 14, 17), (4, 12, 16)])
def test_the_supply(players: int, rails: int, stations: int) -> None:
    """The starting cards come from the piles of twenty, and Normal Trains have no pile."""
    supply = begun(players).table.supply
    assert (supply[RAILS], supply[STATION], supply[WASTE], supply[EXPRESS]) == (rails, stations, 70, 20)
    assert NORMAL not in supply and len(supply) == 16
    assert all(supply[card] == 10 for card in TOKYO)


@proves("R-02", "A-14")
def test_a_kingdom_is_drawn() -> None:
    """A drawn kingdom must have eight different cards."""
    state = begun(draw_kingdom="yes")
    assert len(state.table.supply) == 8
    assert why(state, KingdomDrawn(HOLIDAY[:7])) == ("R-02", "kingdom", None)
    assert set(HOLIDAY) <= set(after(state, KingdomDrawn(HOLIDAY)).table.supply)


@proves("R-03", "R-04", "R-05", "T-7")
def test_the_beginning() -> None:
    """The first player is named, all draw five cards and place a cube in turn, and then the first turn begins."""
    state = begun(3)
    assert why(state, StartPlaced(A, CellName("A5"))) == ("R-00", "wrong_phase", None)
    state = after(state, FirstNamed(C))
    for seat in (C, A, B):
        state = after(state, CardsDrawn(seat, (NORMAL,) * 4 + (RAILS,)))
    assert [held(state, seat) for seat in (A, B, C)] == [[RAILS, *[NORMAL] * 4]] * 3
    assert why(state, StartPlaced(A, CellName("A5"))) == ("R-00", "not_your_turn", None)
    assert why(state, StartPlaced(C, CellName("A1"))) == ("R-05", "remote", None)
    assert why(state, StartPlaced(C, CellName("E9"))) == ("R-05", "water", None)
    state = after(state, StartPlaced(C, CellName("A5")))
    assert why(state, StartPlaced(A, CellName("A5"))) == ("R-05", "occupied", None)
    state = after(state, StartPlaced(A, CellName("A6")), StartPlaced(B, CellName("A7")))
    assert isinstance(state.agenda[0], Act) and state.agenda[0].seat == C
    assert state.table.rails == (("A6",), ("A7",), ("A5",))


@proves("A-01")
def test_rivers_may_count_as_water() -> None:
    """With `river_start=no`, a seat may not begin on a river."""
    state = after(begun(river_start="no"), FirstNamed(A), *[CardsDrawn(s, (NORMAL,) * 5) for s in (A, B)])
    assert why(state, StartPlaced(A, CellName("A6"))) == ("R-05", "water", None)


@proves("R-07")
def test_what_is_not_played() -> None:
    """Waste, unknown cards and cards not in the hand cannot be played, and only the owner learns about its hand."""
    state = turn([WASTE, NORMAL])
    assert why(state, Played(A, WASTE)) == ("R-07", "waste_is_useless", None)
    assert why(state, Played(A, EXPRESS)) == ("R-07", "not_in_hand", A)
    assert why(state, Played(A, "monorail")) == ("R-07", "no_such_card", None)
    assert why(state, Played(B, NORMAL)) == ("R-00", "not_your_turn", None)


@proves("R-10", "R-11")
def test_what_is_not_bought() -> None:
    """Waste, Normal Trains, empty piles and too expensive cards cannot be bought."""
    state = turn(play=[NORMAL], coins=3, supply={"landfill": 0})
    assert why(state, Bought(A, WASTE)) == ("R-10", "waste_not_sold", None)
    assert why(state, Bought(A, NORMAL)) == ("R-10", "no_such_pile", None)
    assert why(state, Bought(A, "landfill")) == ("R-10", "pile_empty", None)
    assert why(state, Bought(A, "tower")) == ("R-11", "too_dear", None)
    assert why(after(state, Bought(A, EXPRESS)), Played(A, EXPRESS)) == ("R-07", "not_in_hand", A)


@proves("R-10")
def test_a_purchase_from_an_old_page_is_another_question() -> None:
    """After a purchase, a page from before it asks a different question."""
    state = turn(play=[NORMAL], coins=6, rails=(("E7",), ("C7",)))
    again = after(state, Bought(A, EXPRESS))
    assert RULES.question(state, Bought(A, EXPRESS)) != RULES.question(again, Bought(A, EXPRESS))


@proves("R-12", "T-27")
def test_passing_returns_all_waste_or_none() -> None:
    """A pass returns all Waste or none, is refused after an action, and is the only way to end an idle turn."""
    state = turn([WASTE, WASTE, NORMAL], deck=[NORMAL] * 5, supply={WASTE: 68})
    assert why(state, TurnPassed(A, 1)) == ("R-12", "all_or_none", A)
    assert why(state, Ended(A)) == ("R-12", "nothing_done", None)
    assert after(state, TurnPassed(A, 2)).table.supply[WASTE] == 70
    assert after(state, TurnPassed(A)).table.supply[WASTE] == 68
    assert why(after(state, Played(A, NORMAL)), TurnPassed(A, 2)) == ("R-12", "has_acted", None)


@proves("R-13", "R-14", "T-29")
def test_five_cards_left_are_drawn_without_a_shuffle() -> None:
    """If the deck has exactly five cards, they are drawn without a shuffle."""
    state = after(turn([WASTE], deck=[NORMAL] * 5, play=[NORMAL], coins=1), Ended(A))
    state = draws(state, *[NORMAL] * 5)
    zones = state.table.zones
    assert (zones.count(hand_of(A)), zones.count(deck_of(A)), zones.count(discard_of(A))) == (5, 0, 2)
    assert state.table.coins == 0 and state.agenda[0] == Act(B)


@proves("R-13", "A-10")
@pytest.mark.parametrize(("played", "end", "top"), [([EXPRESS], Ended(A), EXPRESS), ([], TurnPassed(A), "")])
@pytest.mark.usefixtures("on_small_map")
def test_everybody_sees_the_top_of_a_discard_pile(played: list[str], end: Event, top: str) -> None:
    """A played or gained card on top of the discard pile is public, but a card from the hand is not."""
    state = draws(after(turn([WASTE], deck=[NORMAL] * 5, play=played), end), *[NORMAL] * 5)
    seen = RULES.view(state, B).seats[A]
    assert (seen.discard, seen.top) == (1 + len(played), top)


@proves("R-14")
def test_people_shuffle_real_cards_when_a_card_is_needed() -> None:
    """With real cards, the draw stops until people have shuffled the discard pile, which they may not do earlier."""
    state = turn([WASTE], deck=[NORMAL] * 3, play=[NORMAL] * 4, dealt=False)
    assert why(state, Reshuffled(A)) == ("R-14", "not_due", None)
    state = after(state, Ended(A))
    assert state.table.zones.count(hand_of(A)) == 3
    assert why(state, Played(B, NORMAL)) == ("R-14", "shuffle_first", None)
    state = after(state, Reshuffled(A))
    assert [state.table.zones.count(zone(A)) for zone in (hand_of, deck_of, discard_of)] == [5, 3, 0]


@proves("R-07", "R-14")
def test_a_real_card_that_cannot_be_in_the_hand_is_refused() -> None:
    """A card is refused while a text is open, and cards that a seat does not own are not offered."""
    state = after(begun(deck="ours"), FirstNamed(A), StartPlaced(A, CellName("A5")), StartPlaced(B, CellName("A6")))
    state = after(state, Played(A, STATION))
    assert why(state, Played(A, STATION))[:2] == ("R-06", "finish_first")
    assert EXPRESS not in [getattr(event, "card", "") for event in offered(begun(deck="ours"), A)]


@proves("R-21", "T-35")
@pytest.mark.usefixtures("on_small_map")
def test_four_empty_piles_end_the_game_after_the_turn() -> None:
    """The game ends after the turn in which the fourth pile runs out, and Waste does not count."""
    empty = dict.fromkeys(("tower", "apartment", "skyscraper", WASTE), 0)
    state = turn(play=[NORMAL], deck=[NORMAL] * 5, coins=5, supply={**empty, "landfill": 1})
    assert not after(draws(after(state, Ended(A)), *[NORMAL] * 5)).over
    state = after(state, Bought(A, "landfill"))
    assert not state.over
    state = draws(after(state, Ended(A)), *[NORMAL] * 5)
    assert state.over and why(state, Ended(B)) == ("R-00", "game_over", None)


@proves("R-21", "T-36")
def test_the_last_cube_and_the_last_marker_end_the_game() -> None:
    """The game ends after the turn in which a seat lays its last cube or the last station is built."""
    rows = [f"{row}{column}" for row in "BCD" for column in range(1, 10)]
    state = turn([RAILS], deck=[NORMAL] * 5, coins=9, rails=(rows[:19], ("A10",)))
    state = after(state, Played(A, RAILS), RailLaid(A, CellName(rows[19])))
    assert why(state, RailLaid(A, CellName("A1"))) == ("R-15", "no_cube", None)
    assert draws(after(state, Ended(A)), *[NORMAL] * 5).over
    state = draws(after(turn([NORMAL], deck=[NORMAL] * 5, markers=0), Played(A, NORMAL), Ended(A)), *[NORMAL] * 5)
    assert state.over


@proves("R-22", "R-23", "T-37")
@pytest.mark.usefixtures("on_small_map")
def test_the_score() -> None:
    """Cities, remote places, track and cards add up to the score, and equal totals share the victory."""
    cards = ["skyscraper", "tower", "apartment"]
    state = turn(cards, rails=(("YO", "SM", "R4"), ("IU",)), stations={"YO": 3, "SM": 1}, track=(1, 0))
    assert score(state.table, A) == 8 + 2 + 4 + 1 + 7
    ranks = RULES.ranking(turn(rails=(("YO",), ("IU", "F2"))))
    assert ranks == ((A, B),)
    assert RULES.ranking(turn(rails=(("YO",), ("IU", "F2")), edition="later")) == ((B,), (A,))
    assert RULES.scores(turn()) == (0, 0) and Seat(0) == A
