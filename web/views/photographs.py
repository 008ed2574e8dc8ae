"""Photographs uploaded from people's devices: checks their type, and asks the camera's service for their content."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from werkzeug.datastructures import FileStorage

from companion.devices.camera_requests.camera_request import A, CameraRefusal, CameraRequest
from companion.devices.frames import replace_file
from web.context import context
from web.views.camera import ask

LARGEST = 48 * 1024 * 1024
"""The most bytes of one photograph: more than any phone's camera makes, even one of 108 megapixels."""


def capture_photograph(file: FileStorage, request: Callable[[str], CameraRequest[A]]) -> A:
    """Ask the camera's service to examine a photograph, by a request with its name; raise `CameraRefusal`."""
    name = f"photograph-{secrets.token_hex(6)}.upload"
    path = context().frames / name
    file.seek(0)
    replace_file(path, file.read())
    try:
        return ask(request(name))
    except CameraRefusal as refusal:
        if refusal.key == "bad_file":  # the service names a bad file, people a bad photograph
            raise CameraRefusal("no_picture", refusal.fields) from None
        raise
    finally:
        path.unlink(missing_ok=True)


def why_unfit(data: bytes) -> str:
    """Return the key of the sentence that says why a file is not a usable photograph; empty if it may be one."""
    if len(data) > LARGEST:
        return "enrolment.too_large"
    if data[4:12] in (b"ftypheic", b"ftypheix", b"ftypmif1", b"ftypheif"):
        return "enrolment.heic"
    picture = data[:3] == b"\xff\xd8\xff" or data[:8] == b"\x89PNG\r\n\x1a\n" or data[8:12] == b"WEBP"
    return "" if picture else "enrolment.no_photograph"
