"""Cameras, and reading cards in their pictures. The only package that uses OpenCV and picamera2.

May import companion, never hardware or web. Enter at `service.loop.CameraService`.
"""

import os

# NumPy asks once, when it is first imported: its own threads and ours would wait for one another (docs/recognising.md)
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# A small file may unpack to gigabytes; no camera that people have takes so many pixels. OpenCV asks for it once, too.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", "120000000")
# A camera that is not there is tried for again and again, and we say so ourselves: its warnings would fill the journal.
os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
