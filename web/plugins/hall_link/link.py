"""Keeps the facts that pages show about the table's hall. A separate thread checks for news from the hall, so that
moves are not delayed.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from web.forms import InvalidForm
from web.plugins.hall_link.shown import HallTyped, HallView, hall_view, round_clock

if TYPE_CHECKING:
    from companion.devices.hall_link.member import HallMember
    from companion.devices.hall_link.table_hall import TableHall

LOG = logging.getLogger(__name__)
LOOK_S = 5.0
"""Seconds between two checks of why a hall is unreachable."""
REST_S = 0.2
"""The fewest seconds between two checks, however much news there is."""
MINUTE_S = 0.05
"""Seconds after the end of a minute at which the next one is shown."""
TABLET = -1
"""The caller of a judge on the shared tablet."""


class TableHallLink:
    """A table's hall for its pages. Close it before the table."""

    def __init__(self, hall: TableHall) -> None:
        self._hall = hall
        self._show: Callable[[], object] = lambda: None
        self._typed = HallTyped()
        self._called: tuple[str, int] = ("", TABLET)
        """The id of the last call, and its caller."""
        self._since = ""
        self._minute_s: float | None = None
        """Seconds until the round's clock shows another minute; None: it is stopped."""
        self._lock = threading.Lock()
        self._news, self._closing = threading.Event(), threading.Event()
        self.view = HallView()
        """The facts that pages show now."""
        self._look()
        hall.listen(self._news.set)
        self._thread = threading.Thread(target=self._watch, name="hall pages", daemon=True)

    def start(self, show: Callable[[], object]) -> None:
        """Call a function after every visible change, in a separate thread."""
        self._show = show
        self._thread.start()

    def stop(self) -> None:
        """Tell the thread to end soon."""
        self._closing.set()
        self._news.set()

    def close(self) -> None:
        """Close the connection to the hall; the table stays a member."""
        self.stop()
        self._hall.close()

    def expected_players(self) -> tuple[str, ...]:
        """Return the players that the hall assigned to this table, in the order of seats."""
        return () if self.view.over else self.view.players

    def refresh(self) -> None:
        """Check for news, and show it."""
        if self._look():
            self._show()

    def _look(self) -> bool:
        """Check the state of the hall; return whether pages must change."""
        with self._lock:
            status, was = self._hall.status(), self.view
            if was.connected and not status.connected:
                self._since = time.strftime("%H:%M")
            elif status.connected or not status.name:
                self._since = ""
            waiting = status.joining == "waiting"
            known, caller = self._called
            self.view = hall_view(
                status,
                self._typed,
                self._hall.fingerprint() if waiting else "",
                caller if status.call is not None and status.call.id == known else TABLET,
                self._since,
            )
            self._minute_s = round_clock(status)[1] % 60 + MINUTE_S if self.view.minutes else None
            return self.view != was

    def _watch(self) -> None:
        while True:
            gone = self.view.name and not self.view.connected
            self._news.wait(LOOK_S if gone else self._minute_s)
            self._news.clear()
            if self._closing.is_set():
                return
            try:
                self.refresh()
            except Exception:
                LOG.exception("the state of the hall could not be shown")
            self._closing.wait(REST_S)

    # --- the people's actions ---------------------------------------------------------------------

    @property
    def _member(self) -> HallMember:
        member = self._hall.member
        if member is None:
            raise InvalidForm("hall_link.in_none")
        return member

    def join(self, address: str, code: str, name: str) -> None:
        """Begin to join a hall; raise `InvalidForm` if that is impossible."""
        # Import late: the module needs packages that not every table has installed.
        from companion.devices.hall_link.joining import JoinError

        if self._hall.member is not None and self._hall.status().connected:
            raise InvalidForm("hall_link.in_one")
        try:
            self._hall.join(address, code, name)
        except JoinError as error:
            raise InvalidForm(error.key, **error.fields) from None
        self._typed = HallTyped(address, name)
        self.refresh()

    def cancel(self) -> None:
        """Cancel joining."""
        self._hall.cancel()
        self.refresh()

    def leave(self) -> None:
        """Leave the hall; raise `InvalidForm` if the table is in none."""
        assert self._member is not None
        self._hall.leave()
        self._typed = HallTyped()
        self.refresh()

    def call_judge(self, seat: int = TABLET) -> None:
        """Call a judge, unless one is called already; raise `InvalidForm` outside a hall."""
        member = self._member
        with self._lock:
            if member.call is None:
                member.call_judge(seat)
                made = member.call
                self._called = ("" if made is None else made.id, seat)
        self.refresh()

    def withdraw_call(self, seat: int = TABLET) -> None:
        """Cancel the call; raise `InvalidForm` if another seat called. The shared tablet may always cancel."""
        member = self._member
        with self._lock:
            call = member.call
            if call is not None and seat != TABLET and self._called != (call.id, seat):
                raise InvalidForm("hall_link.not_yours")
            member.withdraw_call()
        self.refresh()

    def say(self, seat: int, match: str, right: bool) -> None:
        """Record a seat's answer about a match's result; raise `InvalidForm` if none is expected now."""
        member = self._member
        result = self._hall.status().result
        if result is None or result.match != match:
            raise InvalidForm("hall_link.nothing_to_confirm")
        member.say(seat, right)
        self.refresh()
