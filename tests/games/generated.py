"""Documents of rules with generated parts between marks."""

from __future__ import annotations

import re
import tomllib
from importlib.resources.abc import Traversable
from typing import Any


def written(text: str, **parts: str) -> str:
    """Return a document with its generated parts written again, each between its marks."""
    for name, part in parts.items():
        marks = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end of {name} -->)", re.DOTALL)
        text, found = marks.subn(lambda m, part=part: f"{m[1]}{part}\n{m[2]}", text)
        assert found == 1, f"the marks of {name} are missing"
    return text


def rule_table(folder: Traversable, lang: str) -> dict[str, dict[str, Any]]:
    """Return a game's own table of rules in a language, from the folder of its words."""
    return tomllib.loads(folder.joinpath(f"rules.{lang}.toml").read_text(encoding="utf-8"))


def rules(table: dict[str, dict[str, Any]]) -> str:
    """Return the rules of a table, section by section."""
    lines: list[str] = []
    section = ""
    for number, entry in table.items():
        if entry["section"] != section:
            section = entry["section"]
            lines += ["", f"### {section}", ""]
        options = "".join(f"; `{option}`" for option in entry["options"])
        lines.append(f"- **{number} {entry['title']}.** {entry['text']} *({entry['source']}{options})*")
    return "\n".join(lines[1:])
