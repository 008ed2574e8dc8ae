"""`companion bench vision`: what it is told to measure, and mistakes in a folder of photographs as sentences."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import msgspec
import pytest
from click.testing import CliRunner

from tests.vision.pictures import card
from vision.bench import photographs, tables
from vision.commands import bench

LABEL: dict[str, Any] = {"deck": "ours", "file": "scenes/one.png", "cards": [{"id": "a", "pt": [9, 9], "kind": "full"}]}


def folder_of(place: Path, labels: bytes) -> Path:
    """Return a folder of one photograph with what its labels are."""
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
        (msgspec.json.encode({"one": LABEL | {"file": "labels.json"}}), "labels.json is no picture that can be read."),
    ],
)
def test_a_folder_that_cannot_be_measured_is_a_sentence(tmp_path: Path, labels: bytes, said: str) -> None:
    """Labels that are not to be understood or name a photograph that is not there: which, and what is wrong."""
    told = CliRunner().invoke(bench.command, ["vision", "--photographs", str(folder_of(tmp_path, labels))])
    assert (told.exit_code, told.stdout) == (1, "")
    assert told.stderr.startswith("Error: ") and said in told.stderr


def test_labels_are_read(tmp_path: Path) -> None:
    """What a label says besides is passed over."""
    folder = folder_of(tmp_path, msgspec.json.encode({"one": LABEL | {"w": 252, "note": ""}}))
    (label,) = photographs.labels_in(folder / "labels.json").values()
    assert label == LABEL | {"cards": [{"id": "a", "pt": (9.0, 9.0), "kind": "full"}]}


@pytest.mark.parametrize(
    ("words", "count"), [([], 6), (["--quick"], 2), (["--quick", "--tables", "1"], 1), (["--tables", "3"], 3)]
)
def test_as_many_tables_as_were_asked_for(words: list[str], count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """--quick measures fewer tables, unless it is said how many."""
    asked: list[int] = []
    monkeypatch.setattr(tables, "run", lambda tables, *more: asked.append(tables))
    assert CliRunner().invoke(bench.command, ["vision", *words]).exit_code == 0
    assert asked == [count]
