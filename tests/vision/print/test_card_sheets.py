"""Tests of printing a deck."""

from __future__ import annotations

import re
import subprocess
import sys
import zlib
from collections import Counter
from pathlib import Path

import cv2
import pytest
from click.testing import CliRunner

from companion.drawing import DrawError, Stroke
from tests.support.paths import ROOT
from vision.commands.deck import command
from vision.print.card_sheets import LEAST, PAPERS, RIM, RULER, grid_for, ruler, sheets
from vision.print.cards import design

CARD = (63.0, 88.0)


@pytest.mark.parametrize("paper", PAPERS)
def test_nine_cards_lie_on_a_sheet_with_room_for_cut_marks(paper: str) -> None:
    """Nine cards with bleed are centred on a sheet, and the cut marks reach the printable area."""
    grid = grid_for(paper, CARD)
    assert (grid.columns, grid.rows) == (3, 3)
    assert grid.bleed >= 0.5
    for side, span in zip(grid.paper, grid.span(), strict=True):
        assert (side - span) / 2 - RIM > LEAST


@pytest.mark.parametrize("paper", PAPERS)
def test_backs_fall_onto_their_fronts(paper: str) -> None:
    """After a turn about the long edge each back lies on its front."""
    grid = grid_for(paper, CARD)
    for nth in range(9):
        x, y = grid.corner(nth)
        back = grid.corner(nth, mirrored=True)
        assert grid.paper[0] - back[0] - CARD[0] == pytest.approx(x)
        assert back[1] == y


def test_every_card_is_printed_as_often_as_the_box_holds_it() -> None:
    """Fronts and backs alternate, each front has its own back, and each card is printed in its full number."""
    deck = design("take-a-train")
    grid = grid_for("a4", CARD)
    made = list(sheets(deck))
    names = {deck.drawing(name, grid.bleed): name for name in deck.faces}
    fronts = [names[drawing] for sheet in made[::2] for drawing, _, _ in sheet.placed]
    assert Counter(fronts) == deck.counts
    for front, back in zip(made[::2], made[1::2], strict=True):
        assert [deck.backs[names[drawing]] for drawing, _, _ in front.placed] == [names[d] for d, _, _ in back.placed]


def test_the_line_to_measure_is_fifty_millimetres_long() -> None:
    """The ruler's line is fifty millimetres long, as its label says."""
    for paper in PAPERS:
        line = ruler(grid_for(paper, CARD), "1/1")[0]
        assert isinstance(line, Stroke)
        (ax, ay), (bx, by) = line.points
        assert ((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5 == pytest.approx(RULER)


def test_papers_and_cards_that_cannot_be_are_said() -> None:
    """An unknown paper and a card larger than its paper are refused with a sentence."""
    with pytest.raises(DrawError, match="a4, letter"):
        grid_for("a9", CARD)
    with pytest.raises(DrawError, match="does not fit"):
        grid_for("a4", (300.0, 400.0))


def test_the_deck_is_printed_without_opencv(tmp_path: Path) -> None:
    """`companion deck print` needs neither OpenCV nor NumPy and reports the number of sheets."""
    script = (
        "import sys; sys.modules['cv2'] = None; sys.modules['numpy'] = None\nfrom companion.cli import main; main()"
    )
    run = subprocess.run(
        [sys.executable, "-c", script, "deck", "print", "take-a-train", "--out", str(tmp_path / "deck.pdf")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert "105 cards of 63 × 88 mm on 12 sheets A4" in run.stderr
    assert len(re.findall(rb"/Type /Page\b", (tmp_path / "deck.pdf").read_bytes())) == 2 * 12


def test_fronts_alone_have_no_backs_between_them() -> None:
    """Without backs, each nine cards make one page with cut marks."""
    made = list(sheets(design("take-a-train"), backs=False))
    assert len(made) == 12 and all(sheet.drawing.marks for sheet in made)


def test_pictures_without_opencv_are_refused_in_a_sentence(tmp_path: Path) -> None:
    """`companion deck pictures` names the missing package if OpenCV is not installed."""
    script = "import sys; sys.modules['cv2'] = None\nfrom companion.cli import main; main()"
    run = subprocess.run(
        [sys.executable, "-c", script, "deck", "pictures", "take-a-train", "--to", str(tmp_path / "a")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 1 and "OpenCV is not installed" in run.stderr and "Traceback" not in run.stderr


def test_an_owners_list_changes_how_many_cards_there_are(tmp_path: Path) -> None:
    """`--catalogue` takes the number of each card from a file."""
    shipped = (ROOT / "companion/games/take_a_train/catalogue.toml").read_text(encoding="utf-8")
    own = tmp_path / "own.toml"
    own.write_text(shipped.replace("value = 50\ncount = 4", "value = 450\ncount = 4"), encoding="utf-8")
    folder = tmp_path / "pictures"
    run = CliRunner().invoke(
        command, ["pictures", "take-a-train", "--to", str(folder), "--scale", "0.25", "--catalogue", str(own)]
    )
    assert run.exit_code == 0, run.output
    names = {path.stem for path in folder.iterdir()}
    assert "food-450" in names and "food-50" not in names
    assert {"steam-1", "twin", "back-wagon", "back-locomotive"} <= names and len(names) == 49
    assert cv2.imread(str(folder / "twin.png")).shape == (130, 93, 3)


def test_cards_whose_figures_are_not_read_cannot_be_printed() -> None:
    """The catalogue of an unread box is refused with a sentence."""
    run = CliRunner().invoke(command, ["print", "take-a-train", "--catalogue", "box"])
    assert run.exit_code == 1 and "not read yet" in run.output


def test_streams_hold_the_backs_mirrored_place(tmp_path: Path) -> None:
    """In the PDF file, the back of a single card on the last sheet lies at the right."""
    from vision.print.drawing.pdf import to_pdf

    deck = design("take-a-train")
    *_, front, back = sheets(deck)
    to_pdf([back], tmp_path / "back.pdf")
    page = max(re.findall(rb"/FlateDecode.*?stream\n(.*?)\nendstream", (tmp_path / "back.pdf").read_bytes(), re.DOTALL))
    written = zlib.decompress(page).decode("latin1")
    assert len(front.placed) == len(back.placed) == 87 % 9
    for _, x, y in back.placed:
        assert f"q 1 0 0 1 {x:.2f}".rstrip("0").rstrip(".") in written and y > 0
