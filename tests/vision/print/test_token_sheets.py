"""Tests of printing tokens."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from itertools import combinations
from math import hypot
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from companion.drawing import TOKEN_BLEED, DrawError, Drawing, Stroke
from vision.commands.deck import command
from vision.print.card_sheets import PAPERS, RIM, RULER
from vision.print.drawing.pdf import PdfSheet
from vision.print.token_pictures import token_designs
from vision.print.token_sheets import FOOT, face_drawing, token_sheets

DESIGNS = token_designs("take-a-train")
TITLE = "take-a-train: tokens"


def arts(sheet: PdfSheet) -> list[tuple[Drawing, float, float]]:
    """Return the tokens on a sheet with their centres, without the cut lines."""
    return [(each, x + each.width / 2, y + each.height / 2) for each, x, y in sheet.placed if each.width < 100]


@pytest.mark.parametrize("paper", PAPERS)
def test_every_token_is_printed_as_often_as_the_box_holds_it(paper: str) -> None:
    """Sheets of fronts and of other faces alternate and hold the whole box."""
    made = list(token_sheets(DESIGNS, TITLE, paper))
    names = {face_drawing(token, token.face): token.name for token in DESIGNS}
    found = Counter([names[drawing] for sheet in made[::2] for drawing, _, _ in arts(sheet)])
    assert found == {token.name: token.count for token in DESIGNS}


@pytest.mark.parametrize("paper", PAPERS)
def test_other_faces_lie_exactly_behind_their_faces(paper: str) -> None:
    """After a turn about the long edge, each token's other face lies on its front."""
    other = {face_drawing(t, t.face): face_drawing(t, t.other or t.face) for t in DESIGNS}
    made = list(token_sheets(DESIGNS, TITLE, paper))
    for front, back in zip(made[::2], made[1::2], strict=True):
        behind = [(other[drawing], pytest.approx(PAPERS[paper][0] - x), y) for drawing, x, y in arts(front)]
        assert arts(back) == behind


@pytest.mark.parametrize("paper", PAPERS)
def test_tokens_lie_apart_and_within_what_a_printer_prints(paper: str) -> None:
    """The bleed of a token touches no other token, the white margin or the ruler."""
    wide, high = PAPERS[paper]
    for sheet in list(token_sheets(DESIGNS, TITLE, paper))[::2]:
        boxes = [(x - d.width / 2, y - d.height / 2, x + d.width / 2, y + d.height / 2) for d, x, y in arts(sheet)]
        assert min([min(left, top - FOOT) for left, top, _, _ in boxes]) >= RIM
        assert max([max(right - wide, low + FOOT - high) for _, _, right, low in boxes]) <= -RIM
        for one, other in combinations(boxes, 2):
            assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def test_each_token_has_its_outline_to_cut_along() -> None:
    """Fronts have cut lines along the tokens' outlines, above the art; sheets of other faces have none."""
    front, back, *_ = token_sheets(DESIGNS, TITLE)
    (lines,) = [drawing for drawing, _, _ in front.placed if drawing.width > 100]
    outlines = {face_drawing(token, token.face): token.outline for token in DESIGNS}
    expected = [tuple([(px + x, py + y) for px, py in outlines[drawing]]) for drawing, x, y in arts(front)]
    drawn = [mark.points for mark in lines.marks if isinstance(mark, Stroke)]
    for line, outline in zip(drawn, expected, strict=True):
        assert np.array(line) == pytest.approx(np.array(outline))
    assert len(arts(back)) == len(back.placed)


def test_every_sheet_of_faces_says_what_it_is_beside_a_line_to_measure() -> None:
    """Each sheet of fronts begins with a 50 mm ruler, and sheets of other faces hold only faces."""
    made = list(token_sheets(DESIGNS, TITLE))
    for front, back in zip(made[::2], made[1::2], strict=True):
        line = front.drawing.marks[0]
        assert isinstance(line, Stroke)
        (ax, ay), (bx, by) = line.points
        assert hypot(ax - bx, ay - by) == pytest.approx(RULER)
        assert not back.drawing.marks


def test_papers_and_tokens_that_cannot_be_are_said() -> None:
    """An unknown paper and a token wider than its paper are refused with a sentence."""
    with pytest.raises(DrawError, match="a4, letter"):
        list(token_sheets(DESIGNS, TITLE, "a9"))
    huge = replace(DESIGNS[0], outline=((-150.0, 0.0), (150.0, 0.0), (0.0, 9.0)))
    with pytest.raises(DrawError, match="money-50 does not fit"):
        list(token_sheets([huge], TITLE))


def test_a_faces_drawing_has_its_bleed_around_it() -> None:
    """A 20 mm square is drawn with its bleed on each side."""
    square = next(token for token in DESIGNS if token.name == "sequence-1")
    drawing = face_drawing(square, square.face)
    assert (drawing.width, drawing.height) == (20 + 2 * TOKEN_BLEED, 20 + 2 * TOKEN_BLEED)


# --- the command ----------------------------------------------------------------------------------


def test_tokens_are_printed_without_opencv(tmp_path: Path) -> None:
    """`companion deck print --tokens` needs neither OpenCV nor NumPy and reports the number of sheets."""
    script = (
        "import sys; sys.modules['cv2'] = None; sys.modules['numpy'] = None\nfrom companion.cli import main; main()"
    )
    run = subprocess.run(
        [sys.executable, "-c", script, "deck", "print", "take-a-train", "--tokens", "--out", str(tmp_path / "t.pdf")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert "155 tokens on 2 sheets A4" in run.stderr
    assert len(re.findall(rb"/Type /Page\b", (tmp_path / "t.pdf").read_bytes())) == 2 * 2


def test_what_tokens_cannot_be_is_refused() -> None:
    """A game without tokens is refused with a list of those that have some, and options for cards only are refused."""
    none = CliRunner().invoke(command, ["print", "express", "--tokens"])
    assert none.exit_code == 1 and "There are tokens of: take-a-train." in none.output
    for option in (["--fronts"], ["--dividers"], ["--only", "money-50"]):
        run = CliRunner().invoke(command, ["print", "take-a-train", "--tokens", *option])
        assert run.exit_code == 2 and "are for cards" in run.output
