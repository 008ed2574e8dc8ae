"""The device registry over a real socket: live services, lost services, and their messages."""

from __future__ import annotations

import queue
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.devices.bus import CHECK_EVERY, LOST, BrokerAddress, BusError, SocketAddress, find_address, serve
from companion.devices.bus.socket_path import listen
from companion.devices.registry import STARTING, ButtonsStatus, DeviceRegistry
from companion.engine import Seat
from companion.games.take_a_train import events as ev
from companion.messages import (
    ButtonState,
    Count,
    Health,
    Here,
    LampState,
    Leading,
    Message,
    PinDriven,
    Press,
    Raise,
    Stopped,
    Trouble,
    YourTurn,
    decode,
    encode,
)
from tests.support.brokers import free_port
from tests.support.matches import ours, quick
from tests.support.paces import HURRIED
from tests.support.presses import MS, Live, S

__all__ = ["quick"]
pytestmark = pytest.mark.usefixtures("quick")
A, B = Seat(0), Seat(1)
OPEN = (ev.StarterNamed(A), ev.TokenDrawn("open"), ev.LocosRevealed(("steam-4",)), ev.Opened(A, 200))
PATIENCE = 20
"""Seconds after which a test stops waiting for an immediate reaction."""


class Service:
    """A service at a raw socket that sends and receives lines."""

    def __init__(self, path: Path, service: str = "buttons") -> None:
        self.end = socket.socket(socket.AF_UNIX)
        self.end.settimeout(PATIENCE)
        self.end.connect(str(path))
        self.file = self.end.makefile("rb")
        self.send(Here(service))

    def send(self, *messages: Message) -> None:
        """Send messages."""
        self.end.sendall(b"".join(encode(message) for message in messages))

    def health(self, kind: str = "simulated", **fields: Any) -> None:
        """Send the health of the buttons."""
        self.send(Health("buttons", 0, kind, **fields))

    def read(self, kind: type[Message]) -> Any:
        """Return the next message of a kind."""
        while not isinstance(message := decode(self.file.readline()), kind):
            pass
        return message

    def close(self) -> None:
        """Close the connection."""
        self.end.shutdown(socket.SHUT_RDWR)
        self.file.close()
        self.end.close()


class House:
    """A table with an Open lot and its registry, which records each state of the buttons."""

    def __init__(self, folder: Path, expected: bool = False) -> None:
        self.live = Live(folder / "journal.db", pace=msgspec.structs.replace(HURRIED, count_gap_ms=1000))
        self.live.table.start(ours())
        self.live.say(*OPEN)
        self.changes: queue.Queue[tuple[ButtonsStatus, ButtonsStatus]] = queue.Queue()
        self.pressed: queue.Queue[Press] = queue.Queue()
        self.path = folder / "bus"
        services = ("buttons",) if expected else ()
        self.board = DeviceRegistry(self.live.table, SocketAddress(self.path), services, lambda: self.live.now)
        self.board.listen(lambda was, now: self.changes.put((was, now)))
        take = self.live.table.press
        self.live.table.press = lambda press: (take(press), self.pressed.put(press))[0]  # type: ignore[method-assign]
        self.services: list[Service] = []

    def join(self) -> Service:
        """Connect a service and return it."""
        self.services.append(Service(self.path))
        return self.services[-1]

    def until(self, right: Callable[[ButtonsStatus], bool]) -> ButtonsStatus:
        """Wait until the state of the buttons meets a condition, and return it."""
        while not right(now := self.changes.get(timeout=PATIENCE)[1]):
            pass
        return now

    def hush(self, until: int) -> None:
        """Advance the time to a moment (ns) with the registry's regular checks."""
        hush(self.live, self.board, until)

    def close(self) -> None:
        """Close the registry, the table and the services."""
        self.board.close()
        for service in self.services:
            service.file.close()
            service.end.close()
        self.live.table.close()


def hush(live: Live, board: DeviceRegistry, until: int) -> None:
    """Advance the time to a moment (ns) with a registry's regular checks."""
    while live.now < until:
        live.now = min(until, live.now + round(CHECK_EVERY * S))
        board.look()


@pytest.fixture
def house(folder: Path) -> Iterator[House]:
    """Yield a table with its device registry."""
    house = House(folder)
    yield house
    house.close()


