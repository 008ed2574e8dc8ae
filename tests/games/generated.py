"""Read and write the rule documents of the shipped games, whose generated parts are between marks."""

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
    """A game's `rules.md`, its rule table, and the expected numbers of both."""

    folder: str
    """Name of the game's folder."""
    options: type[msgspec.Struct]
    numbers: tuple[str, ...]
    """Numbers of all rules, in order."""
    parts: Callable[[], Mapping[str, str]]
    """Function that returns the generated parts besides the rules, by mark."""
    sources: tuple[str, ...]
    """Permitted beginnings of a rule's source, in all languages."""
    rows: Mapping[str, int]
    """Number of rows for each form of row number in the document, such as `{"E-{}": 5}`."""
    proofs: Mapping[str, int]
    """Number of acceptance tests, properties and examples in `PROOFS.md`, for each form of their numbers."""
    unproved: tuple[str, ...] = ()
    """Forms of rows that need no test."""
    unlisted: tuple[str, ...] = ()
    """Forms of proofs that `PROOFS.md` does not list individually."""
    long: Mapping[str, int] = {}
    """Maximum number of clauses for rules that may exceed the general limit."""

    @property
    def tests(self) -> Path:
        """Return the folder of the game's tests."""
        return TESTS / self.folder

    @property
    def path(self) -> Path:
        """Return the path of the document."""
        return GAMES_FOLDER / self.folder / "rules.md"

    def table(self, lang: str = "en") -> dict[str, dict[str, Any]]:
        """Return the game's rule table in a language."""
        return rule_table(resources.files(f"companion.games.{self.folder}").joinpath("words"), lang)

    def choices(self, option: str) -> tuple[str, ...]:
        """Return the choices of an option, or nothing if it has no fixed list of them."""
        kind = get_type_hints(self.options)[option]
        return get_args(kind) if get_origin(kind) is Literal else ()

    def tags(self) -> Iterator[str]:
        """Yield the tags of everything that needs a test: rules, numbered rows and proofs, choices
        (`edition=later`), options."""
        yield from self.numbers
        for form, last in (self.rows | self.proofs).items():
            yield from () if form in self.unproved else numbered(form, last)
        for option in self.options.__struct_fields__:
            yield from [f"{option}={choice}" for choice in self.choices(option)] or [option]

    def may_be_named(self) -> Iterator[str]:
        """Yield all tags that a test may use, including those that need no test."""
        yield from self.tags()
        yield from [row for form in self.unproved for row in numbered(form, self.rows[form])]

    def text(self) -> str:
        """Return the text of the document."""
        return self.path.read_text(encoding="utf-8")

    def written(self) -> str:
        """Return the document with current generated parts."""
        return written(self.text(), rules=rules(self.table()), **self.parts())

    def write(self) -> None:
        """Write the current generated parts to the document."""
        self.path.write_text(self.written(), encoding="utf-8")


def document_of(game: str) -> RuleDocument:
    """Return the rule document of the game with this name."""
    found: RuleDocument = import_module(f"tests.games.{folder_of(GAMES[game])}.document").OWN
    return found


def numbered(form: str, last: int) -> list[str]:
    """Return the numbers from 1 to `last` in a form."""
    return [form.format(number) for number in range(1, last + 1)]


def written(text: str, **parts: str) -> str:
    """Return a text with new parts between their marks."""
    for name, part in parts.items():
        marks = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end of {name} -->)", re.DOTALL)
        text, found = marks.subn(lambda m, part=part: f"{m[1]}{part}\n{m[2]}", text)
        assert found == 1, f"the marks of {name} are missing"
    return text


def rule_table(folder: Traversable, lang: str) -> dict[str, dict[str, Any]]:
    """Return a game's own rule table in a language, from the folder of its words."""
    return tomllib.loads(folder.joinpath(f"rules.{lang}.toml").read_text(encoding="utf-8"))


def rules(table: dict[str, dict[str, Any]]) -> str:
    """Return the rules of a table as Markdown, section by section."""
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
