"""A machine whose pages may accept updates, for tests; a folder replaces the system's."""

from __future__ import annotations

import base64
import io
from pathlib import Path

import pytest

from companion.ops.update.places import ROOT, Places


def lay_machine(folder: Path, monkeypatch: pytest.MonkeyPatch, key: bool = True) -> Places:
    """Create the folders that the table may write to, and an installed package with a key; return the paths."""
    places = Places(folder / "machine")
    for path in (places.program, places.request.parent, places.data):
        path.mkdir(parents=True)
    if key:
        places.key.write_bytes(base64.b64encode(bytes(32)) + b"\n")
    monkeypatch.setenv(ROOT, str(places.root))
    return places


def package_form(content: bytes = b"a package") -> dict[str, object]:
    """Return the form with a file as a phone sends it."""
    return {"package": (io.BytesIO(content), "table-companion_0.3.0_all.deb")}
