"""A room under a camera; only the table is rendered, and the camera's service is a real process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np

from companion.messages import CardLaid
from tests.support.web.camera_double import Seeing
from tests.support.web.served import served
from vision.deck.deck_file import save
from vision.deck.making import enrol
from vision.print.cards import faces

GAME = "take-a-train"
GROUND = (1200, 1600, (70, 90, 60))
"""The height, width and colour of the ground under a photographed card."""
TALL, LEFT, TOP = 900, 480, 150
START = 60.0
"""Seconds within which the service must connect."""


@contextmanager
def watching(folder: Path) -> Iterator[tuple[Seeing, str, Callable[[str], str]]]:
    """Yield a room with our printed cards, its address, and a function that photographs a card."""
    drawn = faces(GAME)
    deck, _ = enrol("Our printed cards", {name: [picture] for name, picture in drawn.items()})
    (folder / "decks").mkdir()
    save(deck, folder / "decks" / f"{deck.name}.deck")

    def photograph(card: str) -> str:
        """Return a file with a card on a plain ground."""
        height, width, colour = GROUND
        picture = np.full((height, width, 3), colour, np.uint8)
        wide = round(drawn[card].shape[1] * TALL / drawn[card].shape[0])
        picture[TOP : TOP + TALL, LEFT : LEFT + wide] = cv2.resize(drawn[card], (wide, TALL))
        path = folder / f"{card}.jpg"
        cv2.imwrite(str(path), picture)
        return str(path)

    with Seeing(folder) as room, served(room.app) as address:
        room.set_up(4, deck="ours")
        bus = str(room.board.bus.path)
        command = [
            sys.executable,
            "-m",
            "companion",
            "camera",
            "--source",
            "rendered",
            "--data",
            str(folder),
            "--bus",
            bus,
        ]
        with subprocess.Popen(command, stdin=subprocess.DEVNULL) as service:
            try:
                yield room, address, photograph
            finally:
                service.terminate()
                service.wait(START)


def laid(room: Seeing, cards: Iterable[tuple[str, str]]) -> None:
    """Lay cards on the rendered table once its camera has started."""
    room.until(lambda: room.board.camera.sees)
    for card, place in cards:
        assert room.board.camera_link.lay(CardLaid(card, place)), card
