"""Cameras of every kind behind one protocol: the Raspberry Pi's, USB, videos, pictures, a rendered table.

May import image and, for the rendered table, simulate. Enter at `open_camera`.
"""

from vision.cameras.camera import GLANCE, Camera, CameraError, CameraOptions, CameraStuck, glance_of
from vision.cameras.picture_check import PictureCheck
from vision.cameras.sources import CameraOpener, FoundCamera, find_cameras, open_camera

__all__ = [
    "GLANCE",
    "Camera",
    "CameraError",
    "CameraOpener",
    "CameraOptions",
    "CameraStuck",
    "FoundCamera",
    "PictureCheck",
    "find_cameras",
    "glance_of",
    "open_camera",
]
