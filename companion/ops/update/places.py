"""Where the package, its kept copies and the requests of pages lie."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

ROOT = "COMPANION_UPDATE_ROOT"
"""The environment variable of a folder below which all places lie; for tests."""


class Places(NamedTuple):
    """All places that an update knows, below a root."""

    root: Path = Path("/")

    @classmethod
    def here(cls) -> Places:
        """Return the places of this machine."""
        return cls(Path(os.environ.get(ROOT) or "/"))

    @property
    def program(self) -> Path:
        """The installed package's folder."""
        return self.root / "usr/lib/table-companion"

    @property
    def key(self) -> Path:
        """The key by which packages from a page must be signed; it comes with the installed package."""
        return self.program / "release-key"

    @property
    def state(self) -> Path:
        """Root's folder of everything about updates."""
        return self.root / "var/lib/table-companion"

    @property
    def kept(self) -> Path:
        """The folder of kept packages."""
        return self.state / "packages"

    @property
    def current(self) -> Path:
        """The installed version's package: the way back."""
        return self.kept / "current.deb"

    @property
    def previous(self) -> Path:
        """The package of the version before."""
        return self.kept / "previous.deb"

    @property
    def work(self) -> Path:
        """Root's folder for what is tried out."""
        return self.state / "work"

    @property
    def marker(self) -> Path:
        """What is under way, so that a start after a cut knows it."""
        return self.state / "under-way.json"

    @property
    def lock(self) -> Path:
        """The lock of everything that installs the companion."""
        return self.root / "run/companion-install.lock"

    @property
    def data(self) -> Path:
        """The table's data."""
        return self.root / "var/lib/companion"

    @property
    def upload(self) -> Path:
        """The package that a page brought."""
        return self.data / "update/candidate.deb"

    @property
    def request(self) -> Path:
        """The file by which the table asks for an update; systemd watches it."""
        return self.root / "run/companion/update"

    @property
    def outcome(self) -> Path:
        """What became of the last request, or what is being done."""
        return self.root / "run/companion/update-outcome.json"
