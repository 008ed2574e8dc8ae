"""Runs a WSGI application for complete requests, in threads that wait for no client."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from functools import partial
from queue import SimpleQueue
from typing import IO, Any, NamedTuple
from urllib.parse import unquote_to_bytes, urlsplit
from wsgiref.types import WSGIApplication, WSGIEnvironment

from web.serving.flow import Flow

BODY_HERE = (b"content-length", b"transfer-encoding")
"""Header fields that say how a body came; an application reads it from a file."""


class Threads(Executor):
    """Threads that the end of the program does not wait for: a page may hang."""

    def __init__(self, count: int) -> None:
        self._tasks: SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = SimpleQueue()
        for _ in range(count):
            threading.Thread(target=self._work, name="pages", daemon=True).start()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have a thread call a function; never waits."""
        future: Future[Any] = Future()
        self._tasks.put((future, partial(fn, *args, **kwargs)))
        return future

    def _work(self) -> None:
        while True:
            future, work = self._tasks.get()
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(work())
                except BaseException as error:
                    future.set_exception(error)
            del future, work  # else they stay until the next task


class Answer(NamedTuple):
    """An application's answer: all of it, or the opening of a flow whose messages follow."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes
    flow: Flow | None


def answer(application: WSGIApplication, asked: WSGIEnvironment) -> Answer:
    """Call the application and return its answer."""
    begun: tuple[str, list[tuple[str, str]]] = ("500 Internal Server Error", [])

    def start(status: str, headers: list[tuple[str, str]], _: object = None) -> Callable[[bytes], object]:
        nonlocal begun
        begun = status, headers
        return lambda data: None

    found = application(asked, start)
    flow = found if isinstance(found, Flow) else None
    close = getattr(found, "close", lambda: None)
    try:
        body = b"".join(flow.opening if flow else found)
    except BaseException:
        close()
        raise
    if flow is None:
        close()
    status, headers = begun
    fields = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
    return Answer(int(status.partition(" ")[0]), fields, body, flow)


def environment(scope: Any, body: IO[bytes], length: int) -> WSGIEnvironment:
    """Return a request as WSGI has it (PEP 3333), with a body of so many bytes."""
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
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for name, value in scope["headers"]:
        if name not in BODY_HERE and b"_" not in name:  # else X_Forwarded_For would pass for X-Forwarded-For
            key, text = "HTTP_" + name.decode("latin-1").upper().replace("-", "_"), value.decode("latin-1")
            found[key] = f"{found[key]}, {text}" if key in found else text
    found["CONTENT_TYPE"] = found.pop("HTTP_CONTENT_TYPE", "")
    return found
