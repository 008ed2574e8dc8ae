"""Measures the way from a contact to its lamp through all services over both kinds of bus, with memory and losses.

`python -m tests.bench chain`, or `python -m tests.bench.bench_chain [--presses 150] [--idle 20]`. A separate process
runs the real buttons' service on simulated pins, presses, and records each change of the leader's lamp. The way leads
over the bus to `companion table` with its pages and a durable journal, and back over the bus. The peers in the same run
are a bare echo of the same line over a Unix socket and a bare paho echo with QoS 1 through the same mosquitto. Memory
is each process's proportional share (PSS). Nothing here asserts on time.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from companion.devices.bus import Address, SocketAddress
from companion.devices.bus.mqtt_link import disable_delay
from companion.messages import MILLISECOND, SECOND, PinDriven, Press, encode
from hardware.wiring.wiring import DEFAULT
from tests.bench.bench_buttons import spread
from tests.end_to_end.processes import A, B, Split
from tests.support.brokers import Mosquitto, mosquitto

PATIENCE = 20.0
C = 2
PAUSE = 0.35
"""Seconds between presses, each of which is a raise that is judged and stored before the next."""
MODULE = "tests.bench.bench_chain"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--presses", type=int, default=150)
    parser.add_argument("--idle", type=float, default=20.0, help="seconds")
    parser.add_argument("--fingers", nargs=2, metavar=("FOLDER", "PRESSES"), help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.fingers:
        fingers(Path(given.fingers[0]), int(given.fingers[1]))
        return
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; ms")
    with tempfile.TemporaryDirectory(prefix="chain-") as name:
        print("Unix socket")
        socket_echo(given.presses)
        durable(Path(name), given.presses)
        chain(Path(name), SocketAddress(Path(name) / "bus"), given.presses, given.idle)
    if mosquitto() is None:
        print("There is no mosquitto: apt install mosquitto.")
        return
    with tempfile.TemporaryDirectory(prefix="chain-") as name:
        print("MQTT")
        folder = Path(name) / "broker"
        folder.mkdir()
        broker = Mosquitto(folder)
        broker.start()
        try:
            broker_echo(broker, given.presses)
            chain(Path(name), broker.address, given.presses, given.idle)
        finally:
            broker.stop()


# --- all services -----------------------------------------------------------------------------------


def chain(folder: Path, where: Address, presses: int, idle: float) -> None:
    """Press through all services, then let them idle, and print the figures."""
    with Split(folder, where) as at:
        at.set_up()
        own = at.commands["buttons"]
        at.commands["buttons"] = [sys.executable, "-m", MODULE, "--fingers", str(folder), str(presses)]
        at.start("table", "camera", "buttons")
        at.until(lambda: "done" in at.said("buttons"), 2 * presses * PAUSE)
        told = [line.split() for line in at.said("buttons").splitlines() if line.count(" ") == 2]
        kinds = {"count": 'contact to lamp: "one"', "raise": "contact to lamp: a raise, which is journalled"}
        for kind, name in kinds.items():
            spread(name, [int(lamp) - int(contact) for what, contact, lamp in told if what == kind])
        print(f"    of which a contact must be closed first: {DEFAULT.noise_ms} ms; pressed {presses} times")
        at.kill("buttons")
        at.commands["buttons"] = own
        at.start("buttons")
        at.until(at.all_there)
        time.sleep(3)
        idling(at, idle)
        losing(at)


def durable(folder: Path, count: int) -> None:
    """Print the time of a bare durable write of 4096 bytes, as the peer of each move's write."""
    took = []
    with (folder / "bare").open("wb", buffering=0) as file:
        for _ in range(count):
            time.sleep(0.02)
            began = time.monotonic_ns()
            file.write(bytes(4096))
            os.fsync(file.fileno())
            took.append(time.monotonic_ns() - began)
    spread("peer: 4096 bytes and a bare fsync", took)


def idling(at: Split, seconds: float) -> None:
    """Print each service's memory and its activity while nothing happens."""
    services = {name: family(process.pid) for name, process in at.running.items()}
    before, began = {name: ticks(pids) for name, pids in services.items()}, time.monotonic()
    time.sleep(seconds)
    took = time.monotonic() - began
    total = 0.0
    for name, pids in services.items():
        share = sum(pss(pid) for pid in pids) / 1024
        total += share
        load = 100 * (ticks(pids) - before[name]) / os.sysconf("SC_CLK_TCK") / took
        print(f"  {name:<46} {share:6.0f} MB  {load:5.1f} % of a core, idle for {took:.0f} s", flush=True)
    print(f"  {'all services':<46} {total:6.0f} MB")


def losing(at: Split) -> None:
    """Print the delay until the host's page reports lost buttons: after a kill, and silent as after a power cut."""
    for name, number in (("killed", signal.SIGKILL), ("silent", signal.SIGSTOP)):
        took = []
        for _ in range(3):
            began = time.monotonic_ns()
            os.kill(at.running["buttons"].pid, number)
            at.until(lambda: "The buttons are not answering" in at.page())
            took.append(time.monotonic_ns() - began)
            at.kill("buttons")
            at.start("buttons")
            at.until(at.all_there)
        spread(f"buttons {name}, until the page says so", took)


def family(pid: int) -> list[int]:
    """Return a process and its children."""
    found = [pid]
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            found += family(int(child))
    return found


def ticks(pids: Sequence[int]) -> int:
    """Return the processor time of processes in the kernel's ticks."""
    fields = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in pids]
    return sum(int(each[11]) + int(each[12]) for each in fields)


