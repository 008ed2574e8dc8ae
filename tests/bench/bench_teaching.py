"""Measures the time to teach an unknown deck of 52 with five photographs at a person's pace.

`python -m tests.bench.bench_teaching` draws five photographs of cards on a cloth, sends them to the enrolment page
above the real camera service, and types each card's name. A person's time is added by the keystroke-level model of
Card, Moran and Newell (1980) instead of waited for; the time of page and service is measured.
"""

from __future__ import annotations

import io
import re
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np

from tests.support.web.camera_double import Seeing
from tests.support.web.watched_room import watching
from vision.deck.stored_decks import DeckLibrary
from vision.image import Image
from vision.print.cards import faces
from vision.recognise import Recogniser

GAME, CARDS = "game-of-trains", 52
"""The game and number of the printed cards, which the page treats as cards of no game."""
PICTURES, ACROSS, ROWS = 5, 4, 3
"""The number of photographs, and the most cards side by side and in rows on each."""
SIZE, FIELD, CARD = (4000, 3000), 980, 560
"""The pixels of a phone's photograph, of the field of a card, and of its width."""
KEY, TAP, THINK = 0.28, 1.1, 1.35
"""The seconds for a key, for pointing and for a mental step (the keystroke-level model)."""
LAY, PHOTOGRAPH = 2.5, 15.0
"""The seconds to lay and remove a card, and to photograph all, check the picture and pick up the phone."""
LATEST = 8 * 60
"""The limit in seconds."""
DECK = "A stranger's box"


def main() -> None:
    """Teach the deck, and print the time and how well it is read."""
    drawn = {name: face for name, face in sorted(faces(GAME).items()) if not name.startswith("back-")}
    names = list(drawn)[:CARDS]
    sheets = [names[at::PICTURES] for at in range(PICTURES)]
    with tempfile.TemporaryDirectory(prefix="companion-") as folder, watching(Path(folder)) as (room, _, _):
        while not room.board.camera.sees:
            time.sleep(0.5)
        photographs = [photograph(drawn, sheet, nth) for nth, sheet in enumerate(sheets)]
        person, machine = teach(room, sheets, photographs)
        deck = DeckLibrary(Path(folder)).open(DECK)
        reader = Recogniser(deck)
        read = [sorted(one.card for one in reader.read(picture) if one.card) for picture in photographs]
    right = sum(len(set(found) & set(sheet)) for found, sheet in zip(read, sheets, strict=True))
    wrong = sum(len(set(found) - set(sheet)) for found, sheet in zip(read, sheets, strict=True))
    print(f"{len(deck.cards)} cards from {PICTURES} photographs: a person takes {person:.0f} s (laying, photographing,"
          f" naming), pages and service {machine:.0f} s, together {(person + machine) / 60:.1f} min of"
          f" {LATEST // 60} allowed")  # fmt: skip
    print(f"read again on the photographs: {right} of {len(names)} named, {wrong} wrong")


def photograph(drawn: Mapping[str, Image], sheet: Sequence[str], seed: int) -> Image:
    """Return a phone's photograph of slightly turned cards on a cloth, row by row."""
    luck = np.random.default_rng(seed)
    picture = np.empty((SIZE[1], SIZE[0], 3), np.uint8)
    picture[:] = np.clip(np.array((70, 90, 60)) + luck.normal(0, 4, picture.shape), 0, 255)
    for nth, name in enumerate(sheet):
        face = drawn[name]
        high, wide = face.shape[:2]
        angle = np.radians(luck.normal(0, 3))
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        half = np.array([CARD, CARD * high / wide]) / 2
        middle = (np.array([nth % ACROSS, nth // ACROSS]) + 0.53) * FIELD
        corners = (np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half @ turn + middle).astype(np.float32)
        matrix = cv2.getPerspectiveTransform(
            np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32), corners
        )
        covers = cv2.warpPerspective(np.full((high, wide), 255, np.uint8), matrix, SIZE) > 127
        picture[covers] = cv2.warpPerspective(face, matrix, SIZE)[covers] * 0.9
    return picture


def teach(room: Seeing, sheets: Sequence[Sequence[str]], photographs: Sequence[Image]) -> tuple[float, float]:
    """Teach the cards through the page; return the seconds of a person and those of page and service."""
    start, person = time.monotonic(), 0.0
    send(room, "begin", deck=DECK, free="1")
    person += 3 * TAP + THINK + KEY * len(DECK)
    for sheet, picture in zip(sheets, photographs, strict=True):
        file = (io.BytesIO(cv2.imencode(".jpg", picture)[1].tobytes()), "sheet.jpg")
        person += LAY * len(sheet) + PHOTOGRAPH + 3 * TAP
        send(room, "photograph", deck=DECK, file=file)
        for name in sheet:
            page = room.anybody.read(f"{room.host}enrolment?deck={DECK.replace(' ', '+')}")
            waiting = re.search(r'name="picture" value="([^"]+)"', page)
            assert waiting is not None, f"no card waits where {name} should"
            send(room, "enrol", deck=DECK, card=name, picture=waiting[1])
            person += THINK + KEY * (len(name) + 1)  # the field has the focus, and the enter key submits it
    send(room, "finish", deck=DECK)
    person += 2 * TAP + THINK
    return person, time.monotonic() - start


def send(room: Seeing, what: str, **form: object) -> None:
    """Press a button of the page; raise AssertionError if it is refused."""
    answer = room.anybody.submit(room.host + "enrolment", {"do": what, **form}, room.host + "camera")
    assert answer.status_code == 303, answer.text


if __name__ == "__main__":
    main()
