"""A shutdown at a live table is announced to everybody before the system is asked once."""

from __future__ import annotations

import queue
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.devices.bus import BusClient, SocketAddress, join
from companion.devices.registry import DeviceRegistry
from companion.messages import HOST, AnyMessage, ButtonState, Ending, Health, Press
from companion.ops import power, shutdown
from companion.ops.power import PowerError, Wish
from companion.ops.shutdown import Shutdown
from companion.table.table import Table
from tests.support.paces import HURRIED
from tests.support.presses import S

PATIENCE = 20.0
START = 100 * S


class Room:
    """A table without a game, its devices, a buttons service on a real bus, and a clock set by the test."""

    def __init__(self, folder: Path) -> None:
        self.now = START
        self.possible = True
        self.asked: queue.Queue[Wish] = queue.Queue()
        self.heard: queue.Queue[str] = queue.Queue()
        self.error: PowerError | None = None
        self.table = Table(folder / "journal.db", pace=HURRIED)
        self.board = DeviceRegistry(self.table, SocketAddress(folder / "bus"), clock=lambda: START)
        self.shutdown = Shutdown(self.table, self.board, lambda: self.now, self.ask, lambda: self.possible, telling=0.0)
        joined = threading.Event()
        self.service: BusClient = join(SocketAddress(folder / "bus"), "buttons", self.hear, joined.set)
        assert joined.wait(PATIENCE)
        self.health("open")
        assert self.said() == ""  # a new listener learns that no shutdown is under way

    def health(self, condition: str) -> None:
        """Send the condition of the host's button."""
        self.service.send(Health("buttons", 0, "lgpio", True, (ButtonState(HOST, 26, condition),)))  # type: ignore[arg-type]

    def ask(self, wish: Wish) -> None:
        """Record the request, as the system would receive it."""
        self.asked.put(wish)
        if self.error is not None:
            raise self.error

    def hear(self, message: AnyMessage) -> None:
        """Record the announcements that lamps receive."""
        if isinstance(message, Ending):
            self.heard.put(message.what)

    def said(self) -> str:
        """Return the next announcement."""
        return self.heard.get(timeout=PATIENCE)

    def press(self, at: int, contact: str = "closed", since: int = 0) -> None:
        """Press or release the host's button."""
        self.now = max(self.now, at)
        self.service.send(Press(HOST, at, contact, since))  # type: ignore[arg-type]

    def pass_time(self, to: int) -> None:
        """Advance the clock and wake all waiting threads."""
        self.now = to
        with self.shutdown._news:
            self.shutdown._news.notify_all()

    def close(self) -> None:
        """Close the service, the shutdown, the registry and the table."""
        self.service.close()
        self.shutdown.close()
        self.board.close()
        self.table.close()


@pytest.fixture
def room() -> Iterator[Room]:
    """Yield a room."""
    with tempfile.TemporaryDirectory(prefix="companion-") as folder:
        found = Room(Path(folder))
        yield found
        found.close()


def hold(room: Room, at: int = START) -> None:
    """Hold the host's button until its release is announced."""
    room.press(at)
    room.press(at + 700_000_000, "held", at)  # sent after the closing, so that the table has received that one
    announced(room, at)
    room.pass_time(at + 6 * S)
    assert room.said() == "release"


def announced(room: Room, at: int) -> None:
    """Wait until the hold is announced, because the press may still be on its way."""
    room.now = at + 2 * S
    while True:
        room.pass_time(at + 2 * S)
        try:
            assert room.heard.get(timeout=0.05) == "hold"
            return
        except queue.Empty:
            continue


def test_the_host_s_button_held_for_six_seconds_switches_off(room: Room) -> None:
    """After six seconds of holding, the release announces the shutdown and asks the system."""
    hold(room)
    assert room.asked.empty()
    room.press(START + 7 * S, "opened", START)
    assert room.said() == "off"
    assert room.asked.get(timeout=PATIENCE) == "off"
    assert room.shutdown.wish == "off"


