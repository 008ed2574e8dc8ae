"""Names in the local network are read from avahi's socket."""

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
    """A server that answers like avahi, with the prepared answer for each question."""

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
        """Stop answering."""
        with socket.socket(socket.AF_UNIX) as end:
            end.connect(str(path))
            end.sendall(b"end")
        self._thread.join()
        self._end.close()


@pytest.fixture
def names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Names]:
    """Yield an avahi server for a machine at 192.168.1.20 with the suffix k7q2."""
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
    """The name is shown if it resolves to any address of this machine."""
    names.answers = {FIRST: "192.168.1.20", SECOND: "192.168.1.20"}
    assert avahi.name_to_show() == "companion.local"
    names.answers = {FIRST: "172.17.0.1"}
    assert avahi.name_to_show() == "companion.local"


def test_a_name_that_leads_to_another_table_is_not_shown(names: Names) -> None:
    """If the name belongs to another table, the name with the suffix is shown, then avahi's own one, else none."""
    names.answers = {FIRST: "192.168.1.30", SECOND: "192.168.1.20"}
    assert avahi.name_to_show() == "companion-k7q2.local"
    names.answers = {FIRST: "192.168.1.30", OWN: "Pi-2.local", "RESOLVE-HOSTNAME-IPV4 pi-2.local": "192.168.1.20"}
    assert avahi.name_to_show() == "pi-2.local"
    names.answers = {FIRST: "192.168.1.30", OWN: "pi-2.local"}
    assert avahi.name_to_show() == ""
    names.answers = {}
    assert avahi.name_to_show() == ""


def test_without_avahi_there_is_no_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without avahi no name is shown."""
    monkeypatch.setattr(avahi, "SOCKET", tmp_path / "nothing")
    assert avahi.name_to_show() == avahi.own_name() == ""


def test_a_brokers_settings_hold_the_name_that_leads_here(names: Names, tmp_path: Path) -> None:
    """The broker's settings use the name that avahi chose for this machine, because another may have the plain one."""
    names.answers = {OWN: "pi-2.local"}
    assert (
        'url = "mqtt://pi-2.local/companion"' in CliRunner().invoke(broker.command, [str(tmp_path / "broker")]).stdout
    )
