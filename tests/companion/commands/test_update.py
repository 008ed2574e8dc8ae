"""The update command: its permitted users, its questions, and its report for the page."""

from __future__ import annotations

import base64
import os
import pwd
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion import cli
from companion.commands import update
from companion.ops.update import asking
from companion.ops.update.asking import Outcome, Said
from companion.ops.update.package import sign
from companion.ops.update.places import ROOT, Places
from companion.ops.update.services import Services
from companion.ops.update.system import Done
from companion.ops.update.updater import Stage, Updater
from tests.companion.ops.update.machine import NEW, OLD, FakeMachine
from tests.support.packages import KEY_PRIVATE, write_package


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeMachine:
    """Yield a machine with version 0.2.0 on which root runs the command."""
    found = FakeMachine(tmp_path)
    monkeypatch.setenv(ROOT, str(found.places.root))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(update, "USER", pwd.getpwuid(os.getuid()).pw_name)

    def here(places: Places, tell: Callable[[Stage], None], running: bool = True) -> Updater:
        services = found.services if running else Services(found.run, booted=False)
        return Updater(found.places, found.run, services, tell)

    monkeypatch.setattr(update, "updater_here", here)
    return found


def run(*words: str, typed: str | None = None) -> Result:
    """Run the update command with the given words and typed input."""
    return CliRunner().invoke(cli.main, ["update", *words], input=typed)


def test_only_root_may_install(machine: FakeMachine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Users other than root are refused and told the right command."""
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    done = run(str(write_package(tmp_path / "new.deb", NEW)))
    assert done.exit_code == 2 and "sudo companion update FILE.deb" in done.output and machine.untouched()


def test_each_step_is_said_and_the_end(machine: FakeMachine, tmp_path: Path) -> None:
    """The terminal shows each step of an update and its result."""
    done = run(str(write_package(tmp_path / "new.deb", NEW)))
    assert (done.exit_code, done.stdout) == (0, f"Version {NEW} is installed and works.\n")
    assert done.stderr.count("→ ") == 5
    assert run().exit_code == 2


def test_what_went_wrong_is_said_in_whole(machine: FakeMachine, tmp_path: Path) -> None:
    """After a failed update the message names the failed service and says that the previous version is back."""
    machine.services.bad = {NEW: "camera"}
    done = run(str(write_package(tmp_path / "new.deb", NEW)))
    assert done.exit_code == 1
    assert "service “camera” does not stay up. Version 0.2.0 is back" in " ".join(done.stderr.split())


@pytest.mark.parametrize(("typed", "version"), [("y\n", "0.1.0"), ("n\n", OLD), (None, OLD)])
def test_an_older_version_is_asked_about(machine: FakeMachine, tmp_path: Path, typed: str | None, version: str) -> None:
    """An older version is installed only after a yes."""
    machine.formats["0.1.0"] = 1
    done = run(str(write_package(tmp_path / "old.deb", "0.1.0")), typed=typed)
    assert machine.version == version and "Install it all the same?" in done.output
    assert done.exit_code == (0 if typed == "y\n" else 1)


def request(machine: FakeMachine, private: bytes | None = KEY_PRIVATE) -> tuple[int, Outcome | None]:
    """Request an update as a page does, and return the exit code of root's service and the update's result."""
    ed25519 = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.ed25519", reason="no cryptography")
    key = ed25519.Ed25519PrivateKey.from_private_bytes(KEY_PRIVATE).public_key().public_bytes_raw()
    machine.places.key.write_bytes(base64.b64encode(key))
    package = write_package(machine.folder / "new.deb", NEW)
    if private:
        sign(package, private)
    with package.open("rb") as file:
        asking.receive(file, machine.places)
    asking.ask(machine.places)
    code = run("--requested").exit_code
    assert not machine.places.request.exists() and not machine.places.upload.exists()
    return code, asking.outcome(machine.places)


def test_a_page_is_told_what_became_of_its_package(machine: FakeMachine) -> None:
    """The page gets the result of its package: refused, rolled back or installed."""
    assert request(machine, None) == (0, Outcome("refused", (Said("unsigned"),)))
    machine.services.bad = {NEW: "table"}
    service = Said("service_fails", {"version": NEW, "service": "table"})
    assert request(machine) == (1, Outcome("failed", (service, Said("went_back", {"version": OLD}))))
    machine.services.bad = {}
    assert request(machine) == (0, Outcome("done", (Said("done", {"version": NEW}),)))
    assert run("--requested").exit_code == 0  # there is no request any more


def test_a_page_is_told_of_an_error_that_nobody_foresaw(machine: FakeMachine, monkeypatch: pytest.MonkeyPatch) -> None:
    """After an unexpected error the page learns that the update has ended."""

    def fails(*_: object) -> tuple[str, ...]:
        raise RuntimeError

    monkeypatch.setattr(machine.services, "working", fails)
    assert request(machine) == (1, Outcome("failed", (Said("ended"),)))


def test_data_come_back_at_a_start(machine: FakeMachine) -> None:
    """Saved data return only if the previous version cannot read the newer ones, and no service is stopped."""
    assert run("--data-back", "/saved").exit_code == 0
    assert not any("restore" in each for each in machine.record)
    machine.journal = 2
    assert run("--data-back", "/saved").exit_code == 0
    assert machine.record == [f"trial {OLD}", f"trial {OLD}", "restore /saved"]


def test_data_that_do_not_come_back_at_a_start_are_said(machine: FakeMachine) -> None:
    """With an exit code that `systemd/recover` judges."""
    machine.journal = 2
    machine.fails = {"restore": Done(1, "Error: Permission denied.")}
    done = run("--data-back", "/saved")
    said = "The copy of the matches in /saved could not be put back: Error: Permission denied."
    assert done.exit_code == 1 and said in " ".join(done.stderr.split())
