"""Test drawing and placing, the pool and its pairs, the pile, and the victory (R-02, R-07 to R-14)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.engine import Deciding, Seat, Setup, State
from companion.games.game_of_trains.events import (
    CardDrawn,
    Drew,
    LockLost,
    OddKept,
    PairsDiscarded,
    PileMade,
    Placed,
    Protected,
    Removed,
    Replaced,
    Reshuffled,
    Shifted,
    Swapped,
    Won,
)
from companion.games.game_of_trains.lines import ascending, in_order
from companion.games.game_of_trains.rules import RULES
from companion.games.game_of_trains.steps.pool import KeepOdd
from companion.games.game_of_trains.steps.turn import Act, Draw, Place
from companion.games.game_of_trains.table import PILE, Table
from tests.games.game_of_trains.build import (
    FALLING,
    A,
    B,
    C,
    accepted,
    after,
    drawing,
    holding,
    offered,
    turn,
    wagon,
    why,
)
from tests.games.proofs import proves

NEARLY = (3, 8, 15, 22, 40, 61, 20)
"""A line that rises except for its last wagon."""


def winning(**fields: Any) -> State[Table]:
    """Return the state in which seat A holds its winning wagon."""
    return holding(80, lines=(NEARLY, (81, *FALLING[1][1:]), FALLING[2]), **fields)


def unread(state: State[Table], *cards: int) -> State[Table]:
    """Return the state with the abilities of these cards still unread."""
    book = state.table.fixed.book
    abilities = tuple([None if card in cards else ability for card, ability in enumerate(book.abilities)])
    fixed = replace(state.table.fixed, book=replace(book, abilities=abilities))
    return replace(state, table=replace(state.table, fixed=fixed))


@proves("T-7", "R-08")
def test_07_a_drawn_card_replaces_a_wagon() -> None:
    """A placed card enters the line, the replaced wagon goes to the pool, and the next seat acts."""
    state = after(turn(), Drew(A), CardDrawn(40))
    assert (state.agenda, state.table.hand(A)) == ((Place(A),), (40,))
    pile = state.table.pile
    state = after(state, Placed(A, 3))
    assert state.table.lines[A] == (80, 61, 40, 33, 12, 9, 5)
    assert (state.table.pool, state.table.pile) == ((47,), pile)
    assert state.agenda == (Act(B),)
    assert state.effects == (Replaced(A, 3, 47, 40),)


@proves("T-8", "R-11")
def test_08_a_pair_leaves_the_pool() -> None:
    """Two pool cards with the same ability are discarded."""
    state = after(holding(40, pool=(79, 1), discard=()), Placed(A, 3))
    assert (state.table.pool, state.table.discard) == ((1,), (79, 47))
    assert state.effects == (Replaced(A, 3, 47, 40), PairsDiscarded((79, 47)))


@proves("T-9", "R-07")
def test_09_nobody_passes() -> None:
    """The next seat cannot act until the seat on turn has acted."""
    state = turn(A, pool=(1,))
    assert why(state, Drew(B)) == ("R-07", "action_is_a_must", None)
    assert why(state, Swapped(B, 1, 1, 2)) == ("R-07", "action_is_a_must", None)
    assert why(state, Drew(C)) == ("R-00", "not_your_turn", None)
    assert all(event.seat == A for event in offered(state, A))  # type: ignore[attr-defined]
    assert offered(state, B) == [] == offered(state, C)


@proves("T-10", "R-10")
def test_10_an_empty_pool_leaves_only_the_pile() -> None:
    """With an empty pool, a seat can only draw."""
    state = turn()
    assert why(state, Swapped(A, 1, 1, 2)) == ("R-10", "pool_empty", None)
    assert why(state, Removed(A, wagon("remove_left"))) == ("R-10", "pool_empty", None)
    assert offered(state, A) == [Drew(A)]


@proves("R-08")
def test_a_seat_places_before_anything_else() -> None:
    """A seat must place its drawn card before any other action."""
    state = holding(40, pool=(1,))
    assert why(state, Swapped(A, 1, 1, 2)) == ("R-08", "place_first", None)
    assert why(state, Drew(A)) == ("R-08", "place_first", None)
    assert why(state, Placed(A, 8)) == ("R-08", "position", None)
    assert why(state, Placed(B, 3)) == ("R-00", "not_your_turn", None)
    assert why(turn(), Placed(A, 3)) == ("R-08", "nothing_drawn", None)
    assert why(drawing(), Drew(A)) == ("R-08", "place_first", None)
    assert why(drawing(), Placed(B, 1)) == ("R-00", "not_your_turn", None)
    assert why(turn(), CardDrawn(40)) == ("R-00", "wrong_phase", None)


@proves("R-08", "R-01")
def test_a_card_that_lies_elsewhere_is_not_drawn() -> None:
    """A drawn number must be a wagon that is not already on the table."""
    assert why(drawing(), CardDrawn(80)) == ("R-01", "lies_elsewhere", None)
    assert why(drawing(), CardDrawn(85)) == ("R-01", "no_such_wagon", None)


@proves("T-32", "R-08")
def test_32_a_drawn_card_has_no_ability() -> None:
    """A drawn card can only be placed, and its ability does not count."""
    card = wagon("swap_adjacent", 5)
    assert why(holding(card), Swapped(A, card, 1, 2)) == ("R-08", "place_first", None)


@proves("T-20", "R-16")
def test_20_replacing_a_protected_wagon_costs_the_padlock() -> None:
    """The replaced wagon goes to the pool, and its padlock card to the discard."""
    state = after(holding(40, locks={(A, 7): 16}), Placed(A, 7))
    assert (state.table.pool, state.table.discard, state.table.locks[A]) == ((5,), (16,), (0, 0, 0))
    assert state.effects == (Replaced(A, 7, 5, 40), LockLost(A, 7, 16))
    kept = after(holding(40, locks={(A, 7): 16}), Placed(A, 6))
    assert kept.table.locks[A] == (0, 0, 16)


@proves("T-28", "R-02", "R-14")
def test_28_the_locomotive_counts_for_nothing() -> None:
    """Position 0, the locomotive, is refused in every action."""
    state = turn(pool=(1, 8, 3))
    assert why(state, Swapped(A, 1, 0, 1)) == ("R-02", "locomotive", None)
    assert why(state, Protected(A, 8, 0)) == ("R-02", "locomotive", None)
    assert why(state, Shifted(A, 3, 0)) == ("R-02", "locomotive", None)
    assert why(holding(40), Placed(A, 0)) == ("R-02", "locomotive", None)
    assert len(state.table.lines[A]) == 7


@proves("T-27", "R-14")
def test_27_seven_rising_wagons_win() -> None:
    """Seven strictly rising wagons win, but not with equal numbers or a gap."""
    state = after(winning(), Placed(A, 7))
    assert state.over
    assert state.effects[-1] == Won(A)
    assert (RULES.winners(state), RULES.scores(state)[A]) == ((A,), 7)
    assert (RULES.ranking(state)[0], RULES.sides(Setup(RULES.name, 3))) == ((A,), ((A,), (B,), (C,)))
    assert RULES.winners(winning()) == ()
    assert not ascending((3, 8, 8, 22, 40, 61, 80))
    assert not ascending((0, 8, 15, 22, 40, 61, 80))
    assert not ascending((3, 8, 15, 0, 40, 61, 80))
    assert in_order((3, 8, 8, 22, 40, 61, 80)) == 6


@proves("T-33", "R-14")
def test_33_nothing_happens_after_a_victory() -> None:
    """After a victory, every action is refused and none is offered."""
    state = after(winning(), Placed(A, 7))
    for event in (Drew(B), Drew(A), Placed(B, 1), Reshuffled(), CardDrawn(1)):
        assert why(state, event) == ("R-00", "game_over", None)
    assert offered(state, B) == []


@proves("R-14")
def test_a_victory_comes_before_an_ability_is_asked() -> None:
    """A victory ends the game even if an owner's card in the pool has no ability yet."""
    assert after(unread(winning(dealt=False), NEARLY[6]), Placed(A, 7)).over


