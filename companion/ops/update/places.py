"""The paths of the package, its kept copies and the requests of pages."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

ROOT = "COMPANION_UPDATE_ROOT"
"""The environment variable for a folder that contains all these paths, for tests."""


class Places(NamedTuple):
    """All paths that an update uses, below a root folder."""

    root: Path = Path("/")

    @classmethod
    def here(cls) -> Places:
        """Return the paths on this machine."""
        return cls(Path(os.environ.get(ROOT) or "/"))

    @property
    def program(self) -> Path:
        """The installed package's folder."""
        return self.root / "usr/lib/table-companion"

    @property
    def key(self) -> Path:
        """The key for the signatures of packages from pages; it is part of the installed package."""
        return self.program / "release-key"

    @property
    def state(self) -> Path:
        """Root's folder for all data about updates."""
        return self.root / "var/lib/table-companion"

    @property
    def kept(self) -> Path:
        """The folder of kept packages."""
        return self.state / "packages"

    @property
    def current(self) -> Path:
        """The package of the installed version, for the way back."""
        return self.kept / "current.deb"

    @property
    def previous(self) -> Path:
        """The package of the version before."""
        return self.kept / "previous.deb"

    @property
    def work(self) -> Path:
        """Root's folder for versions on trial."""
        return self.state / "work"

    @property
    def marker(self) -> Path:
        """The marker of an update in progress, for the next start after a power cut."""
        return self.state / "under-way.json"

    @property
    def lock(self) -> Path:
        """The lock of all programs that install the companion."""
        return self.root / "run/companion-install.lock"

    @property
    def data(self) -> Path:
        """The table's data."""
        return self.root / "var/lib/companion"

    @property
    def upload(self) -> Path:
        """The package from a page."""
        return self.data / "update/candidate.deb"

    @property
    def request(self) -> Path:
        """The file by which the table requests an update; systemd watches it."""
        return self.root / "run/companion/update"

    @property
    def outcome(self) -> Path:
        """The result of the last request, or its progress."""
        return self.root / "run/companion/update-outcome.json"
