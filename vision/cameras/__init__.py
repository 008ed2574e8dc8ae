"""Cameras of every kind behind one protocol: a Pi's own, USB, videos, pictures."""

from vision.cameras.camera import GLANCE, Camera, CameraError, CameraStuck, glance_of
from vision.cameras.picture_check import PictureCheck
from vision.cameras.sources import FoundCamera, cameras, opened

__all__ = [
    "GLANCE",
    "Camera",
    "CameraError",
    "CameraStuck",
    "FoundCamera",
    "PictureCheck",
    "cameras",
    "glance_of",
    "opened",
]
