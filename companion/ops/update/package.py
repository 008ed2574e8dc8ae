"""Reads a Debian package as a file: its members, its fields, and our signature in its last member (Ed25519).

dpkg ignores members whose names begin with `_`; the signature covers every byte before that member.
"""

from __future__ import annotations

import base64
import binascii
import io
import lzma
import re
import tarfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import IO, NamedTuple

from companion.ops.update.sentences import UpdateError

NAME = "table-companion"
"""The name of the companion's package."""
MAGIC, HEADER, END = b"!<arch>\n", 60, b"`\n"
SIGNATURE = "_companion-sig"
"""The name of the member that contains the signature, as one line of base64."""
SIGNED, KEY = 64, 32
"""The sizes in bytes of a signature and of a key."""
MOST_MEMBERS = 16
MOST_CONTROL = 4 * 1024 * 1024
"""The maximum size in bytes of a package's unpacked control files."""
VERSION = re.compile(r"[0-9][A-Za-z0-9.+~:-]{0,60}")


class Member(NamedTuple):
    """A member of a package: its name, the positions of its header and its content, and the size of its content in
    bytes."""

    name: str
    header: int
    start: int
    size: int

    @property
    def end(self) -> int:
        """The position of the next member's header."""
        return self.start + self.size + self.size % 2


class Package(NamedTuple):
    """A package's description of itself."""

    name: str
    version: str
    architecture: str
    depends: str
    members: tuple[Member, ...]


def members_of(file: IO[bytes]) -> tuple[Member, ...]:
    """Return the members of a package; raise `UpdateError` if the file is no package or is incomplete."""
    size = file.seek(0, io.SEEK_END)
    file.seek(0)
    if file.read(len(MAGIC)) != MAGIC:
        raise UpdateError("no_package")
    found, at = list[Member](), len(MAGIC)
    while at < size:
        member = _member(file, at)
        if member.start + member.size > size:
            raise UpdateError("cut_short")
        found.append(member)
        if len(found) > MOST_MEMBERS:
            raise UpdateError("no_package")
        at = member.end
    if not found or found[0].name != "debian-binary":
        raise UpdateError("no_package")
    if not any(each.name.startswith("data.tar") for each in found):
        raise UpdateError("cut_short")
    return tuple(found)


def _member(file: IO[bytes], at: int) -> Member:
    """Return the member whose header begins at a position."""
    file.seek(at)
    header = file.read(HEADER)
    if len(header) < HEADER:
        raise UpdateError("cut_short")
    name, size = header[:16].rstrip(b" "), header[48:58].rstrip(b" ")
    if header[58:] != END or not size.isdigit() or not name.isascii():
        raise UpdateError("no_package")
    return Member(name.removesuffix(b"/").decode(), at, at + HEADER, int(size))


def read_package(path: Path) -> Package:
    """Return a package's description of itself; raise `UpdateError` if the file is no package or another program's."""
    with path.open("rb") as file:
        members = members_of(file)
        fields = control_fields(_control(file, members))
    name, version, architecture = (fields.get(each, "") for each in ("package", "version", "architecture"))
    depends = ", ".join(fields[each] for each in ("pre-depends", "depends") if fields.get(each))
    found = Package(name, version, architecture, depends, members)
    if found.name != NAME:
        raise UpdateError("other_package", name=found.name[:60] or "?")
    if VERSION.fullmatch(found.version) is None or not found.architecture:
        raise UpdateError("no_package")
    return found


def _control(file: IO[bytes], members: tuple[Member, ...]) -> str:
    """Return the text of a package's `control` file."""
    member = next((each for each in members if each.name.startswith("control.tar")), None)
    if member is None:
        raise UpdateError("no_package")
    file.seek(member.start)
    try:
        packed = unpacked(member.name, file.read(member.size))
        with tarfile.open(fileobj=io.BytesIO(packed), mode="r:") as tar:
            inner = next(each for each in tar if each.name in ("control", "./control") and each.isreg())
            content = tar.extractfile(inner)
            assert content is not None
            return content.read().decode("utf-8")
    except (tarfile.TarError, lzma.LZMAError, zlib.error, EOFError, StopIteration, UnicodeDecodeError):
        raise UpdateError("no_package") from None


def unpacked(name: str, data: bytes) -> bytes:
    """Return the content of a compressed member of limited size."""
    limited: dict[str, Callable[[bytes, int], bytes]] = {
        ".xz": lambda given, most: lzma.LZMADecompressor().decompress(given, most),
        ".gz": lambda given, most: zlib.decompressobj(31).decompress(given, most),
        ".tar": lambda given, most: given[:most],
    }
    if Path(name).suffix not in limited:
        raise UpdateError("no_package")
    return limited[Path(name).suffix](data, MOST_CONTROL)


def control_fields(text: str) -> dict[str, str]:
    """Return the fields of a control file, by their names in lower case; continued lines are joined."""
    found: dict[str, str] = {}
    last = ""
    for line in text.splitlines():
        if line[:1] in (" ", "\t"):
            found[last] = f"{found.get(last, '')} {line.strip()}"
        elif ":" in line:
            name, _, value = line.partition(":")
            last = name.strip().lower()
            found[last] = value.strip()
    return found


# --- signature ------------------------------------------------------------------------------------


def read_key(path: Path) -> bytes | None:
    """Return the public key in a file, one line of base64; None if there is no usable one."""
    try:
        key = base64.b64decode(path.read_bytes().strip(), validate=True)
    except (OSError, binascii.Error):
        return None
    return key if len(key) == KEY else None


def verify(path: Path, key: bytes) -> None:
    """Raise `UpdateError` unless the package has exactly one signature, in its last member, made with this key."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    with path.open("rb") as file:
        members = members_of(file)
        ours = [each for each in members if each.name.startswith(SIGNATURE)]
        if not ours:
            raise UpdateError("unsigned")
        if len(ours) > 1 or ours[0] != members[-1] or ours[0].name != SIGNATURE:
            raise UpdateError("signed_wrongly")
        file.seek(0)
        signed = file.read(ours[0].header)
        member = file.read()
    try:
        signature = base64.b64decode(member[HEADER:].strip(), validate=True)
        if len(signature) != SIGNED or member != ar_member(SIGNATURE, base64.b64encode(signature) + b"\n"):
            raise InvalidSignature
        Ed25519PublicKey.from_public_bytes(key).verify(signature, signed)
    except (InvalidSignature, binascii.Error):
        raise UpdateError("signed_wrongly") from None


def sign(path: Path, private: bytes) -> None:
    """Sign a package in place with a private key of 32 bytes; raise `UpdateError` if it is already signed."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    with path.open("r+b") as file:
        if any(each.name.startswith(SIGNATURE) for each in members_of(file)):
            raise UpdateError("signed_already")
        file.seek(0)
        content = file.read()
        content += b"\n" * (len(content) % 2)
        line = base64.b64encode(Ed25519PrivateKey.from_private_bytes(private).sign(content)) + b"\n"
        file.seek(0)
        file.write(content + ar_member(SIGNATURE, line))


def ar_member(name: str, content: bytes) -> bytes:
    """Return a member of an archive; the same content always gives the same bytes."""
    header = f"{name:<16}{0:<12}{0:<6}{0:<6}{'100644':<8}{len(content):<10}".encode() + END
    return header + content + b"\n" * (len(content) % 2)
