"""Test the players, the list of wagons, the deal, the draws and the exchange (R-01 to R-06)."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any

import msgspec
import pytest

from companion.engine import BadSetup, Seat, Setup, State
from companion.games.game_of_trains.catalogue import ABILITIES, Catalogue, complaints, shipped
from companion.games.game_of_trains.events import (
    AbilityRead,
    FirstNamed,
    HandsDrawn,
    Kept,
    LineDealt,
    PairsDiscarded,
    Rejected,
    Replaced,
)
from companion.games.game_of_trains.lines import ascending
from companion.games.game_of_trains.rules import RULES
from companion.games.game_of_trains.steps.setup import Choose
from companion.games.game_of_trains.steps.turn import Act
from companion.games.game_of_trains.table import DISCARD, HANDS, PILE, Table
from tests.games.game_of_trains.build import FALLING, A, B, C, D, after, at, new, offered, table, why
from tests.games.proofs import proves

DEALT = LineDealt(A, (80, 61, 47, 33, 12, 9, 5))


def bad(setup: Setup) -> tuple[str, str]:
    """Return the rule and the key of the refusal of a set-up."""
    with pytest.raises(BadSetup) as caught:
        RULES.begin(setup)
    return caught.value.refusal.rule, caught.value.refusal.key


def rows() -> list[dict[str, Any]]:
    """Return the rows of the shipped list of wagons."""
    return msgspec.to_builtins(shipped("reconstruction"))["wagons"]  # type: ignore[no-any-return]


def listed(wagons: list[dict[str, Any]], name: str = "mine") -> dict[str, Any]:
    """Return a list of wagons as catalogue data."""
    return {"name": name, "wagons": wagons}


def dealt(players: int, first: Seat = A, deck: str = "ours") -> State[Table]:
    """Return the state with real cards after the first player was named."""
    state = after(new(players, deck), *[LineDealt(Seat(s), FALLING[s]) for s in range(players)])
    return after(state, FirstNamed(first))


def choosing() -> State[Table]:
    """Return the state in which the first of three seats chooses among dealt cards."""
    state = after(new(3), *[LineDealt(Seat(s), FALLING[s]) for s in range(3)], FirstNamed(A))
    return after(state, HandsDrawn(((1,), (2, 3), (17, 18, 19))))


# --- players and cards ----------------------------------------------------------------------------


@proves("R-01")
@pytest.mark.parametrize("players", [1, 5])
def test_two_to_four_play(players: int) -> None:
    """One player is too few and five are too many."""
    assert bad(Setup("game-of-trains", players)) == ("R-00", "bad_player_count")


@proves("R-01")
def test_the_shipped_list_is_whole() -> None:
    """The list has wagons 1 to 84, each ability on ten or eleven of them, and a source for every row."""
    wagons = shipped("reconstruction").wagons
    assert [wagon.number for wagon in wagons] == list(range(1, 85))
    assert {wagon.source for wagon in wagons} == {"public"}
    counts = {ability: sum(wagon.ability == ability for wagon in wagons) for ability in ABILITIES}
    assert counts == {
        "swap_adjacent": 10,
        "swap_one_between": 11,
        "move_right_2": 11,
        "move_left_2": 11,
        "remove_left": 10,
        "remove_middle": 11,
        "remove_right": 10,
        "protect": 10,
    }
    text = resources.files("companion.games.game_of_trains").joinpath("catalogue.toml").read_text(encoding="utf-8")
    assert len(tomllib.loads(text)["wagons"]) == 84


@proves("R-01")
@pytest.mark.parametrize(
    ("wagons", "parts"),
    [
        (rows()[:11] + rows()[12:], ["84 wagons, and there are 83", "No wagon has the number 12."]),
        (rows()[:-1] + rows()[:1], ["2 wagons have the number 1: each must have its own."]),
        ([rows()[0] | {"ability": "fly"}, *rows()[1:]], ["Wagon 1: 'fly' is not one of the eight abilities"]),
        ([rows()[0] | {"number": 0}, *rows()[1:]], ["cannot have the number 0"]),
        ([rows()[0] | {"number": "one"}, *rows()[1:]], ["number"]),
        ([rows()[0] | {"colour": "red"}, *rows()[1:]], ["colour"]),
        ([], ["84 wagons, and there are 0"]),
    ],
)
def test_a_list_that_is_wrong_is_refused_in_a_sentence(wagons: list[dict[str, Any]], parts: list[str]) -> None:
    """The refusal of a faulty list names the missing row, the doubled number or the unknown ability."""
    with pytest.raises(BadSetup) as caught:
        RULES.begin(Setup("game-of-trains", 3, {}, listed(wagons)))
    assert (caught.value.refusal.rule, caught.value.refusal.key) == ("R-01", "bad_catalogue")
    for part in parts:
        assert part in caught.value.message
        assert part in caught.value.refusal.fields["why"]


@proves("R-01")
def test_another_list_is_played_as_it_is() -> None:
    """An owner's list of 84 wagons may have its own numbers, with gaps, and its own abilities."""
    wagons = [row | {"number": row["number"] + 4, "source": "owner"} for row in rows()]
    assert complaints(msgspec.convert(listed(wagons), Catalogue)) == []
    state = RULES.begin(Setup("game-of-trains", 2, {}, listed(wagons)))
    assert state.table.zones.remaining(PILE) == tuple(range(5, 89))
    assert state.table.fixed.book.abilities[5] == rows()[0]["ability"]
    assert why(state, LineDealt(A, (88, 7, 6, 5, 4, 3, 2))) == ("R-01", "no_such_wagon", None)


