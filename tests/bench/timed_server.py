"""Runs the companion with a clock on each part of a move: `python -m tests.bench.timed_server FILE run ...`.

At its end it writes into FILE each part's name, start and end (`perf_counter`), and the nanoseconds that its thread
computed. NESTED tells which part contains which.
"""

from __future__ import annotations

import atexit
import gc
import sys
import time
import types
from collections.abc import Callable, Coroutine, Generator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from uvicorn.protocols.http.h11_impl import RequestResponseCycle

from companion.cli import main
from companion.journal.journal import Journal
from companion.table.session import TableSession
from web.live.hub import Hub
from web.serving.connection import HttpConnection

PARTS = ("rules", "journal", "rendering", "sending", "garbage")
NESTED = {"journal": "rules"}
"""The parts within other parts."""


class Span(NamedTuple):
    """One part of a move."""

    part: str
    began: float
    ended: float
    computed: int
    """The nanoseconds of the thread's processor time."""


SPANS: list[Span] = []


def clock(owner: type, name: str, part: str) -> None:
    """Make a method record each call."""
    inner: Callable[..., Any] = getattr(owner, name)

    def timed(*args: Any, **kwargs: Any) -> Any:
        began, before = time.perf_counter(), time.thread_time_ns()
        try:
            return inner(*args, **kwargs)
        finally:
            SPANS.append(Span(part, began, time.perf_counter(), time.thread_time_ns() - before))

    setattr(owner, name, timed)


@types.coroutine
def stepped(running: Coroutine[Any, Any, None]) -> Generator[Any, Any, None]:
    """Run a coroutine and record the time of its own steps."""
    began, computed = time.perf_counter(), 0
    step: Callable[[], Any] = partial(running.send, None)
    try:
        while True:
            before = time.thread_time_ns()
            try:
                waited = step()
            except StopIteration:
                return
            finally:
                computed += time.thread_time_ns() - before
            try:
                yield waited
                step = partial(running.send, None)
            except BaseException as error:  # even the end of the task
                step = partial(running.throw, error)
    finally:
        SPANS.append(Span("sending", began, time.perf_counter(), computed))


def clock_sending() -> None:
    """Make the sending of a piece of an answer record each call, without the computation of others meanwhile."""
    inner = RequestResponseCycle.send

    async def timed(self: RequestResponseCycle, message: Any) -> None:
        await stepped(inner(self, message))

    setattr(RequestResponseCycle, "send", timed)  # noqa: B010


def clock_garbage() -> None:
    """Record each run of the garbage collector."""
    begun: list[tuple[float, int]] = []

    def noted(phase: str, _: dict[str, int]) -> None:
        if phase == "start":
            begun.append((time.perf_counter(), time.thread_time_ns()))
        elif begun:
            began, before = begun.pop()
            SPANS.append(Span("garbage", began, time.perf_counter(), time.thread_time_ns() - before))

    gc.callbacks.append(noted)


if __name__ == "__main__":
    file = Path(sys.argv.pop(1))
    clock(TableSession, "act", "rules")
    clock(Journal, "append", "journal")
    clock(Hub, "_refresh", "rendering")
    clock(HttpConnection, "push", "sending")
    clock_sending()
    clock_garbage()
    atexit.register(lambda: file.write_bytes(msgspec.json.encode(SPANS)))
    main()
