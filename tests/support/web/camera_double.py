"""A double of the camera's service for tests of pages: it joins the bus, sends its health and answers requests.

Tests set its view of the table. It keeps decks in memory, and draws its pictures.
"""

from __future__ import annotations

import io
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw

from companion.devices.bus import SocketAddress, join
from companion.devices.frames import CardOutline, LiveFrame, replace_file, write_frame
from companion.devices.registry import DeviceRegistry
from companion.engine.board import corner_cells
from companion.games import GAMES
from companion.messages import SECOND, Answered, Asked, CameraState, Health, Message, Sighted, Sighting
from companion.sight.observer import SightObserver
from companion.table.table import Table
from tests.support.paces import HURRIED
from tests.support.web.visitors import JOURNAL, Room, Visitor
from web.app import create_app
from web.views.decks import NAME

PATIENCE = 10.0
"""Seconds to wait for something immediate before a test fails."""
BEAT = 0.3
"""Seconds between two health messages."""
STILL = CameraState("still", deck="our cards", mat=True, scale=3.6, fps=4.2, size=(2304, 1296))
WIDE, HIGH = 1152, 648
CARD = (63, 88)
SEEN = (
    Sighting("market", "coal-200", 0, confidence=0.98, likeliest=("coal-200", "coal-150", "oil-200")),
    Sighting("market", "food-50", 1, confidence=0.91, likeliest=("food-50", "food-100", "cattle-50")),
    Sighting("market", None, 2, doubt="value", confidence=0.42, likeliest=("oil-200", "oil-250", "coal-200")),
    Sighting("market", "twin", 3, confidence=0.97, likeliest=("twin",)),
    Sighting("seat.1.train.1", "steam-4", 0, confidence=0.99, likeliest=("steam-4", "steam-5", "steam-3")),
    Sighting("seat.1.train.1", "food-100", 1, confidence=0.88, likeliest=("food-100", "food-50")),
    Sighting("seat.1.train.1", None, 2, doubt="hidden", confidence=0.2),
    Sighting("seat.2.train.1", "diesel-3", 0, confidence=0.96, likeliest=("diesel-3",)),
    Sighting("", None, 0, doubt="unknown", confidence=0.1),
)
"""The contents of the table by default."""
Found = dict[str, Any] | str | tuple[str, dict[str, Any]]
"""An answer: the result, or the reason for a refusal and its subject."""


def outline(number: int) -> tuple[tuple[float, float], ...]:
    """Return the outline of a card by number in the live picture, from 0 to 1."""
    x, y = 60 + number % 5 * 200, 60 + number // 5 * 280
    lean = 8 * (number % 3 - 1)
    corners = ((x, y + lean), (x + 150, y), (x + 150 - lean, y + 210), (x - lean, y + 210 + lean))
    return tuple([(a / WIDE, b / HIGH) for a, b in corners])


def drawing(seen: tuple[Sighting, ...]) -> bytes:
    """Return a picture of the table as JPEG."""
    picture = Image.new("RGB", (WIDE, HIGH), (38, 66, 48))
    pen = ImageDraw.Draw(picture)
    for number, each in enumerate(seen):
        corners = [(x * WIDE, y * HIGH) for x, y in outline(number)]
        pen.polygon(corners, fill=(238, 231, 214), outline=(30, 30, 30))
        pen.text((corners[0][0] + 12, corners[0][1] + 16), each.card or "?", fill=(20, 20, 20))
    return jpeg(picture)


def jpeg(picture: Image.Image | None = None) -> bytes:
    """Return a picture as a JPEG file; without a picture, that of a card."""
    if picture is None:
        picture = Image.new("RGB", (372, 520), (236, 228, 208))
        pen = ImageDraw.Draw(picture)
        pen.rectangle((14, 14, 358, 506), outline=(60, 60, 60), width=6)
        pen.ellipse((96, 160, 276, 340), fill=(120, 90, 60))
        pen.text((40, 40), "200", fill=(0, 0, 0))
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=80)
    return out.getvalue()


