"""Simulates people's taps: a small browser, open streams, and a game that bots play through both."""

from __future__ import annotations

import random
import re
import select
import selectors
import socket
import statistics
import time
import urllib.parse
from pathlib import Path
from typing import NamedTuple

import msgspec

from companion.bots.bot import policy_of
from companion.engine import COLOURS, SHAPES, Event, legal
from companion.journal.journal import JOURNAL, Journal
from companion.match.match import Match
from tests.bench.processes import LOOP, PATIENCE

LOOKED_AT = 3.0
"""Seconds between the last page's opening and the first move, because people read it first."""
NAMES = ("Jane", "Bill", "Tom", "Céline", "Max", "Ada")


class Tap(NamedTuple):
    """One move: its event, and the times when it was sent and when the first, the acting seat's and the last screen had
    it.

    The times are those of `perf_counter`; `own` is None without an acting seat or if it has no screen. `advised`:
    whether its seat had just asked for advice, which was being computed.
    """

    event: str
    sent: float
    first: float
    own: float | None
    last: float
    advised: bool = False

    @property
    def took(self) -> float:
        """Return the milliseconds until the last screen had it."""
        return 1000 * (self.last - self.sent)


class Figures(NamedTuple):
    """The moves, and the median size of a message in bytes."""

    taps: list[Tap]
    size: int

    @property
    def times(self) -> list[float]:
        """Return the milliseconds from tap to last screen for each move."""
        return [tap.took for tap in self.taps]


class Browser:
    """A browser with cookies, forms and one kept-alive connection."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookies: dict[str, str] = {}
        self._connect()

    def _connect(self) -> None:
        self.connection = socket.create_connection((LOOP, self.port), PATIENCE)
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def close(self) -> None:
        """Close the current connection, which may differ from the first."""
        self.connection.close()

    def ask(
        self, method: str, path: str, form: list[tuple[str, str]] | None = None, script: bool = False
    ) -> tuple[int, str, str]:
        """Return status, redirect address and body."""
        self.send(method, path, form, script)
        return self.answer()

    def send(self, method: str, path: str, form: list[tuple[str, str]] | None = None, script: bool = False) -> None:
        """Send a request, on a new connection if the server has closed the idle one, as browsers do."""
        if select.select([self.connection], [], [], 0)[0]:
            self.connection.close()
            self._connect()
        body = urllib.parse.urlencode(form or []).encode()
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        head = [f"{method} {path} HTTP/1.1", f"Host: {LOOP}:{self.port}", f"Cookie: {cookies}"]
        if form is not None:
            head += ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"]
        if script:
            head.append("HX-Request: true")
        self.connection.sendall("\r\n".join([*head, "", ""]).encode() + body)

    def answer(self) -> tuple[int, str, str]:
        """Read an answer."""
        data = b""
        while b"\r\n\r\n" not in data:
            data += self._more()
        head, _, body = data.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")
        fields: dict[str, str] = {}
        for line in lines[1:]:
            name, _, value = line.partition(": ")
            if name.lower() == "set-cookie":
                key, _, rest = value.partition("=")
                self.cookies[key] = rest.split(";")[0]
            fields[name.lower()] = value
        status = int(lines[0].split()[1])
        length = int(fields.get("content-length", 0)) if status != 204 else 0
        while len(body) < length:
            body += self._more()
        return status, fields.get("location", ""), body.decode()

    def _more(self) -> bytes:
        data = self.connection.recv(65536)
        if not data:
            raise ConnectionError("the server hung up")
        return data

    def time(self, path: str) -> float:
        """Return the milliseconds that a page takes."""
        begun = time.perf_counter()
        status, _, body = self.ask("GET", path)
        assert status == 200, (status, body)
        return 1000 * (time.perf_counter() - begun)

    def csrf(self, path: str) -> str:
        """Return the form token of a page."""
        found = re.search(r'name="csrf" content="([^"]+)"', self.ask("GET", path)[2])
        assert found is not None
        return found.group(1)

    def submit(self, path: str, form: list[tuple[str, str]], page: str) -> str:
        """Submit a page's form and return its redirect."""
        status, where, body = self.ask("POST", path, [("csrf", self.csrf(page)), *form])
        assert status == 303, (status, re.findall(r'class="message[^>]*>(.*?)<', body, re.DOTALL))
        return where


