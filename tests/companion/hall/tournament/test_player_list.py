"""Lists of players as people bring them: typed, or saved by a spreadsheet in any of its encodings."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.hall.tournament.player_list import MOST_BYTES, MOST_PLAYERS, PlayerListError, read_players

NAMES = ("Zoë", "Jérôme", "Ana María")


@pytest.mark.parametrize(
    "text",
    [
        "Zoë\nJérôme\nAna María",
        "\n  Zoë \r\n\r\nJérôme\t\r\nAna  María\r\n",
        "Zoë\rJérôme\rAna\u00a0María\r",
        "Name\nZoë\nJérôme\nAna María\n",
        "Zoë,1\nJérôme,2\nAna María,3\n",
        "Club;JOUEUR ;Rang\nA;Zoë;1\nB;Jérôme;2\n\n;;\nC;Ana María;3\n",
        'Rank\tPlayer\n1\t"Zoë"\n2\tJérôme\n3\t"Ana\nMaría"\n',
        "player,name\n7,Zoë\n8,Jérôme\n9,Ana María\n10,\n11\n",
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_lists_in_every_form_and_encoding(text: str, encoding: str) -> None:
    """Lines, tables with each delimiter, with and without heads; capitals and spaces in heads do not matter."""
    assert read_players(text.encode(encoding)) == NAMES


def test_utf_16_of_the_other_end() -> None:
    """Big-endian, as old spreadsheets of a Macintosh wrote it."""
    assert read_players(b"\xfe\xff" + "Zoë\nLi".encode("utf-16-be")) == ("Zoë", "Li")


def test_typed_names_may_have_a_comma_below_the_first() -> None:
    """The first line says whether it is a table; in a table quotes keep a comma in a name."""
    assert read_players(b"Ana\nDupont, Jean\n") == ("Ana", "Dupont, Jean")
    assert read_players(b'"Dupont, Jean",1\n"Dupont, Anne",2\n') == ("Dupont, Jean", "Dupont, Anne")


def test_names_are_composed() -> None:
    """An accent that comes as a part of its own becomes one letter, as everywhere else."""
    assert read_players(unicodedata.normalize("NFD", "Zoë").encode()) == ("Zoë",)


@pytest.mark.parametrize(
    ("data", "key", "fields"),
    [
        (b"", "list_empty", {}),
        (b" \n;;\n", "list_empty", {}),
        (b"Name\n", "list_empty", {}),
        (b"Ana\n\nBo\nANA\n", "list_twice", {"line": 4, "name": "ANA", "first": 1}),
        ("Zoë\nZOE\u0308".encode(), "list_twice", {"line": 2, "name": "ZOË", "first": 1}),
        ("Name,Club\nBo,A\nstrasse,B\nStraße,C".encode(), "list_twice", {"line": 4, "name": "Straße", "first": 3}),
        (b"Bo\nknown  one\n", "list_known", {"line": 2, "name": "known one"}),
        (b"Bo\n" + b"x" * 41, "list_long", {"line": 2, "most": 24}),
        ("Bo\nA\u200bna".encode(), "list_unprintable", {"line": 2, "most": 24}),
        ("Bo\nA\u202ena".encode(), "list_unprintable", {"line": 2, "most": 24}),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "list_binary", {}),
        (b"\xff\xfeA", "list_binary", {}),
        (b"Ana\x81", "list_binary", {}),
        (b'Name,Club\nAna,"A\n', "list_table", {"line": 2}),
        (b"x" * (MOST_BYTES + 1), "list_large", {"most": 1024}),
    ],
)
def test_a_list_that_cannot_be_taken_names_the_line(data: bytes, key: str, fields: dict[str, object]) -> None:
    """One wrong line, and nothing is taken."""
    with pytest.raises(PlayerListError) as caught:
        read_players(data, existing=("Known One",))
    assert (caught.value.key, caught.value.fields) == (f"hall.fault.{key}", fields)


def test_no_more_players_than_a_tournament_may_have() -> None:
    """Those who are there already count."""
    data = "\n".join(f"Player {number}" for number in range(MOST_PLAYERS)).encode()
    assert len(read_players(data)) == MOST_PLAYERS
    with pytest.raises(PlayerListError) as caught:
        read_players(data, existing=("Known One",))
    assert (caught.value.key, caught.value.fields) == ("hall.fault.list_many", {"line": 2000, "most": MOST_PLAYERS})


@given(st.binary(max_size=200))
def test_rubbish_is_refused_with_a_reason_or_makes_names(data: bytes) -> None:
    """Whatever comes: names that may cross, or one error."""
    try:
        names: tuple[str, ...] = read_players(data)
    except PlayerListError:
        names = ("refused",)
    assert names
    assert all(name == name.strip() and name.isprintable() and 0 < len(name) <= 40 for name in names)
