"""The threads that answer requests: the table's own requests come first, all others share a few threads."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Protocol

from waitress.task import ThreadedTaskDispatcher

THREADS = 24
"""Threads that answer requests. Streams hold none."""
OTHERS = 2
"""The most threads that requests of strangers and spectators hold together."""


class Task(Protocol):
    """What waits for a thread."""

    def service(self) -> None: ...  # noqa: D102

    def cancel(self) -> None: ...  # noqa: D102


class Pool(ThreadedTaskDispatcher):  # type: ignore[misc]
    """Two queues before one pool of threads; `first` says whether a task goes to the first queue."""

    def __init__(self, first: Callable[[Task], bool]) -> None:
        super().__init__()
        self._first = first
        self._others: deque[Task] = deque()
        self._busy = 0
        """Threads that work on a task of the second queue."""

    def add_task(self, task: Task) -> None:
        """Queue a task; never waits."""
        first = self._first(task)
        with self.lock:
            (self.queue if first else self._others).append(task)
            self.queue_cv.notify()

    def handler_thread(self, thread_no: int) -> None:
        """Work until told to stop."""
        while True:
            with self.lock:
                while not self.stop_count and not self.queue and not self._another():
                    self.queue_cv.wait()
                if self.stop_count:
                    self.stop_count -= 1
                    self.threads.discard(thread_no)
                    self.thread_exit_cv.notify()
                    return
                other = not self.queue
                task = self._others.popleft() if other else self.queue.popleft()
                self._busy += other
            try:
                task.service()
            except BaseException:
                self.logger.exception("a task of the web server failed")
            if other:
                with self.lock:
                    self._busy -= 1
                    self.queue_cv.notify()

    def _another(self) -> bool:
        """Whether a task of the second queue may begin."""
        return bool(self._others) and self._busy < OTHERS

    def shutdown(self, cancel_pending: bool = True, timeout: float = 5) -> bool:
        """End all threads and cancel waiting tasks."""
        with self.lock:
            left = [*self.queue, *self._others]
            self.queue.clear()
            self._others.clear()
        for task in left:
            task.cancel()
        return bool(super().shutdown(cancel_pending, timeout))
