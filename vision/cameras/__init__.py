"""Cameras of every kind behind one protocol: a Pi's own, USB, videos, pictures."""

from vision.cameras.camera import GLANCE, Camera, CameraError, CameraStuck, glance_of
from vision.cameras.picture_check import Judge
from vision.cameras.sources import Found, cameras, opened

__all__ = ["GLANCE", "Camera", "CameraError", "CameraStuck", "Found", "Judge", "cameras", "glance_of", "opened"]