@proves("R-01")
def test_unread_abilities_are_for_a_box_alone() -> None:
    """Only an owner's box may have unread abilities; dealt and printed decks may not."""
    assert bad(Setup("game-of-trains", 3, {}, "box", "dealt")) == ("R-01", "bad_catalogue")
    assert bad(Setup("game-of-trains", 3, {}, "box", "ours")) == ("R-01", "bad_catalogue")
    assert bad(Setup("game-of-trains", 3, {}, "nothing")) == ("R-01", "bad_catalogue")
    assert new(3, "box", "box").table.fixed.book.abilities == (None,) * 85


@proves("R-00")
def test_options_that_cannot_be_are_refused() -> None:
    """An unknown option and an unknown choice are refused."""
    assert bad(Setup("game-of-trains", 3, {"edition": "en"})) == ("R-00", "bad_option")
    assert bad(Setup("game-of-trains", 3, {"training": "often"})) == ("R-00", "bad_option")
    with pytest.raises(BadSetup, match="training may be no or yes, not often"):
        RULES.begin(Setup("game-of-trains", 3, {"training": "often"}))


@proves("R-01")
def test_an_owners_card_is_read_when_it_comes_to_the_pool() -> None:
    """The ability of an owner's card must be entered when it reaches the pool, and the list of wagons stores it."""
    state = after(new(2, "box", "box"), LineDealt(A, FALLING[0]), LineDealt(B, FALLING[1]), FirstNamed(A))
    state = after(state, Kept(A, 1, 2))
    assert why(state, Kept(B, 2, 3)) == ("R-01", "ability_unread", None)
    assert why(state, AbilityRead(80, "protect")) == ("R-01", "ability_unread", None)
    state = after(state, AbilityRead(61, "protect"), Kept(B, 2, 3), AbilityRead(48, "protect"))
    assert (state.table.pool, state.table.discard) == ((), (61, 48))
    assert state.effects == (PairsDiscarded((61, 48)),)
    data = msgspec.to_builtins(shipped("box"))
    known = RULES.learn_catalogue(data, AbilityRead(48, "protect"), state)
    assert known["wagons"][47] == {"number": 48, "ability": "protect", "source": "owner"}
    assert [row for row in known["wagons"] if row["ability"]] == [known["wagons"][47]]
    assert RULES.learn_catalogue(data, FirstNamed(A), state) is data


# --- the deal -------------------------------------------------------------------------------------


@proves("T-1", "R-03", "R-04")
def test_01_a_line_is_laid_out_falling() -> None:
    """A line is laid in falling order, and any other order is refused."""
    state = new(2, "ours")
    assert after(state, DEALT).table.lines[A] == (80, 61, 47, 33, 12, 9, 5)
    assert why(state, LineDealt(A, (80, 61, 47, 33, 9, 12, 5))) == ("R-04", "line_must_descend", None)


