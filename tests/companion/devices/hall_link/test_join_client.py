"""A table joins a hall over HTTP, against real servers that behave well or badly."""

from __future__ import annotations

import json
import socket
import threading
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.devices.hall_link import join_client
from companion.devices.hall_link.join_client import ANSWER_BYTES, JoinAttempt, parse_hall_address
from companion.devices.hall_link.joining import JoinError, JoinGrant
from companion.devices.hall_link.signing import TableKey
from companion.hall.joining_desk import JoiningDesk
from companion.threads.quotas import Quotas, Rate

REQUEST = ("The window", TableKey.from_bytes(bytes(range(32))).for_hall)
GRANT = JoinGrant(
    hall="spring", hall_name="Spring", table="ab12cd34", port=1883, tls=False, user="ab12cd34", password="secret-word"
)
LONG = 30.0
"""Seconds after which a hanging test fails."""
Behave = Callable[["Handler", bytes], None]


class Handler(BaseHTTPRequestHandler):
    """A handler that passes the body of each POST to the server's `behave`."""

    def do_POST(self) -> None:
        """Answer a POST."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.asked.append((self.path, body))  # type: ignore[attr-defined]
        self.server.behave(self, body)  # type: ignore[attr-defined]

    def reply(self, status: int, body: bytes, **headers: str) -> None:
        """Send a response with a status, a body and headers."""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


class Server(ThreadingHTTPServer):
    """A server at a free port of this machine."""

    daemon_threads = True

    def __init__(self, behave: Behave) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.behave, self.asked, self.over = behave, list[tuple[str, bytes]](), threading.Event()
        self.address = f"127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore errors of connections that the table closed."""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the interval between polls."""
    monkeypatch.setattr(join_client, "POLL_S", 0.01)


@pytest.fixture
def serve() -> Iterator[Callable[[Behave], Server]]:
    """Yield a function that starts servers, and stop them after the test."""
    servers: list[tuple[Server, threading.Thread]] = []

    def start(behave: Behave) -> Server:
        server = Server(behave)
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        servers.append((server, thread))
        return server

    yield start
    for server, thread in servers:
        server.over.set()
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def desk() -> JoiningDesk:
    """Return the hall's desk for joining tables."""
    return JoiningDesk()


@pytest.fixture
def hall(desk: JoiningDesk, serve: Callable[[Behave], Server]) -> Server:
    """Return a server that answers as the hall's desk does."""
    return serve(lambda handler, body: handler.reply(*desk.answer(body, handler.client_address[0])))


class Watcher:
    """Starts an attempt to join and records its states."""

    def __init__(self, address: str, code: str) -> None:
        self.states: list[str] = []
        self._waits = threading.Event()
        self.attempt = JoinAttempt(address, code, *REQUEST, self._hear)
        self.attempt.start()

    def _hear(self, attempt: JoinAttempt) -> None:
        self.states.append(attempt.state)
        self._waits.set()

    def first(self) -> str:
        """Return the first state after `connecting`."""
        assert self._waits.wait(LONG)
        return self.states[0]

    def last(self) -> tuple[str, str]:
        """Return the final state of the attempt and the key of its fault."""
        assert self.attempt.wait(LONG)
        assert self.states[-1:] == [self.attempt.state]
        fault = self.attempt.fault
        return self.attempt.state, "" if fault is None else fault.key


def wrong(code: str) -> str:
    """Return a code that differs in its last character."""
    return code[:-1] + ("2" if code[-1] != "2" else "3")


# --- a hall -------------------------------------------------------------------------------------


def test_a_table_is_let_in(desk: JoiningDesk, hall: Server) -> None:
    """A table waits for the organiser and gets its grant after the approval."""
    watcher = Watcher(hall.address, desk.code())
    assert watcher.first() == "waiting"
    (candidate,) = desk.waiting()
    assert (candidate.name, candidate.remote) == ("The window", "127.0.0.1")
    assert watcher.attempt.grant is None
    desk.approve(candidate.exchange, GRANT)
    assert watcher.last() == ("approved", "")
    assert watcher.states == ["waiting", "approved"]
    assert watcher.attempt.grant == GRANT
    assert {path for path, _ in hall.asked} == {"/join"}
    assert "secret-word" not in repr(watcher.attempt)


