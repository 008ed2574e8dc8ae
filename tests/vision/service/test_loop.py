"""Tests of the camera's service over a real bus: when it reads, what it reports and answers, and how it recovers."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import cv2
import msgspec
import numpy as np
import pytest

import vision.cameras.picture_check
import vision.service.camera_status
import vision.service.loop
import vision.service.motion_gate
import vision.service.table_watch
from companion.devices.bus import SocketAddress, serve
from companion.devices.frames import PICTURE_NAME, read_frame
from companion.findings import findings_of
from companion.messages import (
    MILLISECOND,
    SECOND,
    Answered,
    AnyMessage,
    Asked,
    CameraState,
    Health,
    Message,
    Sighted,
    Sighting,
)
from tests.support.vision.photographing import mat_for
from tests.vision.enrolment.test_cards import photograph
from vision.cameras.camera_protocol import CameraError, CameraStuck, glance_of
from vision.commands.camera import POLITE
from vision.deck.deck import Deck
from vision.deck.deck_file import save
from vision.deck.making import enrol
from vision.deck.stored_decks import DeckLibrary
from vision.image import Image
from vision.mat import Mat, MatPose
from vision.mat.drawing import drawing
from vision.print.drawing.raster import to_pixels
from vision.service.deck_reader import FindTokens
from vision.service.loop import STUCK, CameraService, ServiceOptions
from vision.service.place_locator import CameraTrouble
from vision.service.requests import LARGE
from vision.service.table_watch import MORE_LOOKS
from vision.settings import CameraSettings

PATIENCE = 20.0
SCALE = 1.5
EDGE = 60
"""The margin of bare table around the mat in pixels."""
M = TypeVar("M", bound=Message)


class Camera:
    """A camera that shows a picture set by the test."""

    live = False
    unfocused = False
    small_memory = False
    source = "usb:7"

    def __init__(self, picture: Image) -> None:
        self.picture = picture
        self.wrong: CameraError | None = None
        self.locked = self.closed = 0
        self.stills = 0
        self.clock = vision.service.loop.time.monotonic_ns

    def glance(self) -> Image:
        """Return a small grey copy of the picture."""
        if self.wrong is not None:
            raise self.wrong
        return glance_of(self.picture)

    def still(self) -> tuple[Image, int]:
        """Return the picture."""
        if self.wrong is not None:
            raise self.wrong
        self.stills += 1
        return self.picture, self.clock()

    def lock(self) -> None:
        """Count the call."""
        self.locked += 1

    def close(self) -> None:
        """Count the call."""
        self.closed += 1


class Seen(msgspec.Struct, frozen=True):
    """The result of a reading."""

    sightings: Sequence[Sighting] = ()
    covered: Sequence[str] = ()
    pending: bool = False


class Reader:
    """A reader that returns results set by the test and records its pictures."""

    def __init__(self) -> None:
        self.finds: Callable[[int], Seen] = lambda nth: Seen()
        self.shown: list[tuple[Image, MatPose]] = []
        self.words: list[tuple[str, int, str | None]] = []
        self.gate: threading.Event | None = None
        self.mats: list[Mat] = []

    def read(self, picture: Image, pose: MatPose, at: int) -> Seen:
        """Return the test's result once the test allows it."""
        if self.gate is not None:
            assert self.gate.wait(PATIENCE)
        self.shown.append((picture, pose))
        return self.finds(len(self.shown))

    def name(self, place: str, at: int, card: str | None) -> bool:
        """Record the name that a person gave."""
        self.words.append((place, at, card))
        return place == "market"


