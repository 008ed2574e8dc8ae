"""Lists of functions to call on an event; any thread may add one at any time."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Generic, ParamSpec

from companion.threads.occurrences import Occurrences, origin
from companion.threads.worker import WorkerClosed

P = ParamSpec("P")
LOG = logging.getLogger(__name__)


class Listeners(Generic[P]):
    """Functions called in the order they were added; if one fails, the others are still called.

    The log says `failure` the 1st, 10th, 100th, … time, since a peer's messages may cause the errors.
    """

    def __init__(self, failure: str) -> None:
        self._failure = failure
        self._occurrences = Occurrences("further errors")
        self._lock = threading.Lock()
        self._all: tuple[Callable[P, object], ...] = ()

    def add(self, listener: Callable[P, object]) -> None:
        """Add a function."""
        with self._lock:
            self._all = (*self._all, listener)

    def tell(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Call all functions; ignore `WorkerClosed`, since a closed table's listener has nothing to do."""
        for listener in self._all:
            try:
                listener(*args, **kwargs)
            except WorkerClosed:
                continue
            except Exception as error:
                kind, count = self._occurrences.add(origin(error))
                if count:
                    LOG.error("%s: %s (%d times by now)", self._failure, kind, count, exc_info=count == 1)