def test_a_table_is_turned_away(desk: JoiningDesk, hall: Server) -> None:
    """A refused table ends in the state `refused` without a grant."""
    watcher = Watcher(hall.address, desk.code())
    watcher.first()
    desk.refuse(desk.waiting()[0].exchange)
    assert watcher.last() == ("refused", "")
    assert watcher.attempt.grant is None


def test_a_wrong_code_ends_the_attempt(desk: JoiningDesk, hall: Server) -> None:
    """A wrong code ends the attempt after one guess."""
    assert Watcher(hall.address, wrong(desk.code())).last() == ("wrong_code", "hall.fault.wrong_code")
    assert len(hall.asked) == 2


def test_a_code_that_has_ended_is_said(desk: JoiningDesk, hall: Server) -> None:
    """An expired code and an unknown exchange both end the attempt as expired."""
    assert Watcher(hall.address, "K7F3QD").last() == ("expired", "hall.fault.code_ended")
    watcher = Watcher(hall.address, desk.code())
    watcher.first()
    restarted = JoiningDesk()
    hall.behave = lambda handler, body: handler.reply(*restarted.answer(body, ""))
    assert watcher.last() == ("expired", "hall.fault.unknown_exchange")


def test_a_busy_hall_is_said(hall: Server, desk: JoiningDesk) -> None:
    """A hall with too many requests ends the attempt as unreachable."""
    desk._openings = Quotas(Rate(0, 0))
    assert Watcher(hall.address, desk.code()).last() == ("unreachable", "hall.fault.busy")


def test_a_hall_that_is_busy_for_a_moment_is_asked_again(hall: Server, desk: JoiningDesk) -> None:
    """A hall that is busy for a moment is asked again, because many tables may start at once."""
    answers = [False, True]
    desk._openings.take = lambda sender, count=1: answers.pop(0)  # type: ignore[method-assign]
    watcher = Watcher(hall.address, desk.code())
    watcher.first()
    assert watcher.states == ["waiting"]
    watcher.attempt.cancel()


def test_cancelling_closes_at_once(desk: JoiningDesk, hall: Server) -> None:
    """A cancelled attempt closes at once, and later answers do not change its state."""
    watcher = Watcher(hall.address, desk.code())
    watcher.first()
    watcher.attempt.cancel()
    assert watcher.attempt.state == "closed"
    desk.approve(desk.waiting()[0].exchange, GRANT)
    assert watcher.last() == ("closed", "")
    assert watcher.attempt.grant is None
    watcher.attempt.cancel()
    assert watcher.states == ["waiting", "closed"]


def test_cancelling_does_not_wait_for_a_slow_server(serve: Callable[[Behave], Server]) -> None:
    """Cancelling changes the state while the thread still waits for an answer."""
    begun = threading.Event()

    def hang(handler: Handler, body: bytes) -> None:
        begun.set()
        server.over.wait(LONG)

    server = serve(hang)
    watcher = Watcher(server.address, "K7F3QD")
    assert begun.wait(LONG)
    watcher.attempt.cancel()
    assert watcher.states == ["closed"]
    server.over.set()
    assert watcher.last() == ("closed", "")


def test_a_hall_that_is_away_for_a_moment_is_asked_again(desk: JoiningDesk, hall: Server) -> None:
    """The attempt survives lost answers and answers from another server."""

    def falter(handler: Handler, body: bytes) -> None:
        status, answer = desk.answer(body, "")
        match len(hall.asked):
            case 2 | 5:
                handler.close_connection = True  # the hall has received the message, but no answer follows
            case 3 | 6:
                handler.reply(502, b"<h1>Bad Gateway</h1>")
            case _:
                handler.reply(status, answer)

    hall.behave = falter
    watcher = Watcher(hall.address, desk.code())
    assert watcher.first() == "waiting"
    assert hall.asked[1] == hall.asked[2] == hall.asked[3]
    desk.approve(desk.waiting()[0].exchange, GRANT)
    assert watcher.last() == ("approved", "")
    assert len(hall.asked) >= 7


def test_a_hall_that_stays_away_ends_the_attempt(desk: JoiningDesk, hall: Server) -> None:
    """After a number of polls without an answer the hall counts as unreachable."""

    def leave(handler: Handler, body: bytes) -> None:
        if len(hall.asked) <= 2:
            handler.reply(*desk.answer(body, ""))

    hall.behave = leave
    watcher = Watcher(hall.address, desk.code())
    assert watcher.last() == ("unreachable", "hall.fault.unreachable")
    assert watcher.states == ["waiting", "unreachable"]
    assert len(hall.asked) == 2 + join_client.MISSED


