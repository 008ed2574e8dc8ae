"""Renders drawings: as vectors into a PDF, or as pixels.

May import companion.drawing. Enter at `to_pdf` and `to_pixels`.
"""

from vision.print.drawing.pdf import PdfSheet as PdfSheet
from vision.print.drawing.pdf import to_pdf as to_pdf
from vision.print.drawing.raster import to_pixels as to_pixels
