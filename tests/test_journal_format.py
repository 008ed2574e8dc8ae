"""The page on the journal's format: it names every event and record with all its fields, and its examples are real."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest

from companion.engine import FORMAT, Event, Setup, name_of
from companion.games import GAMES
from companion.line import CONTROLS, Judged, decoded, read_body

GAME = GAMES["take-a-train"]
PAGE = Path(__file__).parent.parent / "docs" / "journal-format.md"
SECTIONS = re.findall(r"^### `(\w+)`\n(.*?)(?=^### |^## |\Z)", PAGE.read_text(encoding="utf-8"), re.M | re.S)
"""Each record's name and what the page says of it."""
RECORDS = (*GAME.events.__args__, *CONTROLS, Judged)
KINDS: dict[str, type[Event]] = {str(kind.__struct_config__.tag): kind for kind in RECORDS}
"""Every event of the game, every record that changes the line of play, and the verdict, by name."""


def example(body: str) -> str:
    """Return the JSON of a section's one example."""
    (found,) = re.findall(r"```json\n(.*?)\n```", body, re.S)
    return str(found)


def test_the_page_names_every_event() -> None:
    """No event is left out, none is made up, and none is told twice."""
    names = [name for name, _ in SECTIONS]
    assert sorted(names) == sorted(KINDS)


@pytest.mark.parametrize(("name", "body"), SECTIONS, ids=[name for name, _ in SECTIONS])
def test_an_example_is_a_real_record(name: str, body: str) -> None:
    """Each example can be read, is of the kind it stands under, and is written back the same."""
    text = example(body)
    record = decoded(GAME, text)
    assert name_of(record) == name
    assert read_body(GAME, json.loads(text)) == record
    assert msgspec.json.encode(record).decode() == text


@pytest.mark.parametrize(("name", "body"), SECTIONS, ids=[name for name, _ in SECTIONS])
def test_every_field_is_explained(name: str, body: str) -> None:
    """The table under an event has exactly its fields, in their order, each explained in words."""
    rows = re.findall(r"^\| `(\w+)` \| (.+) \|$", body, re.M)
    assert [field for field, _ in rows] == [f.encode_name for f in msgspec.structs.fields(KINDS[name])]
    assert all(len(words) > 3 for _, words in rows)


def test_the_header_can_be_played() -> None:
    """The page's header is one, in the present format, and its table names all that a header holds."""
    page = PAGE.read_text(encoding="utf-8")
    header = msgspec.json.decode(example(page.split("\n## ")[1]), type=Setup)
    assert header.format == FORMAT
    assert GAME.begin(header).agenda
    rows = re.findall(r"^\| `(\w+)` \| .+ \|$", page.split("\n### ")[0], re.M)
    assert rows == [field.name for field in msgspec.structs.fields(Setup)]
