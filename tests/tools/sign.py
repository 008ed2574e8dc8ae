"""Makes a release's keys and signs packages: `… new PRIVATE PUBLIC`, `… sign PACKAGE --key PRIVATE`."""

from __future__ import annotations

import argparse
import base64
import os
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path

from companion.ops.update.package import KEY, read_key, sign
from companion.ops.update.sentences import UpdateError


def make_keys(private: Path, public: Path) -> None:
    """Write a new pair of keys, with the private one readable only by its owner."""
    if private.exists() or public.exists():
        sys.exit(f"{private if private.exists() else public} exists already: a release's key is made once.")
    with open(os.open(private, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(base64.b64encode(secrets.token_bytes(KEY)) + b"\n")
    write_public(private, public)


def write_public(private: Path, public: Path) -> None:
    """Write the public key that belongs to a private one."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    made = Ed25519PrivateKey.from_private_bytes(private_key(private)).public_key()
    public.write_bytes(base64.b64encode(made.public_bytes(Encoding.Raw, PublicFormat.Raw)) + b"\n")


def private_key(path: Path) -> bytes:
    """Return the private key in a file, which has as many bytes as a public one; exit if the file holds none."""
    key = read_key(path)
    if key is None:
        sys.exit(f"{path} holds no key.")
    return key


def main(words: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    ways = parser.add_subparsers(dest="way", required=True)
    new = ways.add_parser("new", help="make a pair of keys")
    new.add_argument("private", type=Path)
    new.add_argument("public", type=Path)
    public = ways.add_parser("public", help="write the public key that belongs to a private one")
    public.add_argument("private", type=Path)
    public.add_argument("public", type=Path)
    signing = ways.add_parser("sign", help="sign a package in place")
    signing.add_argument("package", type=Path)
    signing.add_argument("--key", type=Path, required=True, help="the private key")
    given = parser.parse_args(words)
    try:
        if given.way == "new":
            make_keys(given.private, given.public)
        elif given.way == "public":
            write_public(given.private, given.public)
        else:
            sign(given.package, private_key(given.key))
    except (UpdateError, OSError) as error:
        sys.exit(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
