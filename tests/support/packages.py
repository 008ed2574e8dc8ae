"""Small Debian packages, written in pure Python, for tests of updates."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Mapping
from pathlib import Path

from companion.ops.update.package import MAGIC, ar_member

PROGRAM = "usr/lib/table-companion"
KEY_PRIVATE = bytes(range(32))
"""A private key for tests only."""


def tar_of(files: Mapping[str, bytes | str], mode: int = 0o644) -> bytes:
    """Return a compressed archive of files by path, including their parent folders."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:xz", preset=0) as tar:
        folders: set[str] = set()
        for path, content in files.items():
            parts = path.split("/")[:-1]
            for folder in ("/".join(parts[:n]) for n in range(1, len(parts) + 1)):
                if folder not in folders:
                    folders.add(folder)
                    made = tarfile.TarInfo(f"./{folder}")
                    made.type, made.mode = tarfile.DIRTYPE, 0o755
                    tar.addfile(made)
            data = content.encode() if isinstance(content, str) else content
            info = tarfile.TarInfo(f"./{path}")
            info.size, info.mode = len(data), mode
            tar.addfile(info, io.BytesIO(data))
    return packed.getvalue()


def write_package(
    path: Path,
    version: str = "0.3.0",
    files: Mapping[str, bytes | str] | None = None,
    control: Mapping[str, bytes | str] | None = None,
    **fields: str,
) -> Path:
    """Write a package with these fields and files (by default below `PROGRAM`); return its path."""
    said = {
        "Package": "table-companion", "Version": version, "Architecture": "all", "Maintainer": "Test <t@example.org>",
        "Description": "test", **fields,
    }  # fmt: skip
    text = "".join(f"{name}: {value}\n" for name, value in said.items())
    content = files or {f"{PROGRAM}/companion/__init__.py": f"VERSION = {version!r}\n"}
    path.write_bytes(
        MAGIC
        + ar_member("debian-binary", b"2.0\n")
        + ar_member("control.tar.xz", tar_of({"control": text, **(control or {})}, 0o755))
        + ar_member("data.tar.xz", tar_of(content))
    )
    return path
