"""The bot must use only what its seat knows, estimate the draws that a line needs, and play to win."""

from __future__ import annotations

import random
from itertools import product

import pytest
from msgspec.structs import replace

from companion.bots.bot import policy_of
from companion.bots.contest import contest
from companion.bots.simulation import next_event, policies_for, simulate
from companion.engine import Seat, Setup, apply
from companion.games.game_of_trains.bot import POLICY, WINNING
from companion.games.game_of_trains.bot.ahead import Spot, ahead
from companion.games.game_of_trains.bot.mind import padlock
from companion.games.game_of_trains.bot.worth import NEVER, holes, measure
from companion.games.game_of_trains.events import Drew, Kept, Placed, Protected, Removed, Shifted, Swapped
from companion.games.game_of_trains.rules import RULES
from companion.games.game_of_trains.steps.setup import Choose
from tests.games.game_of_trains.build import A, B, C, at, holding, table, turn, wagon

RULE = measure(tuple(range(1, 85)))
RISEN = (3, 8, 15, 22, 40, 61, 80)


def decision(state, seat: Seat = A):  # type: ignore[no-untyped-def]
    """Return the bot's choice in a seat's turn and check that it is legal."""
    event = POLICY.choose(POLICY.look(state, seat), random.Random(1).random)
    assert event is not None
    apply(RULES, state, event)
    return event


def test_one_hole_takes_as_many_draws_as_its_odds_say() -> None:
    """A hole that fits a quarter of the deck needs four draws on average, and one that nothing fits is never filled."""
    assert holes(1, 21, 84) == pytest.approx(4.0)
    assert holes(1, 84, 84) == pytest.approx(1.0)
    assert holes(0, 5, 84) == 0.0
    assert holes(3, 2, 84) == NEVER


def test_two_holes_are_reckoned_as_by_hand() -> None:
    """The estimate for two holes in a deck of four matches an enumeration of the best play."""

    def mean(low: int, high: int, count: int) -> float:
        if count == 0:
            return 0.0
        if high - low + 1 < count:
            return NEVER
        rests = []
        for card in range(low, high + 1):
            rests.append(min(mean(low, card - 1, k) + mean(card + 1, high, count - 1 - k) for k in range(count)))
        best = NEVER
        for take in product((False, True), repeat=len(rests)):
            if any(take):
                chosen = [rest for rest, taken in zip(rests, take, strict=True) if taken]
                best = min(best, (4 + sum(chosen)) / len(chosen))
        return best

    assert holes(2, 4, 4) == pytest.approx(mean(1, 4, 2))


def test_a_risen_line_needs_no_draw_and_a_falling_one_many() -> None:
    """A risen line needs no draw, and the estimate falls as a line comes into order."""
    assert RULE.draws(RISEN) == 0.0
    one = RULE.draws((3, 8, 15, 22, 40, 61, 1))
    assert one == pytest.approx(84 / 23)
    assert 0 < one < RULE.draws((9, 8, 15, 22, 40, 61, 1)) < RULE.draws((80, 61, 40, 22, 15, 8, 3))
    assert RULE.draws((3, 8, 15, 0, 40, 61, 80)) == pytest.approx(84 / 24)


def test_it_wins_when_it_can() -> None:
    """The bot wins at once by placing, swapping or moving."""
    nearly = (3, 8, 15, 22, 40, 61, 20)
    assert decision(holding(70, lines=(nearly,))) == Placed(A, 7)
    swap = wagon("swap_adjacent")
    assert decision(turn(lines=((3, 15, 8, 22, 40, 61, 80),), pool=(swap, 7))) == Swapped(A, swap, 2, 3)
    left = wagon("move_left_2", 1)
    assert decision(turn(lines=((3, 15, 22, 8, 40, 61, 80),), pool=(left, 7))) == Shifted(A, left, 4)


def test_it_does_not_leave_a_victory_in_the_pool() -> None:
    """The bot uses up a pool card with which the next player could win, or breaks that player's line."""
    swap = wagon("swap_adjacent")
    rival = (3, 15, 8, 22, 40, 61, 80)
    event = decision(turn(lines=((84, 62, 47, 33, 12, 9, 5), rival), pool=(swap,)))
    assert isinstance(event, Swapped)
    assert event.card == swap
    last = wagon("remove_left")
    event = decision(turn(lines=((84, 62, 47, 33, 12, 9, 5), rival), pool=(swap, last)))
    assert isinstance(event, Swapped | Removed)


def test_it_protects_what_is_worth_it() -> None:
    """The bot values a padlock for a well-placed wagon in danger, but not for a badly placed one."""
    lock, first = wagon("protect"), wagon("remove_left", 1)
    state = turn(lines=((3, 10, 21, 34, 44, 58, 30),), pool=(lock, first))
    known = POLICY.look(state, A)
    assert padlock(known, lock, 1) > padlock(known, lock, 4) == padlock(known, lock, 7) == 0.0
    assert decision(state) != Protected(A, lock, 7)


def test_it_keeps_the_card_that_helps_most() -> None:
    """The bot keeps the most helpful dealt card at its best position, and makes a legal choice with real cards."""
    dealt = at(table(3, hands=((1,), (2, 3), (17, 18, 19))), Choose((A, B, C)))
    assert decision(dealt) == Kept(A, 1, 1)
    real = at(table(3, drawn=3, dealt=False), Choose((C,)))
    event = POLICY.choose(POLICY.look(real, C), random.Random(2).random)
    assert isinstance(event, Kept)
    assert apply(RULES, real, event)


