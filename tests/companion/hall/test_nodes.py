"""A hall on a cluster of three nodes works without any one of them, and reports the loss of two."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from companion.devices.hall_link import messages as m
from companion.devices.hall_link.member import HallMember
from tests.support.brokers import until
from tests.support.hall_nodes import HallOnNodes, hall_on_nodes

pytestmark = [pytest.mark.broker, pytest.mark.faults]
NAMES = ("Ada", "Ben", "Cleo")
PATIENCE = 60.0
"""Seconds after which separated nodes are assumed to stay apart."""


def seconds_until(true: Callable[[], object]) -> float:
    """Wait until a condition holds and return how long it took, in seconds."""
    began = time.monotonic()
    while not true():
        assert time.monotonic() < began + PATIENCE, "it never came about"
        time.sleep(0.01)
    return time.monotonic() - began


def members(room: HallOnNodes) -> list[HallMember]:
    """Return the tables' connections to the hall."""
    return [table.hall.member for table in room.tables if table.hall.member is not None]


def test_a_killed_node_is_not_missed_and_most_of_them_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The hall works without its own node, reports the loss of a second one, and loses no result."""
    with hall_on_nodes(tmp_path, 6) as room:
        room.sit_down()
        first = seconds_until(lambda: room.right)
        for table in room.tables:
            table.play_match(NAMES)
        halls, other = room.place_of_hall, (room.place_of_hall + 1) % 3
        room.cluster.kill(halls)
        until(lambda: room.hall.faults)
        again = seconds_until(lambda: room.right)
        seconds_until(lambda: len(room.hall.state.results) == 6 and not any(each.book.owed for each in members(room)))
        room.cluster.kill(other)
        alone = seconds_until(lambda: room.hall.faults and all(each.fault for each in members(room)))
        for table in room.tables:
            table.play_match(NAMES)
        room.cluster.start(halls, other)
        back = seconds_until(lambda: room.right)
        seconds_until(lambda: len(room.hall.state.results) == 12 and not any(each.book.owed for each in members(room)))
        assert {record.status for record in room.hall.state.results.values()} == {"confirmed"}
        with capsys.disabled():
            print(
                f"\nthree nodes: all see all {first:.1f} s after a first start; again {again:.1f} s after one was "
                f"killed (target 20 s); told {alone:.1f} s after most were; again {back:.1f} s after they came back"
            )


def test_a_table_hears_and_says_its_own_on_nodes_too(tmp_path: Path) -> None:
    """On a cluster a table can neither read other tables' topics nor write to them."""
    with hall_on_nodes(tmp_path, 2) as room:
        room.sit_down()
        seconds_until(lambda: room.right)
        own, other = [table.id for table in room.hall.state.present]
        client = mqtt.Client(CallbackAPIVersion.VERSION2, "guest", protocol=MQTTProtocolVersion.MQTTv311)
        client.username_pw_set(own, room.cluster.users[own])
        answers: dict[int, list[bool]] = {}
        client.on_subscribe = lambda c, d, mid, reasons, p: answers.update({mid: [r.is_failure for r in reasons]})
        client.connect(room.cluster.address.host, room.cluster.ports[1])
        client.loop_start()
        try:
            topics = [m.down(own, "+"), m.down(other, "+"), m.up("+", "+"), "#", "$MQTT/sub/#", "$MQTT/#", "$SYS/#"]
            until(client.is_connected)
            numbers = [client.subscribe(topic, 0)[1] for topic in topics]
            until(lambda: len(answers) == len(topics))
            assert [answers[number or 0] for number in numbers] == [[topic != topics[0]] for topic in topics]
            client.publish(m.up(other, "summary"), m.encode(m.TableSummary("playing", "chess", "x")), 1, True)
            client.publish(m.up(own, "summary"), m.encode(m.TableSummary("playing", "go", "x")), 1, True)
            until(lambda: room.hall.live(own).summary.game == "go")
            assert room.hall.live(other).summary.game == ""
        finally:
            client.disconnect()
            client.loop_stop()
