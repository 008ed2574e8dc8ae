"""A hall without a network, and a room whose table belongs to it; tests set the hall's state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from companion.devices.hall_link.hall_status import HallStatus
from companion.devices.hall_link.joining import JoinError
from companion.devices.hall_link.messages import CallAnswered, Placing, Result
from companion.table.table import Table
from tests.support.paces import HURRIED
from tests.support.web.visitors import JOURNAL, Room, Visitor
from web.app import PLUGINS, create_app
from web.plugin_registry import Source
from web.plugins.hall_link.link import TableHallLink
from web.plugins.hall_link.plugin import plugin_around

FINGERPRINT = "3F2A 91C0 77DE"
HALL = "The Wednesday club"


class HallDouble:
    """Replaces `TableHall` and its member, so that a test can play both ends."""

    def __init__(self) -> None:
        self.now = HallStatus()
        self.asked: list[tuple[Any, ...]] = []
        """The pages' requests, in order."""
        self.refuses: JoinError | None = None
        """The exception to raise when a table joins."""
        self.closed = False
        self._listeners: list[Callable[[], object]] = []

    def say(self, seat: int, right: bool) -> bool:
        """Let a seat confirm or dispute the result; return whether that changed anything."""
        self.asked.append(("say", seat, right))
        result = self.now.result
        assert result is not None
        confirmed, disputed = set(result.confirmed) - {seat}, set(result.disputed) - {seat}
        (confirmed if right else disputed).add(seat)
        said = replace(result, confirmed=tuple(sorted(confirmed)), disputed=tuple(sorted(disputed)))
        self.tell(result=said)
        return said != result

    def tell(self, **fields: Any) -> None:
        """Change the state, and notify listeners."""
        self.now = replace(self.now, **fields)
        for listener in self._listeners:
            listener()

    # --- the methods of `TableHall` ---------------------------------------------------------------

    @property
    def member(self) -> HallDouble | None:
        """The table's end, if the table is in a hall."""
        return self if self.now.name else None

    def fingerprint(self) -> str:
        """Return the fingerprint of the table's key."""
        return FINGERPRINT

    def status(self) -> HallStatus:
        """Return the hall's state."""
        return self.now

    def listen(self, listener: Callable[[], object]) -> None:
        """Call a function after each change."""
        self._listeners.append(listener)

    def join(self, address: str, code: str, name: str) -> None:
        """Start joining a hall."""
        self.asked.append(("join", address, code, name))
        if self.refuses is not None:
            raise self.refuses
        self.tell(joining="connecting", join_fault=None)

    def cancel(self) -> None:
        """Stop joining a hall."""
        self.asked.append(("cancel",))
        self.tell(joining="", join_fault=None)

    def leave(self) -> None:
        """Leave the hall."""
        self.asked.append(("leave",))
        self.now = HallStatus()
        self.tell()

    def close(self) -> None:
        """Record that the hall is closed."""
        self.closed = True

    # --- the methods of `HallMember` --------------------------------------------------------------

    @property
    def call(self) -> CallAnswered | None:
        """The judge's call."""
        return self.now.call

    def call_judge(self, seat: int = -1) -> None:
        """Call a judge."""
        self.asked.append(("call", seat))
        self.tell(call=CallAnswered(f"call {len(self.asked)}", "sent"))

    def withdraw_call(self) -> None:
        """Cancel the call."""
        self.asked.append(("withdraw",))
        self.tell(call=None)


def with_hall(link: TableHallLink) -> Mapping[str, Source]:
    """Return a table's plugins with an existing hall."""
    return {**PLUGINS, "hall_link": lambda app: plugin_around(app, link)}


class HallVisitors(Room):
    """A room whose table can join a hall, and has already joined it if the test says so."""

    def __enter__(self) -> HallVisitors:
        self.open()
        return self

    def open(self) -> None:
        """Open the table and the application."""
        self.table = Table(self.folder / JOURNAL, pace=HURRIED)
        self.hall = HallDouble()
        self.link = TableHallLink(self.hall)  # type: ignore[arg-type]
        self.app = create_app(self.table, self.folder / JOURNAL, testing=True, plugins=with_hall(self.link))
        self.anybody = Visitor(self.app.test_client())

    def close(self) -> None:
        """Close the application with the hall, and the table."""
        self.context.close()
        self.table.close()

    def say(self, **fields: Any) -> None:
        """Change the hall's state, and wait until pages show it."""
        self.hall.tell(**fields)
        self.link.refresh()

    def enter(self, **fields: Any) -> None:
        """Put the table into the hall."""
        self.say(**{"name": HALL, "connected": True, "number": 7} | fields)

    def result(self, **fields: Any) -> Result:
        """Return the result of the match on the table, even if it is not over."""
        snapshot = self.table.snapshot()
        assert snapshot.setup is not None
        names = tuple([player.name for player in snapshot.setup.seated()])
        placings = tuple([Placing((seat,), seat + 1, 9 - seat) for seat in range(len(names))])
        return Result(
            hall="h", table="abcdefgh", match=snapshot.match_id, sequence=1, game=snapshot.game.name, names=names,
            placings=placings, **fields,
        )  # fmt: skip
