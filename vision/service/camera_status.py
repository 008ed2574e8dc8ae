"""The state of the camera, collected from events and announced on the bus when it changes."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from companion.messages import MILLISECOND, SECOND, CameraState, Looking
from vision.service.deck_reader import DeckReader
from vision.service.place_locator import CameraTrouble, PlaceLocator

RESTLESS = 20 * SECOND
"""Nanoseconds of uninterrupted movement after which to warn players, because the table cannot be read."""
SLOW = 1500 * MILLISECOND
"""The reading time in nanoseconds above which to warn players."""
GLANCES = 16
"""The number of glances over which the glances per second are averaged."""
NO_TROUBLE = CameraTrouble()
TOO_SMALL = ("too_small", "pieces_small")
"""Troubles that larger pictures solve."""


class CameraStatusKeeper:
    """The state of the camera. The loop changes it, and any thread may read it."""

    def __init__(
        self,
        places: PlaceLocator,
        reader: DeckReader,
        announce: Callable[[], None],
        board_trouble: Callable[[], CameraTrouble] = CameraTrouble,
    ) -> None:
        """Create the state of a camera that is starting.

        announce: called after every change except of the glances per second. board_trouble: returns the trouble with
        the game's board.
        """
        self._places, self._reader, self._announce = places, reader, announce
        self._board_trouble = board_trouble
        self.state = CameraState("starting")
        self.reading_time = 0
        """The duration of the last reading in nanoseconds."""
        self.begin()

    def begin(self) -> None:
        """Reset everything known about the pictures, for a new camera."""
        self.picture_size = (0, 0)
        """Width and height of the last full picture."""
        self.unfocused = False
        """Whether the camera tried to focus and failed."""
        self.small_memory = False
        """Whether memory allowed only smaller pictures than the camera can take."""
        self._glanced: list[int] = []
        self._moving_since: int | None = None

    def note_glance(self, now: int) -> None:
        """Record the time of a glance."""
        self._glanced = [*self._glanced[1 - GLANCES :], now]

    def note_movement(self, now: int, moving: bool) -> None:
        """Record whether the table is moving."""
        self._moving_since = (self._moving_since or now) if moving else None

    def watching(self, now: int, moving: bool) -> None:
        """Announce that the table is being watched, with any trouble."""
        self.set(self._looking(moving), self._trouble(now))

    def set(self, looking: Looking, trouble: CameraTrouble = NO_TROUBLE, camera: bool = True) -> None:
        """Set the state of the camera and announce changes.

        camera: whether one is open.
        """
        pose = self._places.pose if camera else None
        before = self.state
        self.state = CameraState(
            looking,
            trouble.key,
            trouble.fields,
            self._reader.deck,
            pose is not None,
            round(pose.scale, 2) if pose is not None else 0.0,
            self._fps() if camera else 0.0,
            self.picture_size,
            self._places.hanging if pose is not None else (),
            self._places.table() if pose is not None else (),
        )
        if msgspec.structs.replace(before, fps=self.state.fps) != self.state:
            self._announce()

    def _looking(self, moving: bool) -> Looking:
        if self.picture_size == (0, 0):  # no full picture yet, so nothing is known
            return "starting"
        if self._places.pose is None:
            return "unplaced"
        return "moving" if moving else "still"

    def _trouble(self, now: int) -> CameraTrouble:
        """Return the worst trouble, in the order of docs/reference/camera.md."""
        if self.unfocused and self._places.pose is None:  # a mat on the table is not the cause
            return CameraTrouble("unfocused")
        trouble = self._places.trouble() if self.picture_size != (0, 0) else CameraTrouble()
        trouble = trouble if trouble.key or self.picture_size == (0, 0) else self._board_trouble()
        if trouble.key:
            return self._blamed(trouble)
        if self._reader.trouble.key and self._places.card_places():  # a game without cards needs no deck
            return self._reader.trouble
        if self.unfocused:
            return CameraTrouble("unfocused")
        if self._moving_since is not None and now - self._moving_since > RESTLESS:
            return CameraTrouble("restless")
        if self.reading_time > SLOW:
            return CameraTrouble("slow", {"seconds": round(self.reading_time / SECOND, 1)})
        return CameraTrouble()

    def _blamed(self, trouble: CameraTrouble) -> CameraTrouble:
        """Return the trouble, or too little memory as its cause. Lowering the camera would not help then."""
        if self.small_memory and trouble.key in TOO_SMALL:
            return CameraTrouble("small_memory", trouble.fields)
        return trouble

    def _fps(self) -> float:
        if len(self._glanced) < 2:
            return 0.0
        return round((len(self._glanced) - 1) * SECOND / max(1, self._glanced[-1] - self._glanced[0]), 1)
