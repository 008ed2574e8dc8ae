"""Test requests and streams on the wire with a small application in this process: limits, threads, proxies and logs."""

from __future__ import annotations

import logging
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from http.client import HTTPResponse
from typing import Any

import pytest

from tests.web.serving.test_server import LOOP, PATIENCE, until
from web.server import open_listener
from web.serving import requests, server
from web.serving.connection import DEAD_AFTER, LARGEST_HEADER, STEP, UNSENT, HttpConnection
from web.serving.event_stream import BEATING, Flow, Outbox
from web.serving.requests import OTHERS
from web.serving.server import Listener
from web.serving.slow_clients import stalled_connections
from web.serving.wsgi import PIECE

SMALL = 1000
"""The maximum size of a body, in bytes."""
LONG = bytes(16 << 20)
"""An answer that exceeds every socket buffer."""


class Small:
    """A small application that a separate thread serves."""

    def __init__(self, host: str = LOOP) -> None:
        self.outboxes: list[Outbox] = []
        self.closed = threading.Semaphore(0)
        self.held, self.holding = threading.Event(), threading.Semaphore(0)
        self.socket = open_listener(host, 0)
        self.host, self.port = self.socket.getsockname()[:2]
        self.front = Listener(self.answer, self.socket, lambda path: path.startswith("/s/"), lambda *_: SMALL)
        self.thread = threading.Thread(target=self.front.run, daemon=True)
        self.thread.start()

    def answer(self, environment: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        """Answer at once with the request's content, after a wait, with a flow, or with an error."""
        match environment["PATH_INFO"].rpartition("/")[2]:
            case "stream":
                start("200 OK", [("Content-Type", "text/event-stream")])
                self.outboxes.append(Outbox())
                return Flow(self.outboxes[-1], iter([b"data: opened\n\n"]), self.closed.release)
            case "hold":
                self.holding.release()
                assert self.held.wait(PATIENCE)
            case "long":
                start("200 OK", [("Content-Length", str(len(LONG)))])
                return [LONG]
            case "broken":
                raise RuntimeError("a fault")
        names = ("REMOTE_ADDR", "wsgi.url_scheme", "REQUEST_URI", "PATH_INFO", "CONTENT_LENGTH")
        names += ("HTTP_X_FORWARDED_FOR", "HTTP_TRANSFER_ENCODING")
        body = environment["wsgi.input"].read() + repr([environment.get(name) for name in names]).encode()
        start("200 OK", [("Content-Length", str(len(body)))])
        return [body]

    def connect(self, said: bytes = b"", address: str = "") -> socket.socket:
        """Return a connection after sending some bytes."""
        end = socket.create_connection((self.host, self.port), PATIENCE, (address, 0) if address else None)
        end.sendall(said)
        return end

    def ask(self, path: str, more: bytes = b"", address: str = "", method: bytes = b"GET") -> bytes:
        """Return the whole answer to a request."""
        with self.connect(method + b" %b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" % path.encode(), address) as end:
            end.sendall(more or b"\r\n")
            return b"".join(iter(lambda: end.recv(65536), b""))

    def close(self) -> None:
        """Stop the server."""
        self.held.set()
        self.front.stop(0.2)
        self.thread.join(PATIENCE)
        self.socket.close()
        assert not self.thread.is_alive()


@pytest.fixture
def small() -> Iterator[Small]:
    """Yield a small application on a port."""
    with closing(Small()) as found:
        yield found


def wait_for(condition: Callable[[], object]) -> None:
    """Wait until a condition holds."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        threading.Event().wait(0.01)


# --- bodies and headers ---------------------------------------------------------------------------


def test_a_body_in_chunks_arrives_whole(small: Small) -> None:
    """The application reads a body in chunks like one of announced length."""
    said = b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
    assert b"abcde['127.0.0.1', 'http', '/', '/', '5', None, None]" in small.ask("/", said, method=b"POST")


@pytest.mark.parametrize(
    "said",
    [
        b"Content-Length: %d\r\nExpect: 100-continue\r\n\r\n" % (SMALL + 1),
        b"Transfer-Encoding: chunked\r\n\r\n800\r\n" + b"x" * 0x800 + b"\r\n",
    ],
    ids=["announced", "in chunks"],
)
def test_the_application_refuses_what_is_too_large(small: Small, said: bytes) -> None:
    """The application refuses a large body by its size without reading it, and the client gets no 100 Continue."""
    answer = small.ask("/", said, method=b"POST")
    length = SMALL + 1 if b"Expect" in said else 0x800
    assert answer.startswith(b"HTTP/1.1 200") and b"'%d'" % length in answer and b"Connection: close" in answer
    assert b"xxx" not in answer.partition(b"\r\n\r\n")[2] or b"Expect" not in said


@pytest.mark.parametrize("end", [b"", b"\r\n\r\n"], ids=["endless", "whole"])
def test_a_header_is_bounded(small: Small, end: bytes) -> None:
    """A header that is too long is refused, whether it arrives in one piece or never ends."""
    head = b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"x" * 3 * LARGEST_HEADER + end
    with suppress(ConnectionResetError), small.connect(head) as connection:
        assert connection.recv(100).startswith(b"HTTP/1.1 400")
    assert b" 200 " in small.ask("/")


@pytest.mark.parametrize(("length", "code"), [(-2 * STEP, b" 200 "), (STEP, b" 400 ")])
def test_a_header_is_measured_however_it_comes(small: Small, length: int, code: bytes) -> None:
    """The same limit holds for a header that arrives at once and for one that arrives in pieces."""
    head = b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"x" * (LARGEST_HEADER + length) + b"\r\n\r\n"
    with small.connect(head) as connection:
        assert code in connection.recv(100)


CHUNKED = b" HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"


def test_nonsense_in_a_body_ends_the_connection(small: Small, caplog: pytest.LogCaptureFixture) -> None:
    """Malformed chunks before or during the answer end the connection, are not logged, and disturb no other client."""
    with suppress(ConnectionResetError), small.connect(b"POST /" + CHUNKED + b"nonsense\r\n") as end:
        assert end.recv(100).startswith(b"HTTP/1.1 400")
    refused = b"POST /long" + CHUNKED + b"800\r\n" + b"x" * 0x800 + b"\r\n"
    with suppress(ConnectionResetError), small.connect(refused) as end:
        until(end, b" 200 ")
        end.sendall(b"nonsense\r\n")
        assert len(b"".join(iter(lambda: end.recv(4096), b""))) < len(LONG)
    assert b" 200 " in small.ask("/") and not caplog.records


def test_a_path_is_taken_from_a_whole_address(small: Small) -> None:
    """From a full URL as the target, the application gets both the URL and the path."""
    assert b"'http://x/a%20b?c', '/a b'" in small.ask("http://x/a%20b?c")


def test_what_is_small_goes_at_once(small: Small) -> None:
    """The connection has no delay, so that the kernel sends a body without waiting for the client."""
    with small.connect() as end:
        wait_for(lambda: small.front.connections and only(small).transport)
        assert only(small).transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        end.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        until(end, b" 200 ")


def test_a_client_of_the_older_protocol_gets_no_chunks(small: Small) -> None:
    """A stream over HTTP/1.0, as some proxies speak, has no chunks."""
    with small.connect(b"GET /stream HTTP/1.0\r\n\r\n") as end:
        assert b"chunked" not in until(end, b"\r\n\r\ndata: opened\n\n").lower()


# --- proxies and logs -----------------------------------------------------------------------------

FORWARDED = b"X-Forwarded-For: 192.0.2.7\r\nX-Forwarded-Proto: https\r\n\r\n"


def test_a_proxy_on_this_machine_is_believed(small: Small) -> None:
    """A proxy on this machine is trusted about the client's address and the scheme."""
    assert b"'192.0.2.7', 'https'" in small.ask("/", FORWARDED)


def test_nobody_else_is_believed(small: Small) -> None:
    """A proxy at another address is not trusted, and neither is a field that only looks the same to WSGI."""
    assert b"'127.0.9.1', 'http'" in small.ask("/", FORWARDED, address="127.0.9.1")
    assert b", None, None]" in small.ask("/", b"X_Forwarded_For: 192.0.2.7\r\n\r\n")


def test_no_path_is_logged(small: Small, caplog: pytest.LogCaptureFixture) -> None:
    """The log of an error contains no path, because paths contain tokens, and the request is answered."""
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.DEBUG, "uvicorn")
    assert b" 500 " in small.ask("/s/secret/broken")
    small.ask("/s/secret/", b"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
    small.ask("/s/secret/", b"Content-Length: x\r\n\r\n")
    assert "a fault" in caplog.text and "secret" not in caplog.text


# --- threads --------------------------------------------------------------------------------------


def test_strangers_hold_few_threads(small: Small) -> None:
    """While many strangers wait for answers, the table's own requests are answered."""
    ends = [small.connect(b"GET /hold HTTP/1.1\r\nHost: x\r\n\r\n") for _ in range(3 * OTHERS)]
    for _ in range(OTHERS):
        assert small.holding.acquire(timeout=PATIENCE)
    assert b" 200 " in small.ask("/s/")
    assert not small.holding.acquire(blocking=False)
    small.held.set()
    for end in ends:
        until(end, b" 200 ")
        end.close()


@pytest.mark.parametrize("served", [True, False])
def test_a_newcomer_waits_where_all_are_at_work(small: Small, monkeypatch: pytest.MonkeyPatch, served: bool) -> None:
    """A new connection waits until another one is done, and at shutdown it is refused."""
    monkeypatch.setattr(server, "CONNECTIONS", OTHERS)
    monkeypatch.setattr(server, "TICK", 0.01)
    ends = [small.connect(b"GET /hold HTTP/1.1\r\nHost: x\r\n\r\n") for _ in range(OTHERS)]
    for _ in ends:
        assert small.holding.acquire(timeout=PATIENCE)
    with small.connect(b"GET /s/ HTTP/1.1\r\nHost: x\r\n\r\n") as newcomer:
        newcomer.settimeout(0.2)
        with pytest.raises(TimeoutError):
            newcomer.recv(1)
        newcomer.settimeout(PATIENCE)
        if served:
            small.held.set()
            until(newcomer, b" 200 ")
        else:
            small.front.stop(PATIENCE)  # working connections stay, so none is closed for a new one
            with suppress(ConnectionResetError):
                assert newcomer.recv(1) == b""
    for end in ends:
        end.close()


def test_a_page_that_hangs_does_not_hold_up_the_end(small: Small) -> None:
    """At shutdown the registered functions run at once, and a hanging page delays the end by the grace period only."""
    stopped = threading.Event()
    small.front.when_stopping(stopped.set)
    with small.connect(b"GET /hold HTTP/1.1\r\nHost: x\r\n\r\n"):
        assert small.holding.acquire(timeout=PATIENCE)
        begun = time.monotonic()
        small.front.stop(0.3)
        assert stopped.wait(0.3)
        small.thread.join(PATIENCE)
        assert 0.3 <= time.monotonic() - begun < 3


def test_a_crowd_that_sleeps_over_long_answers_keeps_few_bytes(small: Small) -> None:
    """A connection whose client does not read holds one piece of its answer instead of all."""
    ends = [small.connect(b"GET /long HTTP/1.1\r\nHost: x\r\n\r\n") for _ in range(20)]
    wait_for(lambda: sum(each.unsent > 0 for each in small.front.connections) == len(ends))
    assert max(each.unsent for each in small.front.connections) <= UNSENT + PIECE
    assert b" 200 " in small.ask("/s/")
    for end in ends:
        end.close()


# --- streams --------------------------------------------------------------------------------------


def stream(small: Small) -> socket.socket:
    """Return a connection with an open stream, whose client reads only a little at a time."""
    end = socket.socket()
    end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    end.settimeout(PATIENCE)
    end.connect((small.host, small.port))
    end.sendall(b"GET /s/stream HTTP/1.1\r\nHost: x\r\n\r\n")
    until(end, b"opened")
    return end


def only(small: Small) -> HttpConnection:
    """Return the open connection."""
    (found,) = small.front.connections
    return found


def test_a_stream_ends_with_its_client(small: Small) -> None:
    """When a client leaves, its stream releases its place at once, without waiting for a message."""
    stream(small).close()
    assert small.closed.acquire(timeout=PATIENCE)


def test_a_stream_ends_its_connection(small: Small) -> None:
    """When a stream ends, its connection is closed, so that the page reconnects."""
    with stream(small) as end:
        small.outboxes[0].put(b"data: last\n\n")
        small.outboxes[0].put(None)
        seen = b"".join(iter(lambda: end.recv(4096), b""))
    assert b"data: last" in seen and small.closed.acquire(timeout=PATIENCE)


def test_a_quiet_stream_beats(small: Small, monkeypatch: pytest.MonkeyPatch) -> None:
    """A quiet stream sends heartbeats, because otherwise a lost connection would not be noticed."""
    monkeypatch.setattr(requests, "BEAT", 0.0)
    with stream(small) as end:
        until(end, BEATING)


def test_a_stream_that_nobody_reads_waits_in_its_outbox(small: Small, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server buffers only a few bytes of an unread stream, and gives it up after a while."""
    with stream(small):
        size = UNSENT // 4
        for _ in range(2000):
            small.outboxes[0].put(b"x" * size)
        wait_for(lambda: only(small).unsent > UNSENT)
        assert only(small).unsent <= UNSENT + 2 * size and len(small.outboxes[0])
        monkeypatch.setattr(stalled_connections, "STALLED", 0.0)
        assert small.closed.acquire(timeout=PATIENCE)


@pytest.mark.parametrize("version", [b"1.0", b"1.1"])
def test_a_stream_arrives_whole_and_in_order(small: Small, version: bytes) -> None:
    """A stream's messages of any size arrive complete and in order, whether the client is fast or slow."""
    sent = [b"data: %d %b\n\n" % (number, b"x" * (number % 7) ** 8) for number in range(60)]
    with small.connect(b"GET /s/stream HTTP/%b\r\nHost: x\r\n\r\n" % version) as end:
        wait_for(lambda: small.outboxes and only(small).streaming)
        for message in sent[:10]:
            small.outboxes[0].put(message)
            wait_for(lambda: not len(small.outboxes[0]))
        for each in (*sent[10:], None):
            small.outboxes[0].put(each)
        wait_for(lambda: only(small).unsent)
        answer = HTTPResponse(end)
        answer.begin()
        assert answer.read() == b"".join([b"data: opened\n\n", *sent])
    assert small.closed.acquire(timeout=PATIENCE)


def test_the_system_gives_up_a_client_that_confirms_nothing(small: Small) -> None:
    """A client that confirms nothing, such as a tablet that is off, loses its connection within minutes."""
    with stream(small):
        wait_for(lambda: only(small).streaming)
        found = only(small).transport.get_extra_info("socket")
        assert found.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == DEAD_AFTER


def test_what_comes_on_a_stream_is_dropped(small: Small) -> None:
    """Bytes that a client sends on a stream are dropped, so that they do not fill the memory."""
    with stream(small) as end:
        end.sendall(LONG)
        small.outboxes[0].put(b"data: more\n\n")
        until(end, b"data: more")


def test_the_newer_protocol_of_the_internet(small: Small) -> None:
    """A listener on an IPv6 socket answers."""
    try:
        other = Small("::1")
    except OSError:
        pytest.skip("no IPv6 here")
    with closing(other):
        assert b"'::1', 'http'" in other.ask("/")
