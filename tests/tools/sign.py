"""Makes a release's keys and signs packages: `… new PRIVATE PUBLIC`, `… sign PACKAGE --key PRIVATE`."""

from __future__ import annotations

import argparse
import base64
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from companion.ops.update.package import read_key, sign
from companion.ops.update.sentences import UpdateError


def make_keys(private: Path, public: Path) -> None:
    """Write a new pair of keys; the private one for its owner alone."""
    from cryptography.hazmat.primitives import serialization as form
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    if private.exists() or public.exists():
        sys.exit(f"{private if private.exists() else public} exists already: a release's key is made once.")
    made = Ed25519PrivateKey.generate()
    raw = form.Encoding.Raw
    secret = made.private_bytes(raw, form.PrivateFormat.Raw, form.NoEncryption())
    with open(os.open(private, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(base64.b64encode(secret) + b"\n")
    public.write_bytes(base64.b64encode(made.public_key().public_bytes(raw, form.PublicFormat.Raw)) + b"\n")


def main(words: Sequence[str] | None = None) -> int:
    """Do what is asked; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    ways = parser.add_subparsers(dest="way", required=True)
    new = ways.add_parser("new", help="make a pair of keys")
    new.add_argument("private", type=Path)
    new.add_argument("public", type=Path)
    signing = ways.add_parser("sign", help="sign a package in place")
    signing.add_argument("package", type=Path)
    signing.add_argument("--key", type=Path, required=True, help="the private key")
    given = parser.parse_args(words)
    if given.way == "new":
        make_keys(given.private, given.public)
        return 0
    key = read_key(given.key)  # a private key has as many bytes as a public one
    if key is None:
        sys.exit(f"{given.key} holds no key.")
    try:
        sign(given.package, key)
    except (UpdateError, OSError) as error:
        sys.exit(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
