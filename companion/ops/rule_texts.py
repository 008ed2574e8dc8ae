"""The rules of a game by number, as its folder has them for people: `words/rules.<lang>.toml`."""

from __future__ import annotations

from typing import NamedTuple

from companion.games import files
from companion.i18n import LANGUAGES, read_toml


class RuleText(NamedTuple):
    """One rule."""

    number: str
    text: str
    title: str = ""
    section: str = ""
    options: tuple[str, ...] = ()
    """Options that change it."""


def rules_of(game: object, lang: str) -> tuple[RuleText, ...]:
    """Return a game's rules in a language; none where they are not written down in it."""
    file = files(game, "words").joinpath(f"rules.{lang}.toml")
    if not file.is_file():
        return ()
    data = read_toml(file)
    return tuple(
        [
            RuleText(
                number,
                entry["text"].strip(),
                entry.get("title", ""),
                entry.get("section", ""),
                tuple(entry.get("options", ())),
            )
            for number, entry in data.get("rules", data).items()
            if isinstance(entry, dict) and "text" in entry
        ]
    )


def written_rules(game: object, lang: str) -> tuple[RuleText, ...]:
    """Return a game's rules in a language, else in one in which they are written down; none where there are none."""
    return next((found for each in (lang, *LANGUAGES) if (found := rules_of(game, each))), ())