def test_it_knows_only_what_lies_open() -> None:
    """The bot's view does not depend on the pile, the discard or other hands."""
    state = turn(pool=(1, 8), discard=(2,))
    zones = table(pool=(1, 8), rejected=(2,)).zones
    hidden = replace(state, table=replace(state.table, zones=replace(zones, pools=(zones.pools[0][::-1],))))
    assert POLICY.look(state, A) == POLICY.look(hidden, A)
    assert POLICY.look(holding(40), B) == POLICY.look(holding(41), B)
    hands = at(table(3, hands=((1,), (2, 3), (17, 18, 19))), Choose((A, B, C)))
    others = at(table(3, hands=((1,), (20, 3), (17, 25, 19))), Choose((A, B, C)))
    assert POLICY.look(hands, A) == POLICY.look(others, A)
    assert POLICY.choose(POLICY.look(state, B), random.Random(1).random) is None
    assert POLICY.together(state, random.Random(1).random) is None


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("deck", ["dealt", "ours", "box"])
def test_whole_games_end(players: int, deck: str) -> None:
    """Games with every kind of deck and number of players end with one winner."""
    catalogue = "box" if deck == "box" else "reconstruction"
    setup = Setup("game-of-trains", players, {}, catalogue, deck)  # type: ignore[arg-type]
    for result in simulate(RULES, setup, 2, 7):
        assert len(result.winners) == 1
        assert result.scores[result.winners[0]] == 7


def test_lines_without_gaps_are_measured_alike_in_both_ways() -> None:
    """Both ways to measure a line without gaps return exactly the same result."""
    luck = random.Random(3)
    for _ in range(500):
        line = tuple(luck.sample(range(1, 85), 7))
        assert RULE._whole(line) == RULE._measured(line)


def ranked(state, seat: Seat = A):  # type: ignore[no-untyped-def]
    """Return the choices of the bot that plays to win, best first."""
    return WINNING.ranked(WINNING.look(state, seat), random.Random(1).random)


def test_to_win_it_takes_what_wins_and_leaves_nothing_that_does() -> None:
    """The bot values a win at 1, and any choice that leaves a winning pool card for the next player close to 0."""
    swap = wagon("swap_adjacent")
    first, *_ = ranked(turn(lines=((3, 15, 8, 22, 40, 61, 80),), pool=(swap, 7)))
    assert (first.event, first.value) == (Swapped(A, swap, 2, 3), 1.0)
    last, *_ = ranked(holding(70, lines=((3, 8, 15, 22, 40, 61, 20),)))
    assert (last.event, last.value) == (Placed(A, 7), 1.0)
    rival = (3, 15, 8, 22, 40, 61, 80)
    found = ranked(turn(lines=((84, 62, 47, 33, 12, 9, 5), rival), pool=(swap,)))
    assert isinstance(found[0].event, Swapped)
    (drawn,) = [each for each in found if isinstance(each.event, Drew)]
    assert drawn.value < 0.02 < found[0].value


def test_its_reasons_are_its_own_line_and_what_the_next_player_finds() -> None:
    """The bot's reasons state the draws before and after, and the risk from the next player."""
    first, *_ = ranked(holding(70, lines=((3, 8, 15, 60, 40, 61, 20),)))
    line, following = [each for each in first.terms if each.key in ("line", "next")]
    assert line.amount < dict(line.fields)["before"]
    assert dict(following.fields)["seat"] == B and following.amount > 0
    rival = (3, 15, 8, 22, 40, 61, 80)
    found = ranked(turn(lines=((84, 62, 47, 33, 12, 9, 5), rival), pool=(wagon("swap_adjacent"), wagon("protect"))))
    (*_, following) = next(each for each in found if isinstance(each.event, Protected)).terms
    assert (following.amount, dict(following.fields)["ability"]) == (1.0, "swap_adjacent")
    (_, line) = next(each for each in found if isinstance(each.event, Drew)).terms
    assert line.amount < dict(line.fields)["before"]
    removing = turn(lines=((84, 62, 47, 33, 12, 9, 5), rival), pool=(wagon("remove_left"),))
    losses = next(each for each in ranked(removing) if isinstance(each.event, Removed)).terms[1:]
    assert [dict(each.fields)["seat"] for each in losses] == [A, B, C]


def test_chances_add_up_and_wait_for_a_turn() -> None:
    """The chances add up to 1. Among equal lines, the seat on turn has the best and the last seat the worst."""
    state = turn(lines=((84, 62, 47, 33, 12, 9, 5),) * 3)
    look = ahead(state.table.fixed.book.numbers, state.table.fixed.book.abilities, 3)
    chances = look.stand(Spot(state.table.lines, ((), (), ()), 0), 1)
    assert sum(chances) == pytest.approx(1.0)
    assert chances[1] > chances[2] > chances[0]


def test_to_win_it_beats_play_at_random_with_every_deck() -> None:
    """The bot that plays to win beats random play from either seat and with every deck."""
    for deck in ("dealt", "ours", "box"):
        setup = Setup("game-of-trains", 2, {}, "box" if deck == "box" else "reconstruction", deck)  # type: ignore[arg-type]
        assert all(each.won == 1.0 for each in contest(RULES, setup, "wins", "random", 2, 7))


def test_it_beats_random_play() -> None:
    """The bot wins at least seven of eight games against three random players, from all seats."""
    minds = policies_for(RULES, "random,random,random,random", 4)
    won = 0
    for seed in range(8):
        minds[seed % 4] = policy_of(RULES, "sensible")
        luck = random.Random(seed).random
        state = RULES.begin(Setup("game-of-trains", 4))
        while state.agenda:
            state = apply(RULES, state, next_event(RULES, state, minds, luck))
        won += RULES.winners(state) == (Seat(seed % 4),)
        minds[seed % 4] = policy_of(RULES, "random")
    assert won >= 7