# --- the pool -------------------------------------------------------------------------------------


@proves("R-09", "R-01")
def test_a_pool_card_does_what_it_says() -> None:
    """A card that is not in the pool, has another ability or is unread cannot be used."""
    state = turn(pool=(1, 8))
    assert why(state, Swapped(A, 2, 1, 3)) == ("R-09", "not_in_pool", None)
    assert why(state, Shifted(A, 1, 1)) == ("R-09", "other_ability", None)
    assert why(state, Removed(A, 8)) == ("R-09", "other_ability", None)
    assert why(state, Protected(A, 1, 4)) == ("R-09", "other_ability", None)
    assert why(unread(state, 1), Swapped(A, 1, 1, 2)) == ("R-01", "ability_unread", None)


@proves("T-31", "R-12")
def test_31_the_discard_is_closed() -> None:
    """A discarded card cannot be used again."""
    assert why(turn(pool=(1,), discard=(2,)), Swapped(A, 2, 1, 3)) == ("R-12", "discard_closed", None)


@proves("R-12", "training=yes", "training=no")
def test_the_discard_is_shown_to_learners_alone() -> None:
    """Pages show the number of discarded cards, and the cards themselves only in training."""
    plain = RULES.view(turn(discard=(2, 9), rejected=(17,)), None)
    assert (plain.discard, plain.discarded) == (3, ())
    learning = RULES.view(turn(discard=(9, 2), rejected=(17,), options={"training": "yes"}), None)
    assert [card.number for card in learning.discarded] == [2, 9]


