"""Tests of a game with a board, played by the demonstration's people: cards, cubes, pages and the camera's service."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games import SEEN
from tests.end_to_end.play import play
from tests.end_to_end.world import Evening, people
from web.game_pages import OFFERED

GAME = SEEN["hill-and-harbour"]


@pytest.fixture
def _offered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the example available."""
    monkeypatch.setitem(OFFERED, GAME.name, GAME)


@pytest.mark.usefixtures("_offered")
def test_a_whole_game_of_cards_and_cubes(tmp_path: Path) -> None:
    """A whole game needs no presses or taps, because the companion learns each card and cube from the camera."""
    with Evening(tmp_path, 3, game=GAME.name, pixels=False) as evening:
        evening.sit_down()
        report = play(people(evening, 4))
    assert report.over and report.differs == ()
    assert not {"asked", "typed", "amended"} & report.counts.keys()


@pytest.mark.pixels
@pytest.mark.usefixtures("_offered")
def test_a_game_with_a_board_in_pixels(tmp_path: Path) -> None:
    """Hands move cubes under the camera's own service, which reads the board whenever the table is at rest."""
    with Evening(tmp_path, 2, seed=6, game=GAME.name, difficulty="default") as evening:
        evening.sit_down()
        report = play(people(evening, 6), until=30)
        assert evening.camera is not None
        pieces = evening.camera.table.pieces.by_cell()
        known = GAME.layout(evening.table.snapshot().state).pieces  # type: ignore[arg-type]
    assert report.differs == () and report.counts["laid"] > 10
    assert {c: sorted(p.sort for p in here) for c, here in known.items() if here} == {
        c: sorted(p.sort for p in here) for c, here in pieces.items() if here
    }