class House:
    """The table's end of the bus, a service over a camera, and all its messages."""

    def __init__(
        self,
        folder: Path,
        camera: Camera | None,
        provide: Callable[[], str] | None = None,
        find_tokens: FindTokens = lambda decks, name: None,
        **settings: Any,
    ) -> None:
        self.camera, self.reader = camera, Reader()
        self.heard: list[AnyMessage] = []
        self._news = threading.Condition()
        self.peers: list[Any] = []
        self.shelf = folder / "shelf"
        self.shelf.mkdir()
        self.bus = serve(SocketAddress(folder / "bus"), lambda peer, message: self._hear(message), self.peers.append)
        self.opens: list[CameraError] = []
        self.code: int | None = None
        self.service = CameraService(
            folder,
            SocketAddress(folder / "bus"),
            self.shelf,
            self._open,
            ServiceOptions(CameraSettings(**{"players": 2, **settings}), self._maker, find_tokens, provide=provide),
        )
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        self._number = 0
        self.until(Health)  # the message arrived, and the bus keeps none for absent listeners

    def _run(self) -> None:
        self.code = self.service.run()

    def _open(self) -> Camera | None:
        if self.opens:
            raise self.opens.pop()
        return self.camera

    def _maker(self, deck: Deck) -> Callable[[Mat], Reader]:
        def make(mat: Mat) -> Reader:
            self.reader.mats.append(mat)
            return self.reader

        return make

    def _hear(self, message: AnyMessage) -> None:
        with self._news:
            self.heard.append(message)
            self._news.notify_all()

    def until(self, kind: type[M], wanted: Callable[[M], bool] = lambda message: True, since: int = 0) -> M:
        """Wait for a matching message and return the first."""

        def found() -> list[M]:
            return [each for each in self.heard[since:] if isinstance(each, kind) and wanted(each)]

        with self._news:
            assert self._news.wait_for(lambda: bool(found()), PATIENCE), self.heard[-5:]
            return found()[0]

    def state(self, wanted: Callable[[CameraState], bool], since: int = 0) -> CameraState:
        """Wait until the camera's state matches, and return it."""
        health = self.until(Health, lambda each: each.camera is not None and wanted(each.camera), since)
        assert health.camera is not None
        return health.camera

    def ask(self, what: str, **fields: Any) -> Answered:
        """Send a request and return the answer."""
        self._number += 1
        number = self._number
        self.bus.send(Asked(number, what, fields))
        return self.until(Answered, lambda answer: answer.number == number)

    def end(self) -> int | None:
        """Stop the service and return its exit code."""
        self.service.stop()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()
        self.bus.close()
        return self.code


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make time pass faster than at a table."""
    monkeypatch.setattr(vision.service.motion_gate, "STILL", 40 * MILLISECOND)
    monkeypatch.setattr(vision.service.loop, "PACE", 10 * MILLISECOND)
    monkeypatch.setattr(vision.service.loop, "BREATH", 0)
    monkeypatch.setattr(vision.service.table_watch, "RETRY", 50 * MILLISECOND)
    monkeypatch.setattr(vision.service.loop, "HEALTH_EVERY", 0.05)


@pytest.fixture(scope="module")
def table() -> Image:
    """Return a picture of an empty mat for two on a brown table."""
    straight = to_pixels(drawing(mat_for(2)), SCALE)
    picture = np.full((straight.shape[0] + 2 * EDGE, straight.shape[1] + 2 * EDGE, 3), (60, 90, 120), dtype=np.uint8)
    picture[EDGE:-EDGE, EDGE:-EDGE] = straight
    return picture


@pytest.fixture
def deck(tmp_path: Path) -> str:
    """Store a small deck in the data folder and use it."""
    DeckLibrary(tmp_path).finish(small_deck("ours"))
    return "ours"


@cache
def small_deck(name: str) -> Deck:
    """Return a deck of two cards, made once."""
    luck = np.random.default_rng(3)
    pictures = {card: [luck.integers(0, 255, (520, 372, 3), dtype=np.uint8)] for card in ("coal-200", "back-wagon")}
    return enrol(name, pictures)[0]


@pytest.fixture
def house(tmp_path: Path, table: Image, deck: str) -> Iterator[House]:
    """Open a service whose camera sees the mat."""
    opened = House(tmp_path, Camera(table))
    yield opened
    opened.end()


def with_card(table: Image, place: str = "market") -> Image:
    """Return the table with a dark card at a place."""
    mat = mat_for(2)
    slot = mat.slot(place)
    assert slot is not None
    corners = np.round(mat.corners(slot) * SCALE + EDGE).astype(np.int32)
    return np.asarray(cv2.fillConvexPoly(table.copy(), corners, (40, 30, 20)), dtype=np.uint8)


COAL = Sighting("market", "coal-200", corners=((10, 20), (73, 20), (73, 108), (10, 108)))


def test_table_is_read_when_it_is_at_rest_and_told_when_it_changes(house: House, table: Image) -> None:
    """An empty table is read once, a new card is read and reported, and an unchanged table is not reported again."""
    assert house.camera is not None
    first = house.until(Sighted)
    assert first.sightings == () and first.number == 1
    house.reader.finds = lambda nth: Seen((COAL,), ("auction",))
    house.camera.picture = with_card(table)
    second = house.until(Sighted, lambda each: bool(each.sightings))
    assert second.sightings == (COAL,) and second.covered == ("auction",) and second.number > first.number
    assert len([each for each in house.heard if isinstance(each, Sighted)]) == 2
    assert house.reader.mats == [mat_for(2, paper="a4")]


def test_a_new_listener_is_told_what_lies_there(tmp_path: Path, table: Image, deck: str) -> None:
    """A table that reconnects receives the last reading at once."""
    house = House(tmp_path, Camera(table))
    house.until(Sighted)
    house.bus.close()
    house.bus = serve(SocketAddress(tmp_path / "bus"), lambda peer, message: house._hear(message))
    since = len(house.heard)
    assert house.until(Sighted, since=since).sightings == ()
    house.end()


def test_moving_table_is_never_read(house: House, table: Image) -> None:
    """While the table moves, the service reports it and takes no full picture."""
    assert house.camera is not None
    house.until(Sighted)
    stop = threading.Event()
    camera, hands = house.camera, [with_card(table, place) for place in ("auction", "market")]

    def move() -> None:
        while not stop.wait(0.005):
            camera.picture = hands[int(camera.clock() / 10_000_000) % 2]

    mover = threading.Thread(target=move)
    mover.start()
    house.state(lambda state: state.looking == "moving")
    read = len(house.reader.shown)
    since = len(house.heard)
    for _ in range(3):
        since = house.heard.index(house.until(Health, since=since), since) + 1
    assert len(house.reader.shown) <= read + 1  # a picture may already have been in progress
    stop.set()
    mover.join()


def test_a_table_that_is_long_at_rest_is_looked_at_less_often(
    house: House, table: Image, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table at rest is checked less often, except while somebody watches the live picture or after a movement."""
    monkeypatch.setattr(vision.service.table_watch, "CALM", 30 * MILLISECOND)
    assert house.camera is not None
    watch = house.service.watch
    house.until(Sighted)
    until(lambda: watch.calm)
    watch.live.watch(5.0, house.camera.clock())
    assert not watch.calm
    watch.live.watch(0.0, house.camera.clock())
    assert watch.calm
    monkeypatch.setattr(vision.service.motion_gate, "STILL", 20 * SECOND)
    house.camera.picture = with_card(table)
    until(lambda: not watch.calm)


