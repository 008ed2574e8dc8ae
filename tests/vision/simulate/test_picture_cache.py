"""Tests of the user's picture cache: an empty table is drawn once and equals a fresh drawing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.support.vision.photographing import mat_for
from vision.image import Image
from vision.simulate import picture_cache
from vision.simulate.picture_cache import KeptTables
from vision.simulate.rendered_table import RenderedTable

SIZE = (640, 360)


@pytest.fixture(autouse=True)
def drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[object]]:
    """Yield the calls that drew a table, with an empty cache."""
    made: list[object] = []
    draw = picture_cache.empty_table

    def counted(*given: object) -> Image:
        made.append(given)
        return draw(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(picture_cache, "empty_table", counted)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return made


def picture(seed: int = 0, keeps: bool = True, players: int = 2) -> Image:
    """Return a picture of an empty table, with or without the cache."""
    more = {"empty": KeptTables(f"ours-{players}")} if keeps else {}
    return RenderedTable(mat_for(players), {}, difficulty="easy", seed=seed, size=SIZE, **more).picture()  # type: ignore[arg-type]


def test_an_empty_table_is_drawn_once(drawn: list[object]) -> None:
    """The cached table renders bit-identical pictures."""
    plain = picture(keeps=False)
    assert not drawn
    assert all(np.array_equal(picture(), plain) for _ in range(2)) and len(drawn) == 1


def test_another_table_is_not_taken_for_it(
    tmp_path: Path, drawn: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another seed or other sources replace the cached file, and each number of players has its own."""
    picture()
    picture(players=3)
    assert np.array_equal(picture(seed=1), picture(seed=1, keeps=False))
    assert len(drawn) == 3 and len([*tmp_path.rglob("*.table")]) == 2
    monkeypatch.setattr(picture_cache, "TABLE_SOURCES", ("vision.print",))
    picture(seed=1)
    assert len(drawn) == 4 and len([*tmp_path.rglob("*.table")]) == 2


@pytest.mark.parametrize("left", [0, 20, 40, 5000])
def test_a_damaged_file_is_drawn_anew(left: int, tmp_path: Path, drawn: list[object]) -> None:
    """A cached file truncated or filled with zeros by a power loss is drawn again."""
    plain = picture()
    (file,) = tmp_path.rglob("*.table")
    whole = file.read_bytes()
    for half in (whole[:left], whole[:left] + bytes(len(whole) - left)):
        file.write_bytes(half)
        assert np.array_equal(picture(), plain)
        assert file.read_bytes() == whole
    assert len(drawn) == 3


def test_a_cache_that_takes_nothing_stops_no_table(tmp_path: Path, drawn: list[object]) -> None:
    """If a file blocks the cache folder, each start draws the table."""
    (tmp_path / "table-companion").write_text("")
    assert np.array_equal(picture(), picture()) and len(drawn) == 2
