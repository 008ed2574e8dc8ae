"""Tests of `companion bench vision`: its options, and the errors for a folder of photographs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import cv2
import msgspec
import pytest
from click.testing import CliRunner

from companion.games import SEEN
from companion.games.take_a_train.layout import places
from tests.support.perfect_sight import PerfectSight
from tests.support.vision.pictures import card
from vision.bench import follow, photographs, tables
from vision.bench.sight_source import CellCounts
from vision.commands import bench
from vision.mat import make_mat
from vision.simulate.difficulty import DEVELOPMENT
from vision.simulate.rendered_table import RenderedTable

LABEL: dict[str, Any] = {"deck": "ours", "file": "scenes/one.png", "cards": [{"id": "a", "pt": [9, 9], "kind": "full"}]}


class Glance(PerfectSight):
    """A perfect camera whose counters stay at 0."""

    named = unnamed = taken = paused = 0
    scale = 5.0
    wrong: tuple[str, ...] = ()
    cells = cells_under_hands = CellCounts()


def folder_of(place: Path, labels: bytes) -> Path:
    """Return a folder with one photograph and the given labels."""
    for name, seed in (("scenes/one.png", 1), ("refs/ours/a.png", 2)):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(place / name), card(seed))
    (place / "labels.json").write_bytes(labels)
    return place


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (b"{", "labels.json cannot be used: "),
        (b"[]", "labels.json cannot be used: Expected `object`, got `array`."),
        (b'{"one": {"deck": "ours"}}', "labels.json cannot be used: Object missing required field"),
        (b"\xff", "labels.json cannot be used: "),
        (b"{}", "labels.json names no photographs."),
        (msgspec.json.encode({"one": LABEL | {"file": "scenes/two.png"}}), "There is no photograph "),
        (msgspec.json.encode({"one": LABEL | {"file": "labels.json"}}), "labels.json is not a readable picture."),
    ],
)
def test_a_folder_that_cannot_be_measured_is_a_sentence(tmp_path: Path, labels: bytes, said: str) -> None:
    """Invalid labels and labels of a missing photograph are refused with their name and the fault."""
    told = CliRunner().invoke(bench.command, ["vision", "--photographs", str(folder_of(tmp_path, labels))])
    assert (told.exit_code, told.stdout) == (1, "")
    assert told.stderr.startswith("Error: ") and said in told.stderr


def test_labels_are_read(tmp_path: Path) -> None:
    """Unknown fields of the labels are ignored."""
    folder = folder_of(tmp_path, msgspec.json.encode({"one": LABEL | {"w": 252, "note": ""}}))
    (label,) = photographs.labels_in(folder / "labels.json").values()
    assert label == LABEL | {"cards": [{"id": "a", "pt": (9.0, 9.0), "kind": "full"}]}


@pytest.mark.parametrize(
    ("words", "count"), [([], 6), (["--quick"], 2), (["--quick", "--tables", "1"], 1), (["--tables", "3"], 3)]
)
def test_as_many_tables_as_were_asked_for(words: list[str], count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """`--quick` measures fewer tables unless a number is given."""
    asked: list[int] = []
    monkeypatch.setattr(tables, "run", lambda tables, *more: asked.append(tables))
    assert CliRunner().invoke(bench.command, ["vision", *words]).exit_code == 0
    assert asked == [count]


@pytest.mark.parametrize("seed", [0, 1, 9000, 9001, 10**30])
def test_any_seed_is_taken(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seeds have no upper limit, and their tables differ from those of development."""
    asked: list[int] = []
    monkeypatch.setattr(tables, "run", lambda *more: asked.append(more[3]))
    assert CliRunner().invoke(bench.command, ["vision", "--seed", str(seed)]).exit_code == 0
    assert asked == [seed]
    assert tables.seed_of(seed, 2) == 1_000_001 + seed > max(DEVELOPMENT)
    assert RenderedTable(make_mat(places(2), (63, 88)), {}, {}, seed=tables.seed_of(seed, 2)).size


def test_a_seed_below_nothing_is_a_sentence() -> None:
    """A negative seed is refused with a sentence."""
    assert "Invalid value for '--seed'" in CliRunner().invoke(bench.command, ["vision", "--seed", "-1"]).stderr


@pytest.mark.parametrize("count", range(1, 60))
def test_95_percent_are_never_below_the_median(count: int) -> None:
    """The 95th percentile is never below the median and is omitted if one reading outweighs the rest."""
    times = [float(at) ** 2 / 1000 for at in range(1, count + 1)]
    median, most = (float(one) / 1000 for one in re.findall(r"(\d+) ms", tables.spread(times)))
    assert median <= most
    assert sum(one <= most for one in times) >= 0.95 * count
    assert ("too few" in tables.spread(times)) == (count < 20)


def test_a_game_that_no_camera_follows_is_a_sentence() -> None:
    """A game without camera support is refused with a list of those that have it."""
    told = CliRunner().invoke(bench.command, ["vision", "--follow", "chess"])
    assert told.exit_code == 2
    assert "Invalid value for --follow: 'chess' is not available: choose one of " in told.stderr


def test_a_followed_game_shows_how_far_it_is_and_has_a_short_form(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Progress goes to standard error and figures to standard output, and `--quick` plays only the start of a game."""
    rules = SEEN["twenty-tons"]
    monkeypatch.setattr(follow, "faces", lambda game: {})
    monkeypatch.setattr(follow, "deck_file", lambda game: tmp_path)
    monkeypatch.setattr(follow, "load", lambda file: None)
    monkeypatch.setattr(follow, "Recogniser", lambda deck: None)
    monkeypatch.setattr(follow, "QUICK", 10)
    monkeypatch.setattr(follow, "RenderedSightSource", lambda game, players, *more: Glance(rules, players))
    told = CliRunner().invoke(bench.command, ["vision", "--follow", "twenty-tons", "--quick"])
    assert told.exit_code == 0, told.output
    said = [line.partition(" events")[0] for line in told.stderr.splitlines()]
    assert said == ["The cards of twenty-tons are drawn and learned.", *[f"game 1, 2 players: {n}" for n in (5, 10)]]
    assert told.stdout.splitlines()[0].startswith("game 1, 2 players: right, 10 events, ")