def test_a_grant_that_was_changed_on_the_way_is_not_taken(desk: JoiningDesk, hall: Server) -> None:
    """A man in the middle who changes the grant can only end the attempt."""

    def relay(handler: Handler, body: bytes) -> None:
        status, answer = desk.answer(body, "")
        if len(hall.asked) > 2:
            sealed = bytearray(b64decode(json.loads(answer)["sealed"]))
            sealed[20] ^= 1
            answer = json.dumps({"sealed": b64encode(sealed).decode()}).encode()
        handler.reply(status, answer)

    hall.behave = relay
    watcher = Watcher(hall.address, desk.code())
    assert watcher.last() == ("not_a_hall", "hall.fault.tampered")
    assert watcher.attempt.grant is None


def test_a_listener_that_fails_does_not_end_the_attempt(desk: JoiningDesk, hall: Server) -> None:
    """An exception in a listener is logged, and the attempt continues."""
    heard: list[str] = []
    waits = threading.Event()

    def fail(attempt: JoinAttempt) -> None:
        heard.append(attempt.state)
        waits.set()
        raise RuntimeError("a broken page")

    attempt = JoinAttempt(hall.address, desk.code(), *REQUEST, fail)
    attempt.start()
    assert waits.wait(LONG)
    desk.refuse(desk.waiting()[0].exchange)
    assert attempt.wait(LONG)
    assert heard == ["waiting", "refused"]


# --- no hall ------------------------------------------------------------------------------------


def test_nobody_answers() -> None:
    """If nothing listens at the port, the hall is unreachable."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    assert Watcher(f"127.0.0.1:{port}", "K7F3QD").last() == ("unreachable", "hall.fault.unreachable")


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, b"<html>It works!</html>"),
        (404, b"Not found"),
        (200, b""),
        (204, b""),
        (200, b"{}"),
        (200, b"\xff\xfe"),
        (500, b'{"fault":"<script>"}'),
        (200, b'{"exchange":"0123456789abcdef","message":"AAAA","more":1}'),
    ],
)
def test_another_server_is_no_hall(serve: Callable[[Behave], Server], status: int, body: bytes) -> None:
    """Any answer that is not a hall's ends the attempt, with every status."""
    server = serve(lambda handler, _: handler.reply(status, body))
    state, key = Watcher(server.address, "K7F3QD").last()
    assert (state, key) in (("not_a_hall", "hall.fault.not_a_hall"), ("not_a_hall", "hall.fault.unreadable"))
    assert len(server.asked) == 1


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_not_followed(
    serve: Callable[[Behave], Server], hall: Server, desk: JoiningDesk, status: int
) -> None:
    """A redirect is not followed, even if it leads to a hall or carries a hall's answer."""

    def redirect(handler: Handler, body: bytes) -> None:
        handler.reply(status, desk.answer(body, "")[1], Location=f"http://{hall.address}/join")

    server = serve(redirect)
    assert Watcher(server.address, desk.code()).last() == ("not_a_hall", "hall.fault.not_a_hall")
    assert (len(server.asked), len(hall.asked)) == (1, 0)


