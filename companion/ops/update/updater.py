"""Installs a package: examines it, tries it out, saves the data, installs it, and goes back if it does not work.

It changes nothing of the installed version until dpkg begins. From then on, a marker is on the disk, so that the next
start after a power cut (`systemd/recover`) can restore the version before.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, NoReturn, Protocol

from companion.files.atomic_file import replace_file
from companion.files.atomic_folder import sync
from companion.ops.update import examine
from companion.ops.update.package import Package, read_key, read_package, verify
from companion.ops.update.places import Places
from companion.ops.update.repack import repack
from companion.ops.update.sentences import UpdateError
from companion.ops.update.system import Done, Run, must
from companion.ops.update.trying import TrialResult, journal_format, save_data, try_out

Stage = Literal["examining", "trying", "saving", "installing", "awaiting", "going_back"]
"""Reports the current stage to people."""
ROOM = 64 * 1024 * 1024
"""The free bytes required in every folder to which an update writes."""
OPTIONS = ("--force-confold", "--force-confdef", "--force-downgrade")
"""The options of dpkg: keep a changed settings file, and ask nobody."""


class HasServices(Protocol):
    """The services around an update (`services.Services`)."""

    def working(self) -> tuple[str, ...]:
        """Return the services that are up."""

    def restart(self, names: tuple[str, ...]) -> None:
        """Restart services."""

    def stop_table(self) -> None:
        """Stop the table."""

    def failing(self, names: tuple[str, ...]) -> str:
        """Wait; return the service that does not stay up, or nothing."""


class Updater:
    """Runs one update at a time. `tell` receives the current stage."""

    def __init__(self, places: Places, run: Run, services: HasServices, tell: Callable[[Stage], None]) -> None:
        self._places, self._run, self._services, self._tell = places, run, services, tell

    def update(self, source: Callable[[Path], None], signed: bool, older: bool = False) -> str:
        """Install the package that `source` copies to a path; return its version.

        `signed`: require a signature by the installed key; `older`: also accept an older version than the installed
        one. Raises `UpdateError`; the installed version then remains, or has been restored.
        """
        with self._alone(), said_where_full():
            self._tell("examining")
            try:
                self._make_folders()
                path = self._places.work / "candidate.deb"
                source(path)
                package, installed = self._examine(path, signed, older)
                self._tell("trying")
                trial = try_out(path, self._places, self._run)
                self._check_data(trial)
                self._keep_present(installed)
                self._tell("saving")
                saved = save_data(self._places, self._run)
                self._switch(path, package, installed, saved)
            finally:
                shutil.rmtree(self._places.work, ignore_errors=True)
            return package.version

    # --- before any change ------------------------------------------------------------------------

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold the lock of all programs that install the companion."""
        with open(self._places.lock, "w") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise UpdateError("busy") from None
            yield

    def _make_folders(self) -> None:
        for folder in (self._places.state, self._places.kept):
            folder.mkdir(mode=0o755, parents=True, exist_ok=True)
        shutil.rmtree(self._places.work, ignore_errors=True)
        self._places.work.mkdir(mode=0o755)
        for where in (self._places.work, self._places.program, self._places.data):
            if where.exists() and shutil.disk_usage(where).free < ROOM:
                raise UpdateError("full")

    def _examine(self, path: Path, signed: bool, older: bool) -> tuple[Package, str]:
        """Return the package's description and the installed version; check the signature first."""
        if signed:
            key = read_key(self._places.key)
            if key is None:
                raise UpdateError("no_key")
            verify(path, key)
        package = read_package(path)
        installed = examine.installed_version(self._run)
        examine.check_system(package.architecture, self._run)
        if not older:
            examine.check_version(package.version, installed, self._run)
        examine.check_dependencies(package.depends, self._run)
        return package, installed

    def _check_data(self, trial: TrialResult) -> None:
        """Refuse a version that cannot read the present journal because a newer one wrote it."""
        if journal_format(self._places, self._run) > trial.format:
            raise UpdateError("newer_data")

    def _keep_present(self, installed: str) -> None:
        """Ensure that the installed version's package is kept."""
        try:
            kept = read_package(self._places.current).version
        except (OSError, UpdateError):
            kept = ""
        if kept != installed:
            repack(self._places, self._run)
        sync(self._places.current)
        sync(self._places.kept)

    # --- switching over ---------------------------------------------------------------------------

    def _switch(self, path: Path, package: Package, installed: str, saved: str) -> None:
        working, fresh = self._services.working(), self._places.kept / ".next.deb"
        fresh.unlink(missing_ok=True)
        fresh.hardlink_to(path)
        sync(fresh)
        replace_file(self._places.marker, json.dumps({"from": installed, "to": package.version, "saved": saved}), 0o644)
        self._tell("installing")
        done = self._install(path)
        try:
            must(done, "not_installed_well")
            self._services.restart(working)
            self._tell("awaiting")
            failing = self._services.failing(working)
            if failing:
                raise UpdateError("service_fails", version=package.version, service=failing)
        except UpdateError as error:
            fresh.unlink()
            self._go_back(error, installed, saved, working, unpacked=done.code == 0)
        self._unmark()
        self._places.current.replace(self._places.previous)
        fresh.replace(self._places.current)
        sync(self._places.kept)

    def _install(self, path: Path) -> Done:
        """Have dpkg install a package without starting services; these are started afterwards, one after another."""
        command = ("env", "SYSTEMD_OFFLINE=1", "dpkg", *OPTIONS, "--install", str(path))
        return self._run(command)

    def _go_back(
        self, why: UpdateError, installed: str, saved: str, working: tuple[str, ...], unpacked: bool
    ) -> NoReturn:
        """Restore the version before, and its data if the newer version has changed their format; always raises."""
        self._tell("going_back")
        # On a full disk, dpkg itself restores every file, and there is no room to do it again.
        stands = not unpacked and self._stands(installed)
        if stands or self._install(self._places.current).code == 0:
            lost = self._data_error(saved)
            self._services.restart(working)
            if not self._services.failing(working) and lost is None:
                self._unmark()
                raise UpdateError("went_back", why, version=installed)
            if lost is not None:
                why = UpdateError(lost.key, why, **lost.fields)
        # the marker stays, so that the next start tries again
        raise UpdateError("cannot_go_back", why, version=installed)

    def _stands(self, installed: str) -> bool:
        """Return whether dpkg has left the version before unchanged."""
        try:
            return examine.installed_version(self._run) == installed
        except UpdateError:
            return False

    def _data_error(self, saved: str) -> UpdateError | None:
        """Restore the saved data if necessary; return the error if that fails."""
        try:
            self.bring_data_back(saved)
        except UpdateError as error:
            return error
        return None

    def bring_data_back(self, saved: str) -> None:
        """Restore the saved data if the version before cannot read the present data; raise `UpdateError` on failure."""
        trial = TrialResult.of_installed(self._places, self._run)
        if saved and journal_format(self._places, self._run) > trial.format:
            self._services.stop_table()
            program = self._places.program / "bin/companion"
            folders = (f"--data={self._places.data}", f"--camera-data={self._places.root / 'var/lib/companion-camera'}")
            settings = f"COMPANION_CONFIG={self._places.root / 'etc/companion/companion.toml'}"
            must(self._run(("env", settings, str(program), "restore", *folders, saved)), "data_stay", folder=saved)

    def _unmark(self) -> None:
        """Record durably that no update is in progress."""
        self._places.marker.unlink()
        sync(self._places.state)


@contextmanager
def said_where_full() -> Iterator[None]:
    """Turn the system's error for a full disk into our sentence."""
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise UpdateError("full") from None


def copy_of(source: Path) -> Callable[[Path], None]:
    """Return a function that copies a file of the caller's; it raises `UpdateError` if there is none."""

    def copy(target: Path) -> None:
        try:
            handle = os.open(source, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        except OSError as error:
            raise UpdateError("no_file", file=str(source), why=error.strerror or "?") from None
        with open(handle, "rb") as file, target.open("wb") as copied:
            shutil.copyfileobj(file, copied)

    return copy
