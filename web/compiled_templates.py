"""Compiled templates, kept from one start to the next: a Raspberry Pi takes seconds to compile them all."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path

from jinja2 import BytecodeCache
from jinja2.bccache import Bucket

FOLDER = "templates"
"""In the data folder; it may be deleted."""
DIGEST = hashlib.sha256().digest_size


class CompiledTemplates(BytecodeCache):
    """One file a template, which begins with the hash of the rest: after a power cut it may hold anything."""

    def __init__(self, data: Path) -> None:
        self._folder = data / FOLDER

    def load_bytecode(self, bucket: Bucket) -> None:
        """Read a template; where that fails, it is compiled anew."""
        with suppress(OSError):
            found = self._folder.joinpath(bucket.key).read_bytes()
            if hashlib.sha256(found[DIGEST:]).digest() == found[:DIGEST]:
                bucket.bytecode_from_string(found[DIGEST:])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Write a template; where that fails, the next start compiles it again."""
        code = bucket.bytecode_to_string()
        with suppress(OSError):
            self._folder.mkdir(mode=0o700, exist_ok=True)
            self._folder.joinpath(bucket.key).write_bytes(hashlib.sha256(code).digest() + code)
