"""Packages for updates on a machine whose installed package knows a key: good ones, and each kind of broken one."""

from __future__ import annotations

import base64
import shutil
from collections.abc import Callable
from pathlib import Path

from companion.ops.update.package import sign
from tests.support.packages import KEY_PRIVATE
from tests.systemd.packages import ROOT, changed

FIRST, NEW, LATER = "0.2.0+first", "9.0.0", "9.5.0"
"""The version installed before each test, the one it updates to, and one whose journals neither of them can read."""


def public_key() -> str:
    """Return the public key in the installed package."""
    from cryptography.hazmat.primitives import serialization as form
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    made = Ed25519PrivateKey.from_private_bytes(KEY_PRIVATE).public_key()
    return base64.b64encode(made.public_bytes(form.Encoding.Raw, form.PublicFormat.Raw)).decode() + "\n"


def appended(path: str, text: str) -> Callable[[Path], None]:
    """Return a change that appends a text to a file."""

    def change(tree: Path) -> None:
        with (tree / ROOT / path).open("a") as file:
            file.write(text)

    return change


def in_control(before: str, after: str) -> Callable[[Path], None]:
    """Return a change of a package's control fields."""

    def change(tree: Path) -> None:
        path = tree / "DEBIAN/control"
        assert before in path.read_text()
        path.write_text(path.read_text().replace(before, after))

    return change


def dies_when_called(path: str, marker: str) -> Callable[[Path], None]:
    """Return a change that makes a command exit when called, but not when imported."""

    def change(tree: Path) -> None:
        file = tree / ROOT / path
        text = file.read_text()
        assert text.count(marker) == 1
        file.write_text(text.replace(marker, f"raise SystemExit('it dies at its start')\n    {marker}", 1))

    return change


def newer_format(tree: Path) -> None:
    """Make a version write journals of the next format."""
    path = tree / ROOT / "companion/engine/setup.py"
    text = path.read_text()
    assert text.count("\nFORMAT = 1\n") == 1
    path.write_text(text.replace("\nFORMAT = 1\n", "\nFORMAT = 2\n"))


def newer_format_and_a_dead_camera(tree: Path) -> None:
    """Make a version convert the journal and then fail."""
    newer_format(tree)
    BROKEN["camera-dies"][0](tree)


def fails_to_configure(tree: Path) -> None:
    """Make the package's own script fail after its files were unpacked."""
    script = tree / "DEBIAN/postinst"
    script.write_text("#!/bin/sh\necho 'nothing works' >&2\nexit 1\n")


TABLE = "live(port, host, data, LiveServices(expected=expected))"
"""The code of the table's command."""
BROKEN: dict[str, tuple[Callable[[Path], None], str]] = {
    "syntax-camera": (appended("vision/service/__init__.py", "def f(:\n"), "has a mistake: "),
    "syntax-buttons": (appended("hardware/debounce.py", "def f(:\n"), "has a mistake: "),
    "syntax-pages": (appended("web/views/past.py", "def f(:\n"), "has a mistake: "),
    "syntax-game": (appended("companion/games/trains/bot/__init__.py", "def f(:\n"), "has a mistake: "),
    "module": (appended("web/views/past.py", "import nonesuch\n"), "No module named 'nonesuch'"),
    "game": (appended("companion/games/trains/__init__.py", "GAME = 1 / 0\n"), "ZeroDivisionError"),
    "dependency": (in_control("Depends: python3 (", "Depends: python3-nonesuch, python3 ("), "python3-nonesuch"),
    "system": (in_control("Architecture: all", "Architecture: armhf"), "another kind of machine (armhf)"),
    "camera-dies": (dies_when_called("vision/commands/camera.py", "log_to_terminal()"), "“camera” does not stay up"),
    "buttons-die": (dies_when_called("hardware/commands.py", "if child:"), "“buttons” does not stay up"),
    "table-dies": (
        dies_when_called("web/commands.py", "live(port, host, data, LiveServices(expected=expected))"),
        "“table” does not stay up",
    ),
    "configure": (fails_to_configure, "could not be installed"),
}
"""Each kind of broken version, with a part of its message."""


def make(folder: Path, name: str, version: str, change: Callable[[Path], None]) -> Path:
    """Build a package under a name, with the same key as the installed one."""

    def both(tree: Path) -> None:
        (tree / ROOT / "release-key").write_text(public_key())
        change(tree)

    return changed(folder, version, both).rename(folder / f"{name}.deb")


def make_all(folder: Path) -> None:
    """Build all packages into a folder."""
    make(folder, "first", FIRST, lambda tree: None)
    settings = "\n# A new version says more here.\n"
    good = make(folder, "good", NEW, lambda tree: append(tree / "etc/companion/companion.toml", settings))
    shutil.copy(good, folder / "signed.deb")
    sign(folder / "signed.deb", KEY_PRIVATE)
    content = (folder / "signed.deb").read_bytes()
    shutil.copy(good, folder / "forged.deb")
    sign(folder / "forged.deb", bytes(32))
    (folder / "twice.deb").write_bytes(content + content[-150:])
    (folder / "short.deb").write_bytes(content[: len(content) // 2])
    (folder / "photo.deb").write_bytes(b"\xff\xd8 a photograph")
    shutil.copy(make(folder, "older", "0.1.0", lambda tree: None), folder / "older-signed.deb")
    sign(folder / "older-signed.deb", KEY_PRIVATE)
    make(folder, "later", LATER, newer_format)
    make(folder, "later-dies", LATER, newer_format_and_a_dead_camera)
    for name, (change, _) in BROKEN.items():
        make(folder, name, NEW, change)


def append(path: Path, text: str) -> None:
    """Append a text to a file."""
    with path.open("a") as file:
        file.write(text)
