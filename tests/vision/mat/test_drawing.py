"""Tests of the printed mat: the camera finds its print, and its words exist in each language."""

from __future__ import annotations

import re
import string
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.drawing import Fill
from companion.engine import Player
from companion.games import FIRST, SEEN, game_words
from companion.games.examples.freight_whist.rules import RULES as FREIGHT_WHIST
from companion.i18n import LANGUAGES, Words
from tests.support.vision.photographing import mat_for
from vision.commands.mat import command
from vision.mat import find, make_mat
from vision.mat.drawing import FAINT, drawing, owner_of, title, words
from vision.mat.print_style import FAINTER
from vision.mat.printed_sheets import BADGE, CORNER, free_corner, pages, seat_slot
from vision.mat.tiling import RIM
from vision.print.drawing.raster import to_pixels
from web.presenters.camera_status import place_name


def test_the_drawn_mat_is_found_where_it_is() -> None:
    """A vertical view of the drawn mat has each marker at its place."""
    mat = mat_for(2)
    pose = find(to_pixels(drawing(mat), 2.0), mat)
    assert pose is not None and pose.seen == len(mat.markers)
    points = np.vstack([mat.hull(slot) for slot in mat.slots])
    assert np.abs(pose.project(points) - (points * 2.0 - 0.5)).max() < 0.6


def test_a_places_number_has_one_name_in_print_and_on_pages() -> None:
    """`{number}` and the name of the counted item mean the same, and a mat with other fields is still drawn."""
    for field in ("number", "row"):
        said = Words("en", {"mat.row": f"Row {{{field}}}", "place.row": f"Row {{{field}}}"})
        assert title("row.2", said) == place_name("row.2", (), said) == "Row 2"
    said = Words("en", {"place.seat.train": "{seat}'s train {number}", "mat.train": "Train {train}"})
    jane = (Player("Jane", "red", "circle"),)
    assert place_name("seat.1.train.3", jane, said) == "Jane's train 3" and title("seat.1.train.3", said) == "Train 3"
    assert title("row.2", Words("en", {"mat.row": "Row {line}"})) == "Row 2"


def test_a_seats_place_in_the_middle_shows_whose_it_is() -> None:
    """A seat's place in the middle of the mat shows the player's shape and number."""
    mat = make_mat(FREIGHT_WHIST.places(4), (63, 88), "a2", 4)
    owners = {slot.place: owner_of(slot) for slot in mat.slots}
    assert [owners[f"seat.{seat + 1}.card"] for seat in range(4)] == [0, 1, 2, 3]
    assert (owners["turned"], owners["seat.1.tricks"], owners["seat.2.tricks"]) == (None, 0, 1)
    shapes = [mark for mark in drawing(mat).marks if isinstance(mark, Fill) and mark.colour == FAINTER]
    assert len(shapes) == 4 + 2


def test_printed_sheets_laid_edge_to_edge_are_the_mat() -> None:
    """Printed pages joined by their numbers form the mat, which is located to a few tenths of a millimetre."""
    mat, scale = mat_for(2), 2.0
    left, top = min(s.x for s in mat.sheets), min(s.y for s in mat.sheets)
    right, bottom = max(s.x + s.width for s in mat.sheets), max(s.y + s.height for s in mat.sheets)
    table = np.full((round((bottom - top) * scale), round((right - left) * scale), 3), 120, dtype=np.uint8)
    for sheet, page in zip(mat.sheets, pages(mat)[1:], strict=True):
        picture = to_pixels(page.drawing, scale)
        x, y = round((sheet.x - left) * scale), round((sheet.y - top) * scale)
        part = table[y : y + picture.shape[0], x : x + picture.shape[1]]
        part[:] = picture[: part.shape[0], : part.shape[1]]
    pose = find(table, mat)
    assert pose is not None and pose.seen == len(mat.markers) and pose.off == ()
    points = np.vstack([mat.hull(slot) for slot in mat.slots])
    assert np.abs(pose.project(points) - ((points - (left, top)) * scale - 0.5)).max() < 1.0


