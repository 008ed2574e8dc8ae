"""Watch the table: open the camera, wait for the table to rest, read it, and report news.

Everything here belongs to one thread, the service's loop. A moving table is never read.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait

import cv2
import numpy as np

from companion.messages import (
    PHONE,
    RENDERED,
    SECOND,
    CardLaid,
    CellSighting,
    Health,
    Message,
    Sighted,
    TokensLaid,
    TokensReadable,
)
from vision.board.board_reader import BoardReader
from vision.board.pieces import FEWEST_PIXELS
from vision.cameras.camera_protocol import Camera, CameraError, Simulated
from vision.cameras.handed import HandedPictures
from vision.cameras.picture_check import PictureCheck
from vision.deck.stored_decks import RequestRefused
from vision.image import Image
from vision.mat import Mat, MatPose, black_out, visible
from vision.process import give_back
from vision.service.camera_status import CameraStatusKeeper
from vision.service.deck_reader import DeckReader, LoadedDeck
from vision.service.live_picture import LiveOverlay, LivePicture, OpenPlaces
from vision.service.motion_gate import MotionGate, MotionState
from vision.service.place_locator import CameraTrouble, PlaceLocator, outside
from vision.service.token_watch import TokenWatch

RETRY = 2 * SECOND
"""Nanoseconds between two attempts to open a missing camera or to find a mat."""
MORE_LOOKS = 6
"""The maximum number of further readings of a table at rest, for more certainty."""
CALM = 2 * SECOND
"""Nanoseconds without movement after which a table that has been read is calm."""
NEVER = 1 << 62
"""A time that never comes, so that a finished recording does not start again."""
LOG = logging.getLogger(__name__)


class TableWatch:
    """Watches one table through one camera. Only `health` may be called from another thread."""

    def __init__(
        self,
        open_camera: Callable[[], Camera | None],
        places: PlaceLocator,
        reader: DeckReader,
        live: LivePicture,
        board: BoardReader,
        clock: Callable[[], int],
        send: Callable[[Message], None],
    ) -> None:
        """Create a watch.

        open_camera: raises `CameraError`, and returns None if no camera is wanted. send: sends to the bus.
        """
        self.places, self.reader, self.live, self.board = places, reader, live, board
        self.clock = clock
        self.tokens = TokenWatch()
        self._token_thread = ThreadPoolExecutor(1, "tokens")
        self.lasting_trouble = CameraTrouble()
        """Trouble from before the service began, such as bad settings, reported while there is no camera."""
        self._open, self._send = open_camera, send
        self._camera: Camera | None = None
        self._open_at = self._find_mat_at = 0
        self._had_camera = False
        self._was_blind = False
        """Whether nothing was seen since the last reading. The next one is then sent even if it is unchanged."""
        self._last_error: CameraError | None = None
        self._status = CameraStatusKeeper(places, reader, lambda: self._send(self.health()), self._board_trouble)
        self._begin()

    def _begin(self) -> None:
        self.locked = False
        """Whether `calibrate` has locked focus and exposure."""
        self.looks_left = 0
        """The number of further readings of the table at rest."""
        self._gate = MotionGate()
        self._closed_gate = MotionGate()
        """Watches the closed places for tokens. Fists move over them, and only resting objects count."""
        self._check = PictureCheck(self._camera is not None and self._camera.live)
        self._masks: tuple[object, Image, Image] | None = None
        self._moved_at = self.clock()
        self._status.begin()

    @property
    def status(self) -> CameraStatusKeeper:
        """The state of the camera."""
        return self._status

    @property
    def calm(self) -> bool:
        """Whether the table has long been at rest and read, and nobody watches the live picture.

        Fewer glances then suffice, because laying a card takes longer than the interval, and movement ends the calm.
        """
        now = self.clock()
        return now - self._moved_at > CALM and not self.looks_left and not self.live.watched(now)

    @property
    def source(self) -> str:
        """The source of the camera such as `usb:0`, or "" without one."""
        return self._camera.source if self._camera is not None else ""

    def health(self) -> Health:
        """Return the service's health for the bus."""
        kind = RENDERED if isinstance(self._camera, Simulated) else PHONE if self.source == PHONE else ""
        return Health("camera", self.clock(), kind, camera=self._status.state)

    def last_sighted(self) -> Sighted | None:
        """Return the last reading, or None if nothing has been seen since."""
        return None if self._was_blind else self.reader.last

    # --- step by step -----------------------------------------------------------------------------

    def step(self) -> None:
        """Open the camera if it is time, else look once. Raise `CameraError` if the camera fails."""
        if self._camera is None:
            self._try_open()
        else:
            self._look(self._camera)

    def fail(self, error: CameraError) -> None:
        """Record that the camera is missing or lost."""
        if self._last_error is None or str(self._last_error) != str(error):
            LOG.warning("%s", error)
        self._last_error, self._was_blind = error, True
        if self._camera is not None:
            self._camera.close()
            self._camera = None
            self._open_at = self.clock() + RETRY
        key = "camera_lost" if self._had_camera and error.key == "no_camera" else error.key
        if key == "ended":
            self._open_at = NEVER
        self._status.set("none", CameraTrouble(key, error.fields), camera=False)

    def hang(self, error: CameraError) -> None:
        """Report that the camera's library hangs."""
        self._status.set("none", CameraTrouble(error.key, error.fields), camera=self._camera is not None)
        self._send(self.health())

    def close(self) -> None:
        """Close the camera."""
        self._token_thread.shutdown()
        if self._camera is not None:
            self._camera.close()
            self._camera = None

    def _try_open(self) -> None:
        now = self.clock()
        if now < self._open_at:
            return
        self._open_at = now + RETRY
        self._camera = self._open()
        if self._camera is None:
            self._status.set("none", self.lasting_trouble, camera=False)
            return
        self._had_camera, self._last_error = True, None
        self._begin()
        self._status.set("starting")

    def _look(self, camera: Camera) -> None:
        """Take one glance, and read the table if it is at rest and has changed."""
        glance, now = camera.glance(), self.clock()
        self._status.note_glance(now)
        self._status.unfocused, self._status.small_memory = camera.unfocused, camera.small_memory
        trouble = self._check.trouble(glance, now)
        seen, closed = self._mask_glance(glance)
        motion = self._gate.look(glance, now, seen)
        beside = self._closed_gate.look(glance, now, closed) if closed is not None else None
        opened = beside is not None and beside.changed
        if motion.moving or motion.changed or opened or (beside is not None and beside.moving):
            self._moved_at = now
        if trouble:
            self._was_blind = True
            self._status.set("blind", CameraTrouble(trouble))
            return
        self._status.note_movement(now, motion.moving)
        lost = self.places.pose is None or (self.board.boards and self.board.laid is None)
        search = lost and now >= self._find_mat_at
        if not motion.moving and (motion.changed or opened or search or self.looks_left):
            self._read(camera, motion)
        if self.live.due(self.clock()):
            self._show(camera, motion)
        self._status.watching(now, motion.moving)

    def _mask_glance(self, glance: Image) -> tuple[Image | None, Image | None]:
        """Return masks of a glance for the readable places and for the closed places for tokens.

        The first is None if the places are unknown, the second if no place is closed.
        """
        pose, mat = self.places.pose, self.places.mat
        if pose is None or mat is None:
            return None, None
        board, readable = self._board_beside(), self.tokens.readable
        closed = self.tokens.closed_places(mat)
        key = (id(pose), id(board[1]) if board is not None else 0, glance.shape, readable)
        if self._masks is None or self._masks[0] != key:
            size = (glance.shape[1], glance.shape[0])
            seen = visible(pose.resize(size), mat, readable)
            over = cv2.bitwise_and(visible(pose.resize(size), mat, readable | closed), cv2.bitwise_not(seen))
            if board is not None:
                seen = np.asarray(cv2.bitwise_or(seen, visible(board[1].resize(size), board[0])), np.uint8)
            self._masks = key, seen, np.asarray(over, np.uint8)
        return self._masks[1], self._masks[2] if closed else None

    def _board_beside(self) -> tuple[Mat, MatPose] | None:
        """Return the board beside the mat, if one was found in pictures of this size."""
        laid, pose = self.board.laid, self.places.pose
        if laid is None or pose is None or self.places.mat is None or self.places.mat.board is not None:
            return None
        return laid if laid[1].picture == pose.picture else None

    def _board_trouble(self) -> CameraTrouble:
        """Return the trouble with a board that should lie beside the mat."""
        if not self.board.boards or self.places.mat is None or self.places.mat.board is not None:
            return CameraTrouble()
        if self.board.laid is None:
            return CameraTrouble("no_board")
        if self.board.locator.moved:
            return CameraTrouble("board_moved")
        mat, pose = self.board.laid
        side = outside(pose, mat)
        if side:
            return CameraTrouble("board_half", {"side": side})
        if self.board.too_small:
            assert mat.board is not None
            needed = round(FEWEST_PIXELS / mat.board.piece, 1)
            return CameraTrouble("pieces_small", {"scale": round(pose.scale, 1), "needed": needed})
        return CameraTrouble()

    def _read(self, camera: Camera, motion: MotionState) -> None:
        """Take the full picture and read it, if nothing moved meanwhile."""
        began = self.clock()
        picture, at = camera.still()
        self._status.picture_size = (picture.shape[1], picture.shape[0])
        after = camera.glance()
        if self._gate.look(after, self.clock(), self._mask_glance(after)[0]).moving:
            return
        self._gate.mark_read()
        self._closed_gate.mark_read()
        self.looks_left = 0 if motion.changed else max(0, self.looks_left - 1)
        self._find_mat_at = self.clock() + RETRY
        cells = self.board.read(picture, at)
        if not self.places.look(picture, at) or self.places.pose is None or self.places.mat is None:
            self._tell_board(cells, at, motion)
            return
        if self._status.state.looking in ("starting", "unplaced"):
            # The first reading takes a second: announce already that the table is seen.
            self._status.watching(at, motion.moving)
            if isinstance(camera, Simulated):
                self._show(camera, motion)  # a demonstration's viewer could not ask before, and waits
        if not self.reader.ready:
            self._tell_board(cells, at, motion)
            return
        pose, mat = self.places.pose, self.places.mat
        known = self.tokens.last.known
        # OpenCV lets both run at the same time
        tokens = self._token_thread.submit(self.tokens.read, picture, pose, mat)
        try:
            clean = black_out(picture, pose, mat, None, self.tokens.readable, known)
            news, pending = self.reader.read(clean, pose, mat, at, cells, tokens.result)
        finally:
            wait([tokens])  # a late reading would restore places that were closed meanwhile
        self._status.reading_time = self.clock() - began
        self._note_pending(pending or self.board.pending, motion)
        if self._was_blind:
            news, self._was_blind = self.reader.last, False
        if news is not None:
            self._send(news)
        if isinstance(camera, Simulated):
            give_back()  # a demonstration shares its machine with everything else

    def _note_pending(self, pending: bool, motion: MotionState) -> None:
        """Set the number of further readings, if more pictures of the same table would add something."""
        self.looks_left = (MORE_LOOKS if motion.changed else self.looks_left) if pending else 0

    def _tell_board(self, cells: tuple[CellSighting, ...], at: int, motion: MotionState) -> None:
        """Send the reading of a board while no cards can be read."""
        self._note_pending(self.board.pending, motion)
        if not cells:
            return
        news = self.reader.read_board(cells, self.places.card_places(), at)
        if self._was_blind:
            news, self._was_blind = self.reader.last, False
        if news is not None:
            self._send(news)

    def _show(self, camera: Camera, motion: MotionState) -> None:
        """Write the live picture to the frames folder."""
        began = self.clock()
        picture, at = camera.still()
        pose, mat = self.places.pose, self.places.mat
        if pose is not None and pose.picture != (picture.shape[1], picture.shape[0]):
            pose = mat = None
        last = self.reader.last
        sightings, covered = (last.sightings, last.covered) if last is not None else ((), ())
        picture = self.tokens.hide(picture, pose, mat)
        open_places = OpenPlaces(self.tokens.readable, self.tokens.last.known)
        overlay = LiveOverlay(sightings, covered, motion.moving, self.tokens.last.tokens, open_places)
        self.live.show(picture, at, mat, pose, overlay, self._board_beside() if pose is not None else None)
        self.live.note_duration(began, self.clock())

    # --- requests ---------------------------------------------------------------------------------

    def still(self) -> Image:
        """Return a full picture, black where fists may open. Raise `RequestRefused` if there is no camera."""
        if self._camera is None:
            raise RequestRefused("no_camera")
        picture, pose = self._camera.still()[0], self.places.pose
        if pose is not None and pose.picture != (picture.shape[1], picture.shape[0]):
            pose = None
        return self.tokens.hide(picture, pose, self.places.mat)

    def calibrate(self) -> None:
        """Set and lock focus, exposure and white balance for the current picture, and search for the mat again.

        Raise `RequestRefused` if the camera finds no focus, after doing the rest.
        """
        if self._camera is None:
            raise RequestRefused("no_camera")
        self._camera.lock()
        self.locked = True
        self.places.forget()
        self.board.forget()
        self.look_again()
        if self._camera.unfocused:
            raise RequestRefused("unfocused")

    def look_again(self) -> None:
        """Read the table again at the next rest."""
        self._gate.forget_reading()
        self._find_mat_at = 0

    def name(self, place: str, at: int, card: str) -> bool:
        """Set a card's name from a player and look again. Return False if no card lies there."""
        known = self.reader.name(place, at, card)
        self.look_again()
        return known

    def hand(self, picture: Image) -> None:
        """Read a picture taken with a phone, in place of a camera. Raise `RequestRefused` if there is a camera."""
        if self._camera is None:
            self._camera = HandedPictures(picture, self.clock)
            self._last_error = None
            self._begin()
        elif not isinstance(self._camera, HandedPictures):
            raise RequestRefused("camera_there")
        self._camera.put(picture)
        self.look_again()

    def use(self, loaded: LoadedDeck) -> None:
        """Switch to another deck and its tokens."""
        self.reader.use(loaded)
        self.tokens.use(loaded.make_tokens)
        self.look_again()
        give_back()

    def simulated(self) -> Simulated:
        """Return the camera above a rendered table. Raise `RequestRefused` if the table is real."""
        if not isinstance(self._camera, Simulated):
            raise RequestRefused("unknown")
        return self._camera

    def allow(self, readable: TokensReadable) -> None:
        """Read only these places for tokens from now on, black out all others, and report the tokens again."""
        if self.tokens.allow(readable.places):
            self._was_blind = True
            self.look_again()

    def lay(self, laid: CardLaid | TokensLaid) -> None:
        """Move a card or tokens on a rendered table."""
        if isinstance(self._camera, Simulated):
            self._camera.lay(laid)
        else:
            LOG.warning("the table is real: nothing is laid over the bus at %s", laid.place)
