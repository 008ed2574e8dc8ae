"""A package file: its fields, its validity and its signature."""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from companion.ops.update.package import MAGIC, ar_member, read_key, read_package, sign, verify
from companion.ops.update.sentences import UpdateError
from tests.support.packages import KEY_PRIVATE, write_package
from tests.tools import sign as tool

ed25519 = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.ed25519", reason="no cryptography")
KEY = ed25519.Ed25519PrivateKey.from_private_bytes(KEY_PRIVATE).public_key().public_bytes_raw()
dpkg = pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="there is no dpkg-deb")


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Return a package."""
    return write_package(tmp_path / "new.deb", "1.2.3-4~rc1", Depends="python3 (>= 3.11),\n flask | bottle")


def refused(path: Path, key: bytes | None = None) -> str:
    """Return the key of the error with which a package is refused."""
    with pytest.raises(UpdateError) as error:
        read_package(path) if key is None else verify(path, key)
    return error.value.key


def test_a_package_says_what_it_is(package: Path) -> None:
    """The fields of a package are read, including a value over several lines."""
    found = read_package(package)
    assert found[:4] == ("table-companion", "1.2.3-4~rc1", "all", "python3 (>= 3.11), flask | bottle")
    assert [each.name for each in found.members] == ["debian-binary", "control.tar.xz", "data.tar.xz"]


@dpkg
@pytest.mark.parametrize("packing", ["xz", "gzip", "none"])
def test_dpkgs_own_packages_are_read(tmp_path: Path, packing: str) -> None:
    """Packages built by dpkg-deb are read with every compression."""
    control = tmp_path / "tree" / "DEBIAN"
    control.mkdir(parents=True)
    (control / "control").write_text(
        "Package: table-companion\nVersion: 9\nArchitecture: all\nMaintainer: T <t@e.org>\nDescription: t\n"
    )
    path = tmp_path / "made.deb"
    subprocess.run(("dpkg-deb", f"-Z{packing}", "--build", control.parent, path), check=True, capture_output=True)
    assert read_package(path).version == "9"


@dpkg
def test_dpkg_takes_a_signed_package(package: Path) -> None:
    """dpkg reads a signed package like an unsigned one."""
    before = subprocess.run(("dpkg-deb", "--contents", package), check=True, capture_output=True).stdout
    sign(package, KEY_PRIVATE)
    assert subprocess.run(("dpkg-deb", "--contents", package), check=True, capture_output=True).stdout == before
    assert read_package(package).version == "1.2.3-4~rc1"


@pytest.mark.parametrize("content", [b"", b"PK\3\4 a zip", MAGIC, MAGIC + b"x" * 60, MAGIC + ar_member("other", b"1")])
def test_a_file_that_is_no_package_is_none(tmp_path: Path, content: bytes) -> None:
    """A file that is no package is refused."""
    path = tmp_path / "photo.deb"
    path.write_bytes(content)
    assert refused(path) == "no_package"


def test_a_package_of_something_else_is_refused(tmp_path: Path) -> None:
    """A package with another name is refused, even if its file is named like ours."""
    assert refused(write_package(tmp_path / "table-companion.deb", Package="bash")) == "other_package"


def test_versions_that_are_none_are_refused(tmp_path: Path) -> None:
    """An invalid version is refused, because it would get into command lines."""
    assert refused(write_package(tmp_path / "a.deb", "--force")) == "no_package"


def test_a_package_cut_short_anywhere_is_said_to_be(package: Path) -> None:
    """A package that is truncated at any length is refused."""
    content = package.read_bytes()
    said = set()
    for length in [*range(8, len(content) - 1, 7), len(content) - 2]:
        package.write_bytes(content[:length])
        said.add(refused(package))
    assert said == {"cut_short", "no_package"}  # the first few bytes do not look like a package
    package.write_bytes(content[: len(content) // 2])
    assert refused(package) == "cut_short"


# --- signature ------------------------------------------------------------------------------------


def test_a_signed_package_is_good(package: Path) -> None:
    """A signature is valid only for the key that made it."""
    sign(package, KEY_PRIVATE)
    verify(package, KEY)
    other = ed25519.Ed25519PrivateKey.from_private_bytes(bytes(32)).public_key().public_bytes_raw()
    assert refused(package, other) == "signed_wrongly"


def test_an_unsigned_package_is_refused(package: Path) -> None:
    """A package without a signature is refused."""
    assert refused(package, KEY) == "unsigned"


def test_a_package_signed_twice_is_refused(package: Path) -> None:
    """A package with two signatures is refused, and signing twice is an error."""
    sign(package, KEY_PRIVATE)
    content = package.read_bytes()
    line = base64.b64encode(bytes(64)) + b"\n"
    for more in (content[read_package(package).members[-1].header :], ar_member("_companion-sig", line),
                 ar_member("_companion-sig2", line)):  # fmt: skip
        package.write_bytes(content + more)
        assert refused(package, KEY) == "signed_wrongly"
    package.write_bytes(content)
    with pytest.raises(UpdateError, match="signed already"):
        sign(package, KEY_PRIVATE)


def test_a_signature_that_is_not_last_is_refused(package: Path) -> None:
    """A signature must be the last member, because later members would not be signed."""
    sign(package, KEY_PRIVATE)
    with package.open("ab") as file:
        file.write(ar_member("data.tar.xz", b"other files"))
    assert refused(package, KEY) == "signed_wrongly"


def test_every_changed_byte_is_noticed(package: Path) -> None:
    """A change of any byte is noticed, in members, headers and the signature."""
    sign(package, KEY_PRIVATE)
    content = package.read_bytes()
    for at in range(0, len(content) - 1, 41):
        changed = bytearray(content)
        changed[at] ^= 1
        package.write_bytes(changed)
        with pytest.raises(UpdateError):
            verify(package, KEY)


def test_bytes_behind_the_signature_are_refused(package: Path) -> None:
    """Extra bytes after the signature are refused."""
    sign(package, KEY_PRIVATE)
    with package.open("ab") as file:
        file.write(b"x")
    with pytest.raises(UpdateError):
        verify(package, KEY)


def test_a_key_is_one_line_of_base64(tmp_path: Path) -> None:
    """A key file contains one line of base64, and anything else is read as no key."""
    path = tmp_path / "release-key"
    assert read_key(path) is None
    path.write_bytes(base64.b64encode(KEY) + b"\n")
    assert read_key(path) == KEY
    for wrong in (b"", b"not base64 at all", base64.b64encode(KEY[:31])):
        path.write_bytes(wrong)
        assert read_key(path) is None


def test_the_tool_makes_keys_and_signs(tmp_path: Path, package: Path) -> None:
    """The signing tool creates a private key that only its owner can read, signs packages and overwrites nothing."""
    private, public = tmp_path / "private", tmp_path / "public"
    assert tool.main(["new", str(private), str(public)]) == 0
    assert os.stat(private).st_mode & 0o077 == 0
    assert tool.main(["sign", str(package), "--key", str(private)]) == 0
    key = read_key(public)
    assert key is not None
    verify(package, key)
    assert tool.main(["public", str(private), str(tmp_path / "again")]) == 0
    assert read_key(tmp_path / "again") == key
    with pytest.raises(SystemExit, match="exists"):
        tool.main(["new", str(private), str(public)])
    with pytest.raises(SystemExit, match="signed already"):
        tool.main(["sign", str(package), "--key", str(private)])
