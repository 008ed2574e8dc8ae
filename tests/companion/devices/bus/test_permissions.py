"""A real mosquitto with the files from `companion broker` allows each user only its own topics."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion import cli
from companion.devices.bus import BusError, find_address
from companion.devices.bus.mosquitto import RADIO, USERS, hash_password, password_matches, write_files
from companion.devices.bus.permissions import why_refused
from companion.messages import Asked, ClockAsked, ClockTold, Health, Here, Leading, Press, Sighted
from tests.support.bare_bus import Bare
from tests.support.brokers import Mosquitto, running

WRITES = {
    "table": {"down/all", "down/buttons", "down/camera", "down/doctor", "here/table"},
    "buttons": {"up/buttons", "here/buttons"},
    "camera": {"up/camera", "here/camera"},
    "doctor": {"up/doctor", "here/doctor"},
    "radio": {"seat-1/button", "seat-1/ping", "seat-1/pong", "seat-1/status"},
    "listener": set[str](),
}
HERE = {"here/table", "here/buttons", "here/camera", "here/doctor"}
READS = {
    "table": {"up/buttons", "up/camera", "up/doctor", *HERE},
    "buttons": {"down/buttons", "down/all", "here/table"},
    "camera": {"down/camera", "down/all", "here/table"},
    "doctor": {"down/doctor", "down/all", "here/table"},
    "radio": WRITES["radio"],
    "listener": {"down/all", *HERE},
}
OTHERS = {"up/buttons/more", "up/all", "here/kettle", "up/kettle", "kettle", "seat-1/other", "down"}
"""Topics below the prefix that no user may write."""
TOPICS = sorted(set[str]().union(*WRITES.values(), *READS.values(), OTHERS))


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    """Yield a broker with all users, the two optional ones included."""
    with running(tmp_path_factory.mktemp("broker"), ("radio", "listener")) as found:
        yield found


@pytest.mark.broker
@pytest.mark.parametrize("service", WRITES)
def test_each_user_writes_its_own_topics_alone(broker: Mosquitto, service: str) -> None:
    """Each user can publish only to its own topics, inside and outside of the bus."""
    with Bare(broker, service) as user:
        taken = {topic for topic in TOPICS if user.say(f"companion/{topic}", b"")}
        assert taken == WRITES[service]
        assert not any([user.say(topic, b"") for topic in ("companion", "other", f"other/up/{service}", "/companion")])


@pytest.mark.broker
def test_each_user_reads_its_own_topics_alone(broker: Mosquitto) -> None:
    """Each user receives only its own topics, even if it subscribes to all of them."""
    with contextlib.ExitStack() as stack:
        users = {service: stack.enter_context(Bare(broker, service)) for service in WRITES}
        for user in users.values():
            user.listen("#", "companion/#", *(f"companion/{topic}" for topic in TOPICS))
        for payload in (b"first", b"last"):
            for service, topics in WRITES.items():
                assert all([users[service].say(f"companion/{topic}", payload) for topic in topics])
        for service, user in users.items():
            wanted = {(f"companion/{topic}", b"last") for topic in READS[service]}
            user.until(lambda user=user, wanted=wanted: wanted <= set(user.heard))  # type: ignore[misc]
            assert {topic for topic, _ in user.heard} == {topic for topic, _ in wanted}, service


@pytest.mark.broker
def test_nobody_gets_in_without_the_password(broker: Mosquitto) -> None:
    """The broker admits a user only with that user's own password."""
    camera = (broker.folder / "camera.password").read_text().strip()
    for password in ("", "wrong", camera):
        with Bare(broker, "buttons", password) as user:
            assert user.let_in is False


# --- the files --------------------------------------------------------------------------------------


def test_passwords_stay_and_are_made_new_when_asked(tmp_path: Path) -> None:
    """A second run keeps all passwords, `renew` replaces them, and the broker keeps entries without a password file."""
    assert {each.done for each in write_files(tmp_path, "companion", 1883)} == {"new"}
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert {each.done for each in write_files(tmp_path, "companion", 1883)} == {"kept"}
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    (tmp_path / "buttons.password").unlink()
    again = {each.service: each.done for each in write_files(tmp_path, "companion", 1883, also=(RADIO,))}
    assert again == {"table": "kept", "buttons": "elsewhere", "camera": "kept", "doctor": "kept", "radio": "new"}
    assert (tmp_path / USERS).read_bytes().startswith(before[USERS])
    assert {each.done for each in write_files(tmp_path, "companion", 1883, renew=True)} == {"new"}
    for name, text in before.items():
        assert name.endswith((".conf", "rights")) or (tmp_path / name).read_bytes() != text


