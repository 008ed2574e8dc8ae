"""How the camera is: its state as the bus hears it, gathered from what happens and announced when it changes."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from companion.messages import MILLISECOND, SECOND, CameraState, Looking
from vision.service.deck_reader import DeckReader
from vision.service.place_locator import CameraTrouble, PlaceLocator

RESTLESS = 20 * SECOND
"""Nanoseconds of movement without rest after which people are warned: the table cannot be read meanwhile."""
SLOW = 1500 * MILLISECOND
"""Nanoseconds; people are warned of a reading that takes longer."""
GLANCES = 16
"""The glances per second are averaged over so many glances."""
NO_TROUBLE = CameraTrouble()
TOO_SMALL = ("too_small", "pieces_small")
"""Troubles that go where pictures are larger."""


class CameraStatusKeeper:
    """Keeps the camera's state. The loop changes it; any thread may read it."""

    def __init__(
        self,
        places: PlaceLocator,
        reader: DeckReader,
        announce: Callable[[], None],
        board_trouble: Callable[[], CameraTrouble] = CameraTrouble,
    ) -> None:
        """`announce` is called after every change but of the glances per second; `board_trouble` returns what is wrong
        with the game's board."""
        self._places, self._reader, self._announce = places, reader, announce
        self._board_trouble = board_trouble
        self.state = CameraState("starting")
        self.reading_time = 0
        """Nanoseconds that the last reading took."""
        self.begin()

    def begin(self) -> None:
        """Begin with a camera: nothing is known of its pictures yet."""
        self.picture_size = (0, 0)
        """Width and height of the last full picture."""
        self.unfocused = False
        """Whether the camera looked for its focus and found none."""
        self.small_memory = False
        """Whether there was memory only for smaller pictures than the camera can take."""
        self._glanced: list[int] = []
        self._moving_since: int | None = None

    def note_glance(self, now: int) -> None:
        """Note when a glance was taken."""
        self._glanced = [*self._glanced[1 - GLANCES :], now]

    def note_movement(self, now: int, moving: bool) -> None:
        """Note whether the table moves."""
        self._moving_since = (self._moving_since or now) if moving else None

    def watching(self, now: int, moving: bool) -> None:
        """Say that the table is watched, and what is wrong."""
        self.set(self._looking(moving), self._trouble(now))

    def set(self, looking: Looking, trouble: CameraTrouble = NO_TROUBLE, camera: bool = True) -> None:
        """Set how the camera is; announce it where it changed. `camera`: whether one is open."""
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
        if self.picture_size == (0, 0):  # no full picture was taken yet: nothing can be said
            return "starting"
        if self._places.pose is None:
            return "unplaced"
        return "moving" if moving else "still"

    def _trouble(self, now: int) -> CameraTrouble:
        """Return the worst trouble (the order is that of docs/reference/camera.md)."""
        if self.unfocused and self._places.pose is None:  # a mat that lies there is not to blame
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
        """Return the reason of what appears too small: hanging the camera lower would be in vain."""
        if self.small_memory and trouble.key in TOO_SMALL:
            return CameraTrouble("small_memory", trouble.fields)
        return trouble

    def _fps(self) -> float:
        if len(self._glanced) < 2:
            return 0.0
        return round((len(self._glanced) - 1) * SECOND / max(1, self._glanced[-1] - self._glanced[0]), 1)
