"""Names in the local network, as avahi's own socket tells of them."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.commands import broker
from companion.ops import avahi, network_address
from companion.ops.network_address import Interface


class Names:
    """Answers as avahi does: `answers` holds the last words of its answers by questions."""

    def __init__(self, path: Path) -> None:
        self.answers: dict[str, str] = {}
        self._end = socket.socket(socket.AF_UNIX)
        self._end.bind(str(path))
        self._end.listen()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            caller, _ = self._end.accept()
            with caller:
                question = caller.recv(1024).decode().strip()
                if question == "end":
                    return
                known = self.answers.get(question)
                caller.sendall(f"+ 5 1 x {known}\n".encode() if known else b"-15 Timeout reached\n")

    def close(self, path: Path) -> None:
        """Answer no more."""
        with socket.socket(socket.AF_UNIX) as end:
            end.connect(str(path))
            end.sendall(b"end")
        self._thread.join()
        self._end.close()


@pytest.fixture
def names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Names]:
    """Give a service of names for a machine at 192.168.1.20 whose suffix is k7q2."""
    path = tmp_path / "socket"
    monkeypatch.setattr(avahi, "SOCKET", path)
    monkeypatch.setattr(avahi, "own_address", lambda: "192.168.1.20")
    ours = [Interface("wlan0", "192.168.1.20"), Interface("docker0", "172.17.0.1")]
    monkeypatch.setattr(avahi, "read_interfaces", lambda: ours)
    monkeypatch.setattr(network_address, "machine_suffix", lambda: "k7q2")
    names = Names(path)
    yield names
    names.close(path)


FIRST, SECOND = "RESOLVE-HOSTNAME-IPV4 companion.local", "RESOLVE-HOSTNAME-IPV4 companion-k7q2.local"
OWN = "RESOLVE-ADDRESS 192.168.1.20"


def test_a_name_is_shown_while_it_leads_here(names: Names) -> None:
    """Also if avahi says the address of another interface of ours."""
    names.answers = {FIRST: "192.168.1.20", SECOND: "192.168.1.20"}
    assert avahi.name_to_show() == "companion.local"
    names.answers = {FIRST: "172.17.0.1"}
    assert avahi.name_to_show() == "companion.local"


def test_a_name_that_leads_to_another_table_is_not_shown(names: Names) -> None:
    """Then comes the one with the machine's suffix, then the one that avahi gave it, then none."""
    names.answers = {FIRST: "192.168.1.30", SECOND: "192.168.1.20"}
    assert avahi.name_to_show() == "companion-k7q2.local"
    names.answers = {FIRST: "192.168.1.30", OWN: "Pi-2.local", "RESOLVE-HOSTNAME-IPV4 pi-2.local": "192.168.1.20"}
    assert avahi.name_to_show() == "pi-2.local"
    names.answers = {FIRST: "192.168.1.30", OWN: "pi-2.local"}
    assert avahi.name_to_show() == ""
    names.answers = {}
    assert avahi.name_to_show() == ""


def test_without_avahi_there_is_no_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nobody publishes one then."""
    monkeypatch.setattr(avahi, "SOCKET", tmp_path / "nothing")
    assert avahi.name_to_show() == avahi.own_name() == ""


def test_a_brokers_settings_hold_the_name_that_leads_here(names: Names, tmp_path: Path) -> None:
    """Another machine with the same name would get this one's buttons."""
    names.answers = {OWN: "pi-2.local"}
    assert (
        'url = "mqtt://pi-2.local/companion"' in CliRunner().invoke(broker.command, [str(tmp_path / "broker")]).stdout
    )
