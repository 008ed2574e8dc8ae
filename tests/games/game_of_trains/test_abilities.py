"""Test the eight abilities, padlocks, removals and refills (B-1 to B-8, R-15 to R-17)."""

from __future__ import annotations

import pytest

from companion.engine import Event
from companion.games.game_of_trains.events import (
    CardDrawn,
    Cleared,
    Drew,
    LockLost,
    PairsDiscarded,
    Placed,
    Protected,
    Refilled,
    Removed,
    Reshuffled,
    Shifted,
    Swapped,
    Won,
)
from companion.games.game_of_trains.rules import RULES
from companion.games.game_of_trains.steps.turn import Act, Refill
from companion.games.game_of_trains.table import PILE, Line
from tests.games.game_of_trains.build import A, B, C, after, offered, turn, wagon, why
from tests.games.proofs import proves

SWAP, ACROSS, RIGHT, LEFT = (wagon(n) for n in ("swap_adjacent", "swap_one_between", "move_right_2", "move_left_2"))
FIRSTS, CENTRES, LASTS, LOCK = (wagon(n) for n in ("remove_left", "remove_middle", "remove_right", "protect"))
NO_FIVE = (80, 61, 47, 33, 12, 9, 17)
"""The first falling line, without the 5, which serves as an ability card in these tests."""
LINES = (NO_FIVE, (81, 62, 48, 34, 13, 10, 18), (82, 63, 49, 35, 14, 11, 19))


def own(event: Event) -> Line:
    """Return seat A's line after it used a card, and check that the other lines are unchanged."""
    card: int = event.card  # type: ignore[attr-defined]
    state = after(turn(A, lines=LINES, pool=(card,)), event)
    assert state.table.lines[1:] == LINES[1:]
    assert (state.table.pool, state.table.discard) == ((), (card,))
    assert state.agenda == (Act(B),)
    return state.table.lines[A]


def spelled(word: str) -> Line:
    """Return seat A's wagons in another order: `acbdefg` exchanges the second and the third."""
    return tuple(NO_FIVE["abcdefg".index(letter)] for letter in word)


@proves("T-11", "B-1")
def test_11_neighbours_are_swapped() -> None:
    """The card swaps 2 and 3, but refuses 2 and 4, 3 and 2, or 7 and 8."""
    assert own(Swapped(A, SWAP, 2, 3)) == spelled("acbdefg")
    state = turn(A, lines=LINES, pool=(SWAP,))
    for left, right in ((2, 4), (3, 2), (7, 8), (4, 4)):
        assert why(state, Swapped(A, SWAP, left, right)) == ("B-1", "not_adjacent", None)


@proves("T-12", "B-2")
def test_12_wagons_with_one_between_are_swapped() -> None:
    """The card swaps 1 and 3, but refuses 6, which has no partner on its right."""
    assert own(Swapped(A, ACROSS, 1, 3)) == spelled("cbadefg")
    state = turn(A, lines=LINES, pool=(ACROSS,))
    for left, right in ((6, 8), (1, 2), (3, 1)):
        assert why(state, Swapped(A, ACROSS, left, right)) == ("B-2", "not_one_between", None)


@proves("T-13", "B-3")
def test_13_a_wagon_moves_two_to_the_right() -> None:
    """A wagon moves from 1 or 5, but not from 6 or 7."""
    assert own(Shifted(A, RIGHT, 1)) == spelled("bcadefg")
    assert own(Shifted(A, RIGHT, 5)) == spelled("abcdfge")
    for position in (6, 7, 8):
        assert why(turn(A, lines=LINES, pool=(RIGHT,)), Shifted(A, RIGHT, position)) == ("B-3", "not_two_right", None)


@proves("T-14", "B-4")
def test_14_a_wagon_moves_two_to_the_left() -> None:
    """A wagon moves from 7 or 3, but not from 1 or 2."""
    assert own(Shifted(A, LEFT, 7)) == spelled("abcdgef")
    assert own(Shifted(A, LEFT, 3)) == spelled("cabdefg")
    for position in (1, 2):
        assert why(turn(A, lines=LINES, pool=(LEFT,)), Shifted(A, LEFT, position)) == ("B-4", "not_two_left", None)


# --- padlocks -------------------------------------------------------------------------------------


@proves("T-15", "B-8")
def test_15_ends_and_centre_can_be_protected_once() -> None:
    """A padlock may go to position 4 but not 2, and not to a protected position."""
    state = turn(A, lines=LINES, pool=(LOCK,))
    assert why(state, Protected(A, LOCK, 2)) == ("B-8", "ends_and_centre_only", None)
    assert after(state, Protected(A, LOCK, 4)).table.locks == ((0, LOCK, 0), (0, 0, 0), (0, 0, 0))
    again = turn(A, lines=LINES, pool=(LOCK,), locks={(A, 4): 16})
    assert why(again, Protected(A, LOCK, 4)) == ("B-8", "already_protected", None)