def pss(pid: int) -> int:
    """Return a process's proportional share of memory in KB."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


# --- fingers: a process with the real buttons' service in it ----------------------------------------


def fingers(folder: Path, presses: int) -> None:
    """Run the buttons' service and press the buttons of A and B; print the times of contacts and lamp changes."""
    from companion.devices.bus import find_address
    from hardware.buttons_service import ButtonsService, ButtonsSetup, hurrying
    from hardware.pins.factory import open_pins
    from hardware.pins.simulated import SimulatedPin

    lamps = {f"GPIO{DEFAULT.seats[seat].lamp}": seat for seat in (A, B, C)}
    changes: list[tuple[int, bool, int]] = []
    change = SimulatedPin._change_state

    def noted(pin: Any, value: bool) -> Any:
        if pin.info.name in lamps and pin.function == "output":
            changes.append((lamps[pin.info.name], bool(value), time.monotonic_ns()))
        return change(pin, value)

    SimulatedPin._change_state = noted
    with hurrying():
        service = ButtonsService(ButtonsSetup(DEFAULT), open_pins("simulated"), find_address(folder))
        threading.Thread(target=press, args=(service, changes, presses), daemon=True).start()
        service.run()


def press(service: Any, changes: list[tuple[int, bool, int]], presses: int) -> None:
    """Raise and count "one" by turns; print each contact with the time of the table's answer.

    The service answers a press at once on its own lamp, so other lamps reveal the table's answer: after "one" all lamps
    flash, including the third seat's, and after a raise the previous leader's light goes out.
    """
    time.sleep(3)  # all have joined, and their lamps have faded once
    for number in range(presses):
        leads, raises = ((A, B), (B, A))[number // 2 % 2]
        seat, seen = (raises, (leads, False)) if number % 2 == 0 else (raises, (C, True))
        at = time.monotonic_ns() + 20 * MILLISECOND
        pin = DEFAULT.seats[seat].button
        for high, when in ((False, at), (True, at + 60 * MILLISECOND)):
            service.buttons.later(partial(service._drive, PinDriven(pin, high, when)))
        time.sleep(PAUSE)
        after = [when for lamp, on, when in changes if (lamp, on) == seen and at <= when < at + SECOND // 5]
        if after:
            print("raise" if number % 2 == 0 else "count", at, after[0], flush=True)
    print("done", flush=True)


# --- bare peers -------------------------------------------------------------------------------------


LINE = encode(Press(1, 123_456_789_012_345))


def socket_echo(count: int) -> None:
    """Print round trips of a line over a Unix socket to a process that only echoes it."""
    program = (
        "import socket, sys\n"
        "end = socket.socket(fileno=int(sys.argv[1]))\n"
        "while data := end.recv(65536): end.sendall(data)\n"
    )
    ours, theirs = socket.socketpair()
    with subprocess.Popen([sys.executable, "-c", program, str(theirs.fileno())], pass_fds=[theirs.fileno()]) as echo:
        theirs.close()
        took = []
        for _ in range(count):
            began = time.monotonic_ns()
            ours.sendall(LINE)
            ours.recv(65536)
            took.append(time.monotonic_ns() - began)
            time.sleep(0.02)
        ours.close()
        echo.wait(PATIENCE)
    spread("peer: a bare echo over a Unix socket", took[1:])


def broker_echo(broker: Mosquitto, count: int) -> None:
    """Print round trips of a line from one bare paho client to another in its own process and back, with QoS 1."""
    with bare(broker, "buttons") as ours, echoing(broker):
        back = threading.Event()
        ours.on_message = lambda client, data, message: back.set()
        ours.subscribe("companion/down/buttons", 1)
        took = []
        while not back.wait(0.2):
            ours.publish("companion/up/buttons", LINE, 1)  # until the other client has subscribed
        for _ in range(count):
            time.sleep(0.02)
            back.clear()
            began = time.monotonic_ns()
            ours.publish("companion/up/buttons", LINE, 1)
            back.wait(PATIENCE)
            took.append(time.monotonic_ns() - began)
    spread("peer: a bare paho echo through mosquitto, QoS 1", took)


@contextlib.contextmanager
def bare(broker: Mosquitto, service: str) -> Iterator[mqtt.Client]:
    """Yield a bare paho client."""
    client = mqtt.Client(CallbackAPIVersion.VERSION2)
    client.on_socket_open = disable_delay
    client.username_pw_set(f"companion-{service}", (broker.folder / f"{service}.password").read_text().strip())
    client.connect("127.0.0.1", broker.port)
    client.loop_start()
    try:
        yield client
    finally:
        client.disconnect()
        client.loop_stop()


@contextlib.contextmanager
def echoing(broker: Mosquitto) -> Iterator[None]:
    """Run a process that echoes each message of the buttons."""
    program = (
        "import sys, paho.mqtt.client as mqtt\n"
        "from companion.devices.bus.mqtt_link import disable_delay\n"
        "client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)\n"
        "client.on_socket_open = disable_delay\n"
        "client.username_pw_set('companion-table', sys.argv[2])\n"
        "client.on_connect = lambda c, *_: c.subscribe('companion/up/buttons', 1)\n"
        "client.on_message = lambda c, d, m: c.publish('companion/down/buttons', m.payload, 1)\n"
        "client.connect('127.0.0.1', int(sys.argv[1]))\n"
        "client.loop_forever()\n"
    )
    password = (broker.folder / "table.password").read_text().strip()
    with subprocess.Popen([sys.executable, "-c", program, str(broker.port), password]) as process:
        try:
            yield
        finally:
            process.kill()


if __name__ == "__main__":
    main()
