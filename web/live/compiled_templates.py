"""Compiled templates, cached between starts: compiling them all takes a Raspberry Pi seconds."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket

FOLDER = "templates"
"""The folder of compiled templates in the data folder; people may delete it."""
DIGEST = hashlib.sha256().digest_size


class NamesRead(NamedTuple):
    """The names that a template's text reads, and the templates that it names (None: any)."""

    names: frozenset[str]
    others: frozenset[str | None]


class CompiledTemplates(BytecodeCache):
    """A cache of compiled templates in files. Each file starts with a hash of the rest, because a power cut may
    leave it damaged.
    """

    def __init__(self, data: Path) -> None:
        self._folder = data / FOLDER

    def load_bytecode(self, bucket: Bucket) -> None:
        """Read a template; on failure it is compiled again."""
        found = self._read(bucket.key)
        if found is not None:
            bucket.bytecode_from_string(found)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Write a template; on failure the next start compiles it again."""
        self._write(bucket.key, bucket.bytecode_to_string())

    def names_read(self, template: str, source: str, parse: Callable[[], NamesRead]) -> NamesRead:
        """Return the names that a template's text refers to; parse the text only if it has changed."""
        key, text = f"{hashlib.sha1(template.encode()).hexdigest()}.names", hashlib.sha256(source.encode()).hexdigest()
        found = self._read(key)
        if found is not None:
            was, names = msgspec.json.decode(found, type=tuple[str, NamesRead])
            if was == text:
                return names
        names = parse()
        self._write(key, msgspec.json.encode((text, names)))
        return names

    def _read(self, name: str) -> bytes | None:
        """Return a file's content; None if it is missing or damaged."""
        with suppress(OSError):
            found = self._folder.joinpath(name).read_bytes()
            if hashlib.sha256(found[DIGEST:]).digest() == found[:DIGEST]:
                return found[DIGEST:]
        return None

    def _write(self, name: str, data: bytes) -> None:
        """Write a file; on failure, leave it out."""
        with suppress(OSError):
            self._folder.mkdir(mode=0o700, exist_ok=True)
            self._folder.joinpath(name).write_bytes(hashlib.sha256(data).digest() + data)
