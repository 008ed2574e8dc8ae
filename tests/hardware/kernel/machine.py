"""Boots the kernel with simulated lines on this machine's own file tree (read-only) and runs one program in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
MARK = "guest> "
"""Before every line that a program in the guest reports."""
PATIENCE = 240
"""Seconds that a guest may take."""


def kernel_path() -> Path:
    """Return where the kernel is, or would be."""
    named = os.environ.get("COMPANION_PINS_KERNEL")
    if named:
        return Path(named)
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "table-companion" / "pins-kernel" / "linux"


def missing() -> str:
    """Return why no kernel can be booted here and what would help, or nothing."""
    if not os.access(kernel_path(), os.X_OK):
        return f"there is no kernel with simulated pins at {kernel_path()}: make pins"
    try:
        import lgpio  # noqa: F401
    except (ImportError, OSError) as error:
        return f"there is no lgpio ({error}): pip install lgpio"
    return ""


def boot(program: str, **told: str) -> dict[str, Any]:
    """Run `tests.hardware.kernel.<program>` in a guest, `told` in its environment; return what it reported, by name.

    Raise `RuntimeError` with the guest's last words where it did not come to its end.
    """
    path = os.pathsep.join(filter(None, [str(ROOT), *sys.path]))
    with tempfile.TemporaryDirectory(prefix="pins-") as place:
        command = [
            *("timeout", "--kill-after=5", str(PATIENCE)),  # it ends even where this process was killed
            str(kernel_path()),
            *("mem=512M", "root=/dev/root", "rootfstype=hostfs", "rootflags=/", "ro", "quiet"),
            *("con=null", "con0=null,fd:1", "ssl=null", f"uml_dir={place}"),
            *(f"init={sys.executable}", f"PYTHONPATH={path}", "PYTHONDONTWRITEBYTECODE=1", "PYTHONUNBUFFERED=1"),
            *(f"{name}={value}" for name, value in told.items()),
            *("--", str(HERE / "guest.py"), program),
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
