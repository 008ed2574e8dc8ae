"""The rules of a game by number, as its folder states them for people: `words/rules.<lang>.toml`."""

from __future__ import annotations

from typing import NamedTuple

from companion.games import files, game_words
from companion.i18n import LANGUAGES, Words, read_toml, unbroken

RULEBOOK = "rulebook"
KINDS = ("public", "ruling", "ours")
"""Sources of a rule besides a rulebook: public pages, our ruling, our own figures."""


class Source(NamedTuple):
    """The source of a rule or of a part of it: `rulebook` with the place in it, or one of `KINDS`."""

    kind: str
    where: str = ""


class RuleText(NamedTuple):
    """One rule."""

    number: str
    text: str
    title: str = ""
    section: str = ""
    options: tuple[str, ...] = ()
    """Options that change it."""
    sources: tuple[Source, ...] = ()


def rules_of(game: object, lang: str) -> tuple[RuleText, ...]:
    """Return a game's rules in a language; none if they are not written in it."""
    file = files(game, "words").joinpath(f"rules.{lang}.toml")
    if not file.is_file():
        return ()
    data, say = read_toml(file), game_words(game, lang)
    rules = data.get("rules")
    return tuple(
        [
            RuleText(
                number,
                unbroken(entry["text"].strip(), lang),
                unbroken(entry.get("title", ""), lang),
                unbroken(entry.get("section", ""), lang),
                tuple(entry.get("options", ())),
                sources_of(entry.get("source", ""), say),
            )
            for number, entry in (rules if isinstance(rules, dict) else data).items()
            if isinstance(entry, dict) and "text" in entry
        ]
    )


def sources_of(text: str, say: Words) -> tuple[Source, ...]:
    """Return a rule's sources, separated by semicolons in its text: the word for a kind, or a place in a rulebook."""
    kinds = {say(f"source.{kind}"): kind for kind in KINDS}
    parts = [part.strip() for part in text.split(";") if part.strip()]
    return tuple([Source(kinds[part]) if part in kinds else Source(RULEBOOK, part) for part in parts])


def said_sources(rule: RuleText, say: Words) -> str:
    """Return a rule's sources in words; empty if there are none."""
    return " · ".join([say(f"source.{source.kind}", where=source.where) for source in rule.sources])


def written_rules(game: object, lang: str) -> tuple[RuleText, ...]:
    """Return a game's rules in a language, or else in another one that has them; none if there are none."""
    return next((found for each in (lang, *LANGUAGES) if (found := rules_of(game, each))), ())
