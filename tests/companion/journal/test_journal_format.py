"""The documented format of the journal lists every event and record with its fields and a valid example."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec
import pytest

from companion.commands.game_argument import words_of
from companion.engine import FORMAT, Event, Game, Setup, name_of
from companion.games import GAMES
from companion.match.history import CONTROLS, NOTES, RecordReader
from tests.games.completeness import HOUSE
from tests.support.paths import ROOT

PAGE, EVENTS = ROOT / "docs" / "journal-format.md", ROOT / "docs" / "reference" / "journal-events.md"
SHARED = PAGE.read_text(encoding="utf-8")
PARTED = re.split(r"^## (.+)\n", EVENTS.read_text(encoding="utf-8"), flags=re.M)[1:]
OWN = dict(zip(PARTED[::2], PARTED[1::2], strict=True))
"""The text on the page about all games, and about each game by its title."""
TOLD = [GAMES[name] for name in HOUSE]


def told(part: str) -> list[tuple[str, str]]:
    """Return the name and text of each record in a part of the page."""
    return re.findall(r"^### `(\w+)`\n(.*?)(?=^#{2,3} |\Z)", part, re.M | re.S)


def fields_in(text: str) -> dict[str, str]:
    """Return the fields that a list explains, in its order."""
    found = re.findall(r"^- `(\w+)`: (.+)$", text, re.M)
    assert len(found) == len(dict(found))
    return dict(found)


def by_name(kinds: tuple[type[Event], ...]) -> dict[str, type[Event]]:
    """Return kinds of records by name."""
    return {str(kind.__struct_config__.tag): kind for kind in kinds}


PARTS = [(next(iter(GAMES.values())), by_name((*CONTROLS, *NOTES)), told(SHARED))]
PARTS += [(game, by_name(game.events.__args__), told(OWN[words_of(game)("game.title")])) for game in TOLD]
"""For each game and for all games together: the name, the records by name, and the texts about them."""
SECTIONS = [(game, kinds, name, body) for game, kinds, told_of in PARTS for name, body in told_of]
COMMON = {game: fields_in(OWN[words_of(game)("game.title")].split("\n<!-- ")[0]) for game in TOLD}
"""For each game, the fields that its part explains once for all events."""


def example(body: str) -> str:
    """Return the JSON of the only example in a section."""
    (found,) = re.findall(r"^    (\{.*\})$", body, re.M)
    return str(found)


def test_the_page_names_every_event() -> None:
    """The page documents each event exactly once."""
    for _, kinds, told_of in PARTS:
        assert sorted(name for name, _ in told_of) == sorted(kinds)


@pytest.mark.parametrize(("game", "kinds", "name", "body"), SECTIONS, ids=[name for _, _, name, _ in SECTIONS])
def test_an_example_is_a_real_record(game: Game[Any], kinds: dict[str, type[Event]], name: str, body: str) -> None:
    """Each example decodes to the event of its section and encodes to the same text."""
    text = example(body)
    record = RecordReader(game).decode(text)
    assert name_of(record) == name
    assert RecordReader(game).convert(json.loads(text)) == record
    assert msgspec.json.encode(record).decode() == text


@pytest.mark.parametrize(("game", "kinds", "name", "body"), SECTIONS, ids=[name for _, _, name, _ in SECTIONS])
def test_every_field_is_explained(game: Game[Any], kinds: dict[str, type[Event]], name: str, body: str) -> None:
    """Each field is explained exactly once, under its event or for all events of the game."""
    own, common = fields_in(body), COMMON.get(game, {}) if kinds[name] in game.events.__args__ else {}
    fields = [f.encode_name for f in msgspec.structs.fields(kinds[name])]
    assert [field for field in fields if field in own or field not in common] == list(own)
    assert all(len(words) > 3 for words in (*own.values(), *common.values()))


@pytest.mark.parametrize("game", TOLD, ids=lambda game: game.name)
def test_a_field_explained_for_all_events_is_in_several(game: Game[Any]) -> None:
    """A field that is explained for all events of a game occurs in at least two of them."""
    used = [f.encode_name for kind in game.events.__args__ for f in msgspec.structs.fields(kind)]
    assert [field for field in COMMON[game] if used.count(field) < 2] == []


def test_the_header_can_be_played() -> None:
    """The example headers of the page can be played, and its table lists every field of a header."""
    page = PAGE.read_text(encoding="utf-8")
    header = msgspec.json.decode(example(page.split("\n## ")[1]), type=Setup)
    assert header.format == FORMAT
    begun = [part.split("\n<!-- ")[0] for part in OWN.values()]
    assert sum("\n    {" in own for own in begun) == len(TOLD) - 1  # the general part has one of Take a Train
    for own in [own for own in begun if "\n    {" in own]:
        setup = msgspec.json.decode(example(own), type=Setup)
        assert GAMES[setup.game].begin(setup).agenda
    assert GAMES[header.game].begin(header).agenda
    rows = re.findall(r"^\| `(\w+)` \| .+ \|$", page.split("\n### ")[0], re.M)
    assert rows == [field.name for field in msgspec.structs.fields(Setup)]


@pytest.mark.parametrize("game", TOLD, ids=lambda game: game.name)
def test_every_ruling_is_explained(game: Game[Any]) -> None:
    """The part of each game lists its rulings in their order."""
    part = OWN[words_of(game)("game.title")].split("\n<!-- ")[0]
    assert tuple(re.findall(r"^\| `(\w+)` \| .+ \| .+ \|$", part, re.M)) == game.rulings
