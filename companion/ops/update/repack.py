"""Builds a package from the installed files if none was kept, so that there is always a way back."""

from __future__ import annotations

import shutil
from pathlib import Path

from companion.ops.update.package import NAME
from companion.ops.update.places import Places
from companion.ops.update.system import Run, must

SCRIPTS = ("preinst", "postinst", "prerm", "postrm", "conffiles", "triggers")
"""The control files of a package; dpkg creates the others by itself."""
STATUS_ONLY = ("Status:", "Conffiles:", "Config-Version:")
"""The fields that the system's list of packages adds to a package's own."""
FOREIGN = b"# The package was made again from installed files: what lies here belongs to this machine.\n"
"""The content in place of a settings file: dpkg then considers the real one changed, and never replaces it."""


def repack(places: Places, run: Run) -> None:
    """Build `current.deb` from the installed package; raise `UpdateError` if that fails."""
    folder = places.work / "repacked"
    shutil.rmtree(folder, ignore_errors=True)
    control = folder / "DEBIAN"
    control.mkdir(mode=0o755, parents=True)
    settings = _copy_control(places.root / "var/lib/dpkg/info", control)
    (control / "control").write_text(_fields(must(run(("dpkg-query", "-s", NAME)), "cannot_keep").said))
    for line in must(run(("dpkg-query", "-L", NAME)), "cannot_keep").said.splitlines():
        _copy(places.root / line.lstrip("/"), folder / line.lstrip("/"), line in settings)
    half = places.kept / ".current.deb.new"
    must(run(("dpkg-deb", "--root-owner-group", "-Zxz", "-z1", "--build", str(folder), str(half))), "cannot_keep")
    half.replace(places.current)
    shutil.rmtree(folder, ignore_errors=True)


def _copy_control(info: Path, control: Path) -> set[str]:
    """Copy a package's scripts and lists; return the paths of its settings files."""
    for name in SCRIPTS:
        source = info / f"{NAME}.{name}"
        if source.exists():
            shutil.copy(source, control / name)
    listed = control / "conffiles"
    return set(listed.read_text().split("\n")) if listed.exists() else set()


def _fields(status: str) -> str:
    """Return a package's own fields, without those that the system adds."""
    kept, left_out = list[str](), False
    for line in status.strip().splitlines():
        if not line.startswith(" "):
            left_out = line.startswith(STATUS_ONLY)
        if not left_out:
            kept.append(line)
    return "\n".join(kept) + "\n"


def _copy(source: Path, target: Path, settings: bool) -> None:
    """Copy one installed file, folder or link; skip it if it no longer exists."""
    if settings:
        target.write_bytes(FOREIGN)
    elif source.is_symlink():
        target.symlink_to(source.readlink())
    elif source.is_dir():
        target.mkdir(mode=0o755, exist_ok=True)
    elif source.exists():
        shutil.copy(source, target)
