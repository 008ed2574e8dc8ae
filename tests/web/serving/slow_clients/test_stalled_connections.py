"""Test that stalled clients delay nobody: half requests, sleeping readers and crowds at a real server."""

from __future__ import annotations

import re
import resource
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.support.web.visitors import COLOURS, HOST_PIN, NAMES, SHAPES
from tests.web.serving.test_server import LOOP, PATIENCE, Server, running, until
from web.security.csrf import MAX_BODY
from web.serving.connection import HttpConnection
from web.serving.requests import THREADS
from web.serving.server import CONNECTIONS
from web.serving.slow_clients import stalled_connections as limits
from web.serving.slow_clients.stalled_connections import is_stalled, victims

HALF_HEADER = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-a: "
HALF_BODY = b"POST /join HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\nroom="


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield a running server."""
    with running(tmp_path_factory.mktemp("data")) as found:
        yield found


@pytest.fixture
def hold(server: Server) -> Iterator[Callable[[bytes, int, str], list[socket.socket]]]:
    """Yield a function that opens connections, sends some bytes and stays silent until the test ends."""
    with ExitStack() as stack:

        def opened(said: bytes, count: int, address: str = LOOP) -> list[socket.socket]:
            found = []
            for number in range(count):
                end = stack.enter_context(socket.socket())
                end.settimeout(PATIENCE)
                end.bind((address.format(number % 250 + 1), 0))
                end.connect((LOOP, server.port))
                end.sendall(said)
                found.append(end)
            return found

        yield opened


@pytest.mark.parametrize("said", [HALF_HEADER, HALF_BODY], ids=["header", "body"])
@pytest.mark.parametrize("address", [LOOP, "127.0.9.{}"], ids=["one address", "many"])
def test_half_requests_stop_no_page(server: Server, hold: Callable[..., list[socket.socket]], said: bytes,
                                    address: str) -> None:  # fmt: skip
    """While more half requests are open than there are threads, from one address or many, every page answers."""
    hold(said, 4 * THREADS, address)
    for path in ("/health", "/", "/join"):
        assert server.ask("GET", path)[0] == 200


def test_more_connections_than_there_are_places_stop_no_page(
    server: Server, hold: Callable[..., list[socket.socket]]
) -> None:
    """Above the maximum number of connections the stalled ones are closed, and the server logs nothing."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(limit[1], 4 * CONNECTIONS), limit[1]))
    hold(HALF_HEADER, CONNECTIONS + 50)
    assert server.ask("GET", "/health")[0] == 200
    assert server.ask("GET", "/")[0] == 200


def test_readers_of_pages_who_sleep_stop_no_page(server: Server, hold: Callable[..., list[socket.socket]]) -> None:
    """Clients that request pages repeatedly without reading an answer use no thread."""
    hold(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 20, 2 * THREADS)
    assert server.ask("GET", "/health")[0] == 200
    assert server.ask("GET", "/")[0] == 200


