"""Tests of the process that reads pictures: it controls its threads and keeps freed memory."""

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.vision.pictures import vast_png

TASKS = Path("/proc/self/task")
COUNTED = """
from pathlib import Path
import vision.recognise.recogniser
import numpy as np

many = np.ones((200, 2304), np.float32)
many @ many.T, np.vdot(many, many)
print(len(list(Path("/proc/self/task").iterdir())))
"""
FAULTS = """
import resource
import numpy as np
from vision.process import prepare

def arrays():
    return [np.ones(500_000, np.float32) for _ in range(8)]  # 16 MB, 4,096 of a small machine's pages

prepare()
arrays(), arrays()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(10):
    arrays()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""
ABSENT = """
import os
from vision.cameras.usb import _open_device

os.dup2(1, 2)  # OpenCV writes past Python
print(_open_device(99).isOpened())
"""
VAST = """
import sys
import vision
import cv2
from vision.cameras.camera_protocol import CameraError
from vision.cameras.recorded import open_recording
from vision.commands.picture_files import read_picture
from vision.enrolled_file import DeckError
from pathlib import Path

for reading, error in ((open_recording, CameraError), (read_picture, DeckError)):
    try:
        reading(Path(sys.argv[1]))
    except error as found:
        print(found)
"""


def test_a_small_file_that_unpacks_to_gigabytes_is_no_picture(tmp_path: Path) -> None:
    """A small file that would unpack to gigabytes is refused, because it could fill a Raspberry Pi's memory."""
    path = tmp_path / "vast.png"
    path.write_bytes(vast_png())
    assert path.stat().st_size < 100_000
    assert _said(VAST, str(path)).splitlines() == [f"{path} is not a readable picture."] * 2


def test_a_camera_that_is_not_there_fills_no_log() -> None:
    """OpenCV's warnings of repeated attempts to open a missing camera stay out of the journal."""
    assert _said(ABSENT) == "False\n"


@pytest.mark.skipif(not TASKS.exists(), reason="only Linux lists a process's threads")
@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="one core has no further threads")
def test_numpy_works_in_the_thread_that_asks() -> None:
    """NumPy starts no threads for products of matrices, because they would compete with ours."""
    assert int(_said(COUNTED)) == 1


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc is told to keep memory")
def test_what_is_freed_is_kept_for_the_next_picture() -> None:
    """Large arrays that are freed and allocated again take no new pages from the kernel."""
    assert int(_said(FAULTS)) < 500


def _said(program: str, *more: str) -> str:
    """Return the output of a new process without presets."""
    preset = ("OPENBLAS_", "MALLOC_", "OPENCV_")
    fresh = {name: value for name, value in os.environ.items() if not name.startswith(preset)}
    done = subprocess.run([sys.executable, "-c", program, *more], env=fresh, check=True, capture_output=True, text=True)
    return done.stdout
