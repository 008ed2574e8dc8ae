"""Cameras, and reading cards in their pictures. The only package that uses OpenCV and picamera2.

May import companion, never hardware or web. Enter at `service.loop.CameraService`.
"""

import os

# NumPy reads this once, when first imported: its threads and ours would wait for one another (docs/recognising.md).
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# A small file may decode to gigabytes, but no usual camera takes pictures above this limit. OpenCV also reads it once.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", "120000000")
# The service retries a missing camera and logs that itself. OpenCV's warnings would fill the journal.
os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
