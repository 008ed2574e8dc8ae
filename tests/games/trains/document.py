"""Generate the rules, cards and options in companion/games/trains/rules.md.

`python -m tests.games.trains.document` writes them between their marks; a test checks that they are current.
"""

from __future__ import annotations

from importlib import resources

from companion.games.trains.catalogue import KINGDOM, shipped
from companion.games.trains.options import SETS, Options
from companion.i18n import load_cached
from tests.games.generated import RuleDocument

FOLDER = resources.files("companion.games.trains").joinpath("words")
NUMBERS = dict(
    zip(
        [card.id for card in shipped().cards],
        [*(f"M{n}" for n in range(1, 10)), *(f"K{n:02}" for n in range(1, 31))],
        strict=True,
    )
)
"""Rule number of each card."""


def cards() -> str:
    """Return a table of all cards with their counts, costs, coins, points and kinds."""
    words = load_cached("en", (FOLDER,))
    lines = ["| | card | cards | cost | coins | points | kind |", "|---|---|---|---|---|---|---|"]
    for card in shipped().cards:
        kinds = [*card.categories, *(["lasting"] if card.persistent else [])]
        cost = "–" if card.id == "waste" else card.cost
        figures = f"{card.count} | {cost} | {card.value} | {card.points or ''}"
        lines.append(f"| {NUMBERS[card.id]} | {words(f'card.{card.id}')} | {figures} | {', '.join(kinds)} |")
    return "\n".join(lines)


def sets() -> str:
    """Return a table of the sets of cards that the rulebook suggests."""
    words = load_cached("en", (FOLDER,))
    lines = ["| set | cards for sale |", "|---|---|"]
    for name, kinds in SETS["kingdom"].items():
        named = ", ".join(words(f"card.{kind}") for kind in kinds)
        named += f", and {KINGDOM - len(kinds)} drawn at random" if len(kinds) < KINGDOM else ""
        lines.append(f"| {words(f'option.kingdom.sets.{name}')} | {named} |")
    return "\n".join(lines)


def options() -> str:
    """Return a table of all options with their choices and defaults."""
    words = load_cached("en", (FOLDER,))
    lines = ["| option | choices | default | rules | |", "|---|---|---|---|---|"]
    for name in Options.__struct_fields__:
        named = ", ".join(number for number, entry in OWN.table().items() if name in entry["options"])
        default = getattr(Options(), name) if OWN.choices(name) else words(f"option.{name}.sets.tokyo")
        shown = " / ".join(OWN.choices(name)) or "eight of the thirty"
        lines.append(f"| `{name}` | {shown} | {default} | {named} | {words(f'option.{name}.text')} |")
    return "\n".join(lines)


OWN = RuleDocument(
    "trains",
    Options,
    (*(f"R-{n:02}" for n in range(24)), *NUMBERS.values()),
    lambda: {"cards": cards(), "sets": sets(), "options": options()},
    ("FR, ", "ruling", "décision"),
    rows={"A-{:02}": 17, "E-{}": 7},
    proofs={"T-{}": 40, "F-{}": 9},
)

if __name__ == "__main__":
    OWN.write()
