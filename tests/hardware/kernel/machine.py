"""Boot the kernel with simulated pins and cameras on a read-only file tree, and run one program there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
MARK = "guest> "
"""Prefix of each line that a program in the guest reports."""
PATIENCE = 240
"""Time limit of a guest in seconds."""


def kernel_path() -> Path:
    """Return the path of the kernel, which may be missing."""
    named = os.environ.get("COMPANION_PINS_KERNEL")
    if named:
        return Path(named)
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "table-companion" / "pins-kernel" / "linux"


def rpi_gpio() -> Path:
    """Return the folder of rpi-lgpio, which may be missing. It is apart because other tests must not find this
    RPi.GPIO."""
    named = os.environ.get("COMPANION_RPI_GPIO")
    return Path(named) if named else Path(sys.prefix) / "rpi-lgpio"


def missing_rpi_gpio() -> str:
    """Return why RPi.GPIO cannot be used here and what would help, or an empty text."""
    if not (rpi_gpio() / "RPi" / "GPIO").is_dir():
        return f"there is no rpi-lgpio in {rpi_gpio()}: make kernel"
    return ""


def missing() -> str:
    """Return why no kernel can be booted here and what would help, or an empty text."""
    if not os.access(kernel_path(), os.X_OK):
        return f"there is no kernel with simulated pins at {kernel_path()}: make pins"
    try:
        import lgpio  # noqa: F401
    except (ImportError, OSError) as error:
        return f"there is no lgpio ({error}): pip install lgpio"
    return ""


class Tree(NamedTuple):
    """A file tree to boot: this machine's own, or one in a folder."""

    folder: str = "/"
    python: str = sys.executable
    guest: str = str(HERE / "guest.py")
    path: str = os.pathsep.join(filter(None, [str(ROOT), *sys.path]))
    memory: str = "512M"


def with_rpi_gpio() -> Tree:
    """Return this machine's tree with rpi-lgpio, which replaces RPi.GPIO on a Pi 5."""
    tree = Tree()
    return tree._replace(path=os.pathsep.join((str(rpi_gpio()), tree.path)))


def boot(program: str, tree: Tree | None = None, **told: str) -> dict[str, Any]:
    """Run a module's `main` in a guest with `told` in its environment; return its reports by name.

    Raise `RuntimeError` with the guest's last lines if it did not finish.
    """
    tree = tree or Tree()
    with tempfile.TemporaryDirectory(prefix="pins-") as place:
        command = [
            *("timeout", "--kill-after=5", str(PATIENCE)),  # The guest ends even if this process is killed
            str(kernel_path()),
            *(f"mem={tree.memory}", "root=/dev/root", "rootfstype=hostfs", f"rootflags={tree.folder}", "ro", "quiet"),
            *("con=null", "con0=null,fd:1", "ssl=null", f"uml_dir={place}"),
            *(f"init={tree.python}", f"PYTHONPATH={tree.path}", "PYTHONDONTWRITEBYTECODE=1", "PYTHONUNBUFFERED=1"),
            *(f"{name}={value}" for name, value in told.items()),
            *("--", tree.guest, program),
        ]
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=PATIENCE + 10,
        )
    lines = done.stdout.decode(errors="replace").splitlines()
    found: dict[str, Any] = {}
    for line in lines:
        if line.startswith(MARK):
            found.update(json.loads(line.removeprefix(MARK)))
    if not found.pop("done", False):
        raise RuntimeError("the guest did not come to its end:\n" + "\n".join(lines[-60:]))
    return found
