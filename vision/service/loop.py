"""The camera's service: one loop of camera, gate, mat, black-out, reading and bus. Knows no rules and no single camera.

It never reads a table that moves. A thread beside the loop says twice a second how the camera is, also while a picture
is being read; what takes long (making a deck) is done by another. Whatever goes wrong is told as a state, never as an
exception; only a camera whose library hangs ends the process, to be started again.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path
from queue import Empty

import msgspec

from companion.devices.bus import Address, BusClient, join
from companion.messages import (
    MILLISECOND,
    RENDERED,
    SECOND,
    Answered,
    AnyMessage,
    Asked,
    CameraState,
    CardLaid,
    Health,
    Looking,
    Message,
)
from companion.ops.systemd import SystemdNotifier
from companion.threads.inbox import Inbox
from vision.board.places import CameraTrouble, PlaceLocator
from vision.cameras import Camera, CameraError, CameraStuck, PictureCheck
from vision.cameras.rendered import RenderedCamera
from vision.deck.capture import DeckCapture
from vision.deck.library import DeckLibrary, RequestRefused
from vision.image import Image
from vision.mat import MatPose, black_out, visible
from vision.process import give_back
from vision.service.deck_reader import DeckReader, LoadedDeck, MakeReader, table_reader
from vision.service.live_picture import LivePicture
from vision.service.motion_gate import MotionGate, MotionState
from vision.service.requests import CameraRequests
from vision.settings import CameraSettings

HEALTH_EVERY = 0.4
"""Seconds between two words on how the camera is."""
PACE = 70 * MILLISECOND
"""A glance takes so long at least: fourteen a second notice every hand, and leave time for the rest."""
BREATH = 60 * MILLISECOND
"""The longest rest after a glance that cost much."""
AGAIN = 2 * SECOND
"""A camera that is not there is looked for so often, and so is a mat."""
LOOKS = 6
"""Further looks at most at a table at rest, where they make a reading surer."""
RESTLESS = 20 * SECOND
SLOW = 1500 * MILLISECOND
"""A reading that takes longer is told."""
STUCK = 3
"""The exit code when the camera's library hangs."""
LOG = logging.getLogger(__name__)


