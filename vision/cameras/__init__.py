"""Cameras of every kind behind one protocol: the Raspberry Pi's, USB, videos, pictures. A rendered one is handed in.

May import image. Enter at `open_camera`.
"""

from vision.cameras.picture_check import PictureCheck
from vision.cameras.ports import GLANCE, Camera, CameraError, CameraOptions, CameraStuck, Simulated, glance_of
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
    "Simulated",
    "find_cameras",
    "glance_of",
    "open_camera",
]
