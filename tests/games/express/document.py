"""The generated parts of companion/games/express/rules.md: the rules, the cards, the options.

`python -m tests.games.express.document` writes them again between their marks; a test sees that this was done.
"""

from __future__ import annotations

from functools import partial
from importlib import resources
from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints

from companion.games.express.catalogue import counted, valued
from companion.games.express.fixed import Options
from companion.games.express.profile import Card, shipped
from companion.i18n import Words, load_cached
from tests.games import generated

DOCUMENT = Path(__file__).parents[3] / "companion" / "games" / "express" / "rules.md"
PROOFS = Path(__file__).with_name("PROOFS.md")
FOLDER = resources.files("companion.games.express").joinpath("words")
OTHERS = {"side": "a number for each player", "hands": "1 to 50"}
"""What an option that is no list of choices can be."""
rule_table = partial(generated.rule_table, FOLDER)


def cards() -> str:
    """Return how many there are of each card, what it scores and what it does."""
    words = load_cached("en", (FOLDER,))
    lines = ["| | card | cards | points | |", "|---|---|---|---|---|"]
    for card in shipped("ours").cards:
        figures = f"{counted(card)} | {valued(card)}"
        lines.append(f"| {card.group} | {words(f'card.{card.id}')} | {figures} | {effect(card, words)} |")
    return "\n".join(lines)


def effect(card: Card, words: Words) -> str:
    """Return what a card does, or a passenger car's place in a whole train."""
    if card.counters:
        return words("text.maintenance", card=words(f"card.{card.counters}"))
    if card.order:
        return f"number {card.order} in order"
    return words(f"text.{card.id}") if words.has(f"text.{card.id}") else ""


def choices(name: str) -> tuple[str, ...]:
    """Return the choices of an option, none where it is no list of them."""
    kind = get_type_hints(Options)[name]
    return get_args(kind) if get_origin(kind) is Literal else ()


def options() -> str:
    """Return every option with its choices and its default."""
    words = load_cached("en", (FOLDER,))
    lines = ["| option | choices | default | rules | |", "|---|---|---|---|---|"]
    for name in Options.__struct_fields__:
        named = ", ".join(number for number, entry in rule_table("en").items() if name in entry["options"])
        shown = " / ".join(choices(name)) or OTHERS[name]
        default = getattr(Options(), name) or "the usual sides"
        lines.append(f"| `{name}` | {shown} | {default} | {named} | {words(f'option.{name}.text')} |")
    return "\n".join(lines)


def written(text: str) -> str:
    """Return the document with its generated parts written again."""
    return generated.written(text, rules=generated.rules(rule_table("en")), cards=cards(), options=options())


if __name__ == "__main__":
    DOCUMENT.write_text(written(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
