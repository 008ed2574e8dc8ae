"""Lists of functions to be called when something happens; any thread may add one at any time."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Generic, ParamSpec

from companion.threads.worker import WorkerClosed

P = ParamSpec("P")
LOG = logging.getLogger(__name__)


class Listeners(Generic[P]):
    """Functions called in the order they were added. One that fails is logged as `failure`; the others are called."""

    def __init__(self, failure: str) -> None:
        self._failure = failure
        self._lock = threading.Lock()
        self._all: tuple[Callable[P, object], ...] = ()

    def add(self, listener: Callable[P, object]) -> None:
        """Add a function."""
        with self._lock:
            self._all = (*self._all, listener)

    def tell(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Call all functions; ignore `WorkerClosed`, as a listener of a closed table has nothing to do."""
        for listener in self._all:
            try:
                listener(*args, **kwargs)
            except WorkerClosed:
                continue
            except Exception:
                LOG.exception("%s", self._failure)
