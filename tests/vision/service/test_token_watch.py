"""Tests of places for tokens in the camera's service: black until the table allows reading, and while fists close."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

from companion.devices.frames import PICTURE_NAME, LiveFrame, read_frame
from companion.messages import Sighted, TokenSighting, TokensReadable
from tests.support.vision.token_mats import token_mat
from tests.vision.service.test_loop import EDGE, PATIENCE, SCALE, Camera, House, _hurry, small_deck, until
from tests.vision.service.test_loop import Seen as CardsSeen
from vision.deck.stored_decks import DeckLibrary
from vision.image import Image
from vision.mat import MatPose
from vision.mat.drawing import drawing
from vision.mat.pose import Polygon
from vision.print.drawing.raster import to_pixels
from vision.service.live_picture import CIRCLE
from vision.service.loop import AFTER_FAULT
from vision.service.token_watch import TokenWatch

__all__ = ["_hurry"]

MONEY, OTHER = "seat.1.money", "seat.2.money"
OPEN = tuple(sorted([slot.place for slot in token_mat(2).token_slots]))
CLOSED = tuple([place for place in OPEN if not place.endswith("money")])
COIN = TokenSighting(MONEY, "money-500", middle=(100.0, 200.0), radius=10.0)


class Seen(msgspec.Struct, frozen=True):
    """The readings of places in one picture."""

    sightings: Sequence[TokenSighting] = ()
    places: Sequence[str] = ()
    pending: Sequence[str] = ()


class Places:
    """A reader that returns the test's tokens at its places."""

    def __init__(self) -> None:
        self.lies: dict[str, TokenSighting] = {}
        self.hidden: set[str] = set()
        self.asked: list[tuple[str, Sequence[Polygon]]] = []

    def read(self, picture: Image, pose: MatPose, readable: Collection[str]) -> Seen:
        """Return the tokens at the readable places."""
        told = [token for place, token in self.lies.items() if place in readable]
        return Seen(told, tuple(sorted(set(readable) - self.hidden)))

    def outlines(self, place: str) -> tuple[Polygon, ...]:
        """Return a square around a token."""
        return (_square(self.lies[place]),) if place in self.lies else ()

    def is_open(self, picture: Image, pose: MatPose, place: str, known: Sequence[Polygon] = ()) -> bool:
        """Return whether a place holds something new."""
        self.asked.append((place, known))
        return place in self.lies and _square(self.lies[place]) not in known

    def is_empty(self, picture: Image, pose: MatPose, place: str) -> bool:
        """Return whether a place is empty and nothing reaches over its edge."""
        return place not in self.lies and place not in self.hidden


def _square(token: TokenSighting) -> Polygon:
    x, y = token.middle
    return ((x - 10, y - 10), (x + 10, y - 10), (x + 10, y + 10), (x - 10, y + 10))


@pytest.fixture(scope="module")
def picture() -> Image:
    """Return a picture of an empty mat with places for tokens, on a brown table."""
    straight = to_pixels(drawing(token_mat(2)), SCALE)
    size = (straight.shape[0] + 2 * EDGE, straight.shape[1] + 2 * EDGE, 3)
    around = np.full(size, (60, 90, 120), dtype=np.uint8)
    around[EDGE:-EDGE, EDGE:-EDGE] = straight
    return around


@pytest.fixture
def places() -> Places:
    """Return the tokens on the table."""
    return Places()


@pytest.fixture
def house(tmp_path: Path, picture: Image, places: Places, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """Yield a service whose camera sees the mat, with tokens set by the test."""
    DeckLibrary(tmp_path).finish(small_deck("ours"))
    opened = House(tmp_path, Camera(picture), find_tokens=lambda decks, name: lambda mat: places)
    yield opened
    opened.end()


def brightness(house: House, picture: Image, place: str) -> float:
    """Return the brightness of a place in a picture of the service's size."""
    mat, pose = house.service.watch.places.mat, house.service.watch.places.pose
    assert mat is not None and pose is not None
    slot = mat.token_slot(place)
    assert slot is not None
    here = pose.resize((picture.shape[1], picture.shape[0]))
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(here.project(slot.ground())).astype(np.int32), 255)
    return float(picture[mask > 0].mean())


def test_every_place_is_black_until_the_table_lets_it_be_read(house: House, places: Places) -> None:
    """Tokens are read and reported only at the places that the table named."""
    places.lies = {MONEY: COIN, OTHER: msgspec.structs.replace(COIN, place=OTHER)}
    first = house.until(Sighted)
    assert (first.tokens, first.token_places, first.open_hands) == ((), (), ())
    assert brightness(house, house.reader.shown[-1][0], MONEY) == 0
    since = len(house.heard)
    house.bus.send(TokensReadable(places=(MONEY,)))
    told = house.until(Sighted, lambda each: bool(each.token_places), since)
    assert (told.tokens, told.token_places) == ((COIN,), (MONEY,))
    picture = house.reader.shown[-1][0]
    assert brightness(house, picture, MONEY) > 100 and brightness(house, picture, OTHER) == 0