@pytest.mark.parametrize(
    ("game", "players", "paper"),
    [
        ("game-of-trains", 4, "a4"),
        ("game-of-trains", 3, "letter"),
        ("take-a-train", 6, "a2"),
        ("take-a-train", 2, "a4"),
        ("express", 4, "a4"),
        ("express", 6, "a3"),
    ],
)
def test_no_joint_cuts_a_name(game: str, players: int, paper: str) -> None:
    """Each name is printed whole on one sheet."""
    mat = make_mat(SEEN[game].places(players), (63.0, 88.0), paper, players)
    names = [mark for mark in drawing(mat).marks if isinstance(mark, Fill) and mark.colour == FAINT]
    assert len(names) == sum([slot.most if slot.kind == "spread" else 1 for slot in mat.slots])
    for name in names:
        points = np.vstack([np.array(contour) for contour in name.contours])
        inner = [
            ((points >= (s.x + RIM, s.y + RIM)) & (points <= (s.x + s.width - RIM, s.y + s.height - RIM))).all()
            for s in mat.sheets
        ]
        assert any(inner)


@pytest.mark.parametrize("players", [2, 4, 6])
def test_the_small_map_hides_nothing(players: int) -> None:
    """Sheet numbers stand beside the markers, and seat numbers stand whole on one sheet in their places."""
    mat = make_mat(SEEN["express"].places(players), (63.0, 88.0), "a4", players)
    for sheet in mat.sheets:
        x, y = free_corner(mat, sheet)
        assert all(not (m.x - CORNER < x < m.x + m.side + CORNER and m.y < y < m.y + m.side) for m in mat.markers)
    for seat in range(players):
        slot = seat_slot(mat, seat)
        (left, top), (right, bottom) = (mat.hull(slot).mean(axis=0) + far for far in (-BADGE, BADGE))
        assert slot.seat == seat and any(
            s.x < left and s.y < top and right < s.x + s.width and bottom < s.y + s.height for s in mat.sheets
        )


def test_what_is_printed_below_cards_is_faint() -> None:
    """Print under cards stays pale, so the camera does not mistake it for a card."""
    mat = mat_for(2)
    grey = cv2.cvtColor(to_pixels(drawing(mat), 2.0), cv2.COLOR_BGR2GRAY)
    for marker in mat.markers:
        x, y, side = (round(value * 2.0) for value in (marker.x - 1, marker.y - 1, marker.side + 2))
        grey[max(0, y) : y + side, max(0, x) : x + side] = 255
    assert grey.min() > 180


def test_words_are_complete_and_alike() -> None:
    """Each language has the same sentences with the same fields."""
    first = words(LANGUAGES[0]).sentences
    for lang in LANGUAGES:
        sentences = words(lang).sentences
        assert sentences.keys() == first.keys()
        for key, sentence in sentences.items():
            assert fields(sentence) == fields(first[key]), key


def fields(sentence: str) -> set[str]:
    """Return the fields of a sentence."""
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def test_places_have_names_for_people() -> None:
    """The game translates its places' names, and other places use their identifiers."""
    english, french = (game_words(SEEN[FIRST], lang) for lang in ("en", "fr"))
    assert title("seat.3.train.2", english) == "Train 2"
    assert title("market", french) == "Marché"
    assert title("seat.1.side.board.2", english) == "Side board 2"
    mat = mat_for(6)
    assert all(title(slot.place, french).split()[0].lower() not in ("seat", "deck") for slot in mat.slots)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_command_makes_a_pdf(tmp_path: Path, lang: str) -> None:
    """The PDF has one page per sheet and one more, in the paper's size, and forbids scaling."""
    out = tmp_path / "mat.pdf"
    said = CliRunner().invoke(
        command, ["print", "--players", "2", "--lang", lang, "--data", str(tmp_path), "--out", str(out)]
    )
    assert said.exit_code == 0, said.output
    pdf = out.read_bytes()
    sheets = len(mat_for(2).sheets)
    assert len(re.findall(rb"/Type /Page\b", pdf)) == sheets + 1
    assert b"/PrintScaling /None" in pdf


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [(["--players", "9"], "2 to 6 players"), (["--players", "2", "--card", "10x20"], "40"),
     (["--players", "2", "--game", "whist"], "take-a-train")],
)  # fmt: skip
def test_command_says_what_was_allowed(tmp_path: Path, arguments: list[str], sentence: str) -> None:
    """A wrong number, size or game is refused with a sentence."""
    said = CliRunner().invoke(command, ["print", "--data", str(tmp_path), "--out", str(tmp_path / "x.pdf"), *arguments])
    assert said.exit_code != 0 and sentence in (said.output + str(said.exception))
    assert not (tmp_path / "x.pdf").exists()
