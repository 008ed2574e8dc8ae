"""Messages of wireless buttons become presses with a time and its uncertainty, with a real broker too."""

from __future__ import annotations

import queue
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from companion import config
from companion.config import ConfigError
from companion.devices.bus.clock_sync import LOST, UNMEASURED
from companion.findings import bad, finding_text, sentences
from companion.messages import HOST, MILLISECOND, SECOND, ButtonState, Press
from hardware.radio import doctor
from hardware.radio.radio import Radio
from hardware.radio.settings import RadioSettings, parse_radio
from hardware.radio.transit import FRESH, KEPT, SETTLING, RadioButton, Transit
from tests.support.must_run import must_run
from tests.support.paths import ROOT

YAML = ROOT / "docs" / "esphome" / "button.yaml"
NOW = 1_000 * SECOND
HOLD, STUCK = 700 * MILLISECOND, 20 * SECOND
PATIENCE = 20.0
"""Seconds to wait for a real broker before a test fails."""


def measured(*milliseconds: int) -> Transit:
    """Return a path with these round-trip times, the last of which has just ended."""
    found = Transit()
    for n, trip in enumerate(milliseconds):
        found.note_ping(str(n), NOW - trip * MILLISECOND)
        found.note_answer(str(n), NOW)
    return found


def button(*trips: int) -> RadioButton:
    """Return the second seat's button with these round-trip times in milliseconds."""
    found = RadioButton(1, HOLD, STUCK)
    found.transit = measured(*trips)
    return found


def on(found: RadioButton, at: int) -> list[Press]:
    """Return an ON message."""
    return found.receive(b"ON", False, at)


def off(found: RadioButton, at: int) -> list[Press]:
    """Return an OFF message."""
    return found.receive(b"OFF", False, at)


# --- moments --------------------------------------------------------------------------------------


def test_a_press_is_as_old_as_half_the_usual_round_trip() -> None:
    """A press is dated back by half the median round trip: 5 of 10 ms; the longest trip of 30 ms leaves 25 ms of
    uncertainty."""
    assert measured(8, 10, 30).trips(NOW) == (8 * MILLISECOND, 10 * MILLISECOND, 30 * MILLISECOND)
    assert on(button(8, 10, 30), NOW) == [Press(1, NOW - 5 * MILLISECOND, source="radio", within=25 * MILLISECOND)]


def test_the_true_moment_is_never_before_the_longest_trip_nor_after_the_arrival() -> None:
    """The time of a press and its uncertainty never reach beyond its arrival or the longest measured trip."""
    for trips in ((10,), (2, 2, 2), (1, 50, 100), (99, 100, 100)):
        at, within = measured(*trips).moment(NOW)
        assert at - within >= NOW - max(trips) * MILLISECOND
        assert at <= NOW <= at + within


def test_without_a_measure_a_press_counts_at_its_arrival() -> None:
    """Without a measured round trip a press counts from its arrival, and is marked as uncertain."""
    assert on(button(), NOW) == [Press(1, NOW, source="radio", within=UNMEASURED)]


def test_only_the_last_fresh_answers_count() -> None:
    """Old round trips are dropped by number and by age."""
    way = measured(*[100] * 3, *[10] * KEPT)
    assert way.trips(NOW) == (10 * MILLISECOND,) * 3
    assert way.trips(NOW + FRESH) is not None
    assert way.trips(NOW + FRESH + 1) is None


def test_strange_late_and_doubled_answers_measure_nothing() -> None:
    """Only the first answer to one of our own pings counts, and only if it is in time."""
    way = Transit()
    way.note_answer("7", NOW)
    way.note_ping("8", NOW)
    way.note_answer("8", NOW + LOST + 1)
    assert way.trips(NOW + LOST + 1) is None
    way.note_ping("9", NOW)
    way.note_answer("9", NOW + 4)
    way.note_answer("9", NOW + 400)
    assert way.trips(NOW + 400) == (4, 4, 4)


# --- messages -------------------------------------------------------------------------------------


