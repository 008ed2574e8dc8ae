"""Run every benchmark, one after the other: `python -m tests.bench [name ...]`."""

from __future__ import annotations

import importlib
import sys

NAMES = (
    "advice",
    "engine",
    "zones",
    "journal",
    "push",
    "evening",
    "stalled",
    "buttons",
    "referee",
    "reveal",
    "rendered",
    "chain",
    "sight",
    "money",
    "demo",
    "board",
    "pages",
    "hall",
    "joining",
    "tournament",
    "lighthouse",
    "camera_rest",
)


def main() -> None:
    """Run the named benchmarks, or all."""
    for name in sys.argv[1:] or NAMES:
        print(f"\n=== {name} ===", flush=True)
        importlib.import_module(f"tests.bench.bench_{name}").main([])


if __name__ == "__main__":
    main()
