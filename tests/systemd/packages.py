"""The companion's Debian package for tests: the one built by `make deb`, and variants of it."""

from __future__ import annotations

import shutil
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path

from tests.systemd.machine import PROJECT, debian, missing, roots

ROOT = "usr/lib/table-companion"
DEB, CLOUD = (f"trixie-{debian()}-{name}" for name in ("deb", "cloud"))
VERSION: str = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]["version"]
NAME = f"table-companion_{VERSION}_all.deb"
DIST = PROJECT / "dist"


def archive() -> Path:
    """Return the folder of Debian packages that the package depends on."""
    return (roots().parent / "archive" / f"trixie-{debian()}").resolve()


def lacking(root: str) -> str:
    """Return why no package can be installed above this root, or an empty text."""
    if why := missing(root):
        return why
    return "" if (DIST / NAME).is_file() else "there is no package (make deb)"


def changed(folder: Path, version: str, change: Callable[[Path], object] = lambda _: None) -> Path:
    """Build a package of another version with a changed tree, and return it."""
    tree, built = folder / "tree", folder / f"table-companion_{version}_all.deb"
    subprocess.run(("dpkg-deb", "--raw-extract", str(DIST / NAME), str(tree)), check=True)
    control = tree / "DEBIAN/control"
    control.write_text(control.read_text().replace(f"Version: {VERSION}\n", f"Version: {version}\n"))
    about = tree / ROOT / f"table_companion-{version}.dist-info"
    (tree / ROOT / f"table_companion-{VERSION}.dist-info").rename(about)
    metadata = about / "METADATA"
    metadata.write_text(metadata.read_text().replace(f"\nVersion: {VERSION}\n", f"\nVersion: {version}\n", 1))
    (tree / "DEBIAN/md5sums").unlink()
    change(tree)
    command = ("dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", str(tree), str(built))
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(tree)
    return built
