"""A mistake in the settings disables only its own part, is reported with its place, and stops nothing."""

from __future__ import annotations

import os
import re
import string
from collections.abc import Callable
from pathlib import Path

import pytest

from companion import config
from companion.cli import checks
from companion.config import ConfigError, SettingLocation, Settings
from companion.findings import Finding, finding_text, sentences
from companion.i18n import LANGUAGES
from tests.support.paths import ROOT

PLACE = SettingLocation("radio")
ALL = set(config.TABLES)
WIRED = "[wiring]\nseats = [{ button = 17 }, { button = 27 }]\n"


def refused(act: Callable[[], object]) -> str:
    """Return the message with which settings are refused."""
    with pytest.raises(ConfigError) as caught:
        act()
    return str(caught.value)


def written(folder: Path, content: str | bytes) -> Settings:
    """Write settings and read them."""
    config.path_in(folder).write_bytes(content.encode() if isinstance(content, str) else content)
    return config.read(folder)


def left_out(folder: Path) -> tuple[Finding, ...]:
    """Return the findings of all checks of the settings."""
    return config.Checker(checks).left_out(folder)


def test_no_file_means_no_settings(tmp_path: Path) -> None:
    """A folder without a settings file has no settings and no findings."""
    assert config.read(tmp_path) == Settings(str(config.path_in(tmp_path)))
    assert left_out(tmp_path) == ()


@pytest.mark.parametrize("before", [b"", b"\xef\xbb\xbf"])
def test_the_tables_are_given_as_they_stand(tmp_path: Path, before: bytes) -> None:
    """Tables are passed on unchanged, also from a file that begins with a byte order mark."""
    found = written(tmp_path, before + b'[wiring]\nhost = 26\n[radio]\nbroker = "table"\n')
    assert found.tables == {"wiring": {"host": 26}, "radio": {"broker": "table"}}
    assert not found.closed and not found.passed_over


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        (b"[wiring]\nhost = \n", ", line 2: this is not TOML (column"),
        (b"[wiring]\nhost = 1\nhost = 2\n", ", line 3: this appears twice"),
        (b"[wiring]\nseats = [\n{ button = 17 }\n", ", line 3: a bracket or a quotation mark is not closed"),
        (b"[wiring]\nhost = '\xff'\n", ": this is not a plain text file (byte 18 is not UTF-8); save it as UTF-8."),
        (
            '[camera]\nsource = "none"\n'.encode("utf-16"),
            ": this is not a plain text file (byte 1 is not UTF-8); save it as UTF-8.",
        ),
        (b"a = " + b"[" * 3000 + b"]" * 3000, ": brackets are nested too deeply."),
        (b"a = " + b"{a=" * 3000 + b"1" + b"}" * 3000, ": brackets are nested too deeply."),
        (b".".join([b"a"] * 20_000) + b" = 1", ": brackets are nested too deeply."),
        (b"[wiring]\nhost = " + b"9" * 5000, ": the file contains a number or date outside the allowed range."),
        (b"#" * (config.LARGEST + 1), ": the file is too large; at most 64 KiB are allowed."),
        (b"\0" * 100, ", line 1: this is not TOML"),
    ],
)
def test_of_a_file_that_cannot_be_read_everything_is_closed(tmp_path: Path, content: bytes, wanted: str) -> None:
    """If the file cannot be read, all tables are disabled, and the message has the file and the place."""
    found = written(tmp_path, content)
    assert set(found.closed) == ALL and not found.tables
    for name in ALL:
        assert refused(lambda name=name: found.table(name)).startswith(f"{config.path_in(tmp_path)}{wanted}")
    assert len(left_out(tmp_path)) == 1 and config.closed_tables(left_out(tmp_path)) == ALL


def test_what_is_no_file_is_a_sentence_and_is_never_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder, pipe or device in place of the file is refused without waiting."""
    path = config.path_in(tmp_path)
    path.mkdir()
    assert refused(lambda: config.read(tmp_path).table("bus")) == f"{path}: this is not a file but a folder."
    path.rmdir()
    os.mkfifo(path)
    assert refused(lambda: config.read(tmp_path).table("bus")) == f"{path}: this is not a file but a pipe."
    monkeypatch.setenv(config.VARIABLE, "/dev/zero")
    assert refused(lambda: config.read(tmp_path).table("bus")) == "/dev/zero: this is not a file but a device."


def test_a_path_through_a_file_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path through a file is refused with the system's reason."""
    (tmp_path / "x").touch()
    monkeypatch.setenv(config.VARIABLE, str(tmp_path / "x" / "y.toml"))
    assert "Not a directory" in refused(lambda: config.read(tmp_path).table("bus"))


