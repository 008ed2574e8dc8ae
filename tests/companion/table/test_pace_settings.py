"""The referee's waits: the defaults, the settings, and a table that counts slowly."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.cli import checks
from companion.config import Checker, ConfigError, parse
from companion.games.take_a_train.events import Counted, Opened
from companion.referee.pace import USUAL, Pace
from companion.table.pace_settings import read_pace
from tests.games.take_a_train.build import A, after, sale
from tests.support.paces import HURRIED, as_settings, write_pace
from tests.support.presses import MS, Court, Played, S, hit
from web.server import pace_in


def test_a_file_may_choose_some_or_all_times(tmp_path: Path) -> None:
    """A settings file can change some or all times, and the others keep their defaults."""
    assert read_pace(parse("", "companion.toml")) == pace_in(tmp_path) == USUAL
    assert read_pace(parse("[presses]\ncount_gap_ms = 800", "companion.toml")) == Pace(count_gap_ms=800)
    assert read_pace(parse(as_settings(), "companion.toml")) == HURRIED
    write_pace(tmp_path, Pace(double_tap_ms=0))
    assert pace_in(tmp_path) == Pace(double_tap_ms=0)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("count_gap_ms = 10001", "count_gap_ms is 10001; it must be a whole number from 0 to 10000"),
        ("double_tap_ms = 2001", "double_tap_ms is 2001; it must be a whole number from 0 to 2000"),
        ("open_grace_ms = -1", "open_grace_ms is -1; it must be a whole number from 0 to 10000"),
        ("same_moment_ms = true", "same_moment_ms is true; it must be a whole number from 0 to 10000"),
        ("slow_count_gap_ms = 'long'", 'slow_count_gap_ms is "long"; it must be a whole number from 0 to 10000'),
        ("gap_ms = 1000", "'gap_ms' is unknown here"),
    ],
)
def test_times_that_do_not_fit_are_told_and_the_usual_ones_hold(tmp_path: Path, line: str, told: str) -> None:
    """If a time is invalid, the whole table of settings is reported and the defaults apply."""
    (tmp_path / "companion.toml").write_text(f"[presses]\n{line}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=told.replace("'", ".").replace('"', ".")):
        read_pace(parse(f"[presses]\n{line}", "companion.toml"))
    assert pace_in(tmp_path) == USUAL
    assert [finding.key for finding in Checker(checks).left_out(tmp_path)] == ["settings.presses"]


@pytest.mark.parametrize(("pace", "gap"), [("normal", 1000), ("slow", 2000)])
def test_a_table_may_count_slowly(pace: str, gap: int) -> None:
    """A count is accepted from the configured gap on, and not a millisecond earlier."""
    for early in (True, False):
        calling = after(sale("open", "s300", options={"count_pace": pace}), Opened(A, 300))
        found = Court(Played(calling), 5 * S)
        found.play([hit(A, 6 * S), hit(A, 6 * S + (gap - early) * MS)])
        assert found.events == [Counted(A, 1), *([] if early else [Counted(A, 2)])]
