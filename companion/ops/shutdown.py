"""Switch the machine off or restart it, by page or button. Everybody is told before the system is asked."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from companion.devices.registry import ButtonsStatus, DeviceRegistry
from companion.messages import HOST, SECOND, Ending, Press
from companion.ops import power
from companion.ops.long_press import LongPress
from companion.ops.power import PowerError, Wish
from companion.table.scheduler import Clock
from companion.table.table import Table, WorkerClosed

TELLING = 1.0
"""Seconds between the announcement and the request to the system: pages, lamps and the last answer need a moment."""
PATIENCE = 60.0
"""Seconds after which a machine that still runs was not switched off after all."""
LOG = logging.getLogger(__name__)


class Shutdown:
    """Follows one table and its devices. Any thread may call its methods.

    `ask` asks the system, `possible` returns whether that can work; `clock` returns nanoseconds.
    """

    def __init__(
        self,
        table: Table,
        board: DeviceRegistry | None = None,
        clock: Clock = time.monotonic_ns,
        ask: Callable[[Wish], None] = power.ask,
        possible: Callable[[], bool] = power.is_possible,
        telling: float = TELLING,
    ) -> None:
        self.wish: Wish | None = None
        """The present or coming request to the system."""
        self.possible = possible
        self._table, self._clock, self._ask, self._notice = table, clock, ask, telling
        self._long_press = LongPress(clock())
        self._said = ""
        self._news = threading.Condition()
        self._closed = False
        self._announce("")  # joining pages then know that nothing is ending
        if board is not None:
            board.hear(self.press)
            board.listen(self.on_buttons_change)
        self._thread = threading.Thread(target=self._run, name="shutdown", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop the thread."""
        with self._news:
            self._closed = True
            self._news.notify_all()
        self._thread.join()

    # --- presses and requests ---------------------------------------------------------------------

    def press(self, press: Press) -> None:
        """Handle a press of the host's button."""
        if press.seat != HOST or self.wish is not None or not self.possible():
            return
        with self._news:
            self._long_press.hear(press, self._clock())
            self._news.notify_all()

    def on_buttons_change(self, was: ButtonsStatus, now: ButtonsStatus) -> None:
        """Handle the loss of the host's button or of its service."""
        if not now.alive or HOST in now.out_of_play():
            with self._news:
                self._long_press.forget()
                self._news.notify_all()

    def go(self, wish: Wish, by: str) -> bool:
        """Tell everybody, then ask the system; return False if that is impossible or has already happened."""
        with self._news:
            if self.wish is not None or not self.possible():
                return False
            LOG.warning("%s asks for: %s", by, wish)
            self.wish = wish
            self._news.notify_all()
        return True

    # --- the thread -------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            while not self._wait():
                self._look()
        except WorkerClosed:
            return

    def _wait(self) -> bool:
        """Wait until something may have changed; return whether the table is closed."""
        with self._news:
            now = self._clock()
            if not self._closed and self.wish is None and self._long_press.tick(now) == self._said:
                # Computed for the same moment as `tick`, so that no change is missed.
                due = self._long_press.due(now)
                self._news.wait(None if due is None else (due - now) / SECOND)
            return self._closed

    def _look(self) -> None:
        with self._news:
            stage = self._long_press.tick(self._clock())
            if stage == "off":
                self._long_press.forget()
                if self.wish is None:
                    LOG.warning("the host's button asks for: off")
                    self.wish = "off"
            wish = self.wish
        if wish is None:
            self._announce(stage)
            return
        self._announce(wish)
        if self._wait_closed(self._notice):
            return
        try:
            self._ask(wish)
        except PowerError as error:
            LOG.error("%s", error)
        else:
            if self._wait_closed(PATIENCE):
                return
            LOG.error("the system was asked for: %s, and nothing has happened", wish)
        with self._news:
            self.wish = None
            self._long_press.forget()
        self._announce("")

    def _wait_closed(self, seconds: float) -> bool:
        """Wait; return whether the table was closed meanwhile."""
        with self._news:
            return self._news.wait_for(lambda: self._closed, seconds)

    def _announce(self, what: str) -> None:
        """Announce a stage of the shutdown, also to pages that join later."""
        self._said = what
        self._table.announce(Ending(what=what))
