"""The generated parts of companion/games/game_of_trains/rules.md: the rules, the abilities, the options.

`python -m tests.games.game_of_trains.document` writes them again between their marks; a test sees that this was done.
"""

from __future__ import annotations

from functools import partial
from importlib import resources
from pathlib import Path
from typing import get_args, get_type_hints

from companion.games.game_of_trains.catalogue import ABILITIES, shipped
from companion.games.game_of_trains.steps.uses import KINDS
from companion.games.game_of_trains.table import Options
from companion.i18n import load_cached
from tests.games import generated

DOCUMENT = Path(__file__).parents[3] / "companion" / "games" / "game_of_trains" / "rules.md"
PROOFS = Path(__file__).with_name("PROOFS.md")
FOLDER = resources.files("companion.games.game_of_trains").joinpath("words")
rule_table = partial(generated.rule_table, FOLDER)


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
    for name, kind in get_type_hints(Options).items():
        named = ", ".join(number for number, entry in rule_table("en").items() if name in entry["options"])
        shown = " / ".join(get_args(kind))
        lines.append(f"| `{name}` | {shown} | {getattr(Options(), name)} | {named} | {words(f'option.{name}.text')} |")
    return "\n".join(lines)


def written(text: str) -> str:
    """Return the document with its generated parts written again."""
    return generated.written(text, rules=generated.rules(rule_table("en")), abilities=abilities(), options=options())


if __name__ == "__main__":
    DOCUMENT.write_text(written(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
