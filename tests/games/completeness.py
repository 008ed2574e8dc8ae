"""Check that every shipped game has its proofs, sample games and documents, beyond `companion game check`.

docs/adding-a-game.md explains the checks, in the order in which a game is made. `test_complete.py` applies all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from companion import cli
from companion.engine import Game, event_kinds
from companion.games import definition_of, files, folder_of, package_of
from companion.i18n import LANGUAGES
from companion.ops.game_check import examine
from companion.ops.game_check.game_files import GameFiles
from companion.ops.game_check.refusals import declared_reasons
from tests.games import samples
from tests.games.proofs import proven, provoked
from tests.games.sentences import own_words_of

TESTS = Path(__file__).parent
HOUSE = ("take-a-train", "trains", "game-of-trains", "express")
"""Games that ship with proofs, samples and documents. All other games need only `companion game check`."""
DOCS = TESTS.parents[1] / "docs"
PRESSES = TESTS.parent / "companion" / "referee" / "test_open_auction.py"
"""This test file covers refusals of the rules too."""
PROOFS = ("document", "test_properties", "test_secrecy", "test_words")
"""Test modules that every shipped game has. `test_documents.py` uses the module `document`."""

Lacking = Iterator[str]


def checked(game: Game[Any]) -> list[str]:
    """Return the findings of `companion game check` for a game."""
    return [f"{each.file}: {each.text}" for each in examine(game, cli.game_ports())]


def tests_of(game: Game[Any]) -> Path:
    """Return the folder of a game's tests, which has the same name as the game's own folder."""
    return TESTS / folder_of(game)


# --- checks ---------------------------------------------------------------------------------------


def rules(game: Game[Any]) -> Lacking:
    """Report rules that no test proves or that the rule page does not contain."""
    numbers = GameFiles(game).rules(LANGUAGES[0])
    proofs = proven(tests_of(game))
    yield from (f"no test in {tests_of(game).name} proves {rule}" for rule in numbers if rule not in proofs)
    page = files(game, "rules.md")
    text = page.read_text(encoding="utf-8") if page.is_file() else ""
    yield from (f"rules.md does not have {rule}" for rule in numbers if f"**{rule} " not in text)


def refused(game: Game[Any]) -> Lacking:
    """Report refusals that no test covers, and sentences for refusals that do not exist."""
    known = {(reason.rule, reason.key) for _, reason in declared_reasons(package_of(game))}
    if not known:
        yield "nothing is refused"
    tried = provoked([*tests_of(game).glob("test_*.py"), *TESTS.parent.glob("test_*.py"), PRESSES])
    yield from (f"no test provokes the refusal {rule} {key}" for rule, key in sorted(known - tried))
    for lang in LANGUAGES:
        said = {tuple(key.split(".")) for key in own_words_of(package_of(game), lang).section("refusal")}
        for rule, key in sorted(each for each in said - known if each[0] != "any"):
            yield f"{lang!r} explains the refusal {rule} {key}, which no module declares"


def catalogue(game: Game[Any]) -> Lacking:
    """Report faults of the shipped catalogue, and impossible figures that the catalogue accepts."""
    found = definition_of(game).catalogues()
    if found is None:
        yield "no catalogues are declared"
        return
    shipped = found.shipped("reconstruction")
    yield from found.complaints(shipped)
    data = msgspec.json.decode(msgspec.json.encode(shipped))
    for place, at in figures(data):
        for figure in (10**22, -1):
            was, place[at] = place[at], figure
            if not found.complaints(msgspec.convert(data, type(shipped))):
                yield f"catalogue.py: {at} may be {figure:,}"
            place[at] = was


def figures(data: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the container and the key or index of every whole number in decoded data."""
    for at, value in data.items() if isinstance(data, dict) else enumerate(data):
        if isinstance(value, int) and not isinstance(value, bool):
            yield data, at
        elif isinstance(value, dict | list):
            yield from figures(value)


def tests(game: Game[Any]) -> Lacking:
    """Report missing test modules for documents, random games, secrets and words."""
    yield from (f"there is no {name}.py" for name in PROOFS if not (tests_of(game) / f"{name}.py").is_file())


def sample_games(game: Game[Any]) -> Lacking:
    """Report missing handwritten sample games, or a missing test that replays them."""
    if not samples.names(game):
        yield "there are no samples"
    elif not (tests_of(game) / "test_samples.py").is_file():
        yield "there is no test_samples.py"


def journal(game: Game[Any]) -> Lacking:
    """Report events that are missing from the reference page of journal events."""
    page = (DOCS / "reference" / "journal-events.md").read_text(encoding="utf-8")
    title = GameFiles(game).words(LANGUAGES[0])("game.title")
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", page, re.M | re.S)
    own = found[1] if found else ""
    yield from (
        f"docs/reference/journal-events.md does not have {name}"
        for name in event_kinds(game.events)
        if f"### `{name}`" not in own
    )


CHECKS: dict[str, Callable[[Game[Any]], Iterable[str]]] = {
    check.__name__: check for check in (checked, catalogue, rules, refused, tests, sample_games, journal)
}
"""All checks by name, in the order in which a game is made."""


def lacking(game: Game[Any], check: str) -> list[str]:
    """Return messages about everything that a game lacks, or nothing if it is complete."""
    return list(dict.fromkeys(CHECKS[check](game)))