@proves("R-03")
def test_everybody_is_dealt_seven() -> None:
    """A line must have seven different wagons from the pile, and each seat has only one line."""
    state = after(new(2, "ours"), DEALT)
    assert why(state, LineDealt(B, (81, 62, 48, 34, 13, 10))) == ("R-03", "deal_seven", None)
    assert why(state, LineDealt(B, (81, 62, 48, 34, 13, 10, 10))) == ("R-03", "deal_seven", None)
    assert why(state, LineDealt(A, (81, 62, 48, 34, 13, 10, 6))) == ("R-03", "line_lies_there", None)
    assert why(state, LineDealt(B, (81, 62, 48, 34, 13, 9, 6))) == ("R-01", "lies_elsewhere", None)
    assert why(state, LineDealt(B, (85, 62, 48, 34, 13, 10, 6))) == ("R-01", "no_such_wagon", None)


@proves("R-03")
def test_the_deal_takes_the_cards_from_the_pile() -> None:
    """After two lines the pile has 70 wagons, and the first player is named."""
    state = after(new(2), DEALT, LineDealt(B, FALLING[1]))
    assert (state.table.pile, len(state.table.zones.remaining(PILE))) == (70, 70)
    assert set(offered(state, None)) == {FirstNamed(A), FirstNamed(B)}
    assert why(state, FirstNamed(C)) == ("R-00", "unknown_seat", None)


# --- draws ----------------------------------------------------------------------------------------


@proves("T-2", "R-05", "R-06")
def test_02_four_players_draw_one_to_four() -> None:
    """Four players draw ten of 56 cards and discard six, with two more for each pair in the set-up."""
    state = dealt(4)
    assert state.table.pile == 46
    pairs = 0
    for card, seat in enumerate((A, B, C, D), 1):
        state = after(state, Kept(seat, card, 1))
        pairs += sum(isinstance(effect, PairsDiscarded) for effect in state.effects)
    assert (state.table.pile, state.table.discarded) == (46, 6 + 2 * pairs)
    assert state.agenda == (Act(A),)


@proves("T-3", "R-05")
def test_03_three_and_two_players_draw() -> None:
    """Three players leave 57 cards and discard three, two leave 67 and discard one. Each pair discards two more."""
    three = dealt(3)
    assert three.table.pile == 57
    three = after(three, Kept(A, 1, 1), Kept(B, 2, 2), Kept(C, 3, 3))
    assert (three.table.pile, three.table.discarded, three.table.pool) == (57, 3 + 2, (49,))
    assert three.table.discard == (80, 62)
    two = dealt(2)
    assert two.table.pile == 67
    two = after(two, Kept(A, 1, 1), Kept(B, 2, 3))
    assert (two.table.pile, two.table.discarded, two.table.pool) == (67, 1, (80, 48))


@proves("R-05")
def test_any_first_player_draws_least() -> None:
    """The first player draws one card and the next seats two and three, and any other number is refused."""
    state = after(new(3), *[LineDealt(Seat(s), FALLING[s]) for s in range(3)], FirstNamed(C))
    assert why(state, HandsDrawn(((1,), (2, 3), (17, 18, 19)))) == ("R-00", "not_offered", None)
    assert why(state, HandsDrawn(((2, 3), (17, 18, 80), (1,)))) == ("R-00", "not_offered", None)
    state = after(state, HandsDrawn(((2, 3), (17, 18, 19), (1,))))
    assert state.agenda == (Choose((C, A, B)),)
    assert [state.table.hand(seat) for seat in (A, B, C)] == [(2, 3), (17, 18, 19), (1,)]
    assert state.table.pile == 57
    assert not {1, 2, 3, 17, 18, 19} & set(state.table.zones.remaining(PILE))


# --- the exchange ---------------------------------------------------------------------------------