def test_only_the_places_are_seen(house: House, table: Image) -> None:
    """The area outside the places, with the piles, is black before the reader sees it."""
    house.until(Sighted)
    picture, pose = house.reader.shown[-1]
    assert picture[5, 5].tolist() == [0, 0, 0] and picture[-5, -5].tolist() == [0, 0, 0]
    mat = mat_for(2)
    for slot in mat.read():
        x, y = np.round(pose.project(mat.corners(slot)).mean(axis=0)).astype(int)
        assert picture[y, x].min() > 100
    pile = mat.slot("deck.wagons")
    assert pile is not None
    x, y = np.round(pose.project(mat.corners(pile)).mean(axis=0)).astype(int)
    assert picture[y, x].tolist() == [0, 0, 0]


def test_live_picture_is_black_outside_and_only_while_watched(house: House) -> None:
    """The live picture is written to the frames folder only on request, with the outlines of cards.

    Outlines are fractions of the picture, and piles, which are black, have none.
    """
    house.reader.finds = lambda nth: Seen((COAL,))
    assert house.camera is not None
    house.camera.picture = with_card(house.camera.picture)
    house.until(Sighted, lambda each: bool(each.sightings))
    assert not (house.shelf / PICTURE_NAME).exists()
    assert house.ask("watch", seconds=30).done
    live = until(lambda: read_frame(house.shelf))
    picture = cv2.imread(str(house.shelf / PICTURE_NAME))
    assert picture is not None and max(picture.shape) <= 1280 and picture[3, 3].max() < 12
    mat = mat_for(2)
    assert set(live.places) == {slot.place for slot in mat.read()} != {slot.place for slot in mat.slots}
    height, width = house.camera.picture.shape[:2]
    x, y = live.cards[0].outline[0]
    assert (x * width - EDGE) / SCALE == pytest.approx(10, abs=1)
    assert (y * height - EDGE) / SCALE == pytest.approx(20, abs=1)


