"""The address of the bus comes from environment, settings or folder, and an invalid one is explained in a sentence."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion import config
from companion.config import ConfigError
from companion.devices.bus import BrokerAddress, BusError, SocketAddress, find_address, parse_address
from companion.devices.bus.address import LONGEST_PATH, configured_address


@pytest.fixture(autouse=True)
def unset(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the bus settings from the environment."""
    monkeypatch.delenv("COMPANION_BUS", raising=False)
    monkeypatch.delenv("COMPANION_CONFIG", raising=False)
    monkeypatch.delenv("COMPANION_SOCKET", raising=False)


@pytest.mark.parametrize(("text", "found"), [
    ("unix:/run/companion/bus", SocketAddress(Path("/run/companion/bus"))),
    ("/run/companion/bus", SocketAddress(Path("/run/companion/bus"))),
    ("mqtt://table.local", BrokerAddress("table.local", 1883, "companion")),
    ("mqtt://me@10.0.0.2:1884/house/table-2", BrokerAddress("10.0.0.2", 1884, "house/table-2", "me")),
    ("mqtts://table.local/", BrokerAddress("table.local", 8883, "companion", tls=True)),
    ("mqtt://[fd00::1]:1885/x", BrokerAddress("fd00::1", 1885, "x")),
])  # fmt: skip
def test_an_address_is_read_and_written(text: str, found: SocketAddress | BrokerAddress) -> None:
    """An address written as text is parsed back to the same address."""
    assert parse_address(text) == found
    assert parse_address(str(found)) == found


@pytest.mark.parametrize(("text", "said"), [
    ("http://table.local/x", "of an unknown kind"),
    ("mqtt//table.local/x", "of an unknown kind"),
    ("table.local", "of an unknown kind"),
    ("unix:", "is empty"),
    ("mqtt://me:secret@table.local/x", "put it in a separate file"),
    ("mqtt:me:secret@table.local/x", "names no broker"),
    ("me:secret@table.local", "is of an unknown kind"),
    ("mqtt://table.local/me:secret@x#y", "contains a #"),
    ("mqtt://table.local/me secret@x", "cannot begin a topic"),
    ("mqtt:///x", "names no broker"),
    ("mqtt://table.local:0/x", "names no broker"),
    ("mqtt://table.local:99999/x", "no valid port"),
    ("mqtt://table.local:one/x", "no valid port"),
    ("mqtt://table.local/a/+/b", "cannot begin a topic"),
    ("mqtt://table.local/a//b", "cannot begin a topic"),
    ("mqtt://table.local/a#b", "contains a #"),
    ("mqtt://table.local/" + "x" * 200, "cannot begin a topic"),
])  # fmt: skip
def test_what_is_no_address_is_one_sentence(text: str, said: str) -> None:
    """An invalid address is refused in one line that never contains a password."""
    with pytest.raises(BusError, match=said) as error:
        parse_address(text)
    assert "secret" not in str(error.value) and "\n" not in str(error.value)


def test_each_service_has_its_own_user_and_file() -> None:
    """Each service has its own user and password file, unless the address names a user."""
    found = BrokerAddress("b", prefix="house/two", password_file=Path("/etc/{service}.password"))
    assert found.user_of("camera") == "house-two-camera"
    assert found.password_file_of("camera") == Path("/etc/camera.password")
    assert BrokerAddress("b", user="me").user_of("camera") == "me"
    assert BrokerAddress("b").password_file_of("camera") is None


def test_the_socket_is_in_the_data_folder_or_among_temporary_files() -> None:
    """The socket is in the data folder, or in the temporary folder if its path would be too long."""
    folder, deep = Path("/srv/companion"), Path("/" + "x" * LONGEST_PATH)
    assert find_address(folder) == SocketAddress(folder / "bus")
    found = find_address(deep)
    assert isinstance(found, SocketAddress) and found == find_address(deep) != find_address(deep / "y")
    assert len(os.fsencode(found.path)) <= LONGEST_PATH


