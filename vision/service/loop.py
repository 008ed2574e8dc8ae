"""The camera's service: one loop that watches the table, serves requests from pages, and sends to the bus.

A thread beside the loop sends the camera's health twice a second, even during a reading. A worker thread does slow
work, such as making a deck. Every failure becomes a state of the camera, never an exception. Only a camera whose
library hangs ends the process, so that it restarts.
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
    SECOND,
    AnyMessage,
    Asked,
    CameraState,
    CardLaid,
    Message,
    TokensLaid,
    TokensReadable,
)
from companion.ops.systemd import SystemdNotifier
from companion.threads.inbox import Inbox
from vision.board.board_reader import BoardReader
from vision.cameras.camera_protocol import Camera, CameraError, CameraStuck
from vision.deck.stored_decks import DeckLibrary, RequestRefused
from vision.service.deck_reader import DeckReader, FindTokens, MakeReader, find_tokens, make_table_reader
from vision.service.live_picture import LivePicture
from vision.service.place_locator import CameraTrouble, PlaceLocator
from vision.service.requests import CameraRequests
from vision.service.table_watch import MORE_LOOKS, TableWatch
from vision.settings import CameraSettings

HEALTH_EVERY = 0.4
"""The interval between two messages on the camera's health, in seconds."""
PACE = 70 * MILLISECOND
"""The minimum interval between glances in nanoseconds. Fourteen a second catch every hand and leave time for the
rest."""
CALM_PACE = 140 * MILLISECOND
"""The minimum interval between glances above a calm table in nanoseconds. Half as many glances suffice there."""
BREATH = 60 * MILLISECOND
"""The maximum pause in nanoseconds after an expensive glance."""
AFTER_FAULT = 0.5
"""The pause in seconds after an unexpected error."""
STUCK = 3
"""The exit code when the camera's library hangs."""
LOG = logging.getLogger(__name__)


class ServiceOptions(msgspec.Struct, frozen=True):
    """The options for starting a camera's service."""

    settings: CameraSettings = CameraSettings()
    make_reader: MakeReader = make_table_reader
    find_tokens: FindTokens = find_tokens
    clock: Callable[[], int] = time.monotonic_ns
    trouble: CameraTrouble = CameraTrouble()
    """Trouble from before the service began, such as bad settings. It persists."""
    notify: SystemdNotifier | None = None
    """Receives a keepalive message from every round of the loop."""
    provide: Callable[[], str] | None = None
    """Returns the name of the deck, which may be slow if the deck must be made first. Until then the service reads
    nothing, but does everything else."""


USUAL = ServiceOptions()


class CameraService:
    """The service. `stop` may be called from any thread and from a signal handler, and `run` is the loop."""

    def __init__(
        self,
        data: Path,
        bus: Address,
        frames: Path,
        open_camera: Callable[[], Camera | None],
        options: ServiceOptions = USUAL,
    ) -> None:
        """Create a service.

        open_camera: raises `CameraError`, and returns None if no camera is wanted.
        """
        settings, provide = options.settings, options.provide
        decks = DeckLibrary(data)
        self.watch = TableWatch(
            open_camera,
            PlaceLocator(data, settings),
            DeckReader(decks, options.make_reader, settings.game, provide is not None, options.find_tokens),
            LivePicture(frames, settings.rotate),
            BoardReader(settings.game, data),
            options.clock,
            self._send,
        )
        self.watch.lasting_trouble = options.trouble
        self._clock = options.clock
        self._notify = options.notify or SystemdNotifier()
        self._ending = threading.Event()
        self._jobs: Inbox[Callable[[], None]] = Inbox()
        self._requests = CameraRequests(self.watch, settings, decks, frames, self.later, self._send)
        self._bus: BusClient | None = None  # its thread may call back before this is set
        self._bus = join(bus, "camera", self._on_message, lambda: self.later(self._on_joined))
        self._pulse = threading.Thread(target=self._beat, name="pulse", daemon=True)
        self._requests.load_deck(provide or (lambda: settings.deck or decks.last_used()))

    @property
    def state(self) -> CameraState:
        """The state of the camera."""
        return self.watch.status.state

    # --- from any thread --------------------------------------------------------------------------

    def stop(self) -> None:
        """End the loop soon."""
        self._ending.set()
        self.later(lambda: None)

    def later(self, job: Callable[[], None]) -> None:
        """Let the loop run a job soon, between two glances."""
        self._jobs.put(job)

    def _send(self, message: Message) -> None:
        if self._bus is not None:
            self._bus.send(message)

    def _beat(self) -> None:
        while not self._ending.wait(HEALTH_EVERY):
            self._send(self.watch.health())

    def _on_message(self, message: AnyMessage) -> None:
        match message:
            case Asked(service="camera"):
                self._requests.take(message)
            case CardLaid() | TokensLaid():
                self.later(lambda: self.watch.lay(message))
            case TokensReadable():
                self.later(lambda: self.watch.allow(message))
            case _:
                pass  # for lamps and others

    def _on_joined(self) -> None:
        self._send(self.watch.health())
        sighted = self.watch.last_sighted()
        if sighted is not None:
            self._send(sighted)

    # --- the loop ---------------------------------------------------------------------------------

    def run(self) -> int:
        """Serve until `stop`, and return the process's exit code."""
        self._pulse.start()
        self._notify.ready()
        code = 0
        try:
            while not self._ending.is_set() and not code:
                began, worked = self._clock(), time.process_time_ns()
                code = self._step()
                # If glances are expensive, spend at most half the time on them, but read a new card at once.
                rest = 0 if self.watch.looks_left == MORE_LOOKS else min(time.process_time_ns() - worked, BREATH)
                pace = CALM_PACE if self.watch.calm else PACE
                self._do_jobs(max(pace - (self._clock() - began), rest))
                self._notify.alive()
        finally:
            self._notify.stopping()
            self.close()
        return code

    def close(self) -> None:
        """Close the camera and leave the bus."""
        self._ending.set()
        self._requests.close()
        self.watch.close()
        if self._bus is not None:
            self._bus.close()

    def _do_jobs(self, left: int) -> None:
        """Run the waiting jobs, and wait up to `left` nanoseconds, until the next glance, for more."""
        until = self._clock() + max(0, left)
        while not self._ending.is_set():
            try:
                job = self._jobs.get(timeout=(until - self._clock()) / SECOND)
            except Empty:
                return
            try:
                job()
            except (CameraError, RequestRefused) as error:
                LOG.warning("%s", error)
            except Exception:
                LOG.exception("a request failed")

    def _step(self) -> int:
        """Look once. Return an exit code if only a new process helps, else 0."""
        try:
            self.watch.step()
        except CameraStuck as error:
            LOG.error("%s", error)
            self.watch.hang(error)
            return STUCK
        except CameraError as error:
            self.watch.fail(error)
        except Exception:
            LOG.exception("could not look at the table")
            self._ending.wait(AFTER_FAULT)
        return 0
