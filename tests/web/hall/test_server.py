"""Test `companion hall` as a process: it serves, tables join by code and play, and it leaves nothing behind."""

from __future__ import annotations

import json
import re
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.hall.certificates import ensure_certificate
from tests.support.brokers import needs_mosquitto, until
from tests.support.hall_brokers import port_with_neighbour
from tests.support.web.hall_process import LOCAL, HallProcess
from web.hall.roles import open_access


@pytest.fixture
def demonstration(tmp_path: Path) -> Iterator[HallProcess]:
    """Yield a hall with two tables that play by themselves."""
    needs_mosquitto()
    hall = HallProcess(tmp_path, "--demonstration", "2")
    yield hall
    if hall.process.poll() is None:
        hall.process.kill()
        hall.process.wait()


@pytest.mark.broker
def test_tables_join_and_play_and_nothing_is_left_behind(demonstration: HallProcess) -> None:
    """Two tables join by code in a tournament's second round, and the hall ends all its processes on termination."""
    until(lambda: demonstration.get("/").count('href="/table/') == 2)
    until(lambda: "Round 2 of 4" in demonstration.get("/tournament"))
    until(lambda: "has called you for" in demonstration.get("/judge"))
    until(lambda: "1 seat has confirmed it" in demonstration.get("/judge"))
    assert 'class="cup-why"' in demonstration.get("/tournament/standings")
    until(lambda: "Game of Trains" in demonstration.get("/") and "Take a Train" in demonstration.get("/"))
    children = demonstration.children()
    assert len(children) == 2  # wait for the broker and the tables
    demonstration.process.send_signal(signal.SIGTERM)
    assert demonstration.process.wait(20) == 0
    until(lambda: not any(Path(f"/proc/{child}").exists() for child in children))
    assert "Traceback" not in demonstration.printed.read_text()


@pytest.mark.broker
def test_passwords_are_shown_once(tmp_path: Path) -> None:
    """A hall that others can reach prints its passwords once and stores only hashes, in a private file."""
    needs_mosquitto()
    for shown in (True, False):
        hall = HallProcess(tmp_path, "--host", "0.0.0.0")
        try:
            until(lambda hall=hall: hall.get("/health") == "ok\n")
            assert ("Organiser password" in hall.printed.read_text()) == shown
            assert "/enter" in hall.get("/") or "password" in hall.get("/")
        finally:
            hall.process.send_signal(signal.SIGTERM)
            assert hall.process.wait(20) == 0
    file = tmp_path / "hall" / "passwords.json"
    assert file.stat().st_mode & 0o777 == 0o600
    assert set(json.loads(file.read_text())["hashes"]) == {"organiser", "judge", "viewer"}


@pytest.mark.broker
def test_a_hall_behind_a_proxy_asks_for_passwords(tmp_path: Path) -> None:
    """A hall that listens only on this machine has passwords if its settings name an address for others."""
    needs_mosquitto()
    (tmp_path / "companion.toml").write_text('[web]\nnames = ["hall.example"]\n')
    hall = HallProcess(tmp_path, "--host", LOCAL)
    try:
        until(lambda: hall.get("/health") == "ok\n")
        assert "Organiser password" in hall.printed.read_text()
        assert 'name="password"' in hall.get("/organiser")
    finally:
        assert hall.stop() == 0


@pytest.mark.broker
def test_systemd_hears_that_a_hall_lives_and_its_log_gets_no_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hall reports to systemd when its pages answer, regularly while it is alive, and when it stops.

    Passwords are printed on demand only.
    """
    needs_mosquitto()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.settimeout(60)
        for name, value in (
            ("NOTIFY_SOCKET", str(tmp_path / "notify")),
            ("WATCHDOG_USEC", "300000"),
            ("JOURNAL_STREAM", "1:2"),
        ):
            monkeypatch.setenv(name, value)
        hall = HallProcess(tmp_path, "--host", "0.0.0.0")
        assert [systemd.recv(99) for _ in range(3)] == [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1"]
        hall.process.terminate()
        assert b"STOPPING=1" in iter(lambda: systemd.recv(99), b"")
        assert hall.process.wait(20) == 0
    monkeypatch.delenv("JOURNAL_STREAM")
    printed = hall.printed.read_text()
    assert " password " not in printed and "https://" in printed and "SHA-256" in printed
    found = CliRunner().invoke(main, ["hall", "--data", str(tmp_path), "--passwords-only"])
    made = re.findall(r"(Organiser|Judge|Viewer) +password +([0-9A-Z]{4}-[0-9A-Z]{4})", found.output)
    access, none = open_access(tmp_path / "hall")
    assert none == {} and [access.role_of(password) for _, password in made] == ["organiser", "judge", "viewer"]


@pytest.mark.parametrize("file", ["hall.crt", "hall.key"])
@pytest.mark.parametrize("content", [b"", b"-----BEGIN nothing"])
def test_a_damaged_certificate_is_said(tmp_path: Path, file: str, content: bytes) -> None:
    """A damaged certificate is reported and never replaced, because every table has pinned it."""
    kept = ensure_certificate(tmp_path / "hall" / "broker").file.with_name(file)
    kept.write_bytes(content)
    ports = ["--port", str(port_with_neighbour()), "--broker-port", str(port_with_neighbour())]
    found = CliRunner().invoke(main, ["hall", "--data", str(tmp_path), *ports])
    assert found.exit_code == 1 and "is damaged: put back copies" in found.output and "Traceback" not in found.output
    assert kept.read_bytes() == content


def test_ports_that_clash_are_said(tmp_path: Path) -> None:
    """A clash of ports is reported before anything is made."""
    options = ["--port", "18090", "--https-port", "18185", "--broker-port", "18184"]
    found = CliRunner().invoke(main, ["hall", "--data", str(tmp_path), *options])
    assert found.exit_code == 1 and "are the same" in found.output and not (tmp_path / "hall").exists()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ('[web]\nnames = "hall.example"\n', "names"),
        ('[hall]\ndatabase = "a file"\n', "database is not an address"),
        ('[hall]\ndatabase = "sqlite:////nowhere/at/all"\n', "unable to open database file"),
        ("[hall]\ndatabase = 7\n", "must be a text"),
    ],
)
def test_settings_that_cannot_be_used_are_said(tmp_path: Path, settings: str, said: str) -> None:
    """With unusable settings the hall does not start, because it might use the wrong database."""
    (tmp_path / "companion.toml").write_text(settings)
    ports = ["--port", str(port_with_neighbour()), "--broker-port", str(port_with_neighbour())]
    found = CliRunner().invoke(main, ["hall", "--data", str(tmp_path), "--host", LOCAL, *ports])
    assert found.exit_code == 1 and said in found.output and "Traceback" not in found.output


def test_a_port_that_is_taken_is_said(tmp_path: Path) -> None:
    """A port in use is reported together with the remedy."""
    with socket.create_server((LOCAL, 0)) as taken:
        port = str(taken.getsockname()[1])
        found = CliRunner().invoke(main, ["hall", "--data", str(tmp_path), "--host", LOCAL, "--port", port])
    assert found.exit_code == 1 and f"Port {port}" in found.output and "--port" in found.output