def test_on_and_off_are_a_press_and_its_end() -> None:
    """A short press closes and opens the contact, and the opening carries the time of the closing."""
    found = button(10)
    closed = NOW - 5 * MILLISECOND
    assert [press.at for press in on(found, NOW)] == [closed]
    assert found.condition(NOW) == "closed"
    assert off(found, NOW + 100 * MILLISECOND) == [
        Press(1, closed + 100 * MILLISECOND, "opened", closed, "radio", 5 * MILLISECOND)
    ]
    assert found.condition(NOW) == "open"


@pytest.mark.parametrize("payload", [b"", b"on", b"ON ", b"\xff\xfe", b"{}", b"1" * 10_000])
def test_junk_is_no_press(payload: bytes) -> None:
    """Messages other than ON and OFF are ignored."""
    found = button(10)
    assert found.receive(payload, False, NOW) == []
    assert found.condition(NOW) == "missing"


def test_a_retained_message_is_no_press() -> None:
    """A retained message of the broker is not a press."""
    found = button(10)
    assert found.receive(b"ON", True, NOW) == []
    assert off(found, NOW + 1) == []


def test_doubled_and_repeated_messages_are_one_press() -> None:
    """A second ON, a repeated delivery and a second OFF are ignored."""
    found = button(10)
    assert len(on(found, NOW)) == 1
    assert on(found, NOW + 1) == []
    assert len(off(found, NOW + SECOND // 10)) == 1
    assert found.receive(b"ON", True, NOW + SECOND // 5) == []
    assert off(found, NOW + SECOND // 5) == []


def test_messages_out_of_order_make_no_press_of_an_end() -> None:
    """An OFF that overtakes its ON is ignored, and an opening never precedes its closing."""
    found = button(100)
    assert off(found, NOW) == []
    (closed,) = on(found, NOW)
    found.transit = measured(1000)
    (opened,) = off(found, NOW + 1)
    assert opened.at == closed.at == opened.since


def test_a_hold_is_told_when_no_earlier_end_can_be_under_way() -> None:
    """A hold counts from the closing, and is reported once the uncertainty has passed too."""
    found = button(10)
    on(found, NOW)
    closed, doubt = NOW - 5 * MILLISECOND, 5 * MILLISECOND
    due = closed + HOLD + 2 * doubt
    assert found.due() == due
    assert found.tick(due - 1) == []
    assert found.tick(due) == [Press(1, closed + HOLD, "held", closed, "radio", doubt)]
    assert found.tick(due + SECOND) == [] and found.due() is None
    assert [press.contact for press in off(found, NOW + SECOND)] == ["opened"]


def test_a_hold_whose_end_comes_first_is_told_before_the_end() -> None:
    """If the OFF of a long press arrives before its hold was reported, both are reported, the hold first."""
    found = button(10)
    on(found, NOW)
    assert [press.contact for press in off(found, NOW + HOLD)] == ["held", "opened"]


def test_a_lost_button_is_missing_and_presses_nothing() -> None:
    """A closed button out of reach is neither held nor released, and its path is measured anew."""
    found = button(10)
    on(found, NOW)
    found.note_offline()
    assert found.condition(NOW) == "missing"
    assert found.due() is None and found.tick(NOW + HOLD * 2) == []
    assert off(found, NOW + HOLD * 2) == []
    assert found.transit.trips(NOW) is None


def test_a_button_closed_for_long_is_stuck() -> None:
    """A wireless button that stays closed is stuck, as a wired one is."""
    found = button(10)
    on(found, NOW)
    assert found.condition(NOW + STUCK + SECOND) == "stuck"


def test_a_device_that_has_just_come_tells_no_press() -> None:
    """A button that is closed when its device joins is not a press, because nobody knows when it closed."""
    found = button(10)
    found.note_online(NOW)
    assert on(found, NOW + SETTLING - 1) == []
    assert off(found, NOW + SETTLING) == []
    assert len(on(found, NOW + SETTLING)) == 1


# --- settings -------------------------------------------------------------------------------------


def read(text: str, folder: Path) -> RadioSettings:
    """Return the settings in a text."""
    return parse_radio(config.parse("[radio]\n" + text, "x").tables["radio"], folder, 6)


def test_the_settings_name_broker_password_and_topics(tmp_path: Path) -> None:
    """In the file seats count from 1, and the password is in a file of its own."""
    (tmp_path / "secret").write_text("hush\n", encoding="utf-8")
    text = 'broker = "table"\nuser = "companion"\npassword_file = "secret"\n[radio.buttons]\n2 = "a/b"\nhost = "a/h"\n'
    assert read(text, tmp_path) == RadioSettings(((1, "a/b"), (HOST, "a/h")), "table", 1883, "companion", "hush")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", "buttons must name a topic for each wireless button"),
        ("buttons = 3", "buttons must name a topic"),
        ('[radio.buttons]\n7 = "a"', "there is no seat '7'; seats are 1 to 6, or host"),
        ('[radio.buttons]\n0 = "a"', "there is no seat '0'"),
        ('[radio.buttons]\njane = "a"', "there is no seat 'jane'"),
        ("[radio.buttons]\n1 = 5", "1 is 5; it must be a text"),
        ('[radio.buttons]\n1 = "a/#"', '"a/#" is not a topic for 1'),
        ('[radio.buttons]\n1 = ""', '"" is not a topic for 1'),
        ('[radio.buttons]\n1 = "a"\n2 = "a"', 'the topic "a" is used twice'),
        ('port = 70000\n[radio.buttons]\n1 = "a"', "port is 70000; it must be a whole number from 1 to 65535"),
        ('pasword = "x"\n[radio.buttons]\n1 = "a"', "'pasword' is unknown here"),
        ('password_file = 12345678\n[radio.buttons]\n1 = "a"', "password_file is …; it must be a text"),
        (
            'password_file = "no"\n[radio.buttons]\n1 = "a"',
            "the file that password_file names cannot be read: No such file",
        ),
    ],
)
def test_bad_settings_are_one_sentence(text: str, wanted: str, tmp_path: Path) -> None:
    """Each mistake is reported with the name of the table and the allowed values."""
    with pytest.raises(ConfigError) as caught:
        read(text, tmp_path)
    said = str(caught.value)
    assert said.startswith("[radio]") and wanted in said and said.endswith(".")


# --- a real broker --------------------------------------------------------------------------------


def mosquitto() -> str | None:
    """Return the path of the broker's program."""
    return shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Broker:
    """A mosquitto with a password on a port of its own."""

    def __init__(self, folder: Path) -> None:
        program = mosquitto()
        assert program is not None
        self.port = free_port()
        subprocess.run(["mosquitto_passwd", "-b", "-c", str(folder / "users"), "companion", "hush"], check=True)
        (folder / "broker.conf").write_text(
            f"listener {self.port} 127.0.0.1\nallow_anonymous false\npassword_file {folder / 'users'}\n"
            "set_tcp_nodelay true\nuser root\n",
            encoding="utf-8",
        )
        self._command = [program, "-c", str(folder / "broker.conf")]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the broker and wait until it listens."""
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(self._listens)

    def stop(self) -> None:
        """Kill the broker, as a power cut would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0


def until(true: Callable[[], bool]) -> None:
    """Wait until a condition holds, or fail."""
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, "it never came about"
        time.sleep(0.01)


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    """Yield a running broker."""
    if mosquitto() is None:
        assert not must_run("broker"), "there is no mosquitto: apt install mosquitto"
        pytest.skip("there is no mosquitto: apt install mosquitto")
    found = Broker(tmp_path)
    found.start()
    yield found
    found.stop()


class Device:
    """An ESP32 that behaves as docs/esphome/button.yaml says, with the topics and words of that file."""

    def __init__(self, port: int, seat: str = "seat-1") -> None:
        text = YAML.read_text(encoding="utf-8").replace("${seat}", seat)
        self.prefix = found(text, r"topic_prefix: (\S+)")
        self.state = found(text, r"state_topic: (\S+)")
        self.ping, self.pong = found(text, r"- topic: (\S+)"), found(text, r"  topic: (\S+/pong)")
        assert "publish_initial_state: false" in text and "retain: false" in text
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2)
        self._client.username_pw_set("companion", "hush")
        self._client.will_set(f"{self.prefix}/status", "offline", retain=True)
        self._client.reconnect_delay_set(1, 1)
        self._client.on_connect = self._joined
        self._client.on_message = self._answer
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()
        self._joined_at = time.monotonic_ns()

    def say(self, payload: str | bytes, retain: bool = False, qos: int = 0) -> None:
        """Publish on the button's topic once the device has settled."""
        until(lambda: time.monotonic_ns() > self._joined_at + 2 * SETTLING)
        self._client.publish(self.state, payload, qos, retain).wait_for_publish(PATIENCE)

    def press(self) -> None:
        """Press and release the button."""
        self.say("ON")
        self.say("OFF")

    def leave(self, politely: bool = True) -> None:
        """Disconnect. Without a farewell the broker announces it."""
        if politely:
            self._client.disconnect()
        else:
            opened = self._client.socket()
            assert opened is not None
            self._client.reconnect_delay_set(100, 100)
            opened.shutdown(socket.SHUT_RDWR)
        self._client.loop_stop()

    def _joined(self, client: mqtt.Client, *rest: Any) -> None:
        self._joined_at = time.monotonic_ns()
        client.subscribe(self.ping)
        client.publish(f"{self.prefix}/status", "online", retain=True)

    def _answer(self, client: mqtt.Client, data: Any, message: mqtt.MQTTMessage) -> None:
        client.publish(self.pong, message.payload)


def found(text: str, pattern: str) -> str:
    """Return what a pattern matches in a text."""
    match = re.search(pattern, text)
    assert match, pattern
    return match[1]


class Room:
    """A listening radio with the presses that it heard."""

    def __init__(self, port: int, password: str = "hush") -> None:
        topics = ((0, "companion/seat-1"), (HOST, "companion/host"))
        self.presses: queue.Queue[Press] = queue.Queue()
        self.radio = Radio(RadioSettings(topics, "127.0.0.1", port, "companion", password))
        self.radio.start(self.presses.put, lambda: None)

    def condition(self) -> str:
        """Return the condition of the first seat's button."""
        return self.radio.buttons()[0].condition

    def measured(self) -> bool:
        """Return whether a ping was answered."""
        return self.radio.trips()[0] is not None

    def heard(self, count: int) -> list[Press]:
        """Wait for a number of presses and return them."""
        return [self.presses.get(timeout=PATIENCE) for _ in range(count)]


@pytest.fixture
def room(broker: Broker) -> Iterator[Room]:
    """Yield a radio that is connected to the broker."""
    made = Room(broker.port)
    yield made
    made.radio.stop()


@pytest.fixture
def device(broker: Broker) -> Iterator[Device]:
    """Yield a wireless button that is connected to the broker."""
    made = Device(broker.port)
    yield made
    made.leave()


@pytest.mark.broker
def test_a_wireless_press_is_heard_with_a_moment_before_its_arrival(room: Room, device: Device) -> None:
    """A measured press lies between its sending and its arrival, within its uncertainty."""
    until(room.measured)
    sent = time.monotonic_ns()
    device.press()
    closed, opened = room.heard(2)
    arrived = time.monotonic_ns()
    assert (closed.seat, closed.contact, closed.source) == (0, "closed", "radio")
    assert (opened.contact, opened.since) == ("opened", closed.at)
    assert 0 < closed.within < UNMEASURED
    assert sent - closed.within <= closed.at <= arrived


@pytest.mark.broker
def test_nothing_that_was_kept_or_doubled_is_a_press(broker: Broker, device: Device) -> None:
    """A retained ON, junk and a doubled ON do not count as presses."""
    device.say("ON", retain=True)
    room = Room(broker.port)
    try:
        until(room.measured)
        for payload in ("maybe", b"\xff\x00", ""):
            device.say(payload)
        device.say("ON", qos=1)
        device.say("ON", qos=1)
        device.say("OFF", qos=1)
        assert [press.contact for press in room.heard(2)] == ["closed", "opened"]
        assert room.presses.empty()
    finally:
        room.radio.stop()


@pytest.mark.broker
def test_a_button_that_goes_away_is_missing_until_it_is_back(broker: Broker, room: Room) -> None:
    """The broker announces a device that has gone; its button presses nothing until it is back."""
    first = Device(broker.port)
    until(room.measured)
    assert room.condition() == "open"
    first.say("ON")
    room.heard(1)
    first.leave(politely=False)
    until(lambda: room.condition() == "missing")
    assert any("seat 1's" in line for line in room.radio.said)
    second = Device(broker.port)
    until(room.measured)
    second.press()
    assert [press.contact for press in room.heard(2)] == ["closed", "opened"]
    second.leave()


@pytest.mark.broker
def test_a_broker_that_goes_and_comes_back_is_found_again(broker: Broker, room: Room, device: Device) -> None:
    """While the broker is away all wireless buttons are missing; afterwards they work again."""
    until(room.measured)
    broker.stop()
    until(lambda: room.condition() == "missing")
    assert room.radio.said == ("The broker of the wireless buttons is gone; it is looked for again and again.",)
    broker.start()
    until(room.measured)
    device.press()
    assert [press.contact for press in room.heard(2)] == ["closed", "opened"]


@pytest.mark.broker
def test_a_wrong_password_is_told(broker: Broker) -> None:
    """If the broker refuses the password, the sentence says so."""
    room = Room(broker.port, "loud")
    try:
        until(lambda: any("refuses us" in line for line in room.radio.said))
        assert room.condition() == "missing"
    finally:
        room.radio.stop()


@pytest.mark.broker
def test_two_listeners_do_not_take_each_others_answers(broker: Broker, device: Device) -> None:
    """Service and doctor measure at the same time, each by its own pings alone."""
    rooms = Room(broker.port), Room(broker.port)
    try:
        for room in rooms:
            until(room.measured)
        assert rooms[0].radio._name != rooms[1].radio._name
    finally:
        for room in rooms:
            room.radio.stop()


@pytest.mark.broker
def test_small_packets_go_out_at_once(broker: Broker, room: Room) -> None:
    """Nagle's algorithm is off, because it would delay answers."""
    until(lambda: not any("reached" in line for line in room.radio.said))
    opened = room.radio._client.socket()
    assert opened is not None
    assert opened.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


@pytest.mark.broker
def test_the_doctor_says_how_far_a_wireless_button_is(broker: Broker, device: Device) -> None:
    """The doctor shows the round trip of the button that answers, and reports the other one as missing."""
    topics = ((0, "companion/seat-1"), (HOST, "companion/host"))
    here, gone = doctor.examine(Radio(RadioSettings(topics, "127.0.0.1", broker.port, "companion", "hush")))
    assert finding_text(here, sentences("en")).what == "Wireless, the button of seat 1" and here.well
    assert re.fullmatch(r"answers within [\d.]+ ms \([\d.]+ to [\d.]+ ms\)", finding_text(here, sentences("en")).how)
    assert gone == bad("radio.button", "missing", part=["host"])


def test_the_doctor_judges_wireless_buttons() -> None:
    """A broker with a fault gives one line, and a button that answers no ping is named."""
    states = (ButtonState(0, -1, "open"), ButtonState(1, -1, "missing"))
    trouble = "The broker refuses us."
    assert doctor.judge_radio(trouble, states, {}) == [bad("radio.broker", "trouble", said="The broker refuses us")]
    assert [line.state for line in doctor.judge_radio("", states, {0: None})] == ["no_ping", "missing"]


def test_a_radio_without_a_broker_starts_and_stops() -> None:
    """Without a broker the radio starts and stops, and reports its buttons as missing."""
    room = Room(free_port())
    assert room.condition() == "missing"
    assert room.radio.said
    room.radio.stop()
