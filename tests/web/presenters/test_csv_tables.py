"""Test files for spreadsheets: no name of a person becomes a formula in a cell, and nothing is lost."""

from __future__ import annotations

import csv
import io
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.hall.tournament.player_list import read_list
from companion.i18n import LANGUAGES
from web.presenters.csv_tables import APOSTROPHE, BOM, FORMULA, Cell, csv_text, plain_cell, tables_text

TEXT = st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=20)
CELL = st.one_of(TEXT, TEXT.map(lambda text: f"={text}"), st.integers(), st.none())
DELIMITERS = {"en": ",", "fr": ";"}


def read(text: str, lang: str) -> list[list[str]]:
    """Return the cells as a spreadsheet in this language reads them."""
    assert text.startswith(BOM)
    return list(csv.reader(io.StringIO(text.removeprefix(BOM), newline=""), delimiter=DELIMITERS[lang]))


@given(st.sampled_from(LANGUAGES), TEXT, st.lists(st.lists(CELL, min_size=1, max_size=4), max_size=4))
@example("fr", "@SUM", [["=1+1", "+1", "-1", "@x"], ["\t=1", "\r=1", -150, None], ["\n=1"]])
@example("en", "x", [['a"b', "a,b", "a\nb", "שלום"], ["a;b"]])
@example("fr", "x", [['a"b', "a,b", "a\nb", "a;b"]])
def test_no_text_passes_for_a_formula_and_all_of_it_is_there(lang: str, title: str, rows: list[list[Cell]]) -> None:
    """Each cell has its own text, with an apostrophe if it could be a formula, and numbers stay numbers."""
    found = read(tables_text([(title, rows)], lang), lang)
    assert len(found) == len(rows) + 2 and found[-1] == []
    assert found[0] == [str(plain_cell(title, lang))] or (title == "" and found[0] in ([], [""]))
    for row, cells in zip(rows, found[1:], strict=False):
        for cell, text in zip(row, cells, strict=True):
            if isinstance(cell, str):
                assert not text.startswith(FORMULA)
                assert text == (APOSTROPHE + cell if cell.startswith(FORMULA) else cell)
            else:
                assert text == ("" if cell is None else str(cell))


@pytest.mark.parametrize(
    ("lang", "line"), [("en", 'Zoë,"a,b",a;b,-2,66.67,50,0.50'), ("fr", 'Zoë;a,b;"a;b";-2;66,67;50;0,50')]
)
def test_cells_and_decimals_as_a_language_parts_them(lang: str, line: str) -> None:
    """A French file has semicolons between cells and commas in decimals, because spreadsheets expect them."""
    row = ["Zoë", "a,b", "a;b", -2, Fraction(200, 3), Fraction(50), Fraction(1, 2)]
    assert csv_text([row], lang) == f"{BOM}{line}\r\n"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_export_can_be_read_as_a_list(lang: str) -> None:
    """The standings of one tournament can be imported as the list of players of the next."""
    text = csv_text([["Place", "Name"], [1, "Zoë"], [2, "Dupont, Jean"], [3, "a;b"]], lang)
    assert read_list(text.encode()).names == ("Zoë", "Dupont, Jean", "a;b")
