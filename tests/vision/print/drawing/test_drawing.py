"""Tests of vector and pixel drawings."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.drawing import Clipped, Drawing, Fill, Stroke, circle, path, rectangle, text, transform
from vision.print.drawing.pdf import PdfSheet, operators, to_pdf
from vision.print.drawing.raster import to_pixels


def streams(file: Path) -> str:
    """Return the content streams of a PDF's pages."""
    return "".join(
        [
            zlib.decompress(found).decode("latin1")
            for found in re.findall(rb"/FlateDecode.*?stream\n(.*?)\nendstream", file.read_bytes(), re.DOTALL)
        ]
    )


def test_pixels_lie_where_millimetres_say() -> None:
    """Pixels inside a square are full, those on a half-covered edge are half, and holes show paper."""
    square = Fill((rectangle(1, 1, 2.05, 2.05), rectangle(1.5, 1.5, 0.5, 0.5)), "#204060")
    picture = to_pixels(Drawing(4, 4, (square,)), 10)
    assert picture.shape == (40, 40, 3)
    assert tuple(picture[12, 12]) == (0x60, 0x40, 0x20)
    assert tuple(picture[17, 17]) == (255, 255, 255)
    assert tuple(picture[5, 5]) == (255, 255, 255)
    assert 0x20 < picture[20, 30, 2] < 250


def test_clipped_marks_show_only_inside() -> None:
    """A clipping contour leaves everything outside it unchanged."""
    marks = (Fill((rectangle(0, 0, 4, 4),), "#00ff00"),
             Clipped(rectangle(0, 0, 2, 4), (Fill((rectangle(0, 0, 4, 4),), "#ff0000"),)))  # fmt: skip
    picture = to_pixels(Drawing(4, 4, marks), 10)
    assert tuple(picture[20, 10]) == (0, 0, 255) and tuple(picture[20, 30]) == (0, 255, 0)


def test_vectors_say_the_same_as_marks() -> None:
    """Fills, strokes and clippings become the PDF operators of a page, in millimetres."""
    assert operators([Fill((((0, 0), (1, 0), (1, 1)),), "#ff0000")]) == "1.000 0.000 0.000 rg 0 0 m 1 0 l 1 1 l h f*"
    assert operators([Stroke(((0, 0), (1.5, 2)), 0.25, "#000000")]) == "0.000 0.000 0.000 RG 0.25 w 0 0 m 1.5 2 l S"
    assert operators([Clipped(((0, 0), (1, 0), (1, 1)), ())]) == "q 0 0 m 1 0 l 1 1 l h W n  Q"


def test_a_sheet_has_its_size_and_its_drawings(tmp_path: Path) -> None:
    """A PDF page has the paper's size, and a drawing placed twice appears twice."""
    small = Drawing(63, 88, (Fill((circle(30, 40, 20),), "#112233"),))
    to_pdf([PdfSheet(Drawing(210, 297), ((small, 10.0, 20.0), (small, 80.0, 20.0)))], tmp_path / "a.pdf", "Cards")
    assert re.search(rb"/MediaBox \[0 0 595\.28 841\.89\]", (tmp_path / "a.pdf").read_bytes())
    written = streams(tmp_path / "a.pdf")
    assert written.count("0.067 0.133 0.200 rg") == 2
    assert "q 1 0 0 1 80 20 cm 0 0 63 88 re W n" in written


@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="needs pdftoppm (poppler-utils) to look at a PDF")
def test_vectors_and_pixels_show_the_same(tmp_path: Path) -> None:
    """Another program renders the PDF's shapes, holes, letters, lines and clippings as the pixels show them."""
    marks = (
        Fill((rectangle(2, 2, 46, 26, 3), circle(14, 14, 6)), "#225577"),
        text("Train 500", (22, 17), 6, "#ffcc00"),
        Clipped(
            circle(14, 14, 5), transform([Stroke(((-9, y), (9, y)), 0.8, "#aa3311") for y in (-4, -1, 2)], 14, 14, 30)
        ),
        Stroke(path((4, 26), ((20, 18), (46, 27))), 1.2, "#ffffff"),
    )
    drawing = Drawing(50, 30, marks)
    to_pdf([PdfSheet(Drawing(70, 50), ((drawing, 10.0, 15.0),))], tmp_path / "a.pdf")
    dots = 254  # 10 px/mm
    subprocess.run(["pdftoppm", "-r", str(dots), "-png", "-singlefile", str(tmp_path / "a.pdf"), str(tmp_path / "a")],
                   check=True)  # fmt: skip
    printed = cv2.imread(str(tmp_path / "a.png"))[150:450, 100:600].astype(int)
    painted = to_pixels(drawing, 10).astype(int)
    assert np.abs(printed - painted).mean() < 2.5
    assert (cv2.blur(np.abs(printed - painted).max(axis=2).astype(np.uint8), (5, 5)) < 128).all()


def test_printing_needs_no_opencv(tmp_path: Path) -> None:
    """A PDF is written without OpenCV and NumPy."""
    script = (
        "import sys; sys.modules['cv2'] = None; sys.modules['numpy'] = None\n"
        "from pathlib import Path\n"
        "from companion.drawing import Drawing, text\n"
        "from vision.print.drawing.pdf import PdfSheet, to_pdf\n"
        "to_pdf([PdfSheet(Drawing(50, 50, (text('A', (5, 20), 9),)))], Path(sys.argv[1]))\n"
    )
    subprocess.run([sys.executable, "-c", script, str(tmp_path / "a.pdf")], check=True)
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")