def test_the_environment_goes_before_the_settings_and_they_before_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The environment overrides the settings, which override the folder, and files are relative to the settings."""
    settings = tmp_path / "companion.toml"
    settings.write_text('bus = "mqtt://table.local/two"\n[wiring]\nhost = 26\n', encoding="utf-8")
    assert find_address(tmp_path) == BrokerAddress("table.local", 1883, "two")
    settings.write_text(
        '[bus]\nurl = "mqtts://table.local"\nuser = "me"\npassword_file = "{service}.password"\nca_file = "/ca.pem"\n',
        encoding="utf-8",
    )
    password = tmp_path / "{service}.password"
    assert find_address(tmp_path) == BrokerAddress(
        "table.local", 8883, "companion", "me", True, password, Path("/ca.pem")
    )
    monkeypatch.setenv("COMPANION_BUS", "mqtt://other.local/x")
    assert find_address(tmp_path) == BrokerAddress("other.local", 1883, "x", "me", False, password, Path("/ca.pem"))
    monkeypatch.setenv("COMPANION_BUS", "/run/companion/bus")
    assert find_address(tmp_path) == SocketAddress(Path("/run/companion/bus"))


def test_the_settings_may_lie_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """COMPANION_CONFIG moves the settings, and an error names the moved file."""
    elsewhere = tmp_path / "etc" / "table.toml"
    elsewhere.parent.mkdir()
    elsewhere.write_text('[bus]\nurl = "mqtt://table.local"\npassword_file = "p"\n', encoding="utf-8")
    monkeypatch.setenv("COMPANION_CONFIG", str(elsewhere))
    found = find_address(tmp_path / "data")
    assert isinstance(found, BrokerAddress) and found.password_file == elsewhere.parent / "p"
    elsewhere.write_text('[bus]\nurl = "mqtt://table.local"\nport = 5\n', encoding="utf-8")
    with pytest.raises(ConfigError, match=r"etc/table\.toml, line 3, \[bus\]: 'port' is unknown here"):
        configured_address(config.read(tmp_path / "data"))
    assert find_address(tmp_path / "data") == SocketAddress(tmp_path / "data" / "bus")


@pytest.mark.parametrize(("text", "said"), [
    ("bus = 5\n", "'bus' is outside any table"),
    ('buss = "x"\n', "'buss' is outside any table"),
    ('[bus]\nuser = "me"\n', "there is no url"),
    ('[bus]\nurl = "mqtt://a:b@c"\n', r"line 2, \[bus\]: the address contains a password"),
    ('[bus]\nurl = "http://a:secret@c"\n', r"the address http://…@c is of an unknown kind"),
    ('[bus]\nurl = "mqtt://c"\npassword_file = "~nobody-at-all/x"\n', r"line 3, \[bus\]: password_file is"),
    ('[bus]\nurl = "~nobody-at-all/x"\n', "names a user who does not exist"),
    ("[bus]\nurl = 5\n", "url is 5"),
])  # fmt: skip
def test_settings_that_name_no_bus_are_refused(tmp_path: Path, text: str, said: str) -> None:
    """Wrong bus settings are refused with the file's name and without a password, and the folder's own socket is
    used."""
    (tmp_path / "companion.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=said) as error:
        configured_address(config.read(tmp_path))
    assert str(tmp_path / "companion.toml") in str(error.value) and "secret" not in str(error.value)
    assert find_address(tmp_path) == SocketAddress(tmp_path / "bus")


def test_a_broker_in_the_environment_stays_closed_where_its_settings_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the settings cannot be read, a broker from the environment is not used, because its password is in them."""
    (tmp_path / "companion.toml").write_text("[bus\n", encoding="utf-8")
    monkeypatch.setenv("COMPANION_BUS", "mqtts://table.local")
    assert find_address(tmp_path) == SocketAddress(tmp_path / "bus")
    monkeypatch.setenv("COMPANION_BUS", "/run/companion/bus")
    assert find_address(tmp_path) == SocketAddress(Path("/run/companion/bus"))
