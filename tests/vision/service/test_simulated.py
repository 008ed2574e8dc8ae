"""Tests of the camera's service with a simulated table, which uses the port `Simulated` and imports no simulator."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec
import numpy as np
import pytest

from companion.devices.camera_requests.table import LaidCard, RenderedTableAnswer
from companion.devices.frames import read_frame
from companion.messages import RENDERED, CardLaid, Health, TokensLaid
from tests.support.vision.photographing import camera, drawn, mat_for, photograph
from tests.vision.service.test_loop import Camera, House
from vision.cameras.camera_protocol import Simulated
from vision.image import Image
from vision.simulate.rendered_camera import RenderedCamera
from vision.simulate.rendered_table import RenderedTable

PICTURE: Image = np.full((360, 640, 3), 90, np.uint8)


class Pretended(Camera):
    """A camera above a simulated table on which cards appear at once."""

    def __init__(self) -> None:
        super().__init__(PICTURE)
        self.cards: tuple[LaidCard, ...] = ()

    def lay(self, laid: CardLaid | TokensLaid) -> None:
        """Lay a card."""
        assert isinstance(laid, CardLaid)
        self.cards = (LaidCard(laid.place, laid.card),)

    def read_table(self) -> RenderedTableAnswer:
        """Return the cards on the table."""
        return RenderedTableAnswer(self.cards, 0, ("market",))


def test_cards_are_moved_and_told_through_the_port(tmp_path: Path) -> None:
    """A camera with the port is announced as rendered, lays cards from the bus and reports the true table."""
    house = House(tmp_path, Pretended())
    house.until(Health, lambda each: each.kind == RENDERED)
    house.bus.send(CardLaid("coal-200", "market"))
    answer = house.ask("lying")
    assert house.end() == 0
    found = msgspec.convert(answer.fields, RenderedTableAnswer)
    assert found == RenderedTableAnswer((LaidCard("market", "coal-200"),), 0, ("market",))


@pytest.mark.parametrize("kind", [Pretended, Camera])
def test_a_demonstration_shows_its_table_unasked(kind: type[Camera], tmp_path: Path) -> None:
    """A demonstration writes its first picture as soon as the mat is found, and a real table only on request."""
    mat = mat_for(2)
    one = Pretended() if kind is Pretended else Camera(PICTURE)
    one.picture = photograph(drawn(mat), camera(mat, (1920, 1080)))
    house = House(tmp_path, one)
    house.until(Health, lambda each: each.camera is not None and each.camera.looking == "still")
    assert house.end() == 0
    frame = read_frame(house.shelf)
    assert (frame is not None and bool(frame.places)) == (kind is Pretended)


def test_a_real_table_is_not_moved(tmp_path: Path) -> None:
    """A real table's service ignores requests to lay cards and refuses to report the true table."""
    house = House(tmp_path, Camera(PICTURE))
    house.bus.send(CardLaid("coal-200", "market"))
    answer = house.ask("lying")
    assert house.end() == 0
    assert (answer.done, answer.key) == (False, "unknown")


def test_the_rendered_camera_fulfils_the_port() -> None:
    """The rendered camera implements the port, and a camera above a real table does not."""
    assert isinstance(RenderedCamera(RenderedTable(mat_for(2), {})), Simulated)
    assert not isinstance(Camera(PICTURE), Simulated)


@pytest.mark.parametrize("module", ["vision.service.loop", "vision.service.table_watch", "vision.cameras"])
def test_a_table_s_camera_loads_no_simulator(module: str) -> None:
    """A service above a real table loads neither a rendered table nor a benchmark."""
    code = f"import sys, {module}; print([n for n in sys.modules if n.startswith(('vision.simulate', 'vision.bench'))])"
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout == "[]\n"
