"""Examine the disk: the data folder, free space, wear, and the journal's size."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import msgspec

from companion.findings import Finding, bad, look, well
from companion.journal.held import Held
from companion.journal.journal import JOURNAL

MB = 1_000_000
LOW_MB, FULL_MB = 500, 50
"""Megabytes of free space below which somebody should look, and below which games may not be saved. A match takes less
than one, but the system's log, updates and a camera's decks need space too."""
LARGE_MB = 500
"""A journal of this many megabytes is too large for normal play: something writes too much."""
SERIOUS = 0x03
"""`pre_eol_info` of a card or chip: 1 normal, 2 80 % worn, 3 nearly worn out."""


class DiskReading(msgspec.Struct, frozen=True):
    """A reading of the disk."""

    folder: str
    there: bool = True
    error: str = ""
    """The reason why the disk cannot be written; empty if it can."""
    read_only: bool = False
    """Whether the whole file system is read-only: that is how Linux protects a card with errors."""
    free_mb: int = 0
    total_mb: int = 0
    wear: int = 0
    """`pre_eol_info`, 0 if the card does not report it."""
    errors: int = 0
    """Number of errors that the file system has ever recorded."""
    journal_mb: float = 0.0
    aside: tuple[str, ...] = ()
    """Files left beside a damaged journal."""


def read(folder: Path, try_it: bool = True) -> DiskReading:
    """Read the disk of a folder; `try_it`: test it by writing a file."""
    there = folder.is_dir()
    place = folder if there else next(path for path in folder.absolute().parents if path.exists())
    usage = os.statvfs(place)
    journal = folder / JOURNAL
    device = place.stat().st_dev
    return DiskReading(
        str(folder),
        there,
        why_unwritable(place, try_it=try_it and there),
        bool(usage.f_flag & os.ST_RDONLY),
        usage.f_bavail * usage.f_frsize // MB,
        usage.f_blocks * usage.f_frsize // MB,
        *_read_wear(device),
        round(sum(_size(path) for path in (journal, Path(f"{journal}-wal"))) / MB, 1),
        tuple(sorted(path.name for path in folder.glob(f"{JOURNAL}.damaged-*"))) if there else (),
    )


def why_unwritable(folder: Path, try_it: bool = True) -> str:
    """Return why a folder cannot be written, or an empty text; `try_it`: test it by writing a file as well."""
    if not folder.is_dir():
        return "Not a directory"
    if not os.access(folder, os.W_OK | os.X_OK):
        return os.strerror(30 if os.statvfs(folder).f_flag & os.ST_RDONLY else 13)
    if not try_it:
        return ""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"companion\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        return error.strerror or str(error)
    return ""


def _read_wear(device: int) -> tuple[int, int]:
    """Return a card's wear and its file system's number of errors; 0 if unknown."""
    block = Path(f"/sys/dev/block/{os.major(device)}:{os.minor(device)}")
    try:
        name = block.resolve(strict=True).name
    except OSError:
        return 0, 0
    errors = _read_number(Path(f"/sys/fs/ext4/{name}/errors_count"))
    wear = max((_read_number(path / "device/pre_eol_info") for path in (block, block / "..")), default=0)
    return wear, errors


def _read_number(path: Path) -> int:
    try:
        return int(path.read_text(encoding="ascii").strip(), 0)
    except (OSError, ValueError):
        return 0


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def judge(found: DiskReading) -> list[Finding]:
    """Return the findings about the disk."""
    return [_folder(found), _space(found), *_wear(found), *_journal(found)]


def _folder(found: DiskReading) -> Finding:
    if found.read_only:
        return bad("disk.folder", "read_only", folder=found.folder)
    if found.error:
        return bad("disk.folder", "unwritable", folder=found.folder, error=found.error)
    return well("disk.folder", "ok" if found.there else "new", folder=found.folder)


def _space(found: DiskReading) -> Finding:
    fields: dict[str, int] = {"free_mb": found.free_mb, "total_mb": found.total_mb}
    if found.free_mb < FULL_MB:
        return bad("disk.space", "full", **fields)
    if found.free_mb < LOW_MB:
        return look("disk.space", "low", **fields)
    return well("disk.space", **fields)


def _wear(found: DiskReading) -> list[Finding]:
    if found.errors:
        return [bad("disk.card", "errors", errors=found.errors)]
    if found.wear >= SERIOUS:
        return [bad("disk.card", "worn_out")]
    return [look("disk.card", "worn")] if found.wear > 1 else []


def _journal(found: DiskReading) -> list[Finding]:
    findings = []
    if found.journal_mb > LARGE_MB:
        findings.append(look("disk.journal", "large", size_mb=found.journal_mb))
    if found.aside:
        findings.append(look("disk.damaged", "aside", files=", ".join(found.aside[-3:]), count=len(found.aside)))
    return findings


def judge_held(held: Held) -> list[Finding]:
    """Return the finding that the running table can save nothing, with the reason."""
    return [bad("disk.saving", held)] if held else []


def judge_salvage(findings: tuple[str, ...]) -> list[Finding]:
    """Return findings about data that was cut off or left out when the journal was opened."""
    return [look("disk.salvage", "said", said=sentence.rstrip(".")) for sentence in findings]
