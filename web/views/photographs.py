"""Photographs from people's own devices: whether one may be taken in, and having the camera's service look at it."""

from __future__ import annotations

import secrets

from msgspec.structs import replace
from werkzeug.datastructures import FileStorage

from companion.devices.frames import put
from companion.messages import Answered
from web.context import context
from web.views.camera import ask

LARGEST = 16 * 1024 * 1024
"""Bytes of one photograph, at most."""
LOOKS = 15.0
"""Seconds that a look at one picture may take."""


def looked_at(file: FileStorage, deck: str) -> Answered:
    """Have the camera's service look at a photograph."""
    name = f"photograph-{secrets.token_hex(6)}.upload"
    path = context().shelf / name
    file.seek(0)
    put(path, file.read())
    try:
        answer = ask("capture", {"deck": deck, "file": name}, LOOKS)
    finally:
        path.unlink(missing_ok=True)
    return replace(answer, key="no_picture") if answer.key == "bad_file" else answer


def unfit(data: bytes) -> str:
    """Return why a photograph cannot be taken in, as the key of a sentence; empty where it may be one."""
    if len(data) > LARGEST:
        return "enrolment.too_large"
    if data[4:12] in (b"ftypheic", b"ftypheix", b"ftypmif1", b"ftypheif"):
        return "enrolment.heic"
    picture = data[:3] == b"\xff\xd8\xff" or data[:8] == b"\x89PNG\r\n\x1a\n" or data[8:12] == b"WEBP"
    return "" if picture else "enrolment.no_photograph"