def test_letting_go_before_stops_it(room: Room) -> None:
    """An early release withdraws the announcement, and the system is not asked."""
    room.press(START)
    announced(room, START)
    room.press(START + 5 * S, "opened", START)
    assert room.said() == ""
    assert room.asked.empty() and room.shutdown.wish is None


@pytest.mark.parametrize("condition", ["stuck", "chattering", "missing"])
def test_a_button_out_of_play_switches_nothing_off(room: Room, condition: str) -> None:
    """A button that becomes unreliable during a hold switches nothing off."""
    hold(room)
    room.health(condition)
    assert room.said() == ""
    room.press(START + 8 * S, "opened", START)
    room.press(START + 9 * S)  # sent after the opening
    announced(room, START + 9 * S)
    assert room.asked.empty() and room.shutdown.wish is None


def test_a_service_that_dies_meanwhile_switches_nothing_off(room: Room) -> None:
    """If the buttons service dies during a hold, nothing is switched off."""
    hold(room)
    taken = threading.Event()
    room.table.cues.listen(lambda cues: taken.set() if Ending() in cues else None)
    room.service.close()
    while not taken.wait(0.05):
        room.pass_time(START + 6 * S)
    assert room.asked.empty() and room.shutdown.wish is None


def test_where_the_system_cannot_be_asked_nothing_is_announced(room: Room) -> None:
    """If the system cannot be asked, as on a laptop, a hold is not announced."""
    room.possible = False
    for contact, at in (("closed", START), ("opened", START + 7 * S)):
        room.shutdown.press(Press(HOST, at, contact, START if contact == "opened" else 0))  # type: ignore[arg-type]
        room.pass_time(at + 3 * S)
    assert not room.shutdown.go("off", "host")
    room.possible = True
    room.pass_time(START + 60 * S)
    room.press(START + 60 * S)
    announced(room, START + 60 * S)
    assert room.asked.empty()


def test_a_page_s_wish_is_told_to_everybody_and_asked_once(room: Room) -> None:
    """A request from a page is announced and passed on once, and a second request does nothing."""
    assert room.shutdown.go("restart", "host")
    assert not room.shutdown.go("off", "host")
    assert room.said() == "restart"
    assert room.asked.get(timeout=PATIENCE) == "restart"
    assert room.asked.empty()


def test_a_system_that_refuses_is_told_and_life_goes_on(room: Room, caplog: pytest.LogCaptureFixture) -> None:
    """If the system refuses, the announcement is withdrawn, and a new request is possible."""
    room.error = PowerError("The system cannot be asked.")
    assert room.shutdown.go("off", "host")
    assert [room.said(), room.said()] == ["off", ""]
    assert "The system cannot be asked." in caplog.text
    room.error = None
    while not room.shutdown.go("off", "host"):
        assert room.said() == ""
    assert room.said() == "off"


def test_a_system_that_does_nothing_is_waited_for_and_then_given_up(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the system does not react, the announcement is withdrawn after a while."""
    monkeypatch.setattr(shutdown, "PATIENCE", 0.05)
    assert room.shutdown.go("off", "host")
    assert [room.said(), room.said()] == ["off", ""]


# --- the request file -----------------------------------------------------------------------------


def test_the_wish_is_one_word_in_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A request is written as one word to a file, without temporary files beside it."""
    monkeypatch.setenv("COMPANION_POWER", str(tmp_path / "power"))
    assert power.is_possible()
    for wish in power.WISHES:
        power.ask(wish)
        assert (tmp_path / "power").read_text(encoding="ascii") == f"{wish}\n"
    assert [path.name for path in tmp_path.iterdir()] == ["power"]


def test_where_there_is_no_place_for_it_nothing_is_possible(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the folder of the request file no shutdown is possible, and the error gives a remedy."""
    monkeypatch.setenv("COMPANION_POWER", str(tmp_path / "none" / "power"))
    assert not power.is_possible()
    with pytest.raises(PowerError, match=r"No such file or directory. Switch it off in its own terminal."):
        power.ask("off")


def test_the_place_is_the_service_s_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """The default path is the file that systemd watches."""
    monkeypatch.delenv("COMPANION_POWER", raising=False)
    assert power.request_path() == Path("/run/companion/power")