def test_passwords_are_for_their_owner_alone(tmp_path: Path) -> None:
    """Password files have mode 0600 and different passwords, and the broker's file has only hashes."""
    done = write_files(tmp_path / "deep" / "broker", "companion", 1883)
    passwords = {each.file.read_text().strip() for each in done}
    assert len(passwords) == len(done) and all(len(each) >= 32 for each in passwords)
    assert {stat.S_IMODE(each.file.stat().st_mode) for each in done} == {0o600}
    users = (tmp_path / "deep" / "broker" / USERS).read_text()
    assert not any(password in users for password in passwords)


def test_a_hash_fits_its_password_alone() -> None:
    """A hash made by mosquitto_passwd 2.0.11 matches only its password, and an invalid hash matches nothing."""
    theirs = (
        "$7$101$K/WfuH2R+0qp8PC7$S4QPgD2Vk3CejQZC3Q7otvN5A79feXh8ACIy"
        "5T8OAhCU/8rCcT+4DJfmGrklYSpAuXLeMiTYep6P4/njb7HEpg=="
    )
    assert password_matches("geheim", theirs) and not password_matches("gehein", theirs)
    made = hash_password("geheim")
    assert made.startswith("$7$101$") and password_matches("geheim", made) and not password_matches("Geheim", made)
    assert hash_password("geheim") != made
    assert not any(password_matches("x", kept) for kept in ("", "x", "$6$salt$hash", "$7$many$AAAA$BBBB", "$7$1$A$B$C"))


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    """If the folder cannot be written, the error names the reason."""
    (tmp_path / "broker").write_text("a file")
    with pytest.raises(BusError, match=r"broker cannot be written: File exists\."):
        write_files(tmp_path / "broker", "companion", 1883)


def test_the_command_prints_settings_that_can_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lines printed for companion.toml are read as the address of the broker."""
    monkeypatch.delenv("COMPANION_BUS", raising=False)
    monkeypatch.delenv("COMPANION_CONFIG", raising=False)
    words = ("broker", str(tmp_path / "broker"), "--host", "table.local", "--prefix", "house/two", "--also", "listener")
    result = CliRunner().invoke(cli.main, words)
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    for machine, file in (("this", tmp_path / "broker" / "{service}.password"), ("the other", "{service}.password")):
        at = lines.index(f"companion.toml of {machine} machine:")
        (tmp_path / "companion.toml").write_text("\n".join(lines[at + 1 : at + 4]), encoding="utf-8")
        found = find_address(tmp_path)
        assert str(found) == "mqtt://table.local:1883/house/two"
        assert getattr(found, "password_file", None) == tmp_path / file
    assert "house-two-listener" in result.output
    assert "new password" in result.output
    again = CliRunner().invoke(cli.main, words)
    assert "new password" not in again.output
    refused_one = CliRunner().invoke(cli.main, ("broker", str(tmp_path / "x"), "--prefix", "a/#"))
    assert refused_one.exit_code == 1 and "cannot begin a topic" in refused_one.output
    assert not (tmp_path / "x").exists()


# --- permitted messages of a service, on either kind of bus -----------------------------------------


def test_a_service_speaks_for_itself_alone() -> None:
    """A service may send only its own kinds of message in its own name."""
    own = (Press(0, 1), Press(0, 1, source="radio"), Health("buttons", 1), Here("buttons"), ClockTold(1, 2))
    assert {why_refused("buttons", each) for each in own} == {""}
    assert why_refused("buttons", Sighted(1, 1)) == "Sighted is not for buttons to say"
    assert why_refused("camera", Press(0, 1)) == "Press is not for camera to say"
    assert why_refused("camera", Health("buttons", 1)) == "Health of 'buttons' is not for camera to say"
    assert why_refused("buttons", Press(0, 1, source="screen")) == "a press of a screen does not come from buttons"
    assert (
        why_refused("buttons", Leading(0, 1))
        and why_refused("buttons", ClockAsked(1))
        and why_refused("kettle", Press(0, 1))
    )
    assert why_refused("doctor", Asked(1, "examine")) == "" and why_refused("camera", Asked(1, "examine"))


def test_files_of_another_group_are_given_where_there_is_one(tmp_path: Path) -> None:
    """The broker's own files have mode 0640."""
    write_files(tmp_path, "companion", 1883)
    assert stat.S_IMODE((tmp_path / USERS).stat().st_mode) == 0o640
    assert (tmp_path / USERS).stat().st_uid == os.geteuid()
