"""A single worker thread that runs jobs in order."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager
from queue import SimpleQueue
from typing import Generic, TypeVar

W = TypeVar("W")
R = TypeVar("R")


class WorkerClosed(RuntimeError):
    """The worker has ended and accepts no more jobs."""


class Worker(Generic[W]):
    """Owns a resource that only its thread may touch. `opened` creates it; the constructor raises its errors."""

    def __init__(self, name: str, opened: Callable[[], AbstractContextManager[W]], begun: Callable[[W], None]) -> None:
        self._inbox: SimpleQueue[Callable[[W], None] | None] = SimpleQueue()
        self._gate = threading.Lock()
        self.closed = False
        ready: Future[None] = Future()
        self._thread = threading.Thread(target=self._work, args=(opened, begun, ready), name=name, daemon=True)
        self._thread.start()
        ready.result()

    def do(self, work: Callable[[W], R]) -> R:
        """Run a job in its turn and return its result; raise its errors."""
        if threading.current_thread() is self._thread:
            raise RuntimeError("Never block on the writer from its own callback")
        done: Future[R] = Future()

        def run(resource: W) -> None:
            try:
                result = work(resource)
            except BaseException as error:
                done.set_exception(error)
            else:
                done.set_result(result)

        with self._gate:
            if self.closed:
                raise WorkerClosed("The table is closed.")
            self._inbox.put(run)
        return done.result()

    def close(self) -> None:
        """Finish the waiting jobs, close the resource and end."""
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
                while (run := self._inbox.get()) is not None:
                    run(resource)
        except BaseException as error:
            if not ready.done():
                ready.set_exception(error)
            else:
                raise
