"""The examiner asks table and services over a real bus, without disturbing a game."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.commands import doctor
from companion.devices.bus import BusClient, SocketAddress, join
from companion.devices.registry import ButtonsStatus, DeviceRegistry
from companion.findings import Finding, answer_of, bad, look, well
from companion.messages import Answered, AnyMessage, Asked, CameraState, Health
from companion.ops.doctor import examiner, machine
from companion.ops.doctor.examiner import Examiner
from companion.ops.doctor.services import ServicesReading
from companion.table.table import Table

PATIENCE = 20.0


@pytest.fixture(autouse=True)
def quiet_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the examination of the machine itself, which has its own tests."""

    def examine(
        folder: Path, running: ServicesReading, page: str = "", salvage: tuple[str, ...] = ()
    ) -> tuple[Finding, ...]:
        from companion.ops.doctor.services import judge

        return (well("disk.folder", folder=str(folder)), *judge(running))

    monkeypatch.setattr(machine, "examine", examine)
    monkeypatch.setattr(examiner.services, "find_processes", lambda proc, *commands: iter(()))


class Room:
    """A table with its device registry and its examiner."""

    def __init__(self, folder: Path) -> None:
        self.bus = SocketAddress(folder / "bus")
        self.table = Table(folder / "journal.db")
        self.board = DeviceRegistry(self.table, self.bus, ("buttons",), lambda: 0)  # time stands still: no silence
        self.examiner = Examiner(self.table, self.board, folder, lambda: "http://192.168.1.20:8080", lambda: "now")
        self.clients: list[BusClient] = []

    def service(self, name: str, findings: list[Finding] | None, **fields: Any) -> None:
        """Connect a service that answers `examine` with the findings, or not at all if they are None."""
        there = threading.Event()
        self.board.listen(lambda was, now: there.set())
        self.board.camera_link.listen(lambda was, now: there.set())

        def heard(message: AnyMessage) -> None:
            if isinstance(message, Asked) and message.service == name and findings is not None:
                client.send(Answered(message.number, True, "", answer_of(findings)))

        client = join(self.bus, name, heard)
        self.clients.append(client)
        while not client.send(Health(name, 0, **fields)):
            assert not there.wait(0.01)
        assert there.wait(PATIENCE)

    def close(self) -> None:
        """Close the services, the registry and the table."""
        for client in self.clients:
            client.close()
        self.board.close()
        self.table.close()


@pytest.fixture
def room() -> Iterator[Room]:
    """Yield a room."""
    with tempfile.TemporaryDirectory(prefix="companion-") as folder:
        found = Room(Path(folder))
        yield found
        found.close()


def states(found: tuple[Finding, ...] | list[Finding]) -> dict[str, str]:
    """Return the state of each finding by its key."""
    return {each.key: each.state for each in found}


def test_services_say_how_their_own_parts_are(room: Room) -> None:
    """The examination contains the findings of buttons and camera beside the table's own."""
    room.service("buttons", [bad("buttons.pin", "stuck", gpio=17, place=11, part=["button:1"])], kind="lgpio")
    room.service("camera", [well("camera.light")], camera=CameraState("still"))
    found = states(room.examiner.examine())
    assert found["buttons.pin"] == "stuck" and found["camera.light"] == "ok"
    assert (found["services.table"], found["services.buttons"], found["services.camera"]) == ("ok", "ok", "ok")


def test_a_service_that_does_not_answer_is_a_finding(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """A service that does not answer is a finding, and the other findings are complete."""
    monkeypatch.setattr(examiner, "PATIENCE", 0.05)
    room.service("camera", None, camera=CameraState("still"))
    found = room.examiner.examine()
    assert bad("services.camera", "no_answer") in found
    assert states(found)["disk.folder"] == "ok"


def test_a_service_that_has_gone_is_lost_and_one_that_nobody_wants_is_not(room: Room) -> None:
    """A service that was connected and has gone is a fault, and a camera that was never there is none."""
    room.service("buttons", [], kind="simulated")
    gone = threading.Event()
    room.board.listen(lambda was, now: gone.set() if now.lost else None)
    room.clients.pop().close()
    assert gone.wait(PATIENCE)
    found = {each.key: each for each in room.examiner.examine()}
    assert found["services.buttons"] == bad("services.buttons", "lost", since="now")
    assert found["services.camera"] == well("services.camera", "none")


def test_a_bus_that_cannot_be_reached_is_told(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bus that cannot be reached is reported with its reason."""
    monkeypatch.setattr(room.board, "buttons", ButtonsStatus(bus="No broker answers."))
    assert look("buttons.said", "said", said="No broker answers") in room.examiner.examine()


def test_a_terminal_asks_the_table_over_the_bus(room: Room) -> None:
    """A terminal that asks the table over the bus gets the same findings as the page."""
    room.service("camera", [well("camera.light")], camera=CameraState("still"))
    assert doctor.ask_table(room.bus) == list(room.examiner.examine())


def test_a_table_that_knows_no_such_question_says_so(room: Room) -> None:
    """An unknown question is answered with a refusal, so that nobody waits for it."""
    answers: list[Answered] = []
    told = threading.Event()

    def heard(message: AnyMessage) -> None:
        if isinstance(message, Answered):
            answers.append(message)
            told.set()

    client = join(room.bus, "doctor", heard)
    room.clients.append(client)
    while not client.send(Asked(7, "dance", {}, "table")):
        assert not told.wait(0.01)
    assert told.wait(PATIENCE)
    assert answers == [Answered(7, False, "unknown")]