class CameraService:
    """`stop` may be called from any thread and from a signal handler; `run` is the loop."""

    def __init__(
        self,
        data: Path,
        bus: Address,
        shelf: Path,
        open_camera: Callable[[], Camera | None],
        settings: CameraSettings | None = None,
        make_reader: MakeReader = table_reader,
        clock: Callable[[], int] = time.monotonic_ns,
        trouble: CameraTrouble | None = None,
        notify: SystemdNotifier | None = None,
        provide: Callable[[], str] | None = None,
    ) -> None:
        """`open_camera` raises `CameraError`, and returns None where no camera is wanted; `trouble` is what was wrong
        before the service began (bad settings), and stands. `notify` is told that the loop goes round. `provide`
        returns the name of the deck to read with, which may take long: it may have to be made; meanwhile nothing is
        read, and all else goes on."""
        self.settings = settings or CameraSettings()
        self.decks = DeckLibrary(data)
        self.enrolling = DeckCapture(self.decks, shelf, self.settings.card)
        self.where = PlaceLocator(data, self.settings)
        self.live = LivePicture(shelf, self.settings.rotate)
        self.clock = clock
        self.state = CameraState("starting")
        self._open, self._standing = open_camera, trouble
        self._notify = notify or SystemdNotifier()
        self._ending = threading.Event()
        self._errands: Inbox[Callable[[], None]] = Inbox()
        self._camera: Camera | None = None
        self._open_at = self._mat_at = 0
        self._had = False
        self._blinded = False
        """Whether it has seen nothing since the table was read last: then that is said again, though it be the same."""
        self._lost: CameraError | None = None
        self._anew()
        self.reading = DeckReader(self.decks, make_reader, self.settings.game, coming=provide is not None)
        self._took = 0
        self._answering = CameraRequests(self)
        self._bus: BusClient | None = None  # its thread may speak before it is here
        self._bus = join(bus, "camera", self._heard, lambda: self.later(self._joined))
        self._pulse = threading.Thread(target=self._beat, name="pulse", daemon=True)
        self._answering.load_deck(provide or (lambda: self.settings.deck or self.decks.used()))

    def _anew(self) -> None:
        """Begin with a camera."""
        self.held = bool(self.settings.focus)
        self._gate = MotionGate()
        self._judge = PictureCheck(self._camera is not None and self._camera.live)
        self._glances: list[int] = []
        self._size = (0, 0)
        self._looks = 0
        self._moving_since: int | None = None
        self._mask: tuple[MatPose, tuple[int, ...], Image] | None = None

    # --- from any thread --------------------------------------------------------------------------

    def stop(self) -> None:
        """End the loop soon."""
        self._ending.set()
        self.later(lambda: None)

    def later(self, errand: Callable[[], None]) -> None:
        """Have the loop do something soon, between two glances."""
        self._errands.put(errand)

    def answer(self, answered: Answered) -> None:
        """Answer a page."""
        self._say(answered)

    def tell(self) -> None:
        """Say how the camera is."""
        kind = RENDERED if isinstance(self._camera, RenderedCamera) else ""
        self._say(Health("camera", self.clock(), kind, camera=self.state))

    def _say(self, message: Message) -> None:
        if self._bus is not None:
            self._bus.send(message)

    def _beat(self) -> None:
        while not self._ending.wait(HEALTH_EVERY):
            self.tell()

    def _heard(self, message: AnyMessage) -> None:
        match message:
            case Asked(service="camera"):
                self._answering.take(message)
            case CardLaid():
                self.later(lambda: self._lay(message))
            case _:
                pass  # for lamps and others

    def _joined(self) -> None:
        self.tell()
        if self.reading.last is not None and not self._blinded:
            self._say(self.reading.last)

    # --- the loop ---------------------------------------------------------------------------------

    def run(self) -> int:
        """Serve until `stop`; return the process's exit code."""
        self._pulse.start()
        self._notify.ready()
        code = 0
        try:
            while not self._ending.is_set() and not code:
                began, worked = self.clock(), time.process_time_ns()
                code = self._step()
                # Where glances cost much, at most half the time is spent on them; but who has just laid a card waits.
                rest = 0 if self._looks == LOOKS else min(time.process_time_ns() - worked, BREATH)
                self._do_errands(max(PACE - (self.clock() - began), rest))
                self._notify.alive()
        finally:
            self._notify.stopping()
            self.close()
        return code

    def close(self) -> None:
        """Give the camera back and leave the bus."""
        self._ending.set()
        self._answering.close()
        if self._camera is not None:
            self._camera.close()
            self._camera = None
        if self._bus is not None:
            self._bus.close()

    def _do_errands(self, left: int) -> None:
        """Do what was asked for; wait for that until the next glance is due."""
        until = self.clock() + max(0, left)
        while not self._ending.is_set():
            try:
                errand = self._errands.get(timeout=(until - self.clock()) / SECOND)
            except Empty:
                return
            try:
                errand()
            except (CameraError, RequestRefused) as error:
                LOG.warning("%s", error)
            except Exception:
                LOG.exception("something that was asked for could not be done")

    def _step(self) -> int:
        """Look once; return an exit code where only a new process helps, else 0."""
        try:
            if self._camera is None:
                self._opened()
            else:
                self._look(self._camera)
        except CameraStuck as error:
            LOG.error("%s", error)
            self._is("none", CameraTrouble(error.key, error.fields))
            self.tell()
            return STUCK
        except CameraError as error:
            self._lose(error)
        except Exception:
            LOG.exception("the table could not be looked at")
            self._ending.wait(0.5)
        return 0

    def _opened(self) -> None:
        """Look for the camera, now and then."""
        now = self.clock()
        if now < self._open_at:
            return
        self._open_at = now + AGAIN
        self._camera = self._open()
        if self._camera is None:
            self._is("none", self._standing or CameraTrouble())
            return
        self._had, self._lost = True, None
        self._anew()
        self._is("starting", CameraTrouble())

    def _lose(self, error: CameraError) -> None:
        """The camera is not there, or is no more."""
        if self._lost is None or str(self._lost) != str(error):
            LOG.warning("%s", error)
        self._lost, self._blinded = error, True
        if self._camera is not None:
            self._camera.close()
            self._camera = None
            self._open_at = self.clock() + AGAIN
        key = "camera_lost" if self._had and error.key == "no_camera" else error.key
        if key == "ended":
            self._open_at = 1 << 62  # a recording does not begin again by itself
        self._is("none", CameraTrouble(key, error.fields))

    def _look(self, camera: Camera) -> None:
        """Take one glance, and read the table where it is at rest and was changed."""
        glance, now = camera.glance(), self.clock()
        self._glances = [*self._glances[-15:], now]
        blind = self._judge.trouble(glance, now)
        watched = self._gate.look(glance, now, self._masked(glance))
        if blind:
            self._blinded = True
            self._is("blind", CameraTrouble(blind))
            return
        self._moving_since = (self._moving_since or now) if watched.moving else None
        lost = self.where.pose is None and now >= self._mat_at
        if not watched.moving and (watched.changed or lost or self._looks):
            self._read(camera, watched)
        self._show(camera, watched)
        self._is(self._looking(watched), self._trouble(now))

    def _masked(self, glance: Image) -> Image | None:
        """Return where the places are in a glance; None: they are not known."""
        pose, mat = self.where.pose, self.where.mat
        if pose is None or mat is None:
            return None
        if self._mask is None or self._mask[0] is not pose or self._mask[1] != glance.shape:
            small = visible(pose.resized((glance.shape[1], glance.shape[0])), mat)
            self._mask = pose, glance.shape, small
        return self._mask[2]

    def _read(self, camera: Camera, watched: MotionState) -> None:
        """Take the full picture and read it, if nothing moved meanwhile."""
        began = self.clock()
        picture, at = camera.still()
        self._size = (picture.shape[1], picture.shape[0])
        after = camera.glance()
        if self._gate.look(after, self.clock(), self._masked(after)).moving:
            return
        self._gate.read()
        self._looks = 0 if watched.changed else max(0, self._looks - 1)
        self._mat_at = self.clock() + AGAIN
        if not self.where.look(picture, at) or self.where.pose is None or self.where.mat is None:
            return
        if self.state.looking in ("starting", "unplaced"):
            # The first reading takes a second: whoever waits for the table to be seen need not wait for it.
            self._is(self._looking(watched), self._trouble(at))
        if not self.reading.ready:
            return
        clean = black_out(picture, self.where.pose, self.where.mat)
        news, pending = self.reading.read(clean, self.where.pose, self.where.mat, at)
        self._took = self.clock() - began
        self._looks = (LOOKS if watched.changed else self._looks) if pending else 0
        if self._blinded:
            news, self._blinded = self.reading.last, False
        if news is not None:
            self._say(news)
        if isinstance(camera, RenderedCamera):
            give_back()  # it shares its machine with all else of a demonstration

    def _show(self, camera: Camera, watched: MotionState) -> None:
        """Put the live picture on the shelf while somebody watches."""
        began = self.clock()
        if not self.live.due(began):
            return
        picture, at = camera.still()
        pose, mat = self.where.pose, self.where.mat
        if pose is not None and pose.picture != (picture.shape[1], picture.shape[0]):
            pose = mat = None
        last = self.reading.last
        seen, covered = (last.sightings, last.covered) if last is not None else ((), ())
        self.live.show(picture, at, mat, pose, seen, covered, watched.moving)
        self.live.made(began, self.clock())

    # --- how it is --------------------------------------------------------------------------------

    def _looking(self, watched: MotionState) -> Looking:
        if self._size == (0, 0):  # no full picture was taken yet: nothing can be said
            return "starting"
        if self.where.pose is None:
            return "unplaced"
        return "moving" if watched.moving else "still"

    def _trouble(self, now: int) -> CameraTrouble:
        """Return what is wrong, the worst first (docs/architecture.md)."""
        found = self.where.trouble() if self._size != (0, 0) else CameraTrouble()
        if found.key:
            return found
        if self.reading.trouble.key:
            return self.reading.trouble
        if self._moving_since is not None and now - self._moving_since > RESTLESS:
            return CameraTrouble("restless")
        if self._took > SLOW:
            return CameraTrouble("slow", {"seconds": round(self._took / SECOND, 1)})
        return CameraTrouble()

    def _is(self, looking: Looking, trouble: CameraTrouble) -> None:
        """Take note of how the camera is, and say so where it is news."""
        pose = self.where.pose if self._camera is not None else None
        before = self.state
        self.state = CameraState(
            looking,
            trouble.key,
            trouble.fields,
            self.reading.deck,
            pose is not None,
            round(pose.scale, 2) if pose is not None else 0.0,
            self._fps(),
            self._size,
        )
        if msgspec.structs.replace(before, fps=self.state.fps) != self.state:
            self.tell()

    def _fps(self) -> float:
        """Return glances in a second, lately."""
        if self._camera is None or len(self._glances) < 2:
            return 0.0
        return round((len(self._glances) - 1) * SECOND / max(1, self._glances[-1] - self._glances[0]), 1)

    # --- errands, done by the loop ----------------------------------------------------------------

    @property
    def source(self) -> str:
        """What the camera was opened as, such as `usb:0`; empty: there is none."""
        return self._camera.source if self._camera is not None else ""

    def still(self) -> Image:
        """Return a full picture now; raise `RequestRefused` where there is no camera."""
        if self._camera is None:
            raise RequestRefused("no_camera")
        return self._camera.still()[0]

    def calibrate(self) -> None:
        """Set focus, exposure and white balance for what is seen now, lock them, and look for the mat anew."""
        if self._camera is None:
            raise RequestRefused("no_camera")
        self._camera.lock()
        self.held = True
        self.where.forget()
        self.look_again()

    def look_again(self) -> None:
        """Read the table anew at the next rest."""
        self._gate.anew()
        self._mat_at = 0

    def name(self, place: str, at: int, card: str) -> bool:
        """Take a person's word on a card, and look again."""
        known = self.reading.name(place, at, card)
        self.look_again()
        return known

    def use(self, loaded: LoadedDeck) -> None:
        """Read with another deck from now on."""
        self.reading.use(loaded)
        self.look_again()
        give_back()

    def rendered(self) -> RenderedCamera:
        """Return the camera above a rendered table; raise `RequestRefused` where the table is real."""
        if not isinstance(self._camera, RenderedCamera):
            raise RequestRefused("unknown")
        return self._camera

    def _lay(self, laid: CardLaid) -> None:
        if isinstance(self._camera, RenderedCamera):
            self._camera.lay(laid)
        else:
            LOG.warning("the table is real: %s is not moved over the bus", laid.card)
