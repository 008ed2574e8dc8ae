"""Replace one file completely: even after a power cut it has the old content or the new, never a part."""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path

from companion.files.atomic_folder import sync


def replace_file(path: Path, content: str | bytes, mode: int, group: str = "") -> None:
    """Replace a file, with its final mode from the start; give it to the group if that exists and we are root.

    Text is written as UTF-8. On `OSError` the old file is unchanged.
    """
    aside = path.with_name(f".{path.name}.new")
    aside.unlink(missing_ok=True)
    with open(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(content.encode() if isinstance(content, str) else content)
    aside.chmod(mode)
    if group and os.geteuid() == 0:
        with contextlib.suppress(LookupError):
            shutil.chown(aside, group=group)
    sync(aside)
    aside.replace(path)
    sync(path.parent)