def test_a_press_goes_from_the_service_to_the_table(house: House) -> None:
    """A press from the service raises at the table, and the cue returns to the service."""
    service = house.join()
    service.health()
    service.send(Press(B, 5 * S))
    assert house.pressed.get(timeout=PATIENCE) == Press(B, 5 * S)
    house.live.wait(6 * S)
    assert house.live.events[-1] == ev.Raised(B, 250)
    assert service.read(Raise) == Raise(seat=B, amount=250)


def test_who_joins_late_is_told_what_stands(house: House) -> None:
    """A service that joins during a lot is told whose turn it is, who leads and that there is no trouble."""
    service = house.join()
    found = [service.read(kind) for kind in (YourTurn, Leading, Trouble)]
    assert found[1:] == [Leading(seat=A), Trouble()]
    assert found[0] == next(cue for cue in house.live.table.cues.standing_cues() if isinstance(cue, YourTurn))


def test_health_says_how_the_buttons_are(house: House) -> None:
    """The state of the buttons lists the seats whose wired or wireless buttons are unreliable."""
    states = (ButtonState(0, 5), ButtonState(1, 6, "stuck"), ButtonState(2, 7, "closed"))
    house.join().health("lgpio", stamped=True, buttons=states, lamps=(LampState(0, 16),), said="Seat 2 is stuck.")
    now = house.until(lambda buttons: buttons.alive)
    assert now == ButtonsStatus(True, True, "lgpio", True, states, (LampState(0, 16),), "Seat 2 is stuck.")
    assert now.out_of_play() == {1: "stuck"}
    both = (*states, ButtonState(0, -1, "missing"), ButtonState(4, -1, "missing"))
    assert ButtonsStatus(True, True, buttons=both).out_of_play() == {1: "stuck", 4: "missing"}
    assert not now.lost


def test_a_silent_service_is_lost_and_the_count_broken(house: House) -> None:
    """A silent service is lost after the limit, and its loss breaks the count but keeps price and leader."""
    service = house.join()
    service.health()
    house.until(lambda buttons: buttons.alive)
    service.send(Press(A, 5 * S))
    house.pressed.get(timeout=PATIENCE)
    house.live.wait(5 * S + 200 * MS)
    assert service.read(Count) == Count(number=1, seat=A)
    house.hush(5 * S + LOST)
    assert house.board.buttons.alive
    house.hush(5 * S + LOST + 1)
    assert house.board.buttons.lost
    assert house.live.events[-2:] == [ev.Counted(A, 1), ev.CountBroken("buttons")]
    assert service.read(Stopped) == Stopped()
    assert service.read(Trouble) == Trouble(what="buttons")


def test_a_service_that_speaks_is_not_lost(house: House) -> None:
    """A service that sends health every half second is never lost."""
    service = house.join()
    for n in range(5):
        house.live.now = 5 * S + n * 500 * MS
        service.health(said=str(n))
        house.until(lambda buttons, n=n: buttons.said == str(n))  # type: ignore[misc]
        house.board.look()
    assert house.board.buttons.alive
    assert house.live.kinds(Trouble) == [Trouble()]


def test_a_word_that_comes_while_silence_is_judged_is_not_overwritten(house: House) -> None:
    """A message that arrives while silence is being checked keeps the service from being lost."""
    service = house.join()
    service.health()
    house.until(lambda buttons: buttons.alive)
    (peer,) = house.board.bus._peers  # type: ignore[attr-defined]
    word = Health("buttons", 0, "simulated", said="here")
    waits: list[bool] = []

    def speak() -> None:
        free = house.board._lock.acquire(blocking=False)
        waits.append(not free)
        if free:
            house.board._lock.release()
            house.board._receive(peer, word)

    def lose() -> None:
        house.board._lose = write  # type: ignore[method-assign]
        thread = threading.Thread(target=speak)
        thread.start()
        thread.join()
        write()

    write, house.board._lose = house.board._lose, lose  # type: ignore[method-assign]
    house.hush(5 * S + 2 * LOST)
    if waits == [True]:  # the message waited for the check and is delivered now
        house.board._receive(peer, word)
    assert waits and house.board.buttons.alive and house.board.buttons.said == "here"


