"""Generate the rules, abilities and options in companion/games/game_of_trains/rules.md.

`python -m tests.games.game_of_trains.document` writes them between their marks; a test checks that they are current.
"""

from __future__ import annotations

from importlib import resources

from companion.games.game_of_trains.catalogue import ABILITIES, shipped
from companion.games.game_of_trains.steps.uses import KINDS
from companion.games.game_of_trains.table import Options
from companion.i18n import load_cached
from tests.games.generated import RuleDocument

FOLDER = resources.files("companion.games.game_of_trains").joinpath("words")


def abilities() -> str:
    """Return the eight abilities as a table."""
    words = load_cached("en", (FOLDER,))
    wagons = shipped("reconstruction").wagons
    lines = ["| rule | in data | ability | event | wagons |", "|---|---|---|---|---|"]
    for ability, number in ABILITIES.items():
        count = sum(wagon.ability == ability for wagon in wagons)
        event = KINDS[ability].__struct_config__.tag
        lines.append(f"| {number} | `{ability}` | {words(f'ability.{ability}.text')} | `{event}` | {count} |")
    return "\n".join(lines)


def options() -> str:
    """Return every option with its choices and its default."""
    words = load_cached("en", (FOLDER,))
    lines = ["| option | choices | default | rules | |", "|---|---|---|---|---|"]
    for name in Options.__struct_fields__:
        named = ", ".join(number for number, entry in OWN.table().items() if name in entry["options"])
        shown = " / ".join(OWN.choices(name))
        lines.append(f"| `{name}` | {shown} | {getattr(Options(), name)} | {named} | {words(f'option.{name}.text')} |")
    return "\n".join(lines)


OWN = RuleDocument(
    "game_of_trains",
    Options,
    (*(f"R-{n:02}" for n in range(18)), *ABILITIES.values()),
    lambda: {"abilities": abilities(), "options": options()},
    ("FR", "ruling", "décision"),
    rows={"G-{}": 13, "E-{}": 6},
    proofs={"T-{}": 36, "F-{}": 12},
    unproved=("G-{}",),
    unlisted=("T-{}",),
)

if __name__ == "__main__":
    OWN.write()
