"""Threads: those that read pictures are ours alone."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TASKS = Path("/proc/self/task")
COUNTED = """
import os
from pathlib import Path
import vision.recogniser
import numpy as np

many = np.ones((200, 2304), np.float32)
many @ many.T, np.vdot(many, many)
print(len(list(Path("/proc/self/task").iterdir())))
"""


@pytest.mark.skipif(not TASKS.exists(), reason="only Linux lists a process's threads")
@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="one core has no further threads")
def test_numpy_works_in_the_thread_that_asks() -> None:
    """Products of matrices start no threads of their own: these and ours would wait for one another."""
    fresh = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    said = subprocess.run([sys.executable, "-c", COUNTED], env=fresh, check=True, capture_output=True, text=True)
    assert int(said.stdout) == 1