@proves("R-11")
def test_people_choose_which_of_three_stays() -> None:
    """With real cards, people choose which of three equal cards stays. With dealt cards, the last one stays."""
    lines = ((80, 61, 47, 33, 12, 9, 1), (81, 62, 48, 34, 13, 10, 17), (82, 63, 49, 35, 14, 11, 25))
    used = wagon("remove_right", 3)
    real = after(turn(A, lines=lines, pool=(used,), dealt=False), Removed(A, used))
    assert real.agenda[0] == KeepOdd((1, 17, 25))
    assert why(real, OddKept(31)) == ("R-11", "one_of_these", None)
    assert why(real, Drew(A)) == ("R-11", "pair_must_go", None)
    chosen = after(real, OddKept(17))
    assert (chosen.table.pool, set(chosen.table.discard)) == ((17,), {used, 1, 25})
    assert chosen.effects == (PairsDiscarded((1, 25)),)
    dealt = after(turn(A, lines=lines, pool=(used,)), Removed(A, used))
    assert (dealt.table.pool, set(dealt.table.discard)) == ((25,), {used, 1, 17})


# --- the pile -------------------------------------------------------------------------------------


@proves("T-30", "R-13")
def test_30_the_discard_is_shuffled_when_the_pile_is_empty() -> None:
    """People shuffle real cards as soon as the pile is empty; dealt cards are shuffled when a card is needed."""
    assert why(turn(dealt=False), Reshuffled()) == ("R-13", "pile_not_empty", None)
    people = turn(pile=(), dealt=False, pool=(1,), locks={(A, 1): 8})
    assert offered(people, None) == [Reshuffled()]
    shuffled = after(people, Reshuffled())
    assert shuffled.effects == (PileMade(84 - 21 - 2),)
    assert (shuffled.table.pile, shuffled.table.discard) == (61, ())
    assert not {1, 8} & set(shuffled.table.zones.remaining(PILE))
    assert shuffled.agenda == people.agenda
    companion = turn(pile=(), pool=(1,))
    assert why(companion, Reshuffled()) == ("R-13", "not_needed_yet", None)
    assert offered(companion, None) == []
    needed = after(companion, Drew(A))
    assert offered(needed, None) == [Reshuffled()]
    assert why(needed, CardDrawn(2)) == ("R-13", "reshuffle_first", None)
    drawn = after(needed, Reshuffled(), CardDrawn(2))
    assert (drawn.agenda, drawn.table.hand(A)) == ((Place(A),), (2,))


@proves("R-13")
def test_rejected_cards_come_back_with_the_discard() -> None:
    """The new pile contains the rejected cards, whether the companion knows them or not."""
    for given in (drawing(pile=(), rejected=(40, 41)), drawing(pile=(40, 41), unknown=2, dealt=False)):
        open_cards = set(given.table.discard)
        assert (given.table.pile, given.table.discarded, open_cards & {40, 41}) == (0, len(open_cards) + 2, set())
        new = after(given, Reshuffled()).table
        assert (new.pile, new.discarded) == (len(open_cards) + 2, 0)
        assert set(new.zones.remaining(PILE)) == open_cards | {40, 41}


@proves("R-07")
def test_turns_go_round_clockwise() -> None:
    """The first seat acts after the last one."""
    assert after(holding(40, C), Placed(C, 1)).agenda == (Act(A),)
    assert after(turn(C, pool=(1,)), Swapped(C, 1, 1, 2)).agenda == (Act(A),)


@proves("R-08")
def test_a_seats_own_button_draws() -> None:
    """A press of the seat's own button draws a card in its turn, and has no meaning while the seat draws."""
    state = turn(B)
    meaning = state.agenda[0].timing(state.table)
    assert isinstance(meaning, Deciding)
    assert (meaning.seat, meaning.event) == (B, Drew(B))
    assert Draw(B).timing(state.table) is None


@pytest.mark.parametrize("seat", [A, B, C])
def test_the_offers_are_what_is_accepted(seat: Seat) -> None:
    """Every offered action is accepted, and the number of offers is complete."""
    state = turn(seat, pool=(1, 2, 3, 4, 5, 6, 7, 8), locks={(seat, 4): 16})
    events = offered(state, seat)
    assert len(events) == len(set(events)) == 1 + 6 + 5 + 5 + 5 + 3 + 2
    assert all(accepted(state, event) for event in events)
