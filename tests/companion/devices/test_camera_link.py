"""The table's link to the camera service over a real socket: state, readings, requests and answers."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.devices.bus import CHECK_EVERY, LOST, BusClient, SocketAddress, join
from companion.devices.bus.unix_socket import UnixClient
from companion.devices.camera_link import STARTING, CameraLink, CameraSnapshot
from companion.devices.camera_requests.camera_request import CameraRefusal, CameraRequest
from companion.devices.camera_requests.decks import DeckAnswer, DecksAnswer, ListDecks, UseDeck
from companion.devices.camera_requests.enrolment import Capture, CompareEnrolled
from companion.devices.registry import DeviceRegistry
from companion.games.take_a_train import events as ev
from companion.messages import (
    RENDERED,
    SECOND,
    Answered,
    Asked,
    CameraState,
    CardLaid,
    Count,
    Health,
    Looking,
    Message,
    Press,
    Sighted,
    Sighting,
    Trouble,
)
from tests.companion.devices.test_registry import OPEN, PATIENCE, A, Service, hush
from tests.support.matches import ours, quick
from tests.support.paces import HURRIED
from tests.support.presses import MS, Live, S

__all__ = ["quick"]
pytestmark = pytest.mark.usefixtures("quick")
STILL = CameraState("still", deck="ours", mat=True, scale=3.6, fps=4.0, size=(2304, 1296))
SEEN = Sighted(5, 1, (Sighting("market", "coal-100", 0, confidence=0.9),))


class House:
    """A table with an Open lot and a device registry, which records the camera's states and sightings."""

    def __init__(self, folder: Path, expected: bool = False) -> None:
        self.live = Live(folder / "journal.db", pace=msgspec.structs.replace(HURRIED, count_gap_ms=1000))
        self.live.table.start(ours())
        self.live.say(*OPEN)
        self.path = folder / "bus"
        services = ("camera",) if expected else ()
        self.board = DeviceRegistry(self.live.table, SocketAddress(self.path), services, lambda: self.live.now)
        self.changes: queue.Queue[tuple[CameraSnapshot, CameraSnapshot]] = queue.Queue()
        self.seen: queue.Queue[Sighted | None] = queue.Queue()
        self.board.camera_link.listen(lambda was, now: self.changes.put((was, now)))
        self.board.camera_link.listen_to_readings(self.seen.put)
        self.ends: list[Service | BusClient] = []

    def join(self) -> Service:
        """Connect a camera service and return it."""
        self.ends.append(service := Service(self.path, "camera"))
        return service

    def look(self, service: Service, state: CameraState = STILL, said: str = "") -> None:
        """Send the service's health and wait until the table has received it."""
        service.send(Health("camera", 0, camera=state, said=said))
        self.until(lambda camera: camera == CameraSnapshot(True, True, state, said))

    def until(self, right: Callable[[CameraSnapshot], bool]) -> CameraSnapshot:
        """Wait until the camera's state meets a condition, and return it."""
        while not right(now := self.changes.get(timeout=PATIENCE)[1]):
            pass
        return now

    def answering(self, answer: Callable[[Asked], Message | None]) -> BusClient:
        """Connect a camera service that answers requests with a function, and return it."""

        def heard(message: Message) -> None:
            if isinstance(message, Asked):
                said = answer(message)
                if said is not None:
                    client.send(said)

        client = join(SocketAddress(self.path), "camera", heard, lambda: joined.set())
        joined = threading.Event()
        self.ends.append(client)
        assert joined.wait(PATIENCE)
        assert client.send(Health("camera", 0, camera=STILL))
        self.until(lambda camera: camera.alive)
        return client

    def close(self) -> None:
        """Close the services, the registry and the table."""
        for end in self.ends:
            if isinstance(end, UnixClient):
                end.close()
        self.board.close()
        for end in self.ends:
            if isinstance(end, Service):
                end.file.close()
                end.end.close()
        self.live.table.close()


@pytest.fixture
def house(folder: Path) -> Iterator[House]:
    """Yield a table with its device registry."""
    house = House(folder)
    yield house
    house.close()


def test_a_camera_that_speaks_is_there(house: House) -> None:
    """The camera's reported state is available, and before the first report no camera counts as lost."""
    assert house.board.camera == CameraSnapshot() and not house.board.camera.lost
    house.look(house.join(), said="Focus is poor.")
    assert house.board.camera == CameraSnapshot(True, True, STILL, "Focus is poor.")
    assert house.board.camera.sees and not house.board.camera.lost
    assert not CameraSnapshot(True, True, CameraState("none", "no_camera")).sees


