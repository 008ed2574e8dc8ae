"""Cameras of every kind behind one protocol: the Raspberry Pi's, USB, videos, pictures. A rendered one is handed in.

May import image. Enter at `open_camera`.
"""

from vision.cameras.picture_check import PictureCheck as PictureCheck
from vision.cameras.ports import GLANCE as GLANCE
from vision.cameras.ports import Camera as Camera
from vision.cameras.ports import CameraError as CameraError
from vision.cameras.ports import CameraOptions as CameraOptions
from vision.cameras.ports import CameraStuck as CameraStuck
from vision.cameras.ports import Simulated as Simulated
from vision.cameras.ports import glance_of as glance_of
from vision.cameras.sources import CameraOpener as CameraOpener
from vision.cameras.sources import FoundCamera as FoundCamera
from vision.cameras.sources import find_cameras as find_cameras
from vision.cameras.sources import open_camera as open_camera
