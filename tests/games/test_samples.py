"""Test the sample games of all games: they must end as recorded, and a page must explain them."""

from __future__ import annotations

import json
import re

import pytest

from companion.games import GAMES
from tests.games import samples

WITH_SAMPLES = [name for name, game in GAMES.items() if samples.names(game)]


@pytest.mark.parametrize("name", WITH_SAMPLES)
def test_samples_end_as_recorded(name: str) -> None:
    """Every event is legal, and the final state matches `expected.json`."""
    assert samples.outcomes(GAMES[name]) == samples.expected(GAMES[name])


@pytest.mark.parametrize("name", WITH_SAMPLES)
def test_every_sample_is_explained(name: str) -> None:
    """Every journal has a section in the README beside it."""
    readme = (samples.folder(GAMES[name]) / "README.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^## (\w+):", readme, re.MULTILINE)) == list(samples.names(GAMES[name]))


@pytest.mark.parametrize("name", WITH_SAMPLES)
def test_samples_hold_inputs_only(name: str) -> None:
    """A journal has a header and one event a line, as people can write them by hand."""
    for sample in samples.names(GAMES[name]):
        header, *lines = (samples.folder(GAMES[name]) / f"{sample}.jsonl").read_text(encoding="utf-8").splitlines()
        assert all(next(iter(json.loads(line))) == "event" for line in lines)
        assert json.loads(header)["format"] == 1
