"""Records the messages that a board of the hall and a bare client of its broker receive, with their times."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from companion.devices.bus.address import BrokerAddress
from companion.devices.hall_link import messages as m
from tests.bench.hall_load import SEATS, open_board

PEER = "peer0000"
"""The user of a bare client that receives the same messages as the hall."""
NAME = re.compile(r"[a-z]{4}\d{4}-\d")
"""A person's name in this bench: the table's id and the seat."""


class Heard:
    """The times of received moves: `at[(table, seat)]` lists when it became that seat's turn."""

    def __init__(self) -> None:
        self.at: dict[tuple[str, int], list[float]] = {}
        self.messages = self.size = 0

    def note(self, table: str, seat: int) -> None:
        """Record that it is a seat's turn now."""
        self.at.setdefault((table, seat), []).append(time.monotonic())

    def delays(self, said: list[tuple[str, int, float]]) -> tuple[list[float], int]:
        """Return the milliseconds until each move was seen, and the number of moves never seen on their own.

        A move overtaken by the table's next one was seen with that one.
        """
        found, overtaken, seen_later = [], 0, {table: float("inf") for table, _, _ in said}
        for table, move, at in reversed(said):
            times = [each for each in self.at.get((table, move % SEATS), []) if at <= each < at + 1.9]
            if times and times[0] <= seen_later[table]:
                seen_later[table] = times[0]
            else:
                overtaken += 1
            found.append(1000 * (seen_later[table] - at))
        return [each for each in found if each != float("inf")], overtaken


def read_board(port: int, heard: Heard, closing: threading.Event) -> None:
    """Read a board's stream, and record whose turn its rows show."""
    stream, rest, turns = open_board(port), b"", dict[str, int]()
    stream.settimeout(0.5)
    tables: dict[str, str] = {}
    while not closing.is_set():
        try:
            data = stream.recv(1 << 18)
        except TimeoutError:
            continue
        *messages, rest = (rest + data).split(b"\n\n")
        heard.size += len(data)
        for message in messages:
            heard.messages += b"event: parts" in message
            for line in message.split(b"\n"):
                if not line.startswith(b"data: "):
                    continue
                parts = json.loads(line[6:])
                for name, html in parts.get("parts", parts).items():
                    turn = NAME.search(html) if isinstance(html, str) and name.startswith("row-") else None
                    if turn is not None:
                        table, seat = turn[0].rsplit("-", 1)
                        tables[name] = table
                        if turns.get(table) != int(seat):
                            turns[table] = int(seat)
                            heard.note(table, int(seat))
    stream.close()


@contextmanager
def peer(address: BrokerAddress, heard: Heard) -> Iterator[None]:
    """Receive all tables' messages with a bare client."""
    assert address.password_file is not None
    client = mqtt.Client(CallbackAPIVersion.VERSION2, PEER, protocol=MQTTProtocolVersion.MQTTv311)
    client.username_pw_set(PEER, address.password_file.read_text())

    def listen(client: Any, *said: Any) -> None:
        client.subscribe(m.up("+", "+"), 0)

    def take(client: Any, data: Any, message: mqtt.MQTTMessage) -> None:
        heard.messages += 1
        table, _, kind = m.split_topic(message.topic)
        if kind == "summary" and message.payload:
            heard.note(table, m.decode(kind, bytes(message.payload)).awaited[0])

    client.on_connect, client.on_message = listen, take
    client.connect(address.host, address.port)
    client.loop_start()
    try:
        yield
    finally:
        client.disconnect()
        client.loop_stop()
