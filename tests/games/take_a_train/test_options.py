"""Test the options that editions set, and options that are used outside the rules."""

from __future__ import annotations

import msgspec
import pytest

from companion.engine import BadSetup, Refusal
from companion.games.take_a_train.options import PRESETS, Options, resolve
from companion.games.take_a_train.rules import RULES
from tests.games.take_a_train.build import A, B, at, new, table, turn
from tests.games.take_a_train.proofs import proves


@proves("edition=en", "edition=fr", "F-20")
def test_what_the_editions_say_differently() -> None:
    """The French edition charges only the bid in Preemption and copies the first wagon with Twin. All else is equal."""
    english, french = (msgspec.to_builtins(resolve({"edition": e})) for e in ("en", "fr"))
    differing = {name: (english[name], french[name]) for name in english if english[name] != french[name]}
    assert differing == {
        "edition": ("en", "fr"),
        "preemption_payment": ("bid_plus_power", "bid_only"),
    }
    assert [resolve({"edition": e}).twin_first for e in ("en", "fr")] == [False, True]
    assert resolve({}) == Options()


@proves("edition=fr")
def test_an_option_overrides_its_edition() -> None:
    """A chosen option replaces the default of the edition."""
    assert resolve({"edition": "fr", "preemption_payment": "bid_plus_power"}) == Options(edition="fr")
    assert set(PRESETS) == {"en", "fr"}


@proves("show_bank=auto", "E-14")
@pytest.mark.parametrize(("players", "shown"), [(2, None), (3, 91_000)])
def test_the_bank_of_two_is_hidden(players: int, shown: int | None) -> None:
    """By default the bank is hidden from two players, who could work out each other's cash from it."""
    assert RULES.view(new(players), None).bank == shown


@proves("E-14", "R-80")
def test_the_bank_lies_open_at_the_end() -> None:
    """The bank is public at the end, when all cash is shown."""
    over = at(table(2, cash=(4150, 7350), round=3, ended=True))
    assert RULES.view(over, None).bank == 106_000 - 11_500


@proves("show_bank=yes", "show_bank=no", "E-14")
def test_the_bank_may_be_shown_or_hidden() -> None:
    """The option shows or hides the bank for any number of players."""
    assert RULES.view(new(2, show_bank="yes"), None).bank == 96_000
    hidden = RULES.view(new(4, show_bank="no"), A)
    assert hidden.table.bank is None
    assert RULES.view(turn("food-50", options={"show_bank": "no"}), B).table.bank is None


@proves("open_step", "open_leap", "R-49")
def test_options_that_others_read() -> None:
    """The options for button presses are stored with the match."""
    given = {"open_step": 100, "open_leap": 500, "counting": "companion", "count_pace": "slow", "reveal": "signal"}
    kept = new(3, **given).table.fixed.options
    assert msgspec.to_builtins(kept).items() >= given.items()
    default = resolve({})
    assert (default.open_step, default.open_leap, default.count_pace) == (50, 200, "normal")
    assert (default.counting, default.reveal) == ("leader", "last_fist")


@proves("open_leap", "open_step", "R-04")
@pytest.mark.parametrize("name", ["open_step", "open_leap"])
@pytest.mark.parametrize("wrong", [0, -50, 75])
def test_a_press_raises_by_money_that_there_is(name: str, wrong: int) -> None:
    """Raise steps must be positive multiples of 50."""
    with pytest.raises(BadSetup) as caught:
        resolve({name: wrong})
    assert caught.value.refusal == Refusal("R-04", "not_multiple_of_50", {"amount": wrong})


@proves("open_leap", "open_step", "min_raise", "sequence_costs", "R-58")
@pytest.mark.parametrize(
    ("option", "amount"),
    [("open_step", 5050), ("open_leap", 10**22), ("min_raise", 10**22), ("sequence_costs", 5050)],
)
def test_nobody_sets_up_an_amount_that_nobody_begins_with(option: str, amount: int) -> None:
    """Raises and exchange prices above 5,000 are refused with a message."""
    value = (amount, 500, 400, 300, 200, 100) if option == "sequence_costs" else amount
    with pytest.raises(BadSetup) as caught:
        resolve({option: value})
    assert caught.value.refusal == Refusal("R-00", "bad_option", {"option": option})
    assert "5000" in caught.value.message and str(amount) in caught.value.message
