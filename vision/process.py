"""Process-wide settings for reading: freed memory stays with the process, and OpenCV starts no threads of its own.

Reading makes dozens of large arrays for each picture and drops them. By default glibc returns such memory to the kernel
at once, and the kernel clears every page of it for the next picture: up to a fifth of the time.
"""

from __future__ import annotations

import ctypes

import cv2

TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3
"""Parameters of mallopt(3)."""
KEPT = 64 << 20
"""Bytes that may lie free at the end of the heap before they are returned: more than reading needs."""
LARGEST = 32 << 20
"""Bytes from which an array is allocated outside the heap and returned: the most that glibc accepts."""


def prepare() -> None:
    """Keep freed memory, up to what one picture needs (glibc alone), and let OpenCV work in the calling thread."""
    cv2.setNumThreads(1)  # its own threads and ours would get in each other's way
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(MMAP_THRESHOLD, LARGEST)
        mallopt(TRIM_THRESHOLD, KEPT)


def give_back() -> None:
    """Return free memory to the kernel: starting needs more than running."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
