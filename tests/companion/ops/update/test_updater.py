"""The steps of an update, its refusals before any change, and its rollback."""

from __future__ import annotations

import errno
import fcntl
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import pytest

from companion.ops.update import updater
from companion.ops.update.package import sign
from companion.ops.update.sentences import UpdateError
from companion.ops.update.system import Done
from companion.ops.update.updater import Updater, copy_of
from tests.companion.ops.update.machine import NEW, OLD, FakeMachine
from tests.support.packages import KEY_PRIVATE, write_package

TRIED = ["extract", "compile", f"trial {NEW}", "save"]
SWITCHED = [f"install {NEW} while {OLD} is the way back", f"restart table camera {NEW}"]
BACK = [f"install {OLD} while {OLD} is the way back", f"trial {OLD}", f"restart table camera {OLD}"]


@pytest.fixture
def machine(tmp_path: Path) -> FakeMachine:
    """Return a machine with version 0.2.0."""
    return FakeMachine(tmp_path)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Return a package of version 0.3.0."""
    return write_package(tmp_path / "new.deb", NEW)


def test_a_good_package_is_tried_saved_installed_and_awaited(machine: FakeMachine, package: Path) -> None:
    """A good package is tried, saved, installed and awaited, in this order, and both versions are kept."""
    assert machine.update(package) == f"done {NEW}"
    assert machine.record == [*TRIED, *SWITCHED]
    assert machine.stages == ["examining", "trying", "saving", "installing", "awaiting"]
    assert machine.kept() == [f"current {NEW}", f"previous {OLD}"]
    assert not machine.places.marker.exists() and not machine.places.work.exists()
    assert machine.places.current.read_bytes() == package.read_bytes()


def test_the_marker_says_what_to_go_back_to(machine: FakeMachine, package: Path) -> None:
    """The marker for a rollback is complete on the disk before dpkg runs."""
    seen: list[dict[str, str]] = []

    def look(line: str) -> None:
        if "--install" in line:
            seen.append(json.loads(machine.places.marker.read_text()))
            assert machine.kept()[1:] == [f"current {OLD}"]

    machine.before = look
    machine.update(package)
    assert seen == [{"from": OLD, "to": NEW, "saved": "/saved"}]


def test_the_same_version_is_a_repair(machine: FakeMachine, tmp_path: Path) -> None:
    """The installed version can be installed again as a repair."""
    assert machine.update(write_package(tmp_path / "same.deb", OLD)) == f"done {OLD}"


# --- refused before any change --------------------------------------------------------------------


class Bad(NamedTuple):
    """A package that must be refused, with its content and the expected error."""

    said: str
    version: str = NEW
    fields: Mapping[str, str] = MappingProxyType({})
    fails: Mapping[str, Done] = MappingProxyType({})


SYNTAX = "*** Error compiling 'usr/lib/x.py'...\n  File \"x\", line 1\nSyntaxError: invalid syntax"
LACKING = Done(0, '{"format": 1, "why": "web.app: ModuleNotFoundError: No module named flask"}')
BAD = {
    "another kind of machine": Bad("other_system", fields={"Architecture": "armhf"}),
    "something else": Bad("other_package", fields={"Package": "cowsay"}),
    "older": Bad("older", "0.1.9"),
    "a missing dependency": Bad("missing", fields={"Depends": "python3 (>= 3.11), python3-nonesuch"}),
    "a dependency that is too old": Bad("missing", fields={"Depends": "python3 (>= 4)"}),
    "a mistake in a file": Bad("broken_file", fails={"compileall": Done(1, SYNTAX)}),
    "a missing module": Bad("does_not_load", fails={"update.trial": LACKING}),
    "an import that ends the program": Bad("does_not_load", fails={"update.trial": Done(1, "Killed")}),
    "files that cannot be unpacked": Bad("cannot_unpack", fails={"--extract": Done(2, "lzma error")}),
    "a full disk while unpacking": Bad("full", fails={"--extract": Done(2, "x: No space left on device")}),
    "a full disk while saving": Bad("full", fails={"saving save": Done(1, "OSError: No space left on device")}),
    "matches that cannot be saved": Bad("cannot_save", fails={"saving save": Done(1, "the journal is damaged")}),
}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD.keys())
def test_what_cannot_work_is_refused_before_anything_is_touched(machine: FakeMachine, tmp_path: Path, bad: Bad) -> None:
    """A package that cannot work is refused before any change, with the reason."""
    machine.fails = dict(bad.fails)
    assert machine.update(write_package(tmp_path / "bad.deb", bad.version, **bad.fields)) == bad.said
    assert machine.untouched() and not machine.places.work.exists()


def test_an_older_version_is_installed_where_that_is_meant(machine: FakeMachine, tmp_path: Path) -> None:
    """An older version is installed if root explicitly wants it."""
    machine.formats["0.1.9"] = 1
    assert machine.update(write_package(tmp_path / "old.deb", "0.1.9"), older=True) == "done 0.1.9"


def test_a_version_that_cannot_read_the_matches_is_refused(machine: FakeMachine, package: Path) -> None:
    """A version that cannot read the matches is refused, even if it is explicitly wanted."""
    machine.journal = 2
    assert machine.update(package, older=True) == "newer_data" and machine.untouched()


def test_two_updates_at_once_are_one(machine: FakeMachine, package: Path) -> None:
    """A second update at the same time is refused."""
    with machine.places.lock.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert machine.update(package) == "busy" and machine.untouched()
    assert machine.update(package) == f"done {NEW}"


def test_a_full_disk_is_seen_before_anything_is_written(
    machine: FakeMachine, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk is reported before anything is written, or during the copy."""
    usage = shutil.disk_usage(machine.folder)
    monkeypatch.setattr(updater.shutil, "disk_usage", lambda path: usage._replace(free=updater.ROOM - 1))
    assert machine.update(package) == "full" and machine.untouched() and not machine.places.work.exists()
    monkeypatch.undo()

    def fills(path: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(UpdateError) as error:
        updater.Updater(machine.places, machine.run, machine.services, lambda stage: None).update(fills, False)
    assert error.value.key == "full" and machine.untouched()


def test_a_file_that_is_not_there_is_said(machine: FakeMachine, tmp_path: Path) -> None:
    """A missing file is reported."""
    assert machine.update(tmp_path / "none.deb") == "no_file" and machine.untouched()


# --- signatures -----------------------------------------------------------------------------------


def test_from_a_page_a_signature_counts_first(machine: FakeMachine, package: Path) -> None:
    """An update from a page needs a valid signature before anything else of the package is read."""
    ed25519 = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.ed25519", reason="no cryptography")
    import base64

    assert machine.update(package, signed=True) == "no_key"
    for private, said in ((bytes(32), "signed_wrongly"), (KEY_PRIVATE, f"done {NEW}")):
        key = ed25519.Ed25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw()
        machine.places.key.write_bytes(base64.b64encode(key))
        if private == bytes(32):
            assert machine.update(package, signed=True) == "unsigned"
            sign(package, KEY_PRIVATE)
        assert machine.update(package, signed=True) == said


# --- rollback -------------------------------------------------------------------------------------


@pytest.mark.parametrize("service", ["table", "camera"])
def test_a_service_that_dies_brings_the_version_before_back(machine: FakeMachine, package: Path, service: str) -> None:
    """If a service fails after the update, the previous version returns, and the service is named."""
    machine.services.bad = {NEW: service}
    assert machine.update(package) == "service_fails, went_back"
    assert machine.record == [*TRIED, *SWITCHED, *BACK]
    assert (machine.version, machine.kept()) == (OLD, [f"current {OLD}"])
    assert not machine.places.marker.exists() and machine.stages[-1] == "going_back"


def test_data_that_the_newer_version_has_changed_come_back_too(machine: FakeMachine, package: Path) -> None:
    """If the new version changed the data's format, the rollback also restores the data."""
    machine.formats[NEW] = 2
    machine.services.bad = {NEW: "table"}
    assert machine.update(package) == "service_fails, went_back"
    assert machine.record[len(TRIED + SWITCHED) :] == [*BACK[:2], "stop table", "restore /saved", BACK[2]]
    assert machine.journal == 1


def test_where_dpkg_fails_the_version_before_comes_back(machine: FakeMachine, package: Path) -> None:
    """If dpkg fails, the previous version is installed again, because files may have been replaced."""
    machine.fails = {f"--install {machine.places.work}": Done(1, "the postinst failed")}
    machine.half_done = True
    assert machine.update(package) == "not_installed_well, went_back"
    assert machine.record == [*TRIED, f"failed: --install {machine.places.work}", *BACK]


def test_on_a_full_disk_dpkg_has_gone_back_by_itself(machine: FakeMachine, package: Path) -> None:
    """If the disk is full, dpkg has undone the installation itself, and nothing is installed again."""
    machine.fails = {"--install": Done(1, "cannot copy: No space left on device")}
    assert machine.update(package) == "full, went_back"
    assert machine.record == [*TRIED, "failed: --install", *BACK[1:]]
    assert machine.kept() == [f"current {OLD}"] and not machine.places.marker.exists()


def test_where_there_is_no_way_back_either_it_is_said(machine: FakeMachine, package: Path) -> None:
    """If the rollback fails too, that is reported, and the marker stays for the next start."""
    machine.services.bad = {NEW: "table", OLD: "table"}
    assert machine.update(package) == "service_fails, cannot_go_back"
    assert json.loads(machine.places.marker.read_text())["from"] == OLD
    machine.services.bad = {NEW: "table"}
    machine.version = OLD
    machine.fails = {f"--install {machine.places.current}": Done(1, "dpkg: error")}
    assert machine.update(package) == "service_fails, cannot_go_back"
    assert json.loads(machine.places.marker.read_text())["from"] == OLD


def test_data_that_do_not_come_back_are_said(machine: FakeMachine, package: Path) -> None:
    """The version before is installed, but cannot read them: this is no way back, and the next start tries again."""
    machine.formats[NEW] = 2
    machine.services.bad = {NEW: "table"}
    machine.fails = {"restore": Done(1, "Error: Permission denied.")}
    source = copy_of(package)
    with pytest.raises(UpdateError) as error:
        Updater(machine.places, machine.run, machine.services, machine.stages.append).update(source, False)
    assert "The copy of the matches in /saved could not be put back: Error: Permission denied." in str(error.value)
    assert error.value.key == "cannot_go_back" and machine.places.marker.exists()
    assert machine.record[-2:] == ["failed: restore", BACK[2]]


def test_a_package_that_was_never_kept_is_made_again(
    machine: FakeMachine, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the installed package was not kept, it is rebuilt for the rollback."""
    machine.places.current.unlink()
    made: list[Path] = []
    monkeypatch.setattr(updater, "repack", lambda places, run: made.append(write_package(places.current, OLD)))
    assert machine.update(package) == f"done {NEW}"
    assert machine.update(package) == f"done {NEW}"
    assert len(made) == 1 and machine.kept() == [f"current {NEW}", f"previous {NEW}"]
