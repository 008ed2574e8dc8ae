"""Options of a match: defaults and invalid values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

import msgspec
import pytest

from companion.engine import PER_PLAYER, BadSetup, Refusal
from companion.mechanics.options import Ruled, resolve, ruled


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One option of each kind that can be wrong in its own way."""

    goods: Annotated[tuple[Literal["tea", "tin", "wine"], ...], msgspec.Meta(min_length=2)] = ("tea", "tin")
    money: int | None = None
    trade: Literal["rail", "land"] = "rail"
    starts: Annotated[tuple[int, ...], PER_PLAYER] = ()
    costs: tuple[int, ...] = (1, 1)

    RULED: ClassVar[Mapping[str, Ruled]] = {
        "closing": Ruled("R-12", "at_once"),
        "first": Ruled("R-03", lambda given: "eldest" if given.get("trade") == "land" else "youngest"),
        "patience": Ruled("R-20"),
    }


AMOUNTS = {"money": {2: 20, 3: 15}}


def test_what_was_left_open_follows_from_the_number_of_players() -> None:
    """Options without a value depend on the number of players, and given values stay."""
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
    """An invalid option is refused under R-00 with its name and value."""
    with pytest.raises(BadSetup) as caught:
        resolve(Options, given, 2, AMOUNTS)
    ((name, value),) = given.items()
    assert caught.value.refusal == Refusal("R-00", "bad_option", {"option": f"{name} = {value}"})
    assert said in caught.value.message


@pytest.mark.parametrize(
    "given",
    [
        {"closing": "at_once"},
        {"first": "youngest"},
        {"trade": "land", "first": "eldest"},
        {"patience": 30},
        {"patience": None, "closing": "at_once"},
    ],
)
def test_a_decided_option_at_its_value_changes_nothing(given: Any) -> None:
    """A retired option at its fixed value has no effect, even if that value depends on other options."""
    trade = {"trade": given["trade"]} if "trade" in given else {}
    assert resolve(Options, given, 2) == Options(**trade)
    assert set(ruled(Options)) == {"closing", "first", "patience"}


@pytest.mark.parametrize(
    ("given", "rule", "told"),
    [
        ({"closing": "never"}, "R-12", ("closing", "at_once", "never")),
        ({"closing": ["x" * 99]}, "R-12", ("closing", "at_once", f"['{'x' * 38}")),
        ({"closing": None}, "R-12", ("closing", "at_once", "None")),
        ({"first": "eldest"}, "R-03", ("first", "youngest", "eldest")),
        ({"trade": "land", "first": "youngest"}, "R-03", ("first", "eldest", "youngest")),
    ],
)
def test_a_decided_option_at_another_value_is_refused(given: Any, rule: str, told: tuple[str, str, str]) -> None:
    """A retired option at another value is refused with the fixed and the requested value."""
    with pytest.raises(BadSetup) as caught:
        resolve(Options, given, 2)
    option, value, said = told
    assert caught.value.message == f"this was decided: {option} is always {value} now, not {said}"
    fields = {"option": option, "ruled": value, "ruling": rule, "said": said}
    assert caught.value.refusal == Refusal(rule, "option_ruled", fields)