@pytest.mark.parametrize("looking", ["blind", "none"])
def test_what_was_seen_before_it_was_blind_counts_no_more(house: House, looking: Looking) -> None:
    """When the camera becomes blind, its last reading is dropped, because cards may move under a covered lens."""
    service = house.join()
    house.look(service)
    service.send(SEEN)
    assert house.seen.get(timeout=PATIENCE) == SEEN
    house.look(service, CameraState(looking, "dark"))
    assert house.seen.get(timeout=PATIENCE) is None
    assert house.board.camera_link.sighted is None and house.board.camera.blind
    house.look(service)
    service.send(SEEN)
    assert house.seen.get(timeout=PATIENCE) == SEEN


def test_what_it_sees_is_kept_and_told(house: House) -> None:
    """The last reading is kept and passed to every listener, even if one of them fails."""
    service = house.join()
    house.look(service)
    house.board.camera_link.listen_to_readings(lambda sighted: 1 / 0)
    also: queue.Queue[Sighted | None] = queue.Queue()
    house.board.camera_link.listen_to_readings(also.put)
    service.send(SEEN)
    assert house.seen.get(timeout=PATIENCE) == also.get(timeout=PATIENCE) == SEEN
    assert house.board.camera_link.sighted == SEEN


def test_a_silent_camera_is_lost_and_the_count_goes_on(house: House) -> None:
    """A silent camera is lost after the limit, and a count in an auction continues."""
    service = house.join()
    house.look(service)
    service.send(SEEN)
    house.seen.get(timeout=PATIENCE)
    house.live.table.press(Press(A, 5 * S))
    house.live.wait(5 * S + 200 * MS)
    assert house.live.events[-1] == ev.Counted(A, 1)
    hush(house.live, house.board, 5 * S + LOST)
    assert house.board.camera.alive
    hush(house.live, house.board, 5 * S + LOST + 1)
    assert house.board.camera == CameraSnapshot(True, False, CameraState(deck="ours"))
    assert house.board.camera.lost and house.board.camera_link.sighted is None
    assert house.seen.get(timeout=PATIENCE) is None
    assert house.live.events[-1] == ev.Counted(A, 1)
    assert house.live.kinds(Trouble) == [Trouble()]
    assert house.live.kinds(Count)[-1].number == 1


def test_a_camera_is_lost_within_two_seconds() -> None:
    """A camera is reported as lost within two seconds, including the interval of the checks."""
    assert LOST + CHECK_EVERY * SECOND < 2 * SECOND


def test_a_closed_connection_is_lost_at_once_and_comes_back(house: House) -> None:
    """A closed connection is reported as lost at once, and a new one restores the camera."""
    first = house.join()
    house.look(first)
    first.close()
    assert house.until(lambda camera: camera.lost).expected
    house.look(house.join())
    assert not house.board.camera.lost


def test_the_old_process_takes_nothing_with_it(house: House) -> None:
    """When the connection of a replaced process closes, the new process stays connected."""
    old, new = house.join(), house.join()
    house.look(old, said="old")
    house.look(new, said="new")
    old.close()
    house.look(new, said="still here")
    assert house.changes.empty()


def test_a_camera_that_was_expected_and_never_comes_is_lost(folder: Path) -> None:
    """An expected camera that does not start in time is lost, and a table that expects none reports nothing."""
    for expected in (True, False):
        (folder / str(expected)).mkdir()
        house = House(folder / str(expected), expected)
        began = house.live.now
        hush(house.live, house.board, began + STARTING)
        assert not house.board.camera.lost
        hush(house.live, house.board, began + STARTING + 1)
        assert house.board.camera.lost == expected
        house.close()


def test_buttons_and_camera_are_lost_apart(house: House) -> None:
    """The loss of the camera does not affect the buttons."""
    buttons, camera = house.join(), house.join()
    house.look(camera)
    buttons.health()
    camera.close()
    house.until(lambda camera: camera.lost)
    assert not house.board.buttons.lost
    assert house.live.kinds(Trouble) == [Trouble()]


def test_a_question_is_answered(house: House) -> None:
    """A request reaches the camera with its fields, and its answer returns to the caller."""
    house.answering(lambda asked: Answered(asked.number, fields={"used": asked.what} | asked.fields))
    camera_link = house.board.camera_link
    assert camera_link.ask(UseDeck("ours")) == DeckAnswer("ours")
    assert camera_link.ask(ListDecks()) == DecksAnswer(used="decks")


def test_a_refusal_is_raised(house: House) -> None:
    """A refusal is raised with its key and its plain fields."""
    house.answering(lambda asked: Answered(asked.number, False, "no_deck", {"deck": "ours", "odd": [1]}))
    with pytest.raises(CameraRefusal) as refused:
        house.board.camera_link.ask(UseDeck("ours"))
    assert refused.value.key == "no_deck" and refused.value.fields == {"deck": "ours"}


