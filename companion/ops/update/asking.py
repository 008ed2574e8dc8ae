"""The requests of pages for an update: the table writes two files, and root's service answers with a third.

The table's user has no rights over the machine. Root copies the package before it examines it, and trusts only its
signature.
"""

from __future__ import annotations

import os
import pwd
import shutil
import stat
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Literal

import msgspec

from companion.files.atomic_file import replace_file
from companion.ops.update.package import read_key
from companion.ops.update.places import Places
from companion.ops.update.sentences import UpdateError, sentence

MOST = 16 * 1024 * 1024
"""The maximum size in bytes of a package from a page."""
ASKED = "update\n"
HEARD = 60.0
"""Seconds within which root's service must take a request."""
LASTING = 1800.0
"""Seconds after which an update that still reports progress counts as ended from outside."""
State = Literal["asked", "running", "done", "refused", "failed"]


class Said(msgspec.Struct, frozen=True):
    """A sentence by its key and fields."""

    key: str
    fields: dict[str, str] = {}


class Outcome(msgspec.Struct, frozen=True):
    """The result of an update: its state, and the sentences that describe it."""

    state: State
    said: tuple[Said, ...] = ()

    @property
    def going_on(self) -> bool:
        """Whether the update is still in progress."""
        return self.state in ("asked", "running")

    def text(self, lang: str) -> str:
        """Return the sentences in a language."""
        return " ".join(sentence(each.key, lang, **each.fields) for each in self.said)


# --- the table's side -----------------------------------------------------------------------------


def is_offered(places: Places) -> bool:
    """Return whether a page may bring a package: the installed one has a key, and root's service listens."""
    return read_key(places.key) is not None and os.access(places.request.parent, os.W_OK | os.X_OK)


def receive(file: IO[bytes], places: Places) -> None:
    """Write a page's package to the disk; raise `UpdateError` if it is too large or finds no room."""
    folder = places.upload.parent
    half = folder / f".{places.upload.name}.new"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        half.unlink(missing_ok=True)
        with half.open("xb") as target:
            copy_at_most(file, target)
        half.replace(places.upload)
    except OSError as error:
        half.unlink(missing_ok=True)
        raise UpdateError("cannot_receive", why=error.strerror or "?") from None


def copy_at_most(source: IO[bytes], target: IO[bytes]) -> None:
    """Copy a file of limited size; raise `UpdateError` if it is larger."""
    left = MOST
    while piece := source.read(64 * 1024):
        left -= len(piece)
        if left < 0:
            raise UpdateError("too_large", mb=MOST // 1024 // 1024)
        target.write(piece)


def ask(places: Places) -> None:
    """Request the installation of the received package."""
    try:
        places.outcome.unlink(missing_ok=True)
        replace_file(places.request, ASKED, 0o640)
    except OSError as error:
        raise UpdateError("cannot_receive", why=error.strerror or "?") from None


def outcome(places: Places, now: Callable[[], float] = time.time) -> Outcome | None:
    """Return the result of the request so far; None if there is none."""
    try:
        age = now() - places.request.lstat().st_mtime
        return Outcome("failed", (Said("not_heard"),)) if age > HEARD else Outcome("asked", (Said("asked"),))
    except OSError:
        pass
    try:
        found = msgspec.json.decode(places.outcome.read_bytes(), type=Outcome)
        age = now() - places.outcome.stat().st_mtime
    except (OSError, msgspec.DecodeError):
        return None
    return Outcome("failed", (Said("ended"),)) if found.going_on and age > LASTING else found


# --- root's side ----------------------------------------------------------------------------------


def tell(places: Places, said: Outcome) -> None:
    """Write the result of a request. The folder belongs to the table, so do not follow any link in it."""
    aside = places.outcome.with_name(f".{places.outcome.name}.{os.urandom(8).hex()}")
    with open(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644), "wb") as file:
        os.fchmod(file.fileno(), 0o644)
        file.write(msgspec.json.encode(said))
    aside.replace(places.outcome)


def outcome_of(error: UpdateError, touched: bool) -> Outcome:
    """Return the result that describes an error; `touched`: the installed version had already been replaced."""
    said = list[Said]()
    found: UpdateError | None = error
    while found is not None:
        said.insert(0, Said(found.key, {name: str(value) for name, value in found.fields.items()}))
        found = found.cause
    return Outcome("failed" if touched else "refused", tuple(said))


def take_request(places: Places) -> bool:
    """Remove a request, be it a file or a folder; return whether there was one."""
    try:
        places.request.unlink()
    except FileNotFoundError:
        return False
    except IsADirectoryError:
        shutil.rmtree(places.request)
    return True


def upload_of(places: Places, user: str) -> Callable[[Path], None]:
    """Return a function that copies the table's package, which must be an ordinary file of that user, and removes
    it."""

    def copy(target: Path) -> None:
        try:
            handle = os.open(places.upload, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            raise UpdateError("no_file", file=places.upload.name, why=error.strerror or "?") from None
        with open(handle, "rb") as source, target.open("xb") as copied:
            found = os.fstat(handle)
            if not stat.S_ISREG(found.st_mode) or found.st_nlink != 1 or found.st_uid != pwd.getpwnam(user).pw_uid:
                raise UpdateError("no_file", file=places.upload.name, why="?")
            copy_at_most(source, copied)
        places.upload.unlink(missing_ok=True)

    return copy