def test_health_is_told_while_a_picture_is_being_read(house: House, table: Image) -> None:
    """The service sends its health while a slow reading is in progress."""
    house.reader.gate = threading.Event()
    since = len(house.heard)
    for _ in range(5):
        since = house.heard.index(house.until(Health, since=since), since) + 1
    assert not house.reader.shown
    house.reader.gate.set()
    house.until(Sighted)


def test_a_table_that_is_seen_is_told_before_it_is_read(tmp_path: Path, table: Image, deck: str) -> None:
    """The camera reports that it sees the table before a slow first reading ends."""
    house = House(tmp_path, None)
    house.state(lambda state: state.deck == deck)
    house.reader.gate = threading.Event()
    house.camera = Camera(table)
    house.state(lambda state: state.looking == "still" and state.mat)
    assert not house.reader.shown
    house.reader.gate.set()
    house.until(Sighted)
    house.end()


def test_unsure_readings_are_looked_at_again(house: House, table: Image) -> None:
    """An uncertain reading is repeated with another picture a limited number of times."""
    house.until(Sighted)
    house.reader.finds = lambda nth: Seen((COAL,), pending=True)
    assert house.camera is not None
    read = len(house.reader.shown)
    house.camera.picture = with_card(table)
    house.until(Sighted, lambda each: bool(each.sightings))
    until(lambda: len(house.reader.shown) == read + 1 + MORE_LOOKS or None)
    since = len(house.heard)
    house.until(Health, since=since)
    assert len(house.reader.shown) == read + 1 + MORE_LOOKS


def test_state_tells_scale_and_what_is_wrong(house: House) -> None:
    """The state contains scale, picture size and deck, and a small picture is reported with the required size."""
    state = house.state(lambda state: state.looking == "still" and state.deck == "ours")
    assert state.mat and state.scale == pytest.approx(SCALE, abs=0.05)
    assert state.trouble == "too_small" and state.fields["needed"] == 3.3 and state.fields["scale"] == 1.5
    assert state.size == (state.fields["width"], state.fields["height"])


def test_small_pictures_of_a_small_memory_are_not_the_camera_s_height(house: House) -> None:
    """If small memory limits the picture, the advice is not to lower the camera."""
    house.state(lambda state: state.trouble == "too_small")
    assert house.camera is not None
    house.camera.small_memory = True
    assert house.state(lambda state: state.trouble == "small_memory").fields["needed"] == 3.3


@pytest.mark.parametrize(("level", "trouble"), [(0, "dark"), (255, "white"), (120, "no_mat")])
def test_blind_and_lost_places_are_told(house: House, level: int, trouble: str) -> None:
    """A capped lens, a lamp in the lens and a missing mat are reported."""
    assert house.camera is not None
    house.camera.picture = np.full((900, 1600, 3), level, dtype=np.uint8)
    looking = "unplaced" if trouble == "no_mat" else "blind"
    assert house.state(lambda state: state.trouble == trouble).looking == looking


def test_what_lies_there_is_told_again_after_a_cap(house: House, table: Image) -> None:
    """After the lens was covered, the same table is read and reported again."""
    assert house.camera is not None
    first = house.until(Sighted)
    house.camera.picture = np.zeros((900, 1600, 3), dtype=np.uint8)
    house.state(lambda state: state.looking == "blind")
    house.camera.picture = table
    again = house.until(Sighted, lambda each: each.number > first.number)
    assert again.sightings == first.sightings


