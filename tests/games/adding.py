"""Generate the listings of docs/adding-a-game.md and docs/hidden-hands.md from the files of the examples.

`python -m tests.games.adding` writes them between their marks; a test checks that they are current.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import NamedTuple

from tests.games import generated
from tests.tools.sizes import height_of, lines_in

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLES = Path(__file__).parents[2] / "companion" / "games" / "examples"
Parts = dict[str, tuple[str, tuple[str, ...]]]
"""By listing, the file and the definitions to show. An empty tuple means the whole file."""


class Page(NamedTuple):
    """A page of documentation that shows an example."""

    document: Path
    folder: Path
    parts: Parts


ADDING = Page(
    DOCS / "adding-a-game.md",
    EXAMPLES / "twenty_tons",
    {
        "rules": ("words/rules.en.toml", ()),
        "events": ("steps.py", ("WAGONS", "MOST", "LONGEST", "WagonTurned", "Took", "Passed")),
        "table": ("steps.py", ("Table",)),
        "steps": ("steps.py", ("TOO_HEAVY", "TurnUp", "Ask")),
        "game": ("rules.py", ("TwentyTons", "RULES")),
        "declaration": ("__init__.py", ("_cards", "_bots", "GAME")),
        "tell": ("rules.py", ("Teller", "TELLER")),
        "bot": ("bot.py", ("Policy", "POLICY")),
        "cards": ("cards.py", ("CARDS",)),
    },
)
HIDDEN_HANDS = Page(
    DOCS / "hidden-hands.md",
    EXAMPLES / "goods_yard",
    {
        "events": ("rules.py", ("HandsDealt", "WagonChosen", "WagonSeen")),
        "table": ("rules.py", ("Table",)),
        "steps": ("rules.py", ("Deal", "Choose", "TurnOver")),
        "helpers": ("rules.py", ("start", "going_on")),
        "game": ("rules.py", ("GoodsYard", "RULES")),
    },
)
PAGES = (ADDING, HIDDEN_HANDS)


def listing(page: Page, part: str) -> str:
    """Return a part of an example as Markdown for its page."""
    name, shown = page.parts[part]
    text = (page.folder / name).read_text(encoding="utf-8")
    body = "\n".join(pieces(text)[each] for each in shown) if shown else text
    body = re.sub(
        r"\n+(?=class |def |@)", "\n\n\n", body.strip()
    )  # use the formatter's spacing, wherever a piece comes from
    kind = "toml" if name.endswith(".toml") else "python"
    return f"```{kind}\n# companion/games/examples/{page.folder.name}/{name}\n{body}\n```"


def pieces(text: str) -> dict[str, str]:
    """Return the source of a module's top-level definitions by name, with their docstrings and empty lines."""
    nodes = ast.parse(text).body
    lines = text.splitlines()
    found: dict[str, str] = {}
    for node, after in zip(nodes, [*nodes[1:], None], strict=True):
        end = after.lineno - 1 if after is not None else len(lines)
        body = "\n".join(lines[node.lineno - 1 : end])
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.Assign(targets=[ast.Name(id=name)]):
                found[name] = body
            case ast.Assign(targets=[ast.Tuple(elts=[ast.Name(id=name), *_])]):
                found[name] = body
            case ast.Expr() if found:
                found[name] += f"\n{body}"
    return found


def unshown(page: Page) -> list[str]:
    """Return the definitions of an example that its page does not show, for all files with listings."""
    shown = {(file, name) for file, names in page.parts.values() for name in names}
    files = [page.folder / file for file, names in page.parts.values() if names]
    known = {(file.name, name) for file in files for name in pieces(file.read_text(encoding="utf-8"))}
    return [f"{file}: {name}" for file, name in sorted(known - shown)]


def written(page: Page, text: str) -> str:
    """Return a page with current listings and the current number of lines."""
    lines, height = lines_in(page.folder), height_of(page.folder)
    size = f"{lines} lines of code, words and rules ({height} with empty lines and docstrings)"
    return generated.written(text, size=size, **{part: listing(page, part) for part in page.parts})


if __name__ == "__main__":
    for each in PAGES:
        each.document.write_text(written(each, each.document.read_text(encoding="utf-8")), encoding="utf-8")
