"""Process-wide settings for reading: the process keeps freed memory, and OpenCV starts no threads of its own.

Reading allocates and frees dozens of large arrays per picture. By default glibc returns such memory to the kernel at
once, and the kernel clears every page again for the next picture, which takes up to a fifth of the time.
"""

from __future__ import annotations

import ctypes

import cv2

TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3
"""Parameters of mallopt(3)."""
KEPT = 64 << 20
"""The free bytes at the end of the heap above which they are returned, more than reading needs."""
LARGEST = 32 << 20
"""The size in bytes above which an array is allocated outside the heap and returned: the greatest that glibc
accepts."""


def prepare() -> None:
    """Keep freed memory, up to the need of one picture (glibc only), and let OpenCV work in the calling thread."""
    cv2.setNumThreads(1)  # its threads and ours would get in each other's way
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(MMAP_THRESHOLD, LARGEST)
        mallopt(TRIM_THRESHOLD, KEPT)


def give_back() -> None:
    """Return free memory to the kernel, because starting needs more than running."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
