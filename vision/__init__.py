"""Cameras, and the reading of cards from pictures. OpenCV and picamera2 are known only here."""

import os

# NumPy asks once, when it is first imported: its own threads and ours would wait for one another (docs/recognising.md)
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
