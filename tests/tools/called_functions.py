"""Records each test's duration and the functions that it calls, for `tests.tools.mutations`.

pytest loads it as a plugin (`-p called_functions`, with this folder on the path), also in a checkout that lacks it.
`CALLED_FUNCTIONS` names the file of results: a line of JSON for each test that passed. `fixtures` lists the calls of a
test's fixtures, which later tests in its file may use without a call.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

ROOT = f"{Path.cwd()}/companion/"
OUT = Path(os.environ["CALLED_FUNCTIONS"])
called: set[CodeType] = set()


def _note(frame: FrameType, event: str, _: Any) -> None:
    if event == "call":
        called.add(frame.f_code)


def _names() -> list[str]:
    """Return the calls since the last check, as `path:line` of each function."""
    seen = list(called)  # the check itself records calls too
    own = [code for code in seen if code.co_filename.startswith(ROOT)]
    called.clear()
    return sorted({f"{code.co_filename[len(ROOT) - 10 :]}:{code.co_firstlineno}" for code in own})


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Write a test's line once it has passed."""
    item.stash[STARTED] = time.perf_counter()
    threading.setprofile(_note)
    sys.setprofile(_note)
    try:
        return (yield)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]


STARTED = pytest.StashKey[float]()
FIXTURES = pytest.StashKey[list[str]]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    """Separate calls of fixtures from calls of the test."""
    called.clear()
    yield
    item.stash[FIXTURES] = _names()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Record a passed test; an exception leaves no line."""
    yield
    seconds = round(time.perf_counter() - item.stash[STARTED], 3)
    line = {"test": item.nodeid, "seconds": seconds, "fixtures": item.stash[FIXTURES], "functions": _names()}
    with OUT.open("a") as out:
        out.write(json.dumps(line) + "\n")
