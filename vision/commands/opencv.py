"""Check that OpenCV is installed, for commands around the camera."""

from __future__ import annotations

import click

WITHOUT = (
    "OpenCV is not installed. On a Raspberry Pi: sudo apt install python3-opencv python3-numpy;"
    " elsewhere: pip install 'table-companion[vision]'."
)


def opencv() -> None:
    """Raise `click.ClickException` if OpenCV is missing."""
    try:
        import cv2  # noqa: F401
    except ImportError as error:
        raise click.ClickException(WITHOUT) from error