def test_proxies_are_not_asked(
    serve: Callable[[Behave], Server], hall: Server, desk: JoiningDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Proxies from the environment are not used, because a hall is in the same building."""
    proxy = serve(lambda handler, _: handler.reply(200, b""))
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, f"http://{proxy.address}")
    assert Watcher(hall.address, wrong(desk.code())).last()[0] == "wrong_code"
    assert proxy.asked == []


def test_a_huge_answer_is_not_read_to_its_end(serve: Callable[[Behave], Server]) -> None:
    """A response above the limit is refused, whether it states its length or never ends."""

    def flood(handler: Handler, _: bytes) -> None:
        handler.send_response(200)
        handler.end_headers()
        while not server.over.is_set():
            handler.wfile.write(b" " * ANSWER_BYTES)

    server = serve(flood)
    assert Watcher(server.address, "K7F3QD").last() == ("not_a_hall", "hall.fault.not_a_hall")
    large = serve(lambda handler, _: handler.reply(200, b" " * (ANSWER_BYTES + 1)))
    assert Watcher(large.address, "K7F3QD").last() == ("not_a_hall", "hall.fault.not_a_hall")


def test_the_largest_answer_is_read(serve: Callable[[Behave], Server]) -> None:
    """A response of exactly the limit is still read."""
    fault = b'{"fault":"hall.fault.busy"}'
    server = serve(lambda handler, _: handler.reply(429, fault.ljust(ANSWER_BYTES)))
    assert Watcher(server.address, "K7F3QD").last() == ("unreachable", "hall.fault.busy")


def test_a_slow_server_is_left(serve: Callable[[Behave], Server], monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that stays silent or sends single bytes forever counts as unreachable."""
    monkeypatch.setattr(join_client, "TIMEOUT_S", 0.2)
    silent = serve(lambda handler, _: handler.server.over.wait(LONG) and None)  # type: ignore[attr-defined]
    assert Watcher(silent.address, "K7F3QD").last() == ("unreachable", "hall.fault.unreachable")

    def drip(handler: Handler, _: bytes) -> None:
        handler.send_response(200)
        handler.end_headers()
        while not server.over.wait(0.02):
            handler.wfile.write(b" ")

    server = serve(drip)
    assert Watcher(server.address, "K7F3QD").last() == ("unreachable", "hall.fault.unreachable")


@pytest.mark.parametrize(
    "line", [b"SSH-2.0-OpenSSH\r\n", b"HTTP/1.1 abc\r\n\r\n", b"HTTP/1.0 200 OK\r\n" + b"a: b\r\n" * 200]
)
def test_a_server_of_something_else_is_no_hall(line: bytes) -> None:
    """A server that does not speak HTTP is not a hall."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(LONG)
        watcher = Watcher(f"127.0.0.1:{listener.getsockname()[1]}", "K7F3QD")
        peer, _ = listener.accept()
        with peer:
            peer.recv(65536)
            peer.sendall(line)
            assert watcher.last() == ("not_a_hall", "hall.fault.not_a_hall")


# --- addresses ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("192.168.1.20", ("192.168.1.20", 8090)),
        (" hall.local:8090 ", ("hall.local", 8090)),
        ("Hall.Local.", ("hall.local", 8090)),
        ("hall", ("hall", 8090)),
        ("HTTP://hall.local", ("hall.local", 8090)),
        ("http://hall.local:80/hall?x=1#y", ("hall.local", 80)),
        ("http://192.168.1.20/", ("192.168.1.20", 8090)),
        ("[fe80::1]", ("fe80::1", 8090)),
        ("http://[::1]:81/", ("::1", 81)),
        ("table-7_b:1", ("table-7_b", 1)),
    ],
)
def test_addresses_are_read(typed: str, found: tuple[str, int]) -> None:
    """An address is accepted as typed or as copied from a browser."""
    assert parse_hall_address(typed) == found


@pytest.mark.parametrize(
    "typed",
    [
        "", " ", "http://", "https://hall.local", "ftp://hall", "192.168.1", "300.1.1.1", "1234", "hall:", "hall:0",
        "hall:65536", "hall:x", "hall:80:90", "a b", "user@hall", "http://user:80@hall", "hall..local", "-hall",
        "hall-", "[192.168.1.20]", "[hall]", "[::1", "fe80::1", "hall\nHost: x", "hâll", "hall:８０", "x" * 64,
        "a." * 127 + "a", ".",
    ],
)  # fmt: skip
def test_rubbish_is_no_address(typed: str) -> None:
    """An invalid address is refused without a request, and the error quotes its first 80 characters."""
    for call in (lambda: parse_hall_address(typed), lambda: JoinAttempt(typed, "K7F3QD", *REQUEST, print)):
        with pytest.raises(JoinError) as found:
            call()
        assert (found.value.key, found.value.fields) == ("hall.fault.bad_address", {"address": typed.strip()[:80]})


def test_a_code_that_is_none_asks_nobody() -> None:
    """An invalid code is refused without a request."""
    with pytest.raises(JoinError) as found:
        JoinAttempt("hall.local", "K7", *REQUEST, print)
    assert found.value.key == "hall.fault.code_length"


@given(st.text() | st.from_regex(join_client.ADDRESS))
def test_any_text_is_an_address_or_none(typed: str) -> None:
    """Any text is refused or gives an address that can be parsed again."""
    try:
        host, port = parse_hall_address(typed)
    except JoinError:
        return
    assert 0 < port < 65536
    assert parse_hall_address(f"[{host}]:{port}" if ":" in host else f"{host}:{port}") == (host, port)
