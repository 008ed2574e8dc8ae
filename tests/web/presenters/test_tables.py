"""Files for spreadsheets: whatever people are called, no cell can pass for a formula, and nothing is lost."""

from __future__ import annotations

import csv
import io

from hypothesis import example, given
from hypothesis import strategies as st

from web.presenters.tables import APOSTROPHE, BOM, FORMULA, csv_text, plain_cell

TEXT = st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=20)
CELL = st.one_of(TEXT, TEXT.map(lambda text: f"={text}"), st.integers(), st.none())


def read(text: str) -> list[list[str]]:
    """Return what a spreadsheet reads."""
    assert text.startswith(BOM)
    return list(csv.reader(io.StringIO(text.removeprefix(BOM), newline="")))


@given(TEXT, st.lists(st.lists(CELL, min_size=1, max_size=4), max_size=4))
@example("@SUM", [["=1+1", "+1", "-1", "@x"], ["\t=1", "\r=1", -150, None]])
@example("x", [['a"b', "a,b", "a\nb", "שלום"]])
def test_no_text_passes_for_a_formula_and_all_of_it_is_there(title: str, rows: list[list[str | int | None]]) -> None:
    """Read back, each cell is its own text or that after an apostrophe; numbers, also below nothing, stay numbers."""
    found = read(csv_text([(title, rows)]))
    assert len(found) == len(rows) + 2 and found[-1] == []
    assert found[0] == [str(plain_cell(title))] or (title == "" and found[0] in ([], [""]))
    for row, cells in zip(rows, found[1:], strict=False):
        for cell, text in zip(row, cells, strict=True):
            if isinstance(cell, str):
                assert not text.startswith(FORMULA)
                assert text == (APOSTROPHE + cell if cell.startswith(FORMULA) else cell)
            else:
                assert text == ("" if cell is None else str(cell))