@pytest.mark.parametrize(("text", "closes", "where"), [
    ("[lamps]\nx = 1\n", set(), "line 1: the table [lamps] is unknown"),
    (f"{WIRED}[notes]\nx = 1\n", set(), "line 3: the table [notes] is unknown"),
    ("[wirring]\nhost = 26\n", {"wiring"}, "line 1: the table [wirring] is unknown"),
    ("[pins]\nhost = 26\n", {"wiring"}, "line 1: the table [pins] is unknown"),
    (f"{WIRED}[wirring]\nhost = 26\n", set(), "line 3: the table [wirring] is unknown"),
    ('[Camera]\nsource = "none"\n', {"camera"}, "line 1: the table [Camera] is unknown"),
    ('source = "none"\n', {"camera"}, "line 1: 'source' is outside any table"),
    (f'source = "none"\n{WIRED}', {"camera"}, "line 1: 'source' is outside any table"),
    ('user = "me"\n', {"radio", "bus"}, "line 1: 'user' is outside any table"),
    ("host = 5\n[wiring]\nhost = 26\n", {"wiring"}, "line 2, [wiring]: seats must be a list"),
    ("colour = 5\n", set(), "line 1: 'colour' is outside any table"),
    ("bus = 5\n", {"bus"}, "line 1: 'bus' is outside any table"),
    ("[[wiring]]\nhost = 5\n", {"wiring"}, "line 1: 'wiring' is outside any table"),
    (f"{WIRED}hots = 5\n", {"wiring"}, "line 3, [wiring]: 'hots' is unknown here; known keys are seats, host"),
    ("[camera]\nrotate = 45\n", {"camera"}, "line 2, [camera]: rotate is 45; it must be 0, 90, 180 or 270."),
    ("[camera]\nfocus = nan\n", {"camera"}, "line 2, [camera]: focus is nan; it must be a number of dioptres"),
    ('[camera]\ncard = "nanxnan"\n', {"camera"}, "line 2, [camera]: card is "),
    ("[radio]\nport = 1\n", {"radio"}, "line 1, [radio]: buttons must name a topic"),
    ("[radio.buttons]\n9 = 'a'\n", {"radio"}, "line 1, [radio]: there is no seat '9'; seats are 1 to 6, or host."),
    ('[bus]\nurl = "mqtt://a:b@c"\n', {"bus"}, "line 2, [bus]: the address contains a password"),
    ("wiring = { seats = 3 }\n", {"wiring"}, "line 1, [wiring]: seats must be a list"),
])  # fmt: skip
def test_a_mistake_closes_its_own_table_and_no_other(tmp_path: Path, text: str, closes: set[str], where: str) -> None:
    """A mistake disables only its table, and a misspelt table disables the one that it resembles."""
    written(tmp_path, text)
    found = left_out(tmp_path)
    assert config.closed_tables(found) == closes
    assert any(f"{config.path_in(tmp_path)}, {where}" in str(ConfigError(each)) for each in found), found


def test_a_wiring_that_is_closed_closes_the_wireless_buttons(tmp_path: Path) -> None:
    """A wrong wiring also disables the wireless buttons, because it has the number of seats, and is reported once."""
    written(tmp_path, '[wiring]\nseats = 3\n[radio.buttons]\n1 = "a"\n')
    assert [each.state for each in left_out(tmp_path)] == ["no_seats"]


