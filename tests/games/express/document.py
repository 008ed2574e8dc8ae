"""Generate the rules, cards and options in companion/games/express/rules.md.

`python -m tests.games.express.document` writes them between their marks; a test checks that they are current.
"""

from __future__ import annotations

from importlib import resources

from companion.games.express.catalogue import counted, valued
from companion.games.express.fixed import Options
from companion.games.express.profile import Card, shipped
from companion.i18n import Words, load_cached
from tests.games.generated import RuleDocument

FOLDER = resources.files("companion.games.express").joinpath("words")
OTHERS = {"side": "a number for each player", "hands": "1 to 50"}
"""Permitted values of the options that have no fixed list of choices."""


def cards() -> str:
    """Return a table with the number, the points and the effect of each card."""
    words = load_cached("en", (FOLDER,))
    lines = ["| | card | cards | points | |", "|---|---|---|---|---|"]
    for card in shipped("ours").cards:
        figures = f"{counted(card)} | {valued(card)}"
        lines.append(f"| {card.group} | {words(f'card.{card.id}')} | {figures} | {effect(card, words)} |")
    return "\n".join(lines)


def effect(card: Card, words: Words) -> str:
    """Return the effect of a card, or the place of a passenger car in a complete train."""
    if card.counters:
        return words("text.maintenance", card=words(f"card.{card.counters}"))
    if card.order:
        return f"number {card.order} in order"
    return words(f"text.{card.id}") if words.has(f"text.{card.id}") else ""


def options() -> str:
    """Return every option with its choices and its default."""
    words = load_cached("en", (FOLDER,))
    lines = ["| option | choices | default | rules | |", "|---|---|---|---|---|"]
    for name in Options.__struct_fields__:
        named = ", ".join(number for number, entry in OWN.table().items() if name in entry["options"])
        shown = " / ".join(OWN.choices(name)) or OTHERS[name]
        default = getattr(Options(), name) or "the usual sides"
        lines.append(f"| `{name}` | {shown} | {default} | {named} | {words(f'option.{name}.text')} |")
    return "\n".join(lines)


OWN = RuleDocument(
    "express",
    Options,
    (*(f"R-{n:02}" for n in range(30)), *(f"S-{n:02}" for n in range(1, 9))),
    lambda: {"cards": cards(), "options": options()},
    ("FR, ", "public pages", "ruling", "pages publiques", "décision"),
    rows={"A-{:02}": 13, "E-{}": 5},
    proofs={"T-{}": 36, "F-{}": 7},
    unlisted=("T-{}",),
    long={"R-20": 14},  # R-20 covers six action cards
)

if __name__ == "__main__":
    OWN.write()
