"""The set-up: players, the list of wagons, deal, first player, draws and the exchange (R-01 to R-06)."""

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
    """Return rule and key of why a set-up cannot be played."""
    with pytest.raises(BadSetup) as caught:
        RULES.begin(setup)
    return caught.value.refusal.rule, caught.value.refusal.key


def rows() -> list[dict[str, Any]]:
    """Return the shipped list's rows."""
    return msgspec.to_builtins(shipped("reconstruction"))["wagons"]  # type: ignore[no-any-return]


def listed(wagons: list[dict[str, Any]], name: str = "mine") -> dict[str, Any]:
    """Return a list of wagons as data."""
    return {"name": name, "wagons": wagons}


def dealt(players: int, first: Seat = A, deck: str = "ours") -> State[Table]:
    """Return the moment after the first player was named, with real cards."""
    state = after(new(players, deck), *[LineDealt(Seat(s), FALLING[s]) for s in range(players)])
    return after(state, FirstNamed(first))


def choosing() -> State[Table]:
    """Return the moment at which the first of three chooses among cards that the companion dealt."""
    state = after(new(3), *[LineDealt(Seat(s), FALLING[s]) for s in range(3)], FirstNamed(A))
    return after(state, HandsDrawn(((1,), (2, 3), (17, 18, 19))))


# --- players and cards ----------------------------------------------------------------------------


@proves("R-01")
@pytest.mark.parametrize("players", [1, 5])
def test_two_to_four_play(players: int) -> None:
    """One is too few and five are too many."""
    assert bad(Setup("game-of-trains", players)) == ("R-00", "bad_player_count")


@proves("R-01")
def test_the_shipped_list_is_whole() -> None:
    """84 wagons, 1 to 84, each ability on ten or eleven of them, every row with its source."""
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
    """A missing row, a doubled number, a ninth ability: the sentence says which."""
    with pytest.raises(BadSetup) as caught:
        RULES.begin(Setup("game-of-trains", 3, {}, listed(wagons)))
    assert (caught.value.refusal.rule, caught.value.refusal.key) == ("R-01", "bad_catalogue")
    for part in parts:
        assert part in caught.value.message
        assert part in caught.value.refusal.fields["why"]


@proves("R-01")
def test_another_list_is_played_as_it_is() -> None:
    """An owner's numbers and abilities replace ours; the list may have gaps, only 84 wagons it must have."""
    wagons = [row | {"number": row["number"] + 4, "source": "owner"} for row in rows()]
    assert complaints(msgspec.convert(listed(wagons), Catalogue)) == []
    state = RULES.begin(Setup("game-of-trains", 2, {}, listed(wagons)))
    assert state.table.zones.remaining(PILE) == tuple(range(5, 89))
    assert state.table.fixed.book.abilities[5] == rows()[0]["ability"]
    assert why(state, LineDealt(A, (88, 7, 6, 5, 4, 3, 2))) == ("R-01", "no_such_wagon", None)


@proves("R-01")
def test_unread_abilities_are_for_a_box_alone() -> None:
    """What the companion deals or prints has abilities; an owner's box may be read card by card."""
    assert bad(Setup("game-of-trains", 3, {}, "box", "dealt")) == ("R-01", "bad_catalogue")
    assert bad(Setup("game-of-trains", 3, {}, "box", "ours")) == ("R-01", "bad_catalogue")
    assert bad(Setup("game-of-trains", 3, {}, "nothing")) == ("R-01", "bad_catalogue")
    assert new(3, "box", "box").table.fixed.book.abilities == (None,) * 85


@proves("R-00")
def test_options_that_cannot_be_are_refused() -> None:
    """An unknown option, or an unknown choice of one."""
    assert bad(Setup("game-of-trains", 3, {"edition": "en"})) == ("R-00", "bad_option")
    assert bad(Setup("game-of-trains", 3, {"training": "often"})) == ("R-00", "bad_option")
    with pytest.raises(BadSetup, match="training may be no or yes, not often"):
        RULES.begin(Setup("game-of-trains", 3, {"training": "often"}))


@proves("R-01")
def test_an_owners_card_is_read_when_it_comes_to_the_pool() -> None:
    """Nothing else can happen before its ability is told; then pairs are looked for, and the list remembers."""
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
    """12 5 80 33 47 61 9 are lined up as 80 61 47 33 12 9 5, and in no other order."""
    state = new(2, "ours")
    assert after(state, DEALT).table.lines[A] == (80, 61, 47, 33, 12, 9, 5)
    assert why(state, LineDealt(A, (80, 61, 47, 33, 9, 12, 5))) == ("R-04", "line_must_descend", None)


@proves("R-03")
def test_everybody_is_dealt_seven() -> None:
    """Six wagons are no line, nor is one wagon twice, a second line, or a wagon that lies elsewhere."""
    state = after(new(2, "ours"), DEALT)
    assert why(state, LineDealt(B, (81, 62, 48, 34, 13, 10))) == ("R-03", "deal_seven", None)
    assert why(state, LineDealt(B, (81, 62, 48, 34, 13, 10, 10))) == ("R-03", "deal_seven", None)
    assert why(state, LineDealt(A, (81, 62, 48, 34, 13, 10, 6))) == ("R-03", "line_lies_there", None)
    assert why(state, LineDealt(B, (81, 62, 48, 34, 13, 9, 6))) == ("R-01", "lies_elsewhere", None)
    assert why(state, LineDealt(B, (85, 62, 48, 34, 13, 10, 6))) == ("R-01", "no_such_wagon", None)