class Screen:
    """An open stream that counts messages and can sleep."""

    def __init__(self, port: int, path: str, lang: str, page: str, sleeping: bool = False) -> None:
        self.socket = socket.socket()
        if sleeping:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.settimeout(PATIENCE)
        self.socket.connect((LOOP, port))
        self.socket.sendall(f"GET {path}stream?page={page}&lang={lang} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        self.rest = b""
        self.messages = 0
        self.size = 0

    def read(self) -> int:
        """Read the available bytes and return the number of completed messages."""
        data = self.rest + self.socket.recv(1 << 18)
        if data == self.rest:
            raise ConnectionError("a stream ended")
        count = data.count(b"\nevent: regions\n")
        whole = data.endswith(b"\n\n") or data.endswith(b"\n\n\r\n")
        if not count or not whole:
            self.rest = data
            return 0
        self.rest = b""
        self.size = len(data)
        self.messages += count
        return count


class Play:
    """A game on the server, played by bots in this process, which read the journal."""

    def __init__(self, port: int, folder: Path, browser: Browser, game: str = "take-a-train", players: int = 4) -> None:
        self.port = port
        self.browser = browser
        self.luck = random.Random(7).random
        form = [("game", game), ("deck", "dealt"), ("pin", "1234")]
        for player in list(zip(NAMES, COLOURS, SHAPES, strict=False))[:players]:
            form += list(zip(("name", "colour", "shape"), player, strict=True))
        self.host = browser.submit("/setup", form, "/")
        room = re.search(r'class="pin">(\d+)', browser.ask("GET", self.host)[2])
        assert room is not None
        self.seats = []
        for seat in range(players):
            own = [("room", room.group(1)), ("seat", str(seat)), ("pin", f"000{seat}")]
            self.seats.append(browser.submit("/join", own, "/join"))
        self.table = browser.submit("/tablet", [("room", room.group(1))], "/join")
        self.watch = browser.submit("/watch", [("room", room.group(1))], "/join")
        self.tokens = {page: browser.csrf(page) for page in (*self.seats, self.table)}
        self.journal = Journal(folder / JOURNAL, read_only=True)

    def close(self) -> None:
        """Close all connections."""
        self.journal.close()

    def allow_advice(self) -> None:
        """Allow advice to all seats."""
        token = self.browser.csrf(self.host)
        for seat in range(len(self.seats)):
            form = [("csrf", token), ("seat", str(seat)), ("allow", "always")]
            status, _, body = self.browser.ask("POST", self.host + "advice", form, script=True)
            assert status == 204, (status, body)

    def ask_advice(self, page: str) -> bool:
        """Ask for advice on a seat's page, and return whether that was allowed."""
        return self.browser.ask("POST", page + "advice", [("csrf", self.tokens[page])], script=True)[0] == 204

    def next(self) -> tuple[str, list[tuple[str, str]]] | None:
        """Return the page and the form of the next move, or None at the end."""
        match = Match.open(self.journal, self.journal.matches()[0].id)
        state, game = match.state, match.game
        if state.over:
            return None
        mind = policy_of(game, "sensible")
        for seat in mind.asked(state):
            event = mind.choose(mind.look(state, seat), self.luck)
            if event is not None:
                return self.seats[seat] + "propose", self.form(self.seats[seat], event)
        offer = next(o for o in legal(game, state) if o.chance)
        event = offer.pick(self.luck)
        if event.facts.entered:
            return self.table + "propose", self.form(self.table, event)
        return self.table + "draw", [("csrf", self.tokens[self.table])]

    def form(self, page: str, event: Event) -> list[tuple[str, str]]:
        """Return an event as a page's form."""
        found = [("csrf", self.tokens[page])]
        for name, value in msgspec.to_builtins(event).items():
            found += [
                (name, "" if item is None else str(item))
                for item in (value if isinstance(value, list | tuple) else [value])
            ]
        return found

    def pages(self, count: int) -> list[tuple[str, str]]:
        """Return the requested number of pages with languages: each seat, then table, spectators and host in turn."""
        kinds = [*((seat, "en") for seat in self.seats), (self.table, "en"), (self.host, "en"), (self.watch, "fr")]
        kinds += [(seat, "fr") for seat in self.seats[:2]]
        return [kinds[n % len(kinds)] for n in range(count)]


def measure(play: Play, count: int, sleeping: int, moves: int, advice: bool = False) -> Figures:
    """Return the time of each move to the last of the screens.

    With `advice` a seat asks for advice before every second move, and taps as soon as all screens show the request.
    """
    pages = play.pages(count)
    screens = [Screen(play.port, path, lang, f"p{n}") for n, (path, lang) in enumerate(pages)]
    asleep = [Screen(play.port, path, lang, f"z{n}", True) for n, (path, lang) in enumerate(play.pages(sleeping))]
    selector = selectors.DefaultSelector()
    for screen in screens:
        while not screen.read():  # the first message contains each region
            pass
        selector.register(screen.socket, selectors.EVENT_READ, screen)
    time.sleep(LOOKED_AT)
    taps: list[Tap] = []
    sizes: list[int] = []
    for number in range(moves):
        move = play.next()
        if move is None:
            break
        drain(selector)
        advised = advice and number % 2 == 1 and asked(play, move[0], selector, screens)
        before = [screen.messages for screen in screens]
        begun = time.perf_counter()
        play.browser.send("POST", *move, script=True)
        try:
            at = arrived(selector, screens, before)
        except TimeoutError as error:
            raise TimeoutError(f"{error} of {move}: {play.browser.answer()}") from None
        own = [when for when, (path, _) in zip(at, pages, strict=True) if move[0] == path + "propose"]
        taps.append(Tap(dict(move[1]).get("event", "draw"), begun, min(at), max(own, default=None), max(at), advised))
        sizes += [screen.size for screen in screens]
        status, _, said = play.browser.answer()
        assert status == 204, (status, said, move)
    selector.close()
    for screen in (*screens, *asleep):
        screen.socket.close()
    return Figures(taps, int(statistics.median(sizes)))


def asked(play: Play, address: str, selector: selectors.BaseSelector, screens: list[Screen]) -> bool:
    """Ask for advice before a seat's tap, wait until all screens show that, and return whether it was allowed."""
    page, before = address.removesuffix("propose"), [screen.messages for screen in screens]
    if page not in play.seats or not play.ask_advice(page):
        return False
    arrived(selector, screens, before)
    return True


def drain(selector: selectors.BaseSelector) -> None:
    """Discard the remaining bytes."""
    while ready := selector.select(0):
        for key, _ in ready:
            key.data.read()


def arrived(selector: selectors.BaseSelector, screens: list[Screen], before: list[int]) -> list[float]:
    """Wait until each screen has one more message, and return the time of each."""
    end = time.perf_counter() + PATIENCE
    at: dict[int, float] = {}
    count = dict(zip(map(id, screens), before, strict=True))
    while len(at) < len(screens):
        if time.perf_counter() > end:
            raise TimeoutError(f"{len(screens) - len(at)} screens saw nothing")
        for key, _ in selector.select(0.5):
            screen = key.data
            if screen.read() and screen.messages > count[id(screen)]:
                at.setdefault(id(screen), time.perf_counter())
    return [at[id(screen)] for screen in screens]