def test_an_answer_of_another_shape_is_a_refusal(house: House) -> None:
    """An answer of another shape raises the refusal `failed`."""
    house.answering(lambda asked: Answered(asked.number, fields={"decks": "none"}))
    assert refusal(house, ListDecks()) == "failed"


def test_an_answer_whose_fields_are_no_object_is_refused_at_once(house: House) -> None:
    """An answer whose fields are no object raises `failed` at once, without waiting for the time limit."""
    service = house.join()
    house.look(service)
    with ThreadPoolExecutor(1) as asking:
        found = asking.submit(refusal, house, ListDecks(), PATIENCE)
        number = service.read(Asked).number
        service.end.sendall(b'{"message":"answered","number":%d,"fields":[1]}\n' % number)
        assert found.result(PATIENCE) == "failed"


def refusal(house: House, request: CameraRequest[Any], timeout: float | None = None) -> str:
    """Return the key with which a request is refused."""
    with pytest.raises(CameraRefusal) as refused:
        house.board.camera_link.ask(request, timeout)
    return refused.value.key


def test_several_ask_at_once(house: House) -> None:
    """Concurrent requests get their own answers in any order."""
    held: list[Asked] = []

    def answer(asked: Asked) -> Message | None:
        held.append(asked)
        if len(held) == 3:
            for each in reversed(held):
                client.send(Answered(each.number, fields={"deck": each.fields["deck"]}))
        return None

    client = house.answering(answer)
    found: dict[int, DeckAnswer] = {}

    def ask(n: int) -> None:
        found[n] = house.board.camera_link.ask(UseDeck(f"deck {n}"), PATIENCE)

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {n: DeckAnswer(f"deck {n}") for n in range(3)}


def test_nobody_there_is_said_at_once(house: House) -> None:
    """Without a camera, or if it disconnects before answering, a request is refused as `absent`."""
    assert refusal(house, ListDecks()) == "absent"
    service = house.join()
    house.look(service)
    with ThreadPoolExecutor(1) as asking:
        found = asking.submit(refusal, house, Capture("ours"), PATIENCE)
        assert service.read(Asked).what == "capture"
        service.close()
        assert found.result(PATIENCE) == "absent"


def test_cards_of_a_rendered_table_are_moved(house: House) -> None:
    """Cards can be moved only at a connected camera that renders the table."""
    laid = CardLaid("coal-200", "market")
    assert not house.board.camera_link.lay(laid)
    service = house.join()
    house.look(service)
    assert not house.board.camera.rendered
    service.send(Health("camera", 0, RENDERED, camera=STILL))
    house.until(lambda camera: camera.rendered)
    assert house.board.camera_link.lay(laid)
    assert service.read(CardLaid) == laid
    assert not CameraSnapshot(True, False, kind=RENDERED).rendered


def test_too_long_is_said(house: House, caplog: pytest.LogCaptureFixture) -> None:
    """A slow answer is refused as `late`, and its later arrival is logged and ignored."""
    asked: queue.Queue[Asked] = queue.Queue()
    client = house.answering(asked.put)
    assert refusal(house, CompareEnrolled("ours"), 0) == "late"
    with caplog.at_level(logging.INFO):
        client.send(Answered(asked.get(timeout=PATIENCE).number))
        client.send(SEEN)
        house.seen.get(timeout=PATIENCE)
    assert "too late" in caplog.text
    assert house.board.camera.alive


def test_nonsense_of_the_service_is_passed_over(house: House, caplog: pytest.LogCaptureFixture) -> None:
    """Invalid lines and forbidden messages are logged and skipped, and the camera stays connected."""
    service = house.join()
    house.look(service)
    service.end.sendall(b'{"message":"sighted","at":"x"}\nnonsense\n')
    service.send(Trouble(what="camera"), SEEN)
    assert house.seen.get(timeout=PATIENCE) == SEEN
    assert caplog.text.count("skipped an invalid message") == 1
    assert "Trouble is not for camera to say" in caplog.text
    assert house.board.camera.alive


def test_a_listener_that_fails_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """An exception in one listener is logged, and the other listeners get the camera's state."""
    camera_link = CameraLink(lambda: 0)
    told: list[CameraSnapshot] = []
    camera_link.listen(lambda was, now: 1 / 0)
    camera_link.listen(lambda was, now: told.append(now))

    class Nobody:
        def send(self, message: Message) -> bool:
            return False

    assert camera_link.on_message(Nobody(), Health("camera", 0, camera=STILL))
    assert told == [CameraSnapshot(True, True, STILL)]
    assert "could not be shown" in caplog.text
    with pytest.raises(CameraRefusal, match="absent"):
        camera_link.ask(ListDecks())