def test_slow_reading_and_restless_tables_are_told(house: House, table: Image, monkeypatch: pytest.MonkeyPatch) -> None:
    """If no other fault exists, slow reading and a table that never rests are reported."""
    house.service.watch.places.trouble = lambda: CameraTrouble()  # type: ignore[method-assign]
    house.state(lambda state: state.trouble == "" and state.looking == "still")
    monkeypatch.setattr(vision.service.camera_status, "SLOW", 0)
    assert house.state(lambda state: state.trouble == "slow").fields["seconds"] >= 0
    monkeypatch.setattr(vision.service.camera_status, "RESTLESS", 0)
    monkeypatch.setattr(vision.service.motion_gate, "STILL", 60 * SECOND)
    assert house.camera is not None
    house.camera.picture = with_card(table)
    assert house.state(lambda state: state.trouble == "restless").looking == "moving"


def test_frozen_camera_is_told(tmp_path: Path, table: Image, deck: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A live camera with bit-identical pictures is reported as frozen."""
    monkeypatch.setattr(vision.cameras.picture_check, "FROZEN", 100 * MILLISECOND)
    monkeypatch.setattr(Camera, "live", True)
    house = House(tmp_path, Camera(table))
    assert house.state(lambda state: state.trouble == "frozen").looking == "blind"
    house.end()


def test_sheet_that_lies_wrongly_is_told(house: House, table: Image) -> None:
    """A misplaced sheet is reported by its number."""
    mat = mat_for(2)
    sheet = mat.sheets[2]
    x0, y0, x1, y1 = (
        round(v * SCALE + EDGE)
        for v in (sheet.x + 8, sheet.y + 8, sheet.x + sheet.width - 8, sheet.y + sheet.height - 8)
    )
    moved = table.copy()
    part = table[max(0, y0) : y1, max(0, x0) : x1].copy()
    moved[max(0, y0) + 9 : max(0, y0) + 9 + part.shape[0], max(0, x0) : max(0, x0) + part.shape[1]] = part
    assert house.camera is not None
    house.camera.picture = moved
    state = house.state(lambda state: state.trouble == "sheet_off")
    assert state.fields["sheet"] == sheet.number


def test_camera_that_vanishes_comes_back(house: House, table: Image) -> None:
    """A lost camera is reported, searched for and used again."""
    house.until(Sighted)
    assert house.camera is not None
    camera = house.camera
    house.opens = [CameraError("no_camera", "none", source="usb:7") for _ in range(3)]
    camera.wrong = CameraError("camera_lost", "gone", source="usb:7")
    state = house.state(lambda state: state.trouble == "camera_lost")
    assert state.looking == "none" and not state.mat and camera.closed == 1
    camera.wrong = None
    house.state(lambda state: state.looking == "still", since=len(house.heard))


def test_no_camera_at_all_is_a_state(tmp_path: Path, deck: str) -> None:
    """A missing camera is an error only if the settings ask for one."""
    house = House(tmp_path, None)
    assert house.state(lambda state: state.looking == "none").trouble == ""
    house.opens = [CameraError("no_camera", "none", source="usb:0")]
    assert house.state(lambda state: state.trouble != "").trouble == "no_camera"
    assert house.ask("calibrate") == Answered(1, False, "no_camera")
    assert house.ask("name", place="market", at=0, card="x").key == "no_mat"
    assert house.end() == 0


def test_library_that_hangs_ends_the_process(tmp_path: Path, table: Image, deck: str) -> None:
    """A hanging library is reported, and the exit code requests a restart."""
    house = House(tmp_path, Camera(table))
    house.until(Sighted)
    assert house.camera is not None
    house.camera.wrong = CameraStuck("camera_lost", "hangs", source="picamera2")
    house.state(lambda state: state.trouble == "camera_lost")
    house._thread.join(PATIENCE)
    assert house.code == STUCK
    house.bus.close()


def test_deck_is_missing_broken_or_none(tmp_path: Path, table: Image) -> None:
    """A missing or broken deck is reported, and the table is still watched."""
    house = House(tmp_path, Camera(table), deck="gone")
    house.service.watch.places.trouble = lambda: CameraTrouble()  # type: ignore[method-assign]
    assert house.state(lambda state: state.trouble == "deck_missing").fields == {"deck": "gone"}
    (tmp_path / "decks").mkdir(exist_ok=True)
    (tmp_path / "decks" / "bad.deck").write_bytes(b"PK no deck")
    answer = house.ask("use", deck="bad")
    assert not answer.done and answer.key == "bad_file"
    state = house.state(lambda state: state.trouble == "deck_broken")
    assert state.fields["deck"] == "bad" and state.deck == "" and state.fields["said"]
    house.end()


def test_without_a_deck_the_mat_is_found_all_the_same(tmp_path: Path, table: Image) -> None:
    """Without a deck the mat is still found, so that a camera can be set up before enrolment."""
    house = House(tmp_path, Camera(table))
    state = house.state(lambda state: state.mat)
    assert state.deck == ""
    assert not [each for each in house.heard if isinstance(each, Sighted)]
    house.end()


def test_a_deck_that_is_made_meanwhile_holds_nothing_up(tmp_path: Path, table: Image) -> None:
    """While a deck is being made, the table is watched and no missing deck is reported; afterwards the deck is read."""
    made = threading.Event()

    def provide() -> str:
        assert made.wait(PATIENCE)
        DeckLibrary(tmp_path).finish(small_deck("ours"))
        return "ours"

    house = House(tmp_path, Camera(table), provide)
    state = house.state(lambda state: state.looking == "still")
    assert state.mat and not state.deck and not house.service.watch.reader.trouble.key
    assert not any(isinstance(each, Sighted) for each in house.heard)
    made.set()
    house.until(Sighted)
    house.state(lambda state: state.deck == "ours")
    house.end()


def test_a_deck_that_cannot_be_made_is_told(tmp_path: Path, table: Image) -> None:
    """A deck that cannot be made, as on a full disk, is reported, and the service continues."""

    def provide() -> str:
        raise OSError("no room")

    house = House(tmp_path, Camera(table), provide)
    assert until(lambda: house.service.watch.reader.trouble.key or None) == "no_deck"
    house.state(lambda state: state.looking == "still")
    house.end()


def test_persons_word_reaches_the_reader(house: House) -> None:
    """A person can name a card and withdraw the name, but not where no card lies."""
    house.until(Sighted)
    assert house.ask("name", place="market", at=1, card="oil-150").done
    assert house.ask("name", place="market", at=1, card="").done
    assert house.ask("name", place="auction", at=0, card="oil-150").key == "no_card"
    assert house.reader.words[:2] == [("market", 1, "oil-150"), ("market", 1, None)]


def test_calibrating_locks_the_camera_and_reads_anew(house: House) -> None:
    """Calibration locks focus, exposure and white balance, and the table is read again."""
    house.until(Sighted)
    read = len(house.reader.shown)
    assert house.ask("calibrate").done
    assert house.camera is not None and house.camera.locked == 1
    until(lambda: len(house.reader.shown) > read or None)


def test_a_focus_that_is_not_found_is_said(house: House) -> None:
    """A missing focus is reported in the answer and the examination until it is found, and all other steps are done."""
    house.until(Sighted)
    assert house.camera is not None
    house.camera.unfocused = True
    assert house.ask("calibrate") == Answered(1, False, "unfocused")
    assert house.camera.locked == 1
    until(lambda: house.service.watch.status.unfocused or None)
    found = {each.key: each.state for each in findings_of(house.ask("examine")) or []}
    assert found["camera.focus"] == "failed"
    house.camera.unfocused = False
    assert house.ask("calibrate").done


def test_a_mat_that_is_not_found_without_focus_is_not_to_blame(house: House) -> None:
    """If the mat is not found in a blurred picture, the message is about the blur, because the mat may be there."""
    assert house.camera is not None
    house.camera.unfocused = True
    house.camera.picture = np.full_like(house.camera.picture, 120)
    assert house.ask("calibrate").key == "unfocused"
    house.state(lambda state: state.trouble == "unfocused" and state.looking == "unplaced")
    house.camera.unfocused = False
    house.state(lambda state: state.trouble == "no_mat")


def test_places_are_shown_by_hand(tmp_path: Path, deck: str) -> None:
    """Four taps on the live picture set the places, which are stored and can be removed."""
    house = House(tmp_path, Camera(np.full((900, 1600, 3), 120, dtype=np.uint8)), rotate=180)
    house.state(lambda state: state.trouble == "no_mat")
    corners = [[0.9, 0.9], [0.1, 0.9], [0.1, 0.1], [0.9, 0.1]]  # the picture is shown upside down
    assert house.ask("places", corners=corners[:3]).key == "bad_places"
    answer = house.ask("places", corners=[*corners[2:], *corners[:2]])
    assert answer.done and answer.fields["players"] == 2
    house.state(lambda state: state.mat)
    pose = house.service.watch.places.pose
    assert pose is not None
    assert np.allclose(pose.project(np.zeros((1, 2)))[0], (0.9 * 1600 - 0.5, 0.9 * 900 - 0.5), atol=0.5)
    assert (tmp_path / "places.json").exists()
    since = len(house.heard)
    assert house.ask("places").done
    house.state(lambda state: state.trouble == "no_mat", since)
    house.end()


def test_places_are_not_shown_by_hand_while_the_mat_is_seen(house: House) -> None:
    """Places cannot be set by hand while the mat is visible, and the answer states the reason."""
    house.state(lambda state: state.mat)
    corners = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]
    assert house.ask("places", corners=corners).key == "mat_seen"


def test_deck_is_taught_by_the_camera_and_by_photographs(house: House) -> None:
    """A deck is taught by the camera and by photographs over the bus, from the first picture to its use."""
    assert house.camera is not None
    house.camera.picture = photograph(("steam-3", 640, 480, 4))
    first = house.ask("capture", deck="mine")
    (house.shelf / "torn.png").write_bytes(b"\x89PNG\r\n\x1a\n and nothing more")
    assert house.ask("capture", deck="mine", file="torn.png").key == "bad_file"
    assert house.ask("making", deck="mine").fields["captured"] is None  # a failed capture discards the last one
    first = house.ask("capture", deck="mine")
    assert first.done and first.fields["faults"] == [] and (house.shelf / first.fields["picture"]).exists()
    assert house.ask("enrol", deck="mine", card="steam-3", picture=first.fields["picture"]).done
    data = cv2.imencode(".jpg", photograph(("coal-200", 640, 480, -8)))[1]
    (house.shelf / "phone.jpg").write_bytes(data.tobytes())
    second = house.ask("capture", deck="mine", file="phone.jpg")
    assert house.ask("enrol", deck="mine", card="coal-200", picture=second.fields["picture"]).done
    assert set(house.ask("making", deck="mine").fields["cards"]) == {"coal-200", "steam-3"}
    assert house.ask("report", deck="mine").done
    assert house.ask("finish", deck="mine").fields == {"deck": "mine", "cards": 2}
    house.state(lambda state: state.deck == "mine")
    house.camera.wrong = CameraError("camera_lost", "gone", source="usb:7")
    house.state(lambda state: state.trouble == "camera_lost")
    house.opens = [CameraError("no_camera", "none", source="usb:7")] * 1000
    assert not house.ask("capture", deck="mine").done


def test_a_large_photograph_is_read_at_half_its_size(house: House) -> None:
    """A photograph above 16 MB is read at half size, because it would take hundreds of megabytes of memory."""
    data = cv2.imencode(".jpg", photograph(("coal-200", 640, 480, -8)))[1].tobytes()
    widths = []
    for name, more in (("small.jpg", 0), ("large.jpg", LARGE)):
        (house.shelf / name).write_bytes(data + bytes(more))
        found = house.ask("capture", deck="mine", file=name).fields["picture"]
        picture = cv2.imread(str(house.shelf / found))
        assert picture is not None
        widths.append(picture.shape[1])
    assert widths[0] == pytest.approx(315, abs=6) and widths[1] == pytest.approx(157, abs=4)


def test_decks_are_listed_used_handed_out_and_taken_in(house: House, tmp_path: Path) -> None:
    """Decks can be listed, used, exported and imported."""
    house.state(lambda state: state.deck == "ours")
    assert house.ask("decks").fields == {
        "decks": [{"name": "ours", "cards": 2, "made": True, "tokens": False}],
        "used": "ours",
    }
    file = house.ask("export", deck="ours").fields["file"]
    assert (house.shelf / file).read_bytes() == (tmp_path / "decks" / "ours.deck").read_bytes()
    assert house.ask("import", file=file).key == "taken"
    save(small_deck("theirs"), house.shelf / "x.deck")
    assert house.ask("import", file="x.deck").fields == {"deck": "theirs"}
    assert house.ask("import", file=file, deck="used").key == "bad_name"
    (tmp_path / "decks" / "begun").mkdir()
    assert house.ask("import", file=file, deck="begun").key == "taken"
    assert house.ask("import", file=file, deck="ours too").fields == {"deck": "ours too"}
    assert DeckLibrary(tmp_path).open("ours too").name == "ours too"
    assert house.ask("use", deck="theirs").done
    house.state(lambda state: state.deck == "theirs")
    assert DeckLibrary(tmp_path).last_used() == "theirs"
    (house.shelf / "y.deck").write_bytes(b"nothing")
    assert house.ask("import", file="y.deck").key == "bad_file"
    assert house.ask("use", deck="nobody's").key == "no_deck"


NONSENSE: list[tuple[str, dict[str, Any], str]] = [
    ("sing", {}, "unknown"), ("use", {"deck": "../x"}, "bad_name"), ("use", {"deck": 5}, "bad_name"),
    ("import", {"file": "../../etc/passwd"}, "bad_name"), ("capture", {"deck": "a", "file": ".hidden"}, "bad_name"),
    ("capture", {"deck": "a", "file": "none.jpg"}, "no_picture"), ("enrol", {"deck": "a"}, "bad_name"),
    ("watch", {"seconds": "long"}, "failed"), ("places", {"slots": [{"place": 1}]}, "bad_places"),
]  # fmt: skip


def test_nonsense_is_refused_by_a_key(house: House) -> None:
    """An invalid request is refused with a key, and the service continues."""
    for what, fields, key in NONSENSE:
        answer = house.ask(what, **fields)
        assert not answer.done and answer.key == key, what
    assert house.ask("decks").done


def test_reader_that_fails_stops_nothing(house: House, table: Image) -> None:
    """An error in reading is logged, and the next change is read."""
    house.until(Sighted)

    def fail(nth: int) -> Seen:
        raise ZeroDivisionError

    house.reader.finds = fail
    assert house.camera is not None
    read = len(house.reader.shown)
    house.camera.picture = with_card(table)
    until(lambda: len(house.reader.shown) > read or None)
    house.reader.finds = lambda nth: Seen((COAL,))
    house.camera.picture = with_card(table, "auction")
    house.until(Sighted, lambda each: bool(each.sightings))


def until(found: Callable[[], Any]) -> Any:
    """Return the function's first result that is not empty."""
    pause = threading.Event()
    for _ in range(int(PATIENCE / 0.01)):
        value = found()
        if value is not None:
            return value
        pause.wait(0.01)
    raise AssertionError("it never came")


def test_child_ends_with_its_parent(tmp_path: Path) -> None:
    """The process yields to the table when time is short and ends cleanly on request."""
    import signal
    import subprocess
    import sys

    heard: list[AnyMessage] = []
    news = threading.Event()

    def hear(peer: Any, message: AnyMessage) -> None:
        heard.append(message)
        news.set()

    bus = serve(SocketAddress(tmp_path / "bus"), hear)
    environment = {**os.environ, "COMPANION_SHELF": str(tmp_path / "shelf")}
    command = (sys.executable, "-m", "companion", "camera", "--source", "none", "--data", str(tmp_path), "--child")
    process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL)
    try:
        assert news.wait(PATIENCE)
        assert os.getpriority(os.PRIO_PROCESS, process.pid) == min(19, os.getpriority(os.PRIO_PROCESS, 0) + POLITE)
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
    finally:
        process.kill()
        process.wait()
        bus.close()
    assert isinstance(heard[0], Health) and heard[0].service == "camera"


def test_an_examination_tells_what_the_service_knows(house: House) -> None:
    """An examination uses the service's state and one picture for the light, and the service continues."""
    house.state(lambda state: state.looking == "still")
    answer = house.ask("examine")
    found = {each.key: each.state for each in findings_of(answer) or []}
    assert answer.done and found["camera.camera"] == "ok" and found["camera.places"] == "ok"
    assert found["camera.light"] in ("ok", "bright", "glare") and "camera.scale" in found and "camera.deck" in found