@proves("B-8", "R-17")
def test_a_padlock_that_fits_nowhere_is_not_offered() -> None:
    """A padlock card is not offered when all three positions are protected."""
    state = turn(A, lines=LINES, pool=(LOCK,), locks={(A, 1): 16, (A, 4): 24, (A, 7): 32})
    assert offered(state, A) == [Drew(A)]


@proves("T-35", "R-17")
def test_35_a_padlock_is_not_discarded() -> None:
    """A used padlock card leaves the pool and does not go to the discard."""
    state = after(turn(A, lines=LINES, pool=(LOCK,), discard=(2,)), Protected(A, LOCK, 1))
    assert (state.table.pool, state.table.discard, state.table.discarded) == ((), (2,), 1)


@proves("T-16", "R-15", "B-6", "R-16")
def test_16_a_protected_centre_stays() -> None:
    """Only seats without a padlock at position 4 lose and refill that wagon."""
    state = after(turn(A, lines=LINES, pool=(CENTRES,), locks={(A, 4): LOCK}), Removed(A, CENTRES))
    assert state.table.lines[A] == NO_FIVE
    assert [line[3] for line in state.table.lines[1:]] == [0, 0]
    assert state.agenda == (Refill(A, (B, C), 4),)
    assert state.table.locks[A] == (0, LOCK, 0)
    assert state.effects == (Cleared(4, (0, 34, 35)),)


@proves("T-17", "R-16")
def test_17_a_wagon_that_is_passed_loses_its_padlock() -> None:
    """Moving a wagon from 3 to 5 shifts the wagon at 4, which loses its padlock."""
    state = after(turn(A, lines=LINES, pool=(RIGHT,), locks={(A, 4): LOCK}), Shifted(A, RIGHT, 3))
    assert state.table.lines[A] == spelled("abdecfg")
    assert (state.table.locks[A], state.table.discard) == ((0, 0, 0), (RIGHT, LOCK))
    assert state.effects == (LockLost(A, 4, LOCK),)


@proves("T-18", "R-16")
def test_18_a_swapped_wagon_loses_its_padlock() -> None:
    """Swapping the wagons at 1 and 2 costs the padlock at 1."""
    state = after(turn(A, lines=LINES, pool=(SWAP,), locks={(A, 1): LOCK}), Swapped(A, SWAP, 1, 2))
    assert (state.table.locks[A], state.table.discard) == ((0, 0, 0), (SWAP, LOCK))


@proves("T-19", "R-16")
def test_19_other_padlocks_stay() -> None:
    """A swap keeps the padlocks of all wagons that stay in place, even between the swapped ones."""
    state = after(turn(A, lines=LINES, pool=(SWAP,), locks={(A, 7): LOCK}), Swapped(A, SWAP, 2, 3))
    assert (state.table.locks[A], state.table.discard) == ((0, 0, LOCK), (SWAP,))
    over = after(turn(A, lines=LINES, pool=(ACROSS,), locks={(A, 4): LOCK}), Swapped(A, ACROSS, 3, 5))
    assert over.table.locks[A] == (0, LOCK, 0)


# --- removals -------------------------------------------------------------------------------------


@proves("T-21", "R-11", "R-15", "B-5")
def test_21_of_three_equal_cards_one_stays() -> None:
    """If two more cards of an ability come to the pool, one of the three stays."""
    lines = ((17, 61, 47, 33, 12, 9, 6), (25, 62, 48, 34, 13, 10, 7), (40, 63, 49, 35, 14, 11, 15))
    state = after(turn(A, lines=lines, pool=(SWAP, FIRSTS)), Removed(A, FIRSTS))
    assert state.table.pool == (25, 40)
    assert state.table.discard == (FIRSTS, SWAP, 17)
    assert state.effects == (Cleared(1, (17, 25, 40)), PairsDiscarded((SWAP, 17)))


@proves("T-22", "R-11", "R-15")
def test_22_the_used_card_is_gone_before_the_others_arrive() -> None:
    """The used card leaves the pool before the removed wagons arrive, so only those can form a pair."""
    lines = ((17, 61, 47, 33, 12, 9, 6), (25, 62, 48, 34, 13, 10, 7), (40, 63, 49, 35, 14, 11, 15))
    state = after(turn(A, lines=lines, pool=(FIRSTS,)), Removed(A, FIRSTS))
    assert (state.table.pool, state.table.discard) == ((40,), (FIRSTS, 17, 25))


@proves("T-23", "R-15", "B-7")
def test_23_refills_begin_with_the_user() -> None:
    """The seat that used the card refills first, then the others in turn. Any other refill is refused."""
    state = after(turn(B, lines=LINES, pool=(LASTS,)), Removed(B, LASTS))
    assert state.agenda == (Refill(B, (B, C, A), 7),)
    assert why(state, Refilled(C, 7, 40)) == ("R-15", "refills_next", None)
    assert why(state, Refilled(B, 6, 40)) == ("R-15", "refills_next", None)
    assert why(state, Drew(C)) == ("R-15", "refills_next", None)
    assert why(state, CardDrawn(40)) == ("R-15", "refills_next", None)
    assert why(state, Placed(B, 7)) == ("R-15", "refills_next", None)
    assert why(state, Refilled(B, 7, 80)) == ("R-01", "lies_elsewhere", None)
    state = after(state, Refilled(B, 7, 40), Refilled(C, 7, 41), Refilled(A, 7, 42))
    assert [line[6] for line in state.table.lines] == [42, 40, 41]
    assert state.agenda == (Act(C),)