def test_what_the_table_has_not_dealt_with_is_no_silence(house: House) -> None:
    """A service is not lost while the table is busy with an earlier message of it."""
    service = house.join()
    service.health()
    house.until(lambda buttons: buttons.alive)
    entered, go_on = threading.Event(), threading.Event()

    def slow(press: Press) -> None:
        entered.set()
        assert go_on.wait(PATIENCE)

    house.board.hear(slow)
    service.send(Press(A, 5 * S))
    assert entered.wait(PATIENCE)
    service.health(said="still here")
    house.hush(5 * S + 4 * LOST)
    assert house.board.buttons.alive
    go_on.set()
    house.until(lambda buttons: buttons.said == "still here")
    heard_at = house.live.now
    house.hush(heard_at + LOST)
    assert house.board.buttons.alive
    assert ev.CountBroken("buttons") not in house.live.events
    house.hush(heard_at + LOST + 1)
    assert house.board.buttons.lost


def test_a_table_that_did_not_run_itself_has_missed_nothing(house: House) -> None:
    """If the whole machine stops for a minute, the service is not lost."""
    house.join().health()
    house.until(lambda buttons: buttons.alive)
    house.live.now += 60 * S
    house.board.look()
    assert house.board.buttons.alive
    house.hush(house.live.now + LOST)
    assert house.board.buttons.lost


def test_a_closed_connection_is_lost_at_once(house: House) -> None:
    """A service whose connection closes during a count is lost at once, and the count is broken."""
    service = house.join()
    service.health()
    service.send(Press(A, 5 * S))
    house.pressed.get(timeout=PATIENCE)
    house.live.wait(5 * S + 200 * MS)
    service.close()
    house.until(lambda buttons: buttons.lost)
    assert house.live.events[-1] == ev.CountBroken("buttons")
    assert house.live.kinds(Trouble)[-1] == Trouble(what="buttons")


def test_when_it_returns_all_is_well(house: House) -> None:
    """A new process of a lost service takes over, and the game continues."""
    first = house.join()
    first.health()
    house.until(lambda buttons: buttons.alive)
    first.close()
    house.until(lambda buttons: buttons.lost)
    house.live.now = 10 * S
    second = house.join()
    assert second.read(Trouble) == Trouble(what="buttons")
    second.health()
    house.until(lambda buttons: buttons.alive)
    assert second.read(Trouble) == Trouble()
    second.send(Press(B, 10 * S))
    house.pressed.get(timeout=PATIENCE)
    house.live.wait(11 * S)
    assert house.live.events[-1] == ev.Raised(B, 250)


def test_the_old_process_that_goes_takes_nothing_with_it(house: House) -> None:
    """When the connection of a replaced process closes, the new process stays connected."""
    old, new = house.join(), house.join()
    old.health(said="old")
    house.until(lambda buttons: buttons.said == "old")
    new.health(said="new")
    house.until(lambda buttons: buttons.said == "new")
    old.close()
    new.health(said="still here")
    house.until(lambda buttons: buttons.said == "still here")
    assert house.live.kinds(Trouble) == [Trouble()]


def test_buttons_that_were_expected_and_never_come_are_lost(folder: Path) -> None:
    """Expected buttons that do not start in time are lost, and a table that expects none reports nothing."""
    for expected, trouble in ((True, "buttons"), (False, "")):
        (folder / trouble).mkdir(exist_ok=True)
        house = House(folder / trouble, expected)
        began = house.live.now
        house.hush(began + STARTING)
        assert house.live.kinds(Trouble)[-1] == Trouble()
        assert not house.board.buttons.lost
        house.hush(began + STARTING + 1)
        assert house.live.kinds(Trouble)[-1] == Trouble(what=trouble)
        assert house.board.buttons.lost == expected
        house.close()


def test_the_pins_panel_drives_simulated_pins_only(house: House) -> None:
    """A pin can be driven only in a service that simulates its pins."""
    press = PinDriven(6, False)
    assert not house.board.drive(press)
    service = house.join()
    service.health("lgpio")
    house.until(lambda buttons: buttons.kind == "lgpio")
    assert not house.board.drive(press)
    service.health("simulated")
    house.until(lambda buttons: buttons.kind == "simulated")
    assert house.board.drive(press)
    assert service.read(PinDriven) == press
    service.close()
    house.until(lambda buttons: buttons.lost)
    assert not house.board.drive(press)


def test_lamps_are_followed(house: House) -> None:
    """A lamp is on when the service reports its pin as lit."""
    service = house.join()
    service.health(lamps=(LampState(0, 16), LampState(1, 17)))
    service.send(PinDriven(17, True))
    now = house.until(lambda buttons: any(lamp.on for lamp in buttons.lamps))
    assert now.lamps == (LampState(0, 16), LampState(1, 17, True))


