"""The process that reads pictures: its threads are ours alone, and memory once had is kept."""

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

TASKS = Path("/proc/self/task")
COUNTED = """
from pathlib import Path
import vision.recogniser
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


@pytest.mark.skipif(not TASKS.exists(), reason="only Linux lists a process's threads")
@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="one core has no further threads")
def test_numpy_works_in_the_thread_that_asks() -> None:
    """Products of matrices start no threads of their own: these and ours would wait for one another."""
    assert _said(COUNTED) == 1


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc is told to keep memory")
def test_what_is_freed_is_kept_for_the_next_picture() -> None:
    """Large arrays that are dropped and made again cost the kernel no new pages."""
    assert _said(FAULTS) < 500


def _said(program: str) -> int:
    """Return the number that a process of its own prints, with nothing preset."""
    fresh = {name: value for name, value in os.environ.items() if not name.startswith(("OPENBLAS_", "MALLOC_"))}
    done = subprocess.run([sys.executable, "-c", program], env=fresh, check=True, capture_output=True, text=True)
    return int(done.stdout)
