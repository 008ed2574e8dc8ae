"""The rule documents of the house's games: generated parts between marks, and what tests ask of each."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module, resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

import msgspec

from companion.games import GAMES, folder_of

TESTS = Path(__file__).parent
GAMES_FOLDER = TESTS.parents[1] / "companion" / "games"


class RuleDocument(NamedTuple):
    """A game's `rules.md`, its rule table, and the numbers in both."""

    folder: str
    """The name of the game's folder."""
    options: type[msgspec.Struct]
    numbers: tuple[str, ...]
    """Every rule's, in order."""
    parts: Callable[[], Mapping[str, str]]
    """The generated parts besides the rules, by their marks."""
    sources: tuple[str, ...]
    """How the source of a rule may begin, in any language."""
    rows: Mapping[str, int]
    """How many numbered rows the document's tables have: `{"E-{}": 5}`."""
    proofs: Mapping[str, int]
    """How many acceptance tests, properties and examples `PROOFS.md` has, by the form of their numbers."""
    unproved: tuple[str, ...] = ()
    """Forms of rows that need no test."""
    unlisted: tuple[str, ...] = ()
    """Forms of proofs that `PROOFS.md` does not list one by one."""
    long: Mapping[str, int] = {}
    """Rules that may have more clauses than others."""

    @property
    def tests(self) -> Path:
        """The folder of the game's tests."""
        return TESTS / self.folder

    @property
    def path(self) -> Path:
        """The document."""
        return GAMES_FOLDER / self.folder / "rules.md"

    def table(self, lang: str = "en") -> dict[str, dict[str, Any]]:
        """Return the game's rule table in a language."""
        return rule_table(resources.files(f"companion.games.{self.folder}").joinpath("words"), lang)

    def choices(self, option: str) -> tuple[str, ...]:
        """Return the choices of an option; none if it is no list of them."""
        kind = get_type_hints(self.options)[option]
        return get_args(kind) if get_origin(kind) is Literal else ()

    def tags(self) -> Iterator[str]:
        """Yield everything that needs a test: rules, numbered rows and proofs, choices (`edition=later`), options."""
        yield from self.numbers
        for form, last in (self.rows | self.proofs).items():
            yield from () if form in self.unproved else numbered(form, last)
        for option in self.options.__struct_fields__:
            yield from [f"{option}={choice}" for choice in self.choices(option)] or [option]

    def may_be_named(self) -> Iterator[str]:
        """Yield everything that a test may name, whether or not one must."""
        yield from self.tags()
        yield from [row for form in self.unproved for row in numbered(form, self.rows[form])]

    def text(self) -> str:
        """Return the document."""
        return self.path.read_text(encoding="utf-8")

    def written(self) -> str:
        """Return the document with its generated parts written again."""
        return written(self.text(), rules=rules(self.table()), **self.parts())

    def write(self) -> None:
        """Write its generated parts again."""
        self.path.write_text(self.written(), encoding="utf-8")


def document_of(game: str) -> RuleDocument:
    """Return the rule document of a game by its name."""
    found: RuleDocument = import_module(f"tests.games.{folder_of(GAMES[game])}.document").OWN
    return found


def numbered(form: str, last: int) -> list[str]:
    """Return numbers of a form from 1 on."""
    return [form.format(number) for number in range(1, last + 1)]


def written(text: str, **parts: str) -> str:
    """Return a document with its generated parts written again, each between its marks."""
    for name, part in parts.items():
        marks = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end of {name} -->)", re.DOTALL)
        text, found = marks.subn(lambda m, part=part: f"{m[1]}{part}\n{m[2]}", text)
        assert found == 1, f"the marks of {name} are missing"
    return text


def rule_table(folder: Traversable, lang: str) -> dict[str, dict[str, Any]]:
    """Return a game's own table of rules in a language, from the folder of its words."""
    return tomllib.loads(folder.joinpath(f"rules.{lang}.toml").read_text(encoding="utf-8"))


def rules(table: dict[str, dict[str, Any]]) -> str:
    """Return the rules of a table, section by section."""
    lines: list[str] = []
    section = ""
    for number, entry in table.items():
        if entry["section"] != section:
            section = entry["section"]
            lines += ["", f"### {section}", ""]
        options = ", ".join(f"`{option}`" for option in entry["options"])
        source = f"{entry['source']}; {options}" if options else entry["source"]
        lines.append(f"- **{number} {entry['title']}.** {entry['text']} *({source})*")
    return "\n".join(lines[1:])
