"""Test the code for the machine's own Wi-Fi beside the code for the address."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.ops import hotspot
from companion.ops.network_address import Interface
from tests.support.web import any_game
from tests.support.web.visitors import Room

PASSWORD = "abcdefghjkmn"
HERE, JOINED, CABLE = "127.0.0.1", "10.42.0.17", "192.168.1.7"


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file of a hotspot that is on."""
    path = tmp_path / "wifi"
    path.write_text(f"ssid=Companion k7q2\npsk={PASSWORD}\naddress=10.42.0.1\n")
    monkeypatch.setenv(hotspot.ENVIRONMENT, str(path))
    monkeypatch.setattr(hotspot, "read_interfaces", lambda: [Interface("wlan0", "10.42.0.1")])
    return path


def first_page(room: Room, address: str, **headers: str) -> str:
    """Return the first page as a device at this address sees it."""
    return room.app.test_client().get("/", environ_base={"REMOTE_ADDR": address}, headers=headers).get_data(True)


@pytest.mark.parametrize(("address", "seen"), [(HERE, True), (JOINED, True), (CABLE, False), ("fd00::7", False)])
def test_anybody_sees_it_only_in_front_of_the_machine_or_in_that_wifi(
    room: Room, told: Path, address: str, seen: bool
) -> None:
    """Only the machine's own screen and devices in the Wi-Fi see the code, because anybody may be connected by
    cable."""
    assert (PASSWORD in first_page(room, address)) is seen


def test_a_proxy_on_this_machine_is_not_its_screen(room: Room, told: Path) -> None:
    """Requests through a proxy on this machine do not see the code, because they may come from anywhere."""
    assert PASSWORD not in first_page(room, HERE, **{"X-Forwarded-For": CABLE})


def test_the_host_and_the_shared_tablet_have_it_beside_the_address(room: Room, told: Path) -> None:
    """The host's page and the shared tablet show the code beside the address while the Wi-Fi is on."""
    any_game.lay(room, "take-a-train", 3)
    pages = (room.host, room.page("tablet"))
    for text, seen in ((told.read_text(), True), (f"ssid=Companion k7q2\npsk={PASSWORD}\naddress=\n", False)):
        told.write_text(text)
        for page in pages:
            said = room.app.test_client().get(page, environ_base={"REMOTE_ADDR": CABLE}).get_data(True)
            assert (PASSWORD in said) is seen and ("wifi-code" in said) is seen
    told.unlink()
    assert "wifi-code" not in first_page(room, HERE)


def test_no_seat_and_no_spectator_is_told(room: Room, told: Path) -> None:
    """No seat and no spectator sees the code, because a spectator's page may be shown to anybody."""
    any_game.lay(room, "take-a-train", 3)
    for page in (room.seats[0], room.page("watch")):
        assert PASSWORD not in room.app.test_client().get(page).get_data(True)