def test_a_body_that_is_too_large_is_refused_before_it_comes(server: Server) -> None:
    """A large body is refused with a sentence and the connection ends; only the host's page may send one."""
    for path in ("/join", f"/h/{'x' * 43}/enrolment"):
        with socket.create_connection((LOOP, server.port), PATIENCE) as end:
            end.sendall(f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {MAX_BODY + 1}\r\n\r\n".encode())
            answer = b"".join(iter(lambda: end.recv(65536), b""))
        assert answer.split()[1] in (b"400", b"403", b"404", b"413"), answer[:200]
        assert b"Connection: close" in answer and b"Content-Security-Policy" in answer


def test_the_host_may_send_photographs(tmp_path: Path) -> None:
    """The host's page for photographs receives a large body and answers itself."""
    with running(tmp_path) as server:
        form = [("deck", "ours"), ("pin", HOST_PIN)]
        for player in zip(NAMES[:2], COLOURS, SHAPES, strict=False):
            form += list(zip(("name", "colour", "shape"), player, strict=True))
        host = server.submit("/setup", form, "/")
        found = re.search(r'name="csrf" content="([^"]+)"', server.ask("GET", host)[2])
        assert found is not None
        piece = b'--x\r\nContent-Disposition: form-data; name="do"\r\n\r\nnothing\r\n--x\r\n'
        piece += b'Content-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n' + b"x" * 16 * MAX_BODY
        body = piece + b"\r\n--x--\r\n"
        head = f"POST {host}enrolment HTTP/1.1\r\nHost: {LOOP}\r\nX-CSRF: {found.group(1)}\r\nHX-Request: true\r\n"
        head += f"Cookie: visit={server.cookies['visit']}\r\nConnection: close\r\n"
        head += f"Content-Type: multipart/form-data; boundary=x\r\nContent-Length: {len(body)}\r\n\r\n"
        with socket.create_connection((LOOP, server.port), PATIENCE) as end:
            end.sendall(head.encode() + body)
            answer = b"".join(iter(lambda: end.recv(65536), b""))
        assert answer.split()[1] not in (b"403", b"404", b"413"), answer[-300:]


def test_a_body_in_chunks_is_bounded(server: Server) -> None:
    """An endless body in chunks is cut off for every client."""
    with socket.create_connection((LOOP, server.port), PATIENCE) as end:
        end.sendall(b"POST /join HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        with pytest.raises(OSError):
            end.sendall((b"1000\r\n" + b"x" * 0x1000 + b"\r\n") * 10_000)


def test_requests_come_one_after_the_other_on_one_connection(server: Server) -> None:
    """Requests on one connection are answered in order, even pipelined ones and those without a body in the answer."""
    ask = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with socket.create_connection((LOOP, server.port), PATIENCE) as end:
        end.sendall(ask + b"HEAD /health HTTP/1.1\r\nHost: localhost\r\n\r\n" + ask)
        data = b""
        while data.count(b"ok\n") < 2:
            more = end.recv(65536)
            assert more, data
            data += more
        assert data.count(b"HTTP/1.1 200") == 3
        end.sendall(ask)
        assert b"ok\n" in until(end, b"ok\n")


def test_a_tap_keeps_its_connection(server: Server) -> None:
    """An answer without a body, as after every tap, does not close the connection."""
    with socket.create_connection((LOOP, server.port), PATIENCE) as end:
        mark = until_header(end, b"GET /static/js/live.js HTTP/1.1\r\nHost: localhost\r\n\r\n", b"ETag: ")
        ask = b"GET /static/js/live.js HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: " + mark + b"\r\n\r\n"
        for _ in range(2):
            end.sendall(ask)
            answer = until(end, b"\r\n\r\n")
            assert b" 304 " in answer and b"Connection: close" not in answer


def until_header(end: socket.socket, ask: bytes, name: bytes) -> bytes:
    """Request a complete page, and return one of its header fields."""
    end.sendall(ask)
    head, _, body = until(end, b"\r\n\r\n").partition(b"\r\n\r\n")
    length = int(head.partition(b"Content-Length: ")[2].split()[0])
    while len(body) < length:
        body += end.recv(65536)
    return head.partition(name)[2].split(b"\r\n")[0]


# --- who gives way --------------------------------------------------------------------------------


class Held:
    """A connection with only the properties that decide which one is closed."""

    def __init__(
        self, address: str, begun: float | None, quiet: float = 0.0, unsent: int = 0, busy: bool = False,
        length: int | None = None,
    ) -> None:  # fmt: skip
        self.address, self.begun, self.last_activity = address, begun, NOW - quiet
        self.busy, self.sending, self.unsent, self.length = busy, False, unsent, length
        self._waited, self._early = 0, False

    idle = HttpConnection.idle


NOW = 100.0


def gives_way(*held: Held) -> int | None:
    """Return the index of the connection to close, or None."""
    found = victims(held, NOW)  # type: ignore[arg-type]
    return held.index(found[0]) if found else None  # type: ignore[arg-type]


def test_what_has_stalled_gives_way_first() -> None:
    """Stalled connections are closed before idle, unread and new ones, and a connection that is being answered
    never."""
    order = [Held("a", 50.0), Held("a", None), Held("a", 50.0, unsent=9), Held("a", NOW)]
    busy = Held("a", 50.0, busy=True)
    for number, each in enumerate(order):
        assert gives_way(busy, *order[number:]) == 1, each.__dict__
    assert gives_way(busy) is None


def test_the_greediest_address_gives_way() -> None:
    """An address with more connections than a browser opens loses one; otherwise the longest idle one is closed."""
    crowd = [Held("crowd", 50.0, quiet=number) for number in range(limits.BROWSER + 1)]
    assert gives_way(Held("alone", 50.0, quiet=99), *crowd) == len(crowd)
    assert gives_way(Held("alone", 50.0, quiet=99), *crowd[1:]) == 0


LATE = NOW - limits.BODY - 1


@pytest.mark.parametrize(
    ("held", "expected"),
    [
        (Held("a", NOW - limits.HEADER + 1), False),
        (Held("a", NOW - limits.HEADER - 1), True),  # even if a byte arrives now and then
        (Held("a", LATE, length=900), True),
        (Held("a", LATE, length=limits.SMALL + 1), False),
        (Held("a", NOW - limits.STALLED - 1, quiet=limits.STALLED + 1, length=limits.SMALL + 1), True),
        (Held("a", None, quiet=limits.IDLE - 1), False),
        (Held("a", None, quiet=limits.IDLE + 1), True),
        (Held("a", None, quiet=limits.STALLED - 1, unsent=9), False),
        (Held("a", None, quiet=limits.STALLED + 1, unsent=9), True),
        (Held("a", None, quiet=1000.0, busy=True), False),  # the table may be slow
    ],
)
def test_what_stalls_is_given_up(held: Held, expected: bool) -> None:
    """Headers and small bodies have seconds, idle connections half a minute, and answers as long as the client
    reads."""
    assert is_stalled(held, NOW) is expected  # type: ignore[arg-type]


def test_a_client_that_takes_something_is_not_quiet() -> None:
    """A slow reader's connection is kept, and one whose client reads nothing is stalled."""
    held = Held("a", None, quiet=9.0, unsent=9)
    held._waited = 10
    HttpConnection.watch_progress(held, NOW)  # type: ignore[arg-type]
    assert held.last_activity == NOW
    HttpConnection.watch_progress(held, NOW + 1)  # type: ignore[arg-type]
    assert held.last_activity == NOW


@pytest.mark.parametrize("early", [False, True])
def test_what_came_during_an_answer_begins_the_next_request(early: bool) -> None:
    """Bytes that arrive during an answer begin the next request, so that its time limit runs."""
    held = Held("a", None, busy=True)
    held._early = early
    HttpConnection.end_answer(held)  # type: ignore[arg-type]
    assert (held.begun is not None) is early and held.idle
