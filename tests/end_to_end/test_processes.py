"""Tests of table, buttons and camera as services: the money is right after starts in any order and after kills."""

from __future__ import annotations

import random
import subprocess
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from companion.devices.bus import Address, SocketAddress
from tests.end_to_end.processes import A, B, Split
from tests.support.brokers import Mosquitto, running

KINDS = ["local", pytest.param("broker", marks=pytest.mark.broker)]


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    """Yield a running broker."""
    folder = tmp_path / "broker"
    folder.mkdir()
    with running(folder) as found:
        yield found


@pytest.fixture(params=KINDS)
def split(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Split]:
    """Yield three stopped services for a bus of either kind."""
    where: Address = SocketAddress(tmp_path / "bus")
    if request.param == "broker":
        where = request.getfixturevalue("broker").address
    with Split(tmp_path, where) as found:
        found.set_up()
        yield found


def play(at: Split, victims: Iterable[str], luck: random.Random, broker: Mosquitto | None) -> None:
    """Raise by turns with a kill during each raise; then the leader counts to three."""
    for victim in victims:
        seat = B if at.leader() == A else A
        at.press(seat)
        time.sleep(luck.random() * 0.03)  # the moment of the kill is what the test varies
        killed(at, victim, broker)
        at.press_until(seat, lambda seat=seat: at.leader() == seat)  # type: ignore[misc]
    leader = at.leader()
    at.press_until(leader, at.sold)


def killed(at: Split, victim: str, broker: Mosquitto | None) -> None:
    """Kill a service and start it again."""
    if victim == "broker":
        assert broker is not None
        broker.stop()
        broker.start()
    else:
        at.kill(victim)
        at.start(victim)


def settled(at: Split) -> None:
    """Check that the last bidder paid the last bid and that nobody else paid."""
    price = 200 + 50 * sum(type(event).__name__ == "Raised" for event in at.events())
    wanted = [5000, 5000, 5000]
    wanted[at.leader()] -= price
    assert at.money() == tuple(wanted)


def test_services_start_in_any_order_and_each_loss_is_shown(split: Split, request: pytest.FixtureRequest) -> None:
    """Services start in any order, and pages name a killed process until it returns."""
    split.start("buttons", "table")
    split.until(lambda: 'href="pins"' in split.page())
    split.start("camera")
    split.until(split.all_there)
    split.kill("buttons")
    split.until(lambda: "The buttons are not answering" in split.page())
    split.start("buttons")
    split.until(split.all_there)
    split.kill("camera")
    split.until(lambda: "The camera does not answer" in split.page())
    split.start("camera")
    split.until(split.all_there)


def test_the_money_is_right_when_any_process_is_killed(split: Split, request: pytest.FixtureRequest) -> None:
    """Buttons, table and broker are killed once each; `make faults` kills all of them repeatedly."""
    found = request.getfixturevalue("broker") if not isinstance(split.where, SocketAddress) else None
    split.start("table", "buttons", "camera")
    split.until(split.all_there)
    play(split, ("buttons", "broker" if found else "table"), random.Random(1), found)
    settled(split)


@pytest.mark.faults
@pytest.mark.broker
def test_buttons_of_another_machine_are_judged_by_their_moments(broker: Mosquitto, tmp_path: Path) -> None:
    """If buttons run on a machine an hour ahead and are killed, the money is right and verdicts state their
    precision."""
    if not another_clock():
        pytest.skip("a clock of another machine needs root, unshare and a kernel with time namespaces")
    with Split(tmp_path, broker.address, ()) as at:
        at.set_up()
        at.elsewhere("buttons", 3600)
        at.start("table", "buttons", "camera")
        at.until(at.all_there)
        play(at, ("buttons",), random.Random(2), broker)
        settled(at)
        marks = [mark for verdict in at.verdicts() for mark in verdict.marks if mark.source == "pin"]
        assert marks and all(0 < mark.within < 500_000 for mark in marks), marks
        assert all(mark.late < 10_000_000 for mark in marks), marks


def another_clock() -> bool:
    """Return whether this machine can simulate a second one."""
    words = ["unshare", "--mount", "--time", "--monotonic", "5", "--fork", "true"]
    try:
        return subprocess.run(words, capture_output=True, timeout=20).returncode == 0
    except FileNotFoundError:
        return False


@pytest.mark.faults
@pytest.mark.parametrize("seed", range(3))
def test_the_money_is_right_in_a_long_auction_of_losses(
    split: Split, request: pytest.FixtureRequest, seed: int
) -> None:
    """The money is right after twelve raises with a kill at a random moment of each."""
    found = request.getfixturevalue("broker") if not isinstance(split.where, SocketAddress) else None
    split.start("table", "buttons", "camera")
    split.until(split.all_there)
    luck = random.Random(seed)
    victims = ("buttons", "table", "camera", "broker")[: 4 if found else 3]
    play(split, luck.choices(victims, k=12), luck, found)
    settled(split)
