"""Renders drawings: as vectors into a PDF, or as pixels.

May import companion.drawing. Enter at `to_pdf` and `to_pixels`.
"""

from vision.print.drawing.pdf import PdfSheet, to_pdf
from vision.print.drawing.raster import to_pixels

__all__ = ["PdfSheet", "to_pdf", "to_pixels"]
