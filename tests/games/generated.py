"""Documents of rules with generated parts between marks."""

from __future__ import annotations

import re


def written(text: str, **parts: str) -> str:
    """Return a document with its generated parts written again, each between its marks."""
    for name, part in parts.items():
        marks = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end of {name} -->)", re.DOTALL)
        text, found = marks.subn(lambda m, part=part: f"{m[1]}{part}\n{m[2]}", text)
        assert found == 1, f"the marks of {name} are missing"
    return text