@proves("T-4", "R-06")
def test_04_only_a_drawn_card_is_kept() -> None:
    """A seat may keep only a card that it drew, and only that seat learns why another is refused."""
    state = choosing()
    assert why(state, Kept(A, 2, 1)) == ("R-06", "not_drawn", A)
    assert why(state, Kept(A, 84, 1)) == ("R-06", "not_drawn", A)
    assert why(dealt(3), Kept(A, 80, 1)) == ("R-06", "not_drawn", A)


@proves("T-5", "R-06")
def test_05_the_first_player_chooses_first() -> None:
    """The second seat must wait for the first player's choice."""
    assert why(choosing(), Kept(B, 2, 1)) == ("R-06", "not_your_choice", None)


@proves("R-06")
def test_a_wagon_of_the_line_is_replaced() -> None:
    """The kept card enters the line, the replaced wagon the pool, and the other cards the discard, face down."""
    state = after(choosing(), Kept(A, 1, 3), Kept(B, 3, 7))
    assert state.table.lines == ((80, 61, 1, 33, 12, 9, 5), (81, 62, 48, 34, 13, 10, 3), FALLING[2])
    assert (state.table.pool, state.table.zones.named(DISCARD), state.table.discard) == ((47, 6), (2,), ())
    assert state.effects == (Replaced(B, 7, 6, 3), Rejected(B, 1))
    assert why(choosing(), Kept(A, 1, 8)) == ("R-06", "position", None)


@proves("R-06", "R-11")
def test_pairs_leave_after_each_exchange() -> None:
    """Of three cards with the same ability, the first two leave the pool and the third, which comes later, stays."""
    lines = ((80, 61, 37, 33, 12, 9, 5), (81, 62, 54, 34, 13, 10, 6), (82, 63, 45, 35, 14, 11, 7))
    state = after(new(3), *[LineDealt(Seat(s), line) for s, line in enumerate(lines)], FirstNamed(A))
    state = after(state, HandsDrawn(((1,), (2, 3), (17, 18, 19))), Kept(A, 1, 3))
    assert state.table.pool == (37,)
    state = after(state, Kept(B, 2, 3))
    assert (state.table.pool, state.table.discard) == ((), (37, 54))
    assert after(state, Kept(C, 17, 3)).table.pool == (45,)


@proves("T-6", "R-14")
def test_06_nobody_wins_during_the_set_up() -> None:
    """No exchange can make a falling line rise."""
    for line in FALLING:
        for position in range(1, 8):
            for card in (1, 40, 84):
                assert not ascending((*line[: position - 1], card, *line[position:]))


@proves("R-07")
def test_after_the_exchange_the_first_player_acts() -> None:
    """The first player acts after the exchange, not the seat that exchanged last."""
    state = after(dealt(3, C), Kept(C, 1, 1), Kept(A, 2, 1), Kept(B, 3, 1))
    assert state.agenda == (Act(C),)


@proves("R-00")
def test_nobody_acts_before_the_set_up_is_done() -> None:
    """Actions of a turn and unknown seats are refused during the set-up."""
    assert why(new(2), FirstNamed(A)) == ("R-00", "wrong_phase", None)
    assert why(choosing(), DEALT) == ("R-00", "wrong_phase", None)
    assert why(choosing(), Kept(D, 1, 1)) == ("R-00", "unknown_seat", None)


@proves("R-05")
def test_real_hands_are_nobodys_business() -> None:
    """With real cards, the companion knows only how many cards a seat drew, so the seat may keep any unseen card."""
    zones = dealt(2).table.zones
    assert (zones.count(PILE), len(zones.remaining(PILE)), zones.count(HANDS[B])) == (67, 70, 2)
    zones = after(dealt(2), Kept(A, 84, 1), Kept(B, 1, 1)).table.zones
    assert (zones.count(PILE), len(zones.remaining(PILE))) == (67, 68)
    assert (zones.count(DISCARD), zones.named(DISCARD)) == (1, ())


@proves("R-06")
def test_every_drawn_card_is_offered_everywhere() -> None:
    """A seat with two drawn cards and seven positions has fourteen choices."""
    state = after(choosing(), Kept(A, 1, 1))
    assert len(set(offered(state, B))) == 14
    assert offered(state, A) == []
    assert at(table(2), Choose((A,))).agenda[0].awaits(table(2)) == (A,)
