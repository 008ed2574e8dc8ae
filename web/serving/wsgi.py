"""Runs a WSGI application for complete requests, in threads that never wait for a client."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from queue import SimpleQueue
from typing import IO, Any, TypeVar
from urllib.parse import unquote_to_bytes, urlsplit
from wsgiref.types import WSGIApplication, WSGIEnvironment
from wsgiref.util import FileWrapper

from web.serving.event_stream import Flow

T = TypeVar("T")
PIECE = 32 * 1024
"""Bytes of an answer to take from the application, and to send, at a time. A sleeping client then costs little
memory.
"""
BODY_HERE = (b"content-length", b"transfer-encoding")
"""Header fields about how a body was transferred; an application reads it from a file."""


class Threads:
    """Daemon threads: the program's end does not wait for a hanging page."""

    def __init__(self, count: int) -> None:
        self._turns = asyncio.Semaphore(count)
        self._tasks: SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = SimpleQueue()
        for _ in range(count):
            threading.Thread(target=self._work, name="pages", daemon=True).start()

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """Call a function in a thread; never waits."""
        future: Future[T] = Future()
        self._tasks.put((future, work))
        return future

    async def run(self, work: Callable[..., T], *given: Any) -> T:
        """Call a function in a thread, and return its result.

        Only as many results as there are threads wait for the event loop, so a crowd of strangers cannot fill it.
        """
        async with self._turns:
            return await asyncio.wrap_future(self.submit(partial(work, *given)))

    def _work(self) -> None:
        while True:
            future, work = self._tasks.get()
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(work())
                except BaseException as error:
                    future.set_exception(error)
            del future, work  # otherwise the last task's objects stay alive until the next one


class Answer:
    """An application's answer, or the opening of a flow whose messages follow. Threads take it piece by piece."""

    def __init__(self, application: WSGIApplication, asked: WSGIEnvironment) -> None:
        """Call the application, and take the first piece."""
        self.status, self.headers = 500, list[tuple[bytes, bytes]]()
        found = application(asked, self._start)
        self.flow = found if isinstance(found, Flow) else None
        self.close: Callable[[], None] = getattr(found, "close", lambda: None)
        """Ends an unfinished answer; a flow releases its place."""
        try:
            chunks = [b"".join(found.opening)] if isinstance(found, Flow) else found
            self._pieces = (chunk[at : at + PIECE] for chunk in chunks for at in range(0, len(chunk), PIECE))
            self._next = next(self._pieces, None)
            self.advance()
        except BaseException:
            self.close()
            raise

    def _start(self, status: str, headers: list[tuple[str, str]], _: object = None) -> Callable[[bytes], object]:
        self.status = int(status.partition(" ")[0])
        self.headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        return lambda data: None

    def advance(self) -> None:
        """Take the next piece, and record whether `more` follow."""
        self.piece = self._next or b""
        self._next = next(self._pieces, None)
        self.more = self._next is not None
        if not self.more and self.flow is None:
            self.close()


def environment(scope: Any, body: IO[bytes], length: int) -> WSGIEnvironment:
    """Return a request as a WSGI environment (PEP 3333), with a body of this many bytes."""
    target, query = scope["raw_path"].decode("latin-1"), scope["query_string"].decode("latin-1")
    path = target if target.startswith("/") else urlsplit(target).path
    found = {
        "REQUEST_METHOD": scope["method"],
        "REQUEST_URI": f"{target}?{query}" if query else target,
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
        "QUERY_STRING": query,
        "CONTENT_LENGTH": str(length) if length else "",
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": scope["server"][0],
        "SERVER_PORT": str(scope["server"][1]),
        "REMOTE_ADDR": scope["client"][0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": body,
        "wsgi.errors": sys.stderr,
        "wsgi.file_wrapper": lambda file, size=0: FileWrapper(file, PIECE),
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for name, value in scope["headers"]:
        # Otherwise X_Forwarded_For would pass for X-Forwarded-For.
        if name not in BODY_HERE and b"_" not in name:
            key, text = "HTTP_" + name.decode("latin-1").upper().replace("-", "_"), value.decode("latin-1")
            found[key] = f"{found[key]}, {text}" if key in found else text
    found["CONTENT_TYPE"] = found.pop("HTTP_CONTENT_TYPE", "")
    return found
