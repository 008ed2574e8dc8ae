"""One thread with an inbox: whatever is asked of it is done in that order. Knows nothing of what it does."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

W = TypeVar("W")
R = TypeVar("R")


class WorkerClosed(RuntimeError):
    """The writer has ended and does nothing any more."""


class Worker(Generic[W]):
    """Holds a resource that only its own thread may touch, such as a database.

    `opened` is called in the thread; when it raises, so does the constructor. `begun` is the first work done.
    """

    def __init__(self, name: str, opened: Callable[[], AbstractContextManager[W]], begun: Callable[[W], None]) -> None:
        self._inbox: SimpleQueue[tuple[Callable[[W], Any], Future[Any]] | None] = SimpleQueue()
        self._gate = threading.Lock()
        self.closed = False
        ready: Future[None] = Future()
        self._thread = threading.Thread(target=self._work, args=(opened, begun, ready), name=name, daemon=True)
        self._thread.start()
        ready.result()

    def do(self, work: Callable[[W], R]) -> R:
        """Have work done in its turn, and return what came of it; what it raises is raised here."""
        if threading.current_thread() is self._thread:
            raise RuntimeError("whoever is called by the writer must not wait for the writer")
        done: Future[R] = Future()
        with self._gate:
            if self.closed:
                raise WorkerClosed("The table is closed.")
            self._inbox.put((work, done))
        return done.result()

    def close(self) -> None:
        """Do what is in the inbox, then end; the resource is closed by then."""
        with self._gate:
            if not self.closed:
                self.closed = True
                self._inbox.put(None)
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _work(
        self,
        opened: Callable[[], AbstractContextManager[W]],
        begun: Callable[[W], None],
        ready: Future[None],
    ) -> None:
        try:
            with opened() as resource:
                begun(resource)
                ready.set_result(None)
                while (task := self._inbox.get()) is not None:
                    work, done = task
                    try:
                        result = work(resource)
                    except BaseException as error:
                        done.set_exception(error)
                    else:
                        done.set_result(result)
        except BaseException as error:
            if not ready.done():
                ready.set_exception(error)
            else:
                raise