def test_junk_is_passed_over(house: House, caplog: pytest.LogCaptureFixture) -> None:
    """Invalid lines and forbidden messages are skipped, and the next press counts."""
    service = house.join()
    service.end.sendall(b'nonsense\n{"message": "press"}\n{"message": "press", "seat": 1, "at": 1, "bid": 900}\n\xff\n')
    service.send(Count(number=3, seat=A), Health("kettle", 0))
    service.send(Press(B, 5 * S))
    assert house.pressed.get(timeout=PATIENCE) == Press(B, 5 * S)
    house.live.wait(6 * S)
    assert house.live.events[-1] == ev.Raised(B, 250)
    assert caplog.text.count("skipped an invalid message") == 1
    assert caplog.text.count("refused on the bus") == 2
    assert house.board.buttons == ButtonsStatus()


def test_a_line_without_end_is_cut_off(house: House, caplog: pytest.LogCaptureFixture) -> None:
    """A peer that sends an endless line is disconnected, and the others stay connected."""
    service, other = house.join(), house.join()
    with pytest.raises(OSError):
        service.end.sendall(b"x" * 64 * 1024 * 1024)
    other.send(Press(B, 5 * S))
    assert house.pressed.get(timeout=PATIENCE) == Press(B, 5 * S)
    assert "endless line" in caplog.text


def test_a_listener_that_fails_spoils_nothing(house: House, caplog: pytest.LogCaptureFixture) -> None:
    """An exception in one listener is logged, and the other listeners get the state of the buttons."""

    def broken(*_: Any) -> None:
        raise RuntimeError("page")

    after: queue.Queue[ButtonsStatus] = queue.Queue()
    house.board.listen(broken)
    house.board.listen(lambda was, now: after.put(now))
    house.join().health()
    house.until(lambda buttons: buttons.alive)
    assert after.get(timeout=PATIENCE).alive
    assert "the state of the buttons could not be shown" in caplog.text


def test_presses_to_a_table_that_is_closed_are_nobodys(house: House) -> None:
    """A press after the table has closed causes no error."""
    service = house.join()
    service.health()
    house.until(lambda buttons: buttons.alive)
    house.live.table.close()
    service.send(Press(B, 5 * S))
    service.close()
    house.board.close()
    assert not house.path.exists()


def test_a_broker_that_is_not_there_is_said_with_the_buttons(folder: Path) -> None:
    """A missing broker is reported in the state of the buttons, and the table runs without services."""
    live = Live(folder / "journal.db")
    heard: queue.Queue[ButtonsStatus] = queue.Queue()
    board = DeviceRegistry(live.table, BrokerAddress("127.0.0.1", free_port()))
    board.listen(lambda was, now: heard.put(now))
    while "No broker answers" not in heard.get(timeout=PATIENCE).bus:
        pass
    board.close()
    live.table.close()


def test_only_this_user_may_connect(folder: Path) -> None:
    """The socket has mode 0660 and is removed when the bus closes."""
    bus = serve(SocketAddress(folder / "bus"), lambda peer, message: None)
    assert (folder / "bus").stat().st_mode & 0o777 == 0o660
    bus.close()
    assert not (folder / "bus").exists()


def test_a_socket_that_was_left_behind_is_replaced(folder: Path) -> None:
    """A socket left by a power cut is replaced, and a plain file is left alone."""
    listen(folder / "bus").close()
    assert (folder / "bus").exists()
    listen(folder / "bus").close()
    (folder / "file").write_text("mine", encoding="utf-8")
    with pytest.raises(BusError, match="cannot be opened"):
        listen(folder / "file")
    assert (folder / "file").read_text(encoding="utf-8") == "mine"


def test_a_long_folder_has_its_bus_elsewhere(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path that is too long for a socket is refused and never proposed."""
    long = folder / ("x" * 120)
    with pytest.raises(BusError, match="too long for a socket"):
        listen(long / "bus")
    monkeypatch.delenv("COMPANION_BUS", raising=False)
    assert len(str(find_address(long).path)) <= 100
    assert find_address(long) != find_address(folder / ("y" * 120))
    assert find_address(folder) == SocketAddress(folder / "bus")
    monkeypatch.setenv("COMPANION_BUS", "/run/bus")
    assert find_address(folder) == SocketAddress(Path("/run/bus"))
