"""Takes a package: examines it, tries it out aside, saves the data, installs it, and goes back where it does not work.

Until dpkg begins nothing of the installed version is touched. From then on a marker lies on the disk, so that a start
after a cut (`systemd/recover`) knows what to go back to.
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
"""What is being done, as people are told it."""
ROOM = 64 * 1024 * 1024
"""Bytes that must be free wherever an update writes."""
OPTIONS = ("--force-confold", "--force-confdef", "--force-downgrade")
"""A changed settings file stays; nobody is asked."""


class HasServices(Protocol):
    """The services around an update (`services.Services`)."""

    def working(self) -> tuple[str, ...]:
        """Return which are up."""

    def restart(self, names: tuple[str, ...]) -> None:
        """Start them anew."""

    def stop_table(self) -> None:
        """Stop the table."""

    def failing(self, names: tuple[str, ...]) -> str:
        """Wait; return which does not stay up, or nothing."""


class Updater:
    """One update at a time. `tell` hears what is being done."""

    def __init__(self, places: Places, run: Run, services: HasServices, tell: Callable[[Stage], None]) -> None:
        self._places, self._run, self._services, self._tell = places, run, services, tell

    def update(self, source: Callable[[Path], None], signed: bool, older: bool = False) -> str:
        """Take the package that `source` copies to a path; return its version.

        `signed`: only with a signature by the installed key; `older`: also a version below the installed one. Raises
        `UpdateError`; then the installed version stays or is back.
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

    # --- before anything is touched ---------------------------------------------------------------

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold the lock of everything that installs the companion."""
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
        """Return what a package is, and the installed version; the signature comes first."""
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
        """Refuse a version that cannot read the journal of a newer one."""
        if journal_format(self._places, self._run) > trial.format:
            raise UpdateError("newer_data")

    def _keep_present(self, installed: str) -> None:
        """See to it that the installed version's package is kept."""
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
        """Have dpkg install a package. It starts no service: this is done afterwards, one after another."""
        command = ("env", "SYSTEMD_OFFLINE=1", "dpkg", *OPTIONS, "--install", str(path))
        return self._run(command)

    def _go_back(
        self, why: UpdateError, installed: str, saved: str, working: tuple[str, ...], unpacked: bool
    ) -> NoReturn:
        """Put the version before back, with its data where the newer one has changed their format; always raises."""
        self._tell("going_back")
        # On a full disk dpkg itself brings back every file, and there is no room to do it again.
        stands = not unpacked and self._stands(installed)
        if stands or self._install(self._places.current).code == 0:
            lost = self._data_error(saved)
            self._services.restart(working)
            if not self._services.failing(working) and lost is None:
                self._unmark()
                raise UpdateError("went_back", why, version=installed)
            if lost is not None:
                why = UpdateError(lost.key, why, **lost.fields)
        # The marker stays: the next start tries once more.
        raise UpdateError("cannot_go_back", why, version=installed)

    def _stands(self, installed: str) -> bool:
        """Whether dpkg has left the version before as it was."""
        try:
            return examine.installed_version(self._run) == installed
        except UpdateError:
            return False

    def _data_error(self, saved: str) -> UpdateError | None:
        """Put the saved data back where they must be; return why that did not work."""
        try:
            self.bring_data_back(saved)
        except UpdateError as error:
            return error
        return None

    def bring_data_back(self, saved: str) -> None:
        """Put the saved data back where the version before cannot read those that are there; raise `UpdateError`."""
        trial = TrialResult.of_installed(self._places, self._run)
        if saved and journal_format(self._places, self._run) > trial.format:
            self._services.stop_table()
            program = self._places.program / "bin/companion"
            folders = (f"--data={self._places.data}", f"--camera-data={self._places.root / 'var/lib/companion-camera'}")
            settings = f"COMPANION_CONFIG={self._places.root / 'etc/companion/companion.toml'}"
            must(self._run(("env", settings, str(program), "restore", *folders, saved)), "data_stay", folder=saved)

    def _unmark(self) -> None:
        """Say durably that nothing is under way any more."""
        self._places.marker.unlink()
        sync(self._places.state)


@contextmanager
def said_where_full() -> Iterator[None]:
    """Turn the system's error of a full disk into our sentence."""
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise UpdateError("full") from None


def copy_of(source: Path) -> Callable[[Path], None]:
    """Return a function that copies a file of the caller's; it raises `UpdateError` where there is none."""

    def copy(target: Path) -> None:
        try:
            handle = os.open(source, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        except OSError as error:
            raise UpdateError("no_file", file=str(source), why=error.strerror or "?") from None
        with open(handle, "rb") as file, target.open("wb") as copied:
            shutil.copyfileobj(file, copied)

    return copy
