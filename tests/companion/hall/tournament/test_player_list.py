"""Lists of players are read as typed or as saved by a spreadsheet in any of its encodings."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine.names import why_unfit
from companion.hall.tournament.list_text import MOST_BYTES, PlayerListError
from companion.hall.tournament.player_list import MOST_PLAYERS, ReadList, read_list

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
    """Lists are read as lines or tables, with every delimiter and encoding, with and without a heading."""
    assert read_list(text.encode(encoding)).names == NAMES


def test_utf_16_of_the_other_end() -> None:
    """Big-endian UTF-16 from old spreadsheets on a Macintosh is read."""
    assert read_list(b"\xfe\xff" + "Zoë\nLi".encode("utf-16-be")).names == ("Zoë", "Li")


def test_a_comma_in_few_typed_names_stays() -> None:
    """A comma in most lines separates family and given name, and a comma in a few lines stays in the name."""
    assert read_list(b"Ana\nDupont, Jean\n").names == ("Ana", "Dupont, Jean")
    assert read_list(b'"Dupont, Jean",1\n"Dupont, Anne",2\n').names == ("Jean Dupont", "Anne Dupont")


def test_names_are_composed() -> None:
    """Names are normalised, so that an accent and its letter become one character."""
    assert read_list(unicodedata.normalize("NFD", "Zoë").encode()).names == ("Zoë",)


@pytest.mark.parametrize(
    ("data", "key", "fields"),
    [
        (b"", "list_empty", {}),
        (b" \n;;\n", "list_empty", {}),
        (b"Name\n", "list_empty", {}),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "list_binary", {}),
        (b"\xff\xfeA", "list_binary", {}),
        (b'Name,Club\nAna,"A\n', "list_table", {"line": 2}),
        (b"x" * (MOST_BYTES + 1), "list_large", {"most": 1024}),
    ],
)
def test_a_list_that_gives_nothing_is_refused(data: bytes, key: str, fields: dict[str, object]) -> None:
    """A list without any player is refused, with the line if one causes it."""
    with pytest.raises(PlayerListError) as caught:
        read_list(data)
    assert (caught.value.key, caught.value.fields) == (f"hall.fault.{key}", fields)


def test_no_more_players_than_a_tournament_may_have() -> None:
    """A list with more players than a tournament allows is refused, counting existing players."""
    data = "\n".join(f"Player {number}" for number in range(MOST_PLAYERS)).encode()
    assert len(read_list(data).names) == MOST_PLAYERS
    with pytest.raises(PlayerListError) as caught:
        read_list(data, existing=("Known One",))
    assert (caught.value.key, caught.value.fields) == ("hall.fault.list_many", {"line": 2000, "most": MOST_PLAYERS})


@pytest.mark.parametrize(
    ("data", "key", "fields"),
    [
        (b"Ana\n\nBo\nANA\n", "twice", {"line": 4, "name": "ANA", "first": 1}),
        ("Zoë\nZOE\u0308".encode(), "twice", {"line": 2, "name": "ZOË", "first": 1}),
        ("Name,Club\nBo,A\nstrasse,B\nStraße,C".encode(), "twice", {"line": 4, "name": "Straße", "first": 3}),
        (b"Bo\n" + b"x" * 41, "long", {"line": 2, "name": "x" * 40, "most": 40}),
        ("Bo\nA\u202ena".encode(), "unseen", {"line": 2, "name": "Ana", "most": 40}),
        ("Bo\nКnown One".encode(), "alike", {"line": 2, "name": "Кnown One", "other": "Known One"}),
    ],
)
def test_a_line_from_which_nobody_can_be_entered_is_named(data: bytes, key: str, fields: dict[str, object]) -> None:
    """A line without a valid name is reported, and the other lines are read."""
    fault = read_list(data, existing=("Known One",)).faults
    assert [(each.key, each.fields) for each in fault] == [(f"hall.fault.list_{key}", fields)]


@given(st.binary(max_size=200))
def test_rubbish_is_refused_with_a_reason_or_makes_names(data: bytes) -> None:
    """Any input results in valid names, faulty lines or one error."""
    try:
        read = read_list(data)
    except PlayerListError:
        read = ReadList(names=(), families=())
    assert all(name == name.strip() and name and not why_unfit(name) for name in read.names)
    assert len(read.names) == len(read.families)