@proves("R-03")
def test_the_deal_takes_the_cards_from_the_pile() -> None:
    """After two lines 70 wagons are left, and lots are drawn."""
    state = after(new(2), DEALT, LineDealt(B, FALLING[1]))
    assert (state.table.pile, len(state.table.zones.remaining(PILE))) == (70, 70)
    assert set(offered(state, None)) == {FirstNamed(A), FirstNamed(B)}
    assert why(state, FirstNamed(C)) == ("R-00", "unknown_seat", None)


# --- draws ----------------------------------------------------------------------------------------


@proves("T-2", "R-05", "R-06")
def test_02_four_players_draw_one_to_four() -> None:
    """From 84 − 28 = 56 cards ten are drawn: 46 stay; six are discarded, and two for each pair of the set-up."""
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
    """Three leave 57 cards and discard three, two leave 67 and discard one; each pair adds two."""
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
    """With seat 3 first of three, seat 1 draws two cards and seat 2 three; another number is refused."""
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
    """A card that somebody else drew, or nobody, is refused, and only the seat itself is told why."""
    state = choosing()
    assert why(state, Kept(A, 2, 1)) == ("R-06", "not_drawn", A)
    assert why(state, Kept(A, 84, 1)) == ("R-06", "not_drawn", A)
    assert why(dealt(3), Kept(A, 80, 1)) == ("R-06", "not_drawn", A)


@proves("T-5", "R-06")
def test_05_the_first_player_chooses_first() -> None:
    """The second seat waits."""
    assert why(choosing(), Kept(B, 2, 1)) == ("R-06", "not_your_choice", None)


@proves("R-06")
def test_a_wagon_of_the_line_is_replaced() -> None:
    """The kept card lies at the position, the old wagon in the pool, the others face down in the discard."""
    state = after(choosing(), Kept(A, 1, 3), Kept(B, 3, 7))
    assert state.table.lines == ((80, 61, 1, 33, 12, 9, 5), (81, 62, 48, 34, 13, 10, 3), FALLING[2])
    assert (state.table.pool, state.table.zones.named(DISCARD), state.table.discard) == ((47, 6), (2,), ())
    assert state.effects == (Replaced(B, 7, 6, 3), Rejected(B, 1))
    assert why(choosing(), Kept(A, 1, 8)) == ("R-06", "position", None)


@proves("R-06", "R-11")
def test_pairs_leave_after_each_exchange() -> None:
    """37, 54 and 45 all remove the centre: two go at once, and the third, which comes later, stays."""
    lines = ((80, 61, 37, 33, 12, 9, 5), (81, 62, 54, 34, 13, 10, 6), (82, 63, 45, 35, 14, 11, 7))
    state = after(new(3), *[LineDealt(Seat(s), line) for s, line in enumerate(lines)], FirstNamed(A))
    state = after(state, HandsDrawn(((1,), (2, 3), (17, 18, 19))), Kept(A, 1, 3))
    assert state.table.pool == (37,)
    state = after(state, Kept(B, 2, 3))
    assert (state.table.pool, state.table.discard) == ((), (37, 54))
    assert after(state, Kept(C, 17, 3)).table.pool == (45,)


@proves("T-6", "R-14")
def test_06_nobody_wins_during_the_set_up() -> None:
    """One exchange cannot make a falling line rise."""
    for line in FALLING:
        for position in range(1, 8):
            for card in (1, 40, 84):
                assert not ascending((*line[: position - 1], card, *line[position:]))


@proves("R-07")
def test_after_the_exchange_the_first_player_acts() -> None:
    """The turn goes to the first player, not to who exchanged last."""
    state = after(dealt(3, C), Kept(C, 1, 1), Kept(A, 2, 1), Kept(B, 3, 1))
    assert state.agenda == (Act(C),)


@proves("R-00")
def test_nobody_acts_before_the_set_up_is_done() -> None:
    """What belongs to a turn does not fit here, nor does a seat that is not there."""
    assert why(new(2), FirstNamed(A)) == ("R-00", "wrong_phase", None)
    assert why(choosing(), DEALT) == ("R-00", "wrong_phase", None)
    assert why(choosing(), Kept(D, 1, 1)) == ("R-00", "unknown_seat", None)


@proves("R-05")
def test_real_hands_are_nobodys_business() -> None:
    """With real cards the companion knows how many were drawn, not which: any card that lies nowhere may be kept."""
    zones = dealt(2).table.zones
    assert (zones.count(PILE), len(zones.remaining(PILE)), zones.count(HANDS[B])) == (67, 70, 2)
    zones = after(dealt(2), Kept(A, 84, 1), Kept(B, 1, 1)).table.zones
    assert (zones.count(PILE), len(zones.remaining(PILE))) == (67, 68)
    assert (zones.count(DISCARD), zones.named(DISCARD)) == (1, ())


@proves("R-06")
def test_every_drawn_card_is_offered_everywhere() -> None:
    """Two cards at seven positions are fourteen choices."""
    state = after(choosing(), Kept(A, 1, 1))
    assert len(set(offered(state, B))) == 14
    assert offered(state, A) == []
    assert at(table(2), Choose((A,))).agenda[0].awaits(table(2)) == (A,)