def test_the_keys_of_a_table_are_those_that_it_is_checked_for() -> None:
    """The list of known keys matches the fields that each table is checked for."""
    from companion.devices.bus.address import BrokerAddress
    from hardware.wiring.wiring import Wiring
    from vision.settings import CameraSettings as Camera

    assert config.TABLES["wiring"] == Wiring.__struct_fields__
    assert set(config.TABLES["camera"]) == set(Camera.__struct_fields__)
    assert set(config.TABLES["bus"]) == {"url", "user", "password_file", "ca_file"} <= {
        "url", *BrokerAddress.__struct_fields__
    }  # fmt: skip


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_mistake_has_its_sentence_and_says_what_is_closed(lang: str) -> None:
    """Every state of a finding about settings has a sentence in each language, and every sentence is used."""
    words = sentences(lang)
    source = "\n".join(
        (ROOT / name).read_text(encoding="utf-8")
        for name in ("companion/config.py", "companion/files/untrusted.py", "companion/devices/bus/address.py",
                     "hardware/wiring/wiring.py", "hardware/radio/settings.py", "vision/settings.py",
                     "web/security/host_names.py", "web/hall/settings.py")
    )  # fmt: skip
    states = {each for each in words.section("check.settings") if "." not in each}
    raised = set(re.findall(r"\"([a-z_]+)\"", source)) | {"unknown_closes", "stray_closes"}
    assert states <= raised, states - raised
    for call in re.findall(r"(?:wrong\(|AddressError\(|Unreadable\(|_all_closed\([\w()]+, )\s*\"([a-z_]+)\"", source):
        assert call in states, call
    for table in (*config.TABLES, "file"):
        found = Finding(f"settings.{table}", "not_text", "bad", {"place": ["table:x"], "key": "a", "value": "5"})
        assert finding_text(found, words).advice == words(f"check.settings.{table}.remedy")
    assert {
        name for text in states for _, name, _, _ in string.Formatter().parse(words.sentences[f"check.settings.{text}"])
    }


def test_a_mistake_is_said_in_the_reader_s_language(tmp_path: Path) -> None:
    """A mistake is reported in the reader's language with its place and its effect."""
    written(tmp_path, f"{WIRED}host = 17\n")
    (found,) = left_out(tmp_path)
    what, how, advice = finding_text(found, sentences("fr"))
    assert what == f"{config.path_in(tmp_path)}, ligne 3, [wiring]"
    assert how == "GPIO 17 sert deux fois, pour le bouton de la place 1 et pour le bouton de l'hôte"
    assert advice.startswith("Aucune broche ni aucun bouton sans fil")


def test_a_key_that_nobody_knows_is_refused_with_those_that_are_known() -> None:
    """An unknown key is refused with the list of known keys."""
    assert refused(lambda: config.check_keys({"hots": 26}, ("host", "buzzer"), SettingLocation("wiring"))) == (
        "[wiring]: 'hots' is unknown here; known keys are host, buzzer."
    )


@pytest.mark.parametrize(
    ("value", "told"), [(0, "0"), (11, "11"), (2.5, "2.5"), ("5", '"5"'), (True, "true"), ([5], "[…]"), ({}, "{…}"),
                        (10**4000, "1000000000…"), (-(10**50), "-1000000000…")]
)  # fmt: skip
def test_a_number_must_be_whole_and_in_its_bounds(value: object, told: str) -> None:
    """A value that is not a whole number within the bounds is refused as it was written."""
    assert refused(lambda: config.read_whole({"port": value}, "port", PLACE, 1, 10, 5)) == (
        f"[radio]: port is {told}; it must be a whole number from 1 to 10."
    )


def test_what_is_left_out_is_the_default() -> None:
    """A missing key has its default."""
    assert config.read_whole({}, "port", PLACE, 1, 10, 5) == 5
    assert config.read_text({}, "broker", PLACE, "here") == "here"


def test_a_text_must_be_one() -> None:
    """A number in place of a text is refused."""
    assert refused(lambda: config.read_text({"broker": 7}, "broker", PLACE)) == (
        "[radio]: broker is 7; it must be a text in quotation marks."
    )


def test_a_password_is_read_from_a_file_and_from_nothing_else(tmp_path: Path) -> None:
    """A password is read only from a short text file, and an error never repeats it."""
    path = tmp_path / "password"
    path.write_bytes(b"\xef\xbb\xbfhush\n")
    assert config.read_secret(path, PLACE) == "hush"
    path.write_bytes(b"\xff\xd8")
    assert "is not a short text" in refused(lambda: config.read_secret(path, PLACE))
    path.write_bytes(b"x" * 5000)
    assert "is not a short text" in refused(lambda: config.read_secret(path, PLACE))
    path.unlink()
    assert "No such file" in refused(lambda: config.read_secret(path, PLACE))
    for word in ("hunter2", "h" * 5000):  # the password itself in place of a file's name
        assert word not in refused(lambda word=word: config.read_secret(tmp_path / word, PLACE))  # type: ignore[misc]
    assert refused(lambda: config.read_path("~hunter2/x", PLACE, "password_file")).startswith(
        "[radio]: password_file is …"
    )
    os.mkfifo(path)
    assert "is not a short text" in refused(lambda: config.read_secret(path, PLACE))
