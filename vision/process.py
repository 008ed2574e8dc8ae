"""Process-wide settings for reading: freed memory stays with the process, and OpenCV starts no threads of its own.

Reading makes dozens of large arrays for each picture and drops them. By default glibc returns such memory to the kernel
at once, and the kernel clears every page of it for the next picture: up to a fifth of the time.
"""

from __future__ import annotations

import ctypes

import cv2

TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3
"""Names that mallopt(3) has for what is set here."""
KEPT = 64 << 20
"""Bytes that may lie free at the end of the heap before they are given back: more than reading needs."""
LARGEST = 32 << 20
"""Bytes from which on an array lies outside the heap, and is given back: glibc takes no more than this."""


def prepare() -> None:
    """Keep what memory is freed, up to what one picture needs, and let OpenCV work in the thread that asks.

    Other libraries than glibc go on as they do. NumPy's threads are off since `vision` was imported.
    """
    cv2.setNumThreads(1)  # its own threads and ours would get in each other's way
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(MMAP_THRESHOLD, LARGEST)
        mallopt(TRIM_THRESHOLD, KEPT)


def give_back() -> None:
    """Give back what memory lies free now: more was needed to begin than is needed to go on."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
