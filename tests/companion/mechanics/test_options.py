"""Options of a match: what was left open, and what does not fit."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import pytest

from companion.engine import PER_PLAYER, BadSetup
from companion.mechanics.options import resolve


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One option of each kind that can be wrong in its own way."""

    goods: Annotated[tuple[Literal["tea", "tin", "wine"], ...], msgspec.Meta(min_length=2)] = ("tea", "tin")
    money: int | None = None
    trade: Literal["rail", "land"] = "rail"
    starts: Annotated[tuple[int, ...], PER_PLAYER] = ()
    costs: tuple[int, ...] = (1, 1)


AMOUNTS = {"money": {2: 20, 3: 15}}


def test_what_was_left_open_follows_from_the_number_of_players() -> None:
    """A value that was given stays; nothing else changes."""
    assert resolve(Options, {}, 3, AMOUNTS) == Options(money=15)
    assert resolve(Options, {"money": 7, "starts": [4, 4]}, 2, AMOUNTS) == Options(money=7, starts=(4, 4))
    assert resolve(Options, {}, 5) == Options()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"speed": 1}, "there is no option speed; there are goods, money, trade, starts, costs"),
        ({"money": "much"}, "money does not fit: Expected `int | null`, got `str`"),
        ({"goods": ["tea"]}, "goods does not fit: Expected `array` of length >= 2"),
        ({"trade": "sea"}, "trade may be land or rail, not sea"),
        ({"goods": ["tea", "tea"]}, "goods has a value twice"),
        ({"starts": [1, 2, 3]}, "starts needs a value for each player"),
    ],
)
def test_what_does_not_fit_is_said(given: Any, said: str) -> None:
    """Under R-00, by the name of the option."""
    with pytest.raises(BadSetup) as caught:
        resolve(Options, given, 2, AMOUNTS)
    refusal = caught.value.refusal
    assert (refusal.rule, refusal.key, refusal.fields) == ("R-00", "bad_option", {"option": said})