def cells_of(tapped: dict[str, Any]) -> dict[str, list[tuple[float, float]]]:
    """Return the outlines of a tapped board's cells, from three of its corners; moved cells stay where people put
    them."""
    board = next(
        each for game in GAMES.values() for each in getattr(game, "boards", ()) if each.name == tapped["board"]
    )
    first, second, _, fourth = corner_cells(board)
    (ax, ay), (bx, by), _, (dx, dy) = tapped["corners"]
    right, down = (second.x - first.x, second.y - first.y), (fourth.x - first.x, fourth.y - first.y)
    turn = right[0] * down[1] - right[1] * down[0]

    def lie(x: float, y: float) -> tuple[float, float]:
        x, y = x - first.x, y - first.y
        along, below = (x * down[1] - y * down[0]) / turn, (right[0] * y - right[1] * x) / turn
        return ax + along * (bx - ax) + below * (dx - ax), ay + along * (by - ay) + below * (dy - ay)

    found = {}
    for cell in board.cells:
        here = lie(cell.x, cell.y)
        to = tapped.get("moved", {}).get(cell.name, here)
        found[cell.name] = [(x + to[0] - here[0], y + to[1] - here[1]) for x, y in (lie(*c) for c in cell.outline)]
    return found


class Camera:
    """The service. `refuse` names requests to refuse, each with its key."""

    kind = ""
    """The service's kind in its health messages."""

    def __init__(self, path: Path, shelf: Path) -> None:
        self.shelf = shelf
        self.state = STILL
        self.seen = SEEN
        self.said: list[Asked] = []
        self.refuse: dict[str, str] = {}
        self.faults: tuple[str, ...] = ()
        self.cards_in_picture = 1
        self.decks: dict[str, dict[str, list[str]]] = {"our cards": {"coal-200": ["a.jpg"]}}
        self.made = {"our cards"}
        self.used = "our cards"
        self.captured: dict[str, dict[str, Any]] = {}
        self.tokens: dict[str, list[str]] = {}
        self.on_paper: list[dict[str, Any]] = []
        """Captured tokens that still need names."""
        self.tapped: dict[str, Any] | None = None
        self.handed: list[bytes] = []
        """Pictures taken with a phone."""
        self.number = 0
        joined = threading.Event()
        self.client = join(SocketAddress(path), "camera", self.heard, joined.set)
        assert joined.wait(PATIENCE)
        self.live()
        self._gone = threading.Event()
        threading.Thread(target=self._beat, name="pulse", daemon=True).start()

    def _beat(self) -> None:
        """Send health messages repeatedly; on a busy machine a test outlasts the time for which a silent camera is
        trusted."""
        while not self._gone.wait(BEAT):
            self.client.send(self.health())

    def health(self) -> Health:
        """Return a health message with the camera's state."""
        return Health("camera", time.monotonic_ns(), self.kind, camera=self.state)

    def live(self, state: CameraState | None = None) -> None:
        """Send a health message with the camera's state, and a reading."""
        self.state = state or self.state
        self.client.send(self.health())
        self.client.send(Sighted(time.monotonic_ns(), 1, self.seen))

    def picture(self) -> None:
        """Write the live picture to the frames' folder."""
        cards = tuple([CardOutline(each, outline(number)) for number, each in enumerate(self.seen)])
        edge = ((0.02, 0.03), (0.98, 0.03), (0.98, 0.97), (0.02, 0.97))
        write_frame(
            self.shelf, drawing(self.seen), LiveFrame(time.monotonic_ns(), cards, {"market": edge}, ("auction",))
        )

    def close(self) -> None:
        """Disconnect from the bus."""
        self._gone.set()
        self.client.close()

    def heard(self, message: Message) -> None:
        """Answer a request of the table."""
        if not isinstance(message, Asked):
            return
        self.said.append(message)
        key = self.refuse.get(message.what, "")
        answers: dict[str, Callable[..., Found]] = {
            name.removeprefix("_do_"): getattr(self, name) for name in dir(self) if name.startswith("_do_")
        }
        found: Found = key or answers[message.what](**message.fields)
        if isinstance(found, dict):
            self.client.send(Answered(message.number, fields=found))
        else:
            self.client.send(Answered(message.number, False, *([found] if isinstance(found, str) else found)))

    # # --- requests -----------------------------------------------------------------------------------

    def _do_watch(self, seconds: int, whole: bool = False) -> dict[str, Any] | str:
        self.picture()
        return {}

    def _do_name(self, place: str, at: int, card: str) -> dict[str, Any] | str:
        return {}

    def _do_hand_picture(self, file: str) -> dict[str, Any] | str:
        self.handed.append((self.shelf / file).read_bytes())
        return {}

    def _do_places(self, corners: list[list[float]]) -> dict[str, Any] | str:
        return {}

    def _do_board_outline(self, tapped: dict[str, Any] | None = None) -> dict[str, Any] | str:
        found = tapped or self.tapped
        return {"tapped": found, "cells": cells_of(found)} if found else {}

    def _do_board(self, tapped: dict[str, Any] | None = None) -> dict[str, Any] | str:
        self.tapped = tapped
        return self._do_board_outline()

    def _do_calibrate(self) -> dict[str, Any] | str:
        return {}

    def _do_decks(self) -> dict[str, Any] | str:
        tokens = bool(self.tokens)
        decks = [{"name": n, "cards": len(d), "made": n in self.made, "tokens": tokens} for n, d in self.decks.items()]
        return {"decks": decks, "used": self.used}

    def _do_making(self, deck: str) -> dict[str, Any] | str:
        for name in [each for names in self.decks.get(deck, {}).values() for each in names]:
            replace_file(self.shelf / name, jpeg())
        return {"cards": self.decks.get(deck, {}), "captured": self.captured.get(deck)}

    def _do_capture(self, deck: str, file: str = "") -> dict[str, Any] | str:
        if file and not (self.shelf / file).read_bytes().startswith(b"\xff\xd8"):
            return "no_picture"
        if "none" in self.faults:
            return {"picture": "", "faults": list(self.faults), "likeliest": []}
        known = list(self.decks.get(deck, {}))[:1] if "known" in self.faults else []
        faults = [fault for fault in self.faults if fault != "known"]
        cards: list[dict[str, Any]] = []
        for nth in range(self.cards_in_picture):
            self.number += 1
            name = f"capture-{self.number}.jpg"
            replace_file(self.shelf / name, jpeg())
            x, y = 0.03 + 0.24 * (nth % 4), 0.05 + 0.32 * (nth // 4)
            corners = [[x, y], [x + 0.2, y], [x + 0.2, y + 0.27], [x, y + 0.27]]
            cards.append({"picture": name, "outline": corners, "faults": faults, "likeliest": known})
        self._capture_waits(deck, cards, "sheet.jpg" if len(cards) > 1 else "")
        return self.captured[deck]

    def _capture_waits(self, deck: str, cards: list[dict[str, Any]], sheet: str) -> None:
        """Let captured cards wait for their names: several of one picture, or one alone."""
        self.captured.pop(deck, None)
        if not cards:
            return
        if sheet:
            replace_file(self.shelf / sheet, jpeg(Image.new("RGB", (640, 480), (30, 60, 40))))
        first = {name: cards[0][name] for name in ("picture", "faults", "likeliest")}
        self.captured[deck] = first | {"sheet": sheet, "cards": cards if sheet else []}

    def _do_enrol(self, deck: str, picture: str, card: str = "") -> dict[str, Any] | str:
        if card:
            self.decks.setdefault(deck, {}).setdefault(card, []).append(picture)
        waiting = self.captured.get(deck, {})
        left = [each for each in waiting.get("cards", ()) if each["picture"] != picture]
        self._capture_waits(deck, left, waiting.get("sheet", ""))
        return {}

    def _do_forget(self, deck: str, card: str, picture: str = "") -> dict[str, Any] | str:
        cards = self.decks.get(deck, {})
        left = [each for each in cards.get(card, []) if picture and each != picture]
        if card not in cards:
            return "no_card"
        cards.pop(card)
        if left:
            cards[card] = left
        return {}

    def _do_report(self, deck: str) -> dict[str, Any] | str:
        names = sorted(self.decks[deck])
        pairs = []
        for at, (one, other) in enumerate(pairwise(names)):
            pictures = [self.decks[deck][one][0], self.decks[deck][other][0]]
            pairs.append({"cards": [one, other], "pictures": pictures, "margin": (-0.1, 0.05, 0.6)[min(at, 2)]})
        return {"pairs": pairs}

    def _do_finish(self, deck: str) -> dict[str, Any] | str:
        self.made.add(deck)
        self.used = deck
        return {}

    def _do_use(self, deck: str) -> dict[str, Any] | str:
        if deck not in self.made:
            return "no_deck"
        self.used = deck
        return {}

    def _do_capture_tokens(self, deck: str, file: str = "") -> dict[str, Any] | str:
        self.on_paper = []
        if {"none", "no_sheet"} & {*self.faults}:
            return {"faults": list(self.faults)}
        for nth in range(3):
            self.number += 1
            x = 0.1 + 0.3 * nth
            self.on_paper.append(
                {
                    "picture": f"token-{self.number}.jpg",
                    "outline": [[x, 0.2], [x + 0.2, 0.2], [x + 0.2, 0.6], [x, 0.6]],
                    "size": [20.4, 19.8],
                    "faults": list(self.faults),
                    "likeliest": list(self.tokens)[:1],
                }
            )
        return self._do_tokens(deck)["captured"]  # type: ignore[no-any-return]

    def _do_tokens(self, deck: str) -> dict[str, Any]:
        pictures = [each["picture"] for each in self.on_paper] + [n for names in self.tokens.values() for n in names]
        for name in ["sheet.jpg", *pictures]:
            replace_file(self.shelf / name, jpeg(Image.new("RGB", (160, 160), (150, 190, 220))))
        captured = {"picture": "sheet.jpg" if self.on_paper else "", "faults": [], "tokens": self.on_paper}
        return {"tokens": self.tokens, "captured": captured}

    def _do_enrol_token(self, deck: str, picture: str, token: str = "") -> dict[str, Any] | str:
        if picture not in [each["picture"] for each in self.on_paper]:
            return "no_picture"
        self.on_paper = [each for each in self.on_paper if each["picture"] != picture]
        if token:
            self.tokens.setdefault(token, []).append(picture)
        return {}

    def _do_forget_token(self, deck: str, token: str, picture: str) -> dict[str, Any] | str:
        if picture not in self.tokens.get(token, ()):
            return "no_token"
        self.tokens[token].remove(picture)
        self.tokens = {name: names for name, names in self.tokens.items() if names}
        return {}

    def _do_compare_tokens(self, deck: str) -> dict[str, Any] | str:
        pairs = []
        for at, (one, other) in enumerate(pairwise(sorted(self.tokens))):
            pictures = [self.tokens[one][0], self.tokens[other][0]]
            pairs.append({"cards": [one, other], "pictures": pictures, "margin": (-0.1, 0.05, 0.6)[min(at, 2)]})
        return {"pairs": pairs}

    def _do_export(self, deck: str) -> dict[str, Any] | str:
        replace_file(self.shelf / "export.deck", b"DECK" + deck.encode())
        return {"file": "export.deck"} if deck in self.decks else "no_deck"

    def _do_import(self, file: str, deck: str = "") -> Found:
        data = (self.shelf / file).read_bytes()
        if not data.startswith(b"DECK"):
            return "bad_file"
        name = deck or data[4:].decode()
        if name in self.decks:
            return "taken", {"deck": name}
        if not NAME.fullmatch(name):
            return "bad_name"
        self.decks[name] = {}
        return {"deck": name}


class Seeing(Room):
    """A room whose table has a device registry, and a camera if the test asks for one."""

    def open(self) -> None:
        """Open the application with a device registry."""
        self.short = tempfile.TemporaryDirectory(prefix="bus-")
        self.table = Table(self.folder / JOURNAL, pace=HURRIED)
        self.board = DeviceRegistry(self.table, SocketAddress(Path(self.short.name) / "bus"), clock=lambda: 0)
        self.now = 10 * SECOND
        self.observer = SightObserver(self.table, lambda: self.now)
        journal = self.folder / JOURNAL
        self.app = create_app(self.table, journal, testing=True, registry=self.board, observer=self.observer)
        self.anybody = Visitor(self.app.test_client())
        self.cameras: list[Camera] = []

    def close(self) -> None:
        """Close everything, the table last."""
        for camera in self.cameras:
            camera.close()
        self.context.close()
        self.board.close()
        self.observer.close()
        self.table.close()
        self.short.cleanup()

    def camera(self) -> Camera:
        """Plug a camera in, and return it once the table knows it."""
        heard = threading.Event()
        self.board.camera_link.listen_to_readings(lambda sighted: heard.set())
        self.cameras.append(Camera(Path(self.short.name) / "bus", self.context.frames))
        assert heard.wait(PATIENCE)
        return self.cameras[-1]

    def until(self, right: Callable[[], bool]) -> None:
        """Wait until a condition holds after a change of the camera."""
        changed = threading.Event()
        self.board.camera_link.listen(lambda was, now: changed.set())
        while not right():
            assert changed.wait(PATIENCE)
            changed.clear()


@contextmanager
def seated(folder: Path, monkeypatch: pytest.MonkeyPatch, join: bool = True) -> Iterator[Seeing]:
    """Yield a table of three people and printed cards, not yet with a camera; its frames are in the folder."""
    monkeypatch.setenv("COMPANION_SHELF", str(folder / "shelf"))
    with Seeing(folder) as room:
        room.set_up(deck="ours")
        if join:
            room.join_all()
        yield room
