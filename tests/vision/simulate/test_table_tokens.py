"""Tests of tokens on a rendered table: how they lie, what covers them, and their true state."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from companion.engine import Layout
from tests.support.vision.discs import COLOURS, DISCS
from tests.support.vision.token_mats import token_mat
from tests.support.vision.token_truth import tokens_truth
from vision.mat import find
from vision.simulate.difficulty import HARD
from vision.simulate.lying import LayingError
from vision.simulate.lying_tokens import LEAST, Arrangement
from vision.simulate.painted_tokens import THICK
from vision.simulate.rendered_table import RenderedTable

MONEY, PURPOSE = "seat.1.money", "seat.2.purpose"
FOUR = ("money-50", "money-50", "money-500", "money-500")


def table(seed: int = 3, difficulty: str = "easy") -> RenderedTable:
    """Return an empty mat for two on a table."""
    made = RenderedTable(token_mat(2), {}, {}, difficulty, seed, (1152, 648))
    made.tokens.use(DISCS)
    return made


def shares(made: RenderedTable, place: str = MONEY) -> list[float]:
    """Return the visible fraction of each token at a place."""
    return [each.share for each in tokens_truth(made) if each.place == place]


def names(made: RenderedTable, place: str = MONEY) -> Counter[str]:
    """Return the tokens at a place."""
    return Counter([each.token for each in tokens_truth(made) if each.place == place])


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_tokens_lie_beside_one_another(seed: int) -> None:
    """Separate tokens are fully visible and flat, within the place."""
    made = table(seed)
    made.lay_tokens(MONEY, FOUR)
    assert names(made) == Counter(FOUR)
    assert shares(made) == [1.0] * 4
    ground = made.tokens.lying.slot(MONEY).ground()
    for each in tokens_truth(made):
        assert each.low == 0.0 and each.radius == pytest.approx(10.0, abs=0.3)
        assert (np.array(each.middle) > ground.min(axis=0)).all() and (np.array(each.middle) < ground.max(axis=0)).all()


@pytest.mark.parametrize("seed", range(8))
def test_of_tokens_over_one_another_enough_shows(seed: int) -> None:
    """Overlapping tokens stay visible enough, and one that leans on another lies at most its thickness high."""
    made = table(seed, "hard")
    made.lay_tokens(MONEY, FOUR, "over")
    assert LEAST <= min(shares(made)) < 1.0
    heights = [each.low for each in tokens_truth(made)]
    assert min(heights) == 0.0 and THICK / 2 < max(heights) <= THICK


@pytest.mark.parametrize("seed", range(4))
def test_fourteen_tokens_find_room(seed: int) -> None:
    """Fourteen tokens lie in two lines, each visible enough."""
    made = table(seed)
    made.lay_tokens(MONEY, ("money-50", "money-500") * 7)
    assert names(made) == {"money-50": 7, "money-500": 7}
    assert min(shares(made)) >= LEAST


def test_of_a_heap_too_little_shows() -> None:
    """In a heap only the top token is fully visible, and a proper layout spreads the heap."""
    made = table()
    made.lay_tokens(MONEY, FOUR, "heap")
    assert names(made) == Counter(FOUR) and min(shares(made)) < LEAST
    made.lay_tokens(MONEY, FOUR)
    assert names(made) == Counter(FOUR) and shares(made) == [1.0] * 4


def test_a_token_sinks_when_the_one_below_is_taken() -> None:
    """A token on another one lies at its height and sinks to the table when the lower one is removed."""
    made = table()
    made.lay_tokens(MONEY, ("money-50", "money-500"), "heap")
    below, above = tokens_truth(made)
    assert (below.low, above.low) == (0.0, THICK)
    made.tokens.lying.take(MONEY, below.token)
    assert [(each.token, each.low) for each in tokens_truth(made)] == [(above.token, 0.0)]


def test_what_lies_right_is_not_touched() -> None:
    """A new token leaves the others in place, and an empty layout clears a place."""
    made = table(difficulty="hard")
    made.lay_tokens(MONEY, FOUR[:2])
    before = {each.middle for each in tokens_truth(made)}
    made.lay_tokens(MONEY, FOUR[:3])
    assert before < {each.middle for each in tokens_truth(made)} and names(made) == Counter(FOUR[:3])
    made.lay_tokens(MONEY, ())
    assert tokens_truth(made) == ()


def test_two_tokens_can_lie_where_one_has_room() -> None:
    """Two tokens can be laid by mistake where one has room."""
    made = table()
    made.lay_tokens(PURPOSE, ("purpose-P-1", "purpose-P-1"))
    assert names(made, PURPOSE) == {"purpose-P-1": 2}


def test_second_faces_show_the_same_token() -> None:
    """The true state of a token names the face that is up."""
    made = table()
    made.lay_tokens(MONEY, ("money-500",) * 6)
    assert names(made) == {"money-500": 6}
    assert {each.face for each in made.tokens.lying.at(MONEY)} == {"money-500", "money-500/2"}


@pytest.mark.parametrize(
    ("place", "token", "said"),
    [
        (MONEY, "money-7", "no picture of a token called 'money-7'"),
        ("market", "money-50", "no place for tokens called"),
    ],
)
def test_what_cannot_be_laid_is_said(place: str, token: str, said: str) -> None:
    """An unknown token or place is named in the error, and nothing moves."""
    made = table()
    made.lay_tokens(MONEY, ("money-50",))
    with pytest.raises(LayingError, match=said):
        made.lay_tokens(place, ("money-50", token))
    with pytest.raises(LayingError, match=f"There is no money-7 at {place}"):
        made.tokens.lying.take(place, "money-7")
    assert names(made) == {"money-50": 1}


def test_tokens_show_in_the_picture_where_they_lie() -> None:
    """The mat is found in the picture, and the centre of each token has its colour."""
    made = table()
    made.lay_tokens(MONEY, FOUR)
    made.set(Layout({}))
    picture, view = made.picture((2304, 1296)), made.view((2304, 1296))
    assert find(picture, made.mat) is not None
    for each in tokens_truth(made):
        x, y = view.to_picture(np.array([each.middle]))[0]
        seen = picture[round(y) - 2 : round(y) + 3, round(x) - 2 : round(x) + 3].reshape(-1, 3).mean(axis=0)
        nearest = min(COLOURS, key=lambda name: float(np.abs(np.array(COLOURS[name]) - seen).sum()))
        assert nearest.partition("/")[0] == each.token


def test_a_hand_brings_tokens_hidden_in_its_fist() -> None:
    """Tokens in a fist appear when the hand arrives, and the hand covers some until it leaves."""
    made = table()
    counts, least = [], 1.0
    for _ in made.hand_tokens(MONEY, FOUR, frames=10):
        counts.append(len(tokens_truth(made)))
        least = min([least, *shares(made)])
    assert counts == [0] * 5 + [4] * 5 and least < 0.3 and shares(made) == [1.0] * 4


@pytest.mark.parametrize("how", ["beside", "over", "heap"])
def test_the_same_seed_lays_alike(how: Arrangement) -> None:
    """The same seed and tokens render the same pictures."""
    made = [table(5, HARD.name), table(5, HARD.name)]
    for each in made:
        each.lay_tokens(MONEY, FOUR, how)
    assert np.array_equal(made[0].picture(), made[1].picture())


def test_clearing_takes_tokens_too() -> None:
    """Clearing the table removes its tokens."""
    made = table()
    made.lay_tokens(MONEY, FOUR)
    made.clear()
    assert tokens_truth(made) == ()
