"""The listings of docs/adding-a-game.md: the example's own files, part by part.

`python -m tests.games.adding` writes them again between their marks; a test sees that this was done.
"""

from __future__ import annotations

import ast
from pathlib import Path

from tests.games import generated
from tests.tools.sizes import height_of, lines_in

DOCUMENT = Path(__file__).parents[2] / "docs" / "adding-a-game.md"
TINY = Path(__file__).parents[2] / "companion" / "games" / "examples" / "twenty_tons"
PARTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "rules": ("words/rules.en.toml", ()),
    "events": ("steps.py", ("WAGONS", "MOST", "LONGEST", "WagonTurned", "Took", "Passed")),
    "table": ("steps.py", ("Table",)),
    "steps": ("steps.py", ("TOO_HEAVY", "TurnUp", "Ask")),
    "game": ("rules.py", ("TwentyTons", "GAME")),
    "declaration": ("__init__.py", ("_cards", "_tell", "_bots", "GAME")),
    "words": ("words/en.toml", ()),
    "tell": ("tell.py", ("Teller", "TELLER")),
    "bot": ("bot.py", ("Policy", "POLICY")),
    "cards": ("cards.py", ("CARDS",)),
}
"""Each listing: the file, and what is shown of it; all of it where nothing is named."""


def listing(part: str) -> str:
    """Return a part of the example as the page shows it."""
    name, shown = PARTS[part]
    text = (TINY / name).read_text(encoding="utf-8")
    body = "\n".join(pieces(text)[each] for each in shown) if shown else text
    kind = "toml" if name.endswith(".toml") else "python"
    return f"```{kind}\n# companion/games/examples/twenty_tons/{name}\n{body.strip()}\n```"


def pieces(text: str) -> dict[str, str]:
    """Return the top-level definitions of a module by name, each with its docstring and the empty lines around it."""
    nodes = ast.parse(text).body
    lines = text.splitlines()
    found: dict[str, str] = {}
    for node, after in zip(nodes, [*nodes[1:], None], strict=True):
        end = after.lineno - 1 if after is not None else len(lines)
        body = "\n".join(lines[node.lineno - 1 : end])
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.Assign(targets=[ast.Name(id=name)]):
                found[name] = body
            case ast.Expr() if found:
                found[name] += f"\n{body}"
    return found


def unshown() -> list[str]:
    """Return the definitions of the example that the page does not show."""
    known = {(file.name, name) for file in TINY.glob("*.py") for name in pieces(file.read_text(encoding="utf-8"))}
    shown = {(file, name) for file, names in PARTS.values() for name in names}
    return [f"{file}: {name}" for file, name in sorted(known - shown) if not file.startswith("test_")]


def written(text: str) -> str:
    """Return the page with its listings written again, and the number of lines."""
    size = f"{lines_in(TINY)} lines of code, words and rules ({height_of(TINY)} with empty lines and docstrings)"
    return generated.written(text, size=size, **{part: listing(part) for part in PARTS})


if __name__ == "__main__":
    DOCUMENT.write_text(written(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
