"""Render drawings as vectors into a PDF, or as pixels.

May import companion.drawing. Enter at `pdf.to_pdf` and `raster.to_pixels`.
"""