RISING = (3, 8, 15, 22, 41, 64, 20)
"""A line that rises except for its last wagon."""


@proves("T-24", "R-14", "R-15")
def test_24_a_victory_stops_the_refills() -> None:
    """A victory stops the refills: player 1 keeps six wagons, and the pile has lost two cards."""
    state = turn(B, lines=(NO_FIVE, LINES[1], RISING), pool=(LASTS,))
    pile = state.table.pile
    state = after(state, Removed(B, LASTS), Refilled(B, 7, 40), Refilled(C, 7, 78))
    assert state.over
    assert RULES.winners(state) == (C,)
    assert state.table.lines[A] == (80, 61, 47, 33, 12, 9, 0)
    assert state.table.pile == pile - 2
    assert state.effects == (Won(C),)
    assert why(state, Refilled(A, 7, 42)) == ("R-00", "game_over", None)


@proves("T-25", "R-14")
@pytest.mark.parametrize(("used", "position"), [(FIRSTS, 1), (CENTRES, 4), (LASTS, 7)])
def test_25_a_gapped_line_does_not_win(used: int, position: int) -> None:
    """Six rising wagons and a gap do not win, even if the gap is at an end."""
    whole = [4, 13, 20, 28, 41, 64, 79]
    whole[position - 1] = 84 if position == 1 else 2
    line = tuple(whole)
    state = after(turn(A, lines=(line, LINES[1], LINES[2]), pool=(used,)), Removed(A, used))
    assert not state.over
    assert state.agenda == (Refill(A, (A, B, C), position),)


@proves("T-26", "R-14")
def test_26_one_can_win_on_anothers_turn() -> None:
    """A refill after an opponent's card can win the game."""
    state = after(turn(A, lines=(NO_FIVE, RISING, LINES[2]), pool=(LASTS,)), Removed(A, LASTS))
    state = after(state, Refilled(A, 7, 40), Refilled(B, 7, 84))
    assert RULES.winners(state) == (B,)
    assert state.table.lines[C][6] == 0


@proves("T-29", "R-13", "R-15")
def test_29_the_pile_runs_out_amid_the_refills() -> None:
    """If the pile runs out during refills, the discard is shuffled, with the used card, and the refills continue."""
    state = after(turn(A, lines=LINES, pool=(LASTS,), pile=(40,)), Removed(A, LASTS))
    state = after(state, Refilled(A, 7, 40))
    assert offered(state, None) == [Reshuffled()]
    assert why(state, Refilled(B, 7, LASTS)) == ("R-13", "reshuffle_first", None)
    state = after(state, Reshuffled())
    assert LASTS in state.table.zones.remaining(PILE)
    state = after(state, Refilled(B, 7, LASTS), Refilled(C, 7, 42))
    assert state.agenda == (Act(B),)


@proves("T-34", "R-15", "B-5")
def test_34_a_removal_may_hit_nobody() -> None:
    """If all first wagons are protected, the card is used up and nobody draws."""
    locks = {(A, 1): 16, (B, 1): 24, (C, 1): 32}
    state = turn(A, lines=LINES, pool=(FIRSTS, SWAP), locks=locks)
    pile = state.table.pile
    state = after(state, Removed(A, FIRSTS))
    assert (state.table.pool, state.table.lines, state.table.pile) == ((SWAP,), LINES, pile)
    assert state.agenda == (Act(B),)
    assert state.effects == (Cleared(1, (0, 0, 0)),)


@proves("R-14", "B-1", "B-4")
def test_an_ability_can_win() -> None:
    """Swapping or moving a wagon into order ends the game at once."""
    swap = turn(A, lines=((4, 13, 20, 41, 28, 64, 79), LINES[1], LINES[2]), pool=(SWAP, LASTS))
    state = after(swap, Swapped(A, SWAP, 4, 5))
    assert state.over
    assert RULES.winners(state) == (A,)
    moved = turn(A, lines=((4, 20, 28, 13, 41, 64, 79), LINES[1], LINES[2]), pool=(LEFT,))
    assert RULES.winners(after(moved, Shifted(A, LEFT, 4))) == (A,)


@proves("R-15", "R-16")
def test_a_refilled_line_keeps_its_other_padlocks() -> None:
    """Losing the last wagon does not affect the padlock of the first."""
    state = after(turn(A, lines=LINES, pool=(LASTS,), locks={(A, 1): LOCK}), Removed(A, LASTS), Refilled(A, 7, 40))
    assert state.table.locks[A] == (LOCK, 0, 0)
