"""Tables for spreadsheets: they open with every accent, and never run what a player called themselves."""

from __future__ import annotations

import csv
import io

import pytest

from companion.hall.tournament.exports import rows_to_csv
from companion.hall.tournament.player_list import read_players


def test_a_table_as_bytes() -> None:
    """The mark, lines as RFC 4180 wants them, quotes where they are needed; numbers stay numbers."""
    assert rows_to_csv(["Place", "Name"], [[1, "Zoë"], [-2, 'A "B", C']]) == (
        b"\xef\xbb\xbf" + 'Place,Name\r\n1,Zoë\r\n-2,"A ""B"", C"\r\n'.encode()
    )


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1"])
def test_no_cell_is_a_formula(cell: str) -> None:
    """A text that a spreadsheet might run begins with an apostrophe, in the heads too."""
    rows = list(csv.reader(io.StringIO(rows_to_csv([cell], [[cell]]).decode("utf-8-sig"), newline="")))
    assert rows == [[f"'{cell}"], [f"'{cell}"]]


def test_an_export_can_be_read_as_a_list() -> None:
    """A standings table of one tournament is the list of players of the next."""
    assert read_players(rows_to_csv(["Place", "Name"], [[1, "Zoë"], [2, "Dupont, Jean"]])) == ("Zoë", "Dupont, Jean")
