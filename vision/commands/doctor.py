"""Examine the camera for the doctor while no service runs. OpenCV is imported late, and its absence is a finding."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from companion.config import ConfigError
from companion.findings import Finding, well


def examine(folder: Path) -> list[Finding]:
    """Open the camera named in the settings, take one picture, and return the findings."""
    if find_spec("cv2") is None:
        return [well("camera.opencv", "missing")]
    from vision.commands.camera import opener
    from vision.service import examination
    from vision.settings import settings

    try:
        known = settings(folder)
    except ConfigError as error:
        return [error.finding]
    if known.source == "none":
        return [well("camera.camera", "off")]
    return examination.judge(examination.read(folder, known, opener(known.source, known)))
