"""Measure layout and paint work during animations, on a processor slowed four times."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, Page

SLOWED = 4
"""The factor by which the processor is slowed."""
SETTLED = 150_000
"""Microseconds after the start or end of an animation in which layout and paint are allowed."""
WORK = ("Layout", "Paint")
"""Timeline events that delay frames; transforms and opacity need neither."""
MARKS = """() => { for (const kind of ["animationstart", "animationend"])
    document.addEventListener(kind, (event) => performance.mark(`${kind} ${event.animationName}`)); }"""
ENDED = "(name) => performance.getEntriesByName(`animationend ${name}`).length > 0"
CLEAR = "() => performance.clearMarks()"


def work_while_moving(browser: Browser, page: Page, begin: Callable[[], None], *names: str) -> Counter[str]:
    """Return how often a page was laid out or painted during the animations of these names, of which the last must end
    last.

    The page must already mark its animations (`MARKS`), and nothing else may happen on it meanwhile.
    """
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    page.evaluate(CLEAR)
    browser.start_tracing(page=page, categories=["devtools.timeline", "blink.user_timing"])
    begin()
    page.wait_for_function(ENDED, arg=names[-1])
    trace = json.loads(browser.stop_tracing())
    session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    session.detach()
    return work_in(trace["traceEvents"], names)


def work_in(events: list[dict[str, Any]], names: tuple[str, ...]) -> Counter[str]:
    """Return the work between the first and the last mark of some animations, and fail if one did not run."""
    marks = [each for each in events if each["name"].startswith("animation")]
    own = [each["ts"] for each in marks if each["name"].partition(" ")[2] in names]
    assert {each["name"].partition(" ")[2] for each in marks} >= set(names)
    process, times = {each["pid"] for each in marks}, [each["ts"] for each in marks]
    found = [
        each["name"]
        for each in events
        if each["name"] in WORK and each["pid"] in process and min(own) < each["ts"] < max(own)
        if not any(mark <= each["ts"] < mark + SETTLED for mark in times)
    ]
    return Counter(found)