def test_an_open_hand_is_told_without_a_value(house: House, places: Places, picture: Image) -> None:
    """While fists are closed, only the presence of something new at a place is reported, without its value."""
    house.bus.send(TokensReadable(places=CLOSED))
    house.until(Sighted, lambda each: each.empty_places == (MONEY, OTHER))
    places.lies = {MONEY: COIN}
    assert house.camera is not None
    house.camera.picture = with_coin(house, picture)
    told = house.until(Sighted, lambda each: bool(each.open_hands))
    assert (told.tokens, told.open_hands, told.empty_places) == ((), (MONEY,), (OTHER,))
    assert b"money-500" not in b"".join(map(msgspec.json.encode, house.heard))


def with_coin(house: House, picture: Image) -> Image:
    """Return the table with a dark object at the first seat's place."""
    mat, pose = house.service.watch.places.mat, house.service.watch.places.pose
    assert mat is not None and pose is not None
    slot = mat.token_slot(MONEY)
    assert slot is not None
    x, y = np.round(pose.project(slot.ground()).mean(axis=0)).astype(int)
    return np.asarray(cv2.circle(picture.copy(), (int(x), int(y)), 15, (40, 30, 20), -1), np.uint8)


def test_a_first_fist_stays_visible_while_the_second_closes(house: House, places: Places) -> None:
    """A first fist that was known when the places closed is no new object, and its outline stays visible."""
    places.lies = {MONEY: COIN}
    house.bus.send(TokensReadable(places=OPEN))
    house.until(Sighted, lambda each: bool(each.tokens))
    since = len(house.heard)
    house.bus.send(TokensReadable(places=CLOSED))
    told = house.until(Sighted, lambda each: MONEY not in each.token_places, since)
    assert (told.open_hands, told.empty_places) == ((), (OTHER,))
    assert (MONEY, (_square(COIN),)) in places.asked
    assert house.service.watch.tokens.last.known == (_square(COIN),)


def test_a_place_cannot_be_closed_while_it_is_read(
    house: House, places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A message that closes a place waits for the token reading in progress, even if the card reading has failed."""
    house.until(Sighted)
    reading, done, seen = threading.Event(), threading.Event(), list[bool]()

    def slow(picture: Image, pose: MatPose, readable: Collection[str]) -> Seen:
        """Read for longer than the loop's pause after an error."""
        reading.set()
        done.wait(2 * AFTER_FAULT)
        done.set()
        return Seen()

    def broken(nth: int) -> CardsSeen:
        """Raise an error instead of finding cards."""
        raise ValueError("no cards")

    monkeypatch.setattr(places, "read", slow)
    house.reader.finds = broken
    house.bus.send(TokensReadable(places=(MONEY,)))
    assert reading.wait(PATIENCE)
    house.service.later(lambda: seen.append(done.is_set()))
    assert done.wait(PATIENCE)
    assert until(lambda: seen or None) == [True]


def test_live_pictures_are_black_at_closed_places(house: House) -> None:
    """Closed places are black in live pictures of the camera page and of the whole table."""
    house.bus.send(TokensReadable(places=CLOSED))
    house.until(Sighted, lambda each: bool(each.token_places))
    house.ask("watch", seconds=30)
    assert brightness(house, shown(house, 0), MONEY) < 12
    house.service.watch.live.watch(30, house.service.watch.clock(), whole=True)
    whole = shown(house, house.service.watch.clock())
    assert whole[3, 3].max() > 30 and brightness(house, whole, MONEY) < 12


def shown(house: House, since: int) -> Image:
    """Return a live picture taken after a moment."""

    def newer() -> LiveFrame | None:
        frame = read_frame(house.shelf)
        return frame if frame is not None and frame.at > since else None

    until(newer)
    return np.asarray(cv2.imread(str(house.shelf / PICTURE_NAME)), np.uint8)


def test_tokens_are_drawn_in_the_live_picture(house: House, places: Places) -> None:
    """Each token that was read has a circle in the live picture."""
    places.lies = {MONEY: COIN}
    house.bus.send(TokensReadable(places=OPEN))
    house.until(Sighted, lambda each: bool(each.tokens))
    house.ask("watch", seconds=30)
    (found,) = until(lambda: read_frame(house.shelf)).tokens
    assert found.sighting == COIN and len(found.outline) == CIRCLE


def test_a_mat_out_of_sight_shows_nothing_while_fists_are_closed(picture: Image) -> None:
    """A lost mat blacks out the picture only while fists are closed, because otherwise the picture helps to aim."""
    watch, mat = TokenWatch(), token_mat(2)
    pose = MatPose(np.array([[SCALE, 0, EDGE], [0, SCALE, EDGE], [0, 0, 1]]), (picture.shape[1], picture.shape[0]))
    watch.use(lambda mat: Places())
    watch.read(picture, pose, mat)
    assert np.array_equal(watch.hide(picture, None, None), picture)
    assert watch.allow(CLOSED) and not watch.allow(CLOSED)
    assert not watch.hide(picture, None, None).any()
    assert watch.allow(OPEN)
    assert np.array_equal(watch.hide(picture, None, None), picture)
