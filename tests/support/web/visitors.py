"""People with browsers around a table: the actions of web tests, in the language of the people."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import unescape
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import urljoin

import msgspec
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.table.scheduler import Clock
from companion.table.table import Table
from tests.support.paces import HURRIED
from web.app import create_app
from web.context import TableContext

JOURNAL = "journal.db"
NAMES = ("Jane", "Bill", "Tom", "Céline", "Max", "Ada")
COLOURS = ("red", "blue", "green", "yellow", "purple", "black")
SHAPES = ("circle", "square", "triangle", "diamond", "star", "hexagon")
HOST_PIN = "4711"
Form = dict[str, Any]


class Visitor:
    """A browser. It keeps cookies, sends forms with their page's token, and can act as a page's own script."""

    def __init__(self, client: FlaskClient, lang: str = "en") -> None:
        self.client = client
        self.headers = {"Accept-Language": lang}

    def get(self, path: str, **headers: str) -> TestResponse:
        """Open a page."""
        return self.client.get(path, headers=self.headers | headers)

    def read(self, path: str) -> str:
        """Return a page with HTML entities unescaped."""
        return without_code(unescape(self.get(path).text))

    def token(self, page: str) -> str:
        """Return the form token of a page."""
        shown = self.client.get(page, headers=self.headers, follow_redirects=True)
        found = re.search(r'name="csrf" content="([^"]+)"', shown.text)
        assert found is not None
        return found.group(1)

    def submit(self, path: str, form: Form | None = None, page: str = "/", **headers: str) -> TestResponse:
        """Send a page's form as a browser does."""
        data = {"csrf": self.token(page)} | (form or {})
        return self.client.post(path, data=data, headers=self.headers | headers)

    def follow(self, path: str, form: Form | None = None, page: str = "/", **headers: str) -> TestResponse:
        """Send a page's form as a browser does, and open the next page; return the answer itself if it is a refusal."""
        answer = self.submit(path, form, page, **headers)
        if answer.status_code != 303:
            return answer
        return self.get(urljoin(path, answer.headers["Location"]), **headers)

    def tap(self, page: str, action: str, form: Form | None = None, **headers: str) -> TestResponse:
        """Send a control of a live page as its script does."""
        return self.submit(page + action, form, page, **{"HX-Request": "true"}, **headers)

    def say(self, page: str, event: str, **fields: Any) -> TestResponse:
        """Propose an event on a live page."""
        return self.tap(page, "propose", {"event": event, **fields})


class Room:
    """A live table in a folder, with browsers for everybody."""

    pace = HURRIED
    clock: Clock | None = None
    """The table's clock; a test with its own clock must call `Table.tick`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.seats: list[str] = []
        self.host = ""
        self.pin = ""

    def __enter__(self) -> Room:
        self.open()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def open(self) -> None:
        """Open the table and the application."""
        self.table = Table(self.folder / JOURNAL, self.clock, self.pace)
        self.app = create_app(self.table, self.folder / JOURNAL, testing=True)
        self.anybody = Visitor(self.app.test_client())

    def close(self) -> None:
        """Close the application and the table."""
        self.context.close()
        self.table.close()

    def restart(self) -> None:
        """Close and open the room; browsers keep their cookies."""
        cookies = self.anybody.client._cookies
        self.close()
        self.open()
        self.anybody.client._cookies = cookies

    @property
    def context(self) -> TableContext:
        """The context of the pages."""
        found: TableContext = self.app.extensions["context"]
        return found

    def visitor(self, lang: str = "en") -> Visitor:
        """Return another browser."""
        return Visitor(self.app.test_client(), lang)

    def form(self, players: int = 3, **more: Any) -> Form:
        """Return the set-up form, filled in."""
        return {
            "name": list(NAMES[:players]),
            "colour": list(COLOURS[:players]),
            "shape": list(SHAPES[:players]),
            "deck": "dealt",
            "edition": "en",
            "pin": HOST_PIN,
        } | more

    def set_up(self, players: int = 3, **more: Any) -> str:
        """Set up a game and return the host's page."""
        answer = self.anybody.submit("/setup", self.form(players, **more), "/setup")
        assert answer.status_code == 303, answer.text
        self.host = answer.headers["Location"]
        found = re.search(r'<b class="pin">(\d+)', self.anybody.get(self.host).text)
        assert found is not None
        self.pin = found.group(1)
        return self.host

    def lobby(self, game: str = "take-a-train", people: Sequence[str] = (), host: Visitor | None = None) -> str:
        """Open a lobby in place of the last one, with people who have no phones, and return its host's page."""
        self.context.lobby.close()
        visitor = host or self.anybody
        page = visitor.submit("/lobby", {"game": game}).headers["Location"]
        for name in people:
            assert visitor.tap(page, "add", {"name": name, "device": "tablet"}).status_code == 200, name
        return page

    def join(self, seat: int, pin: str = "", visitor: Visitor | None = None) -> TestResponse:
        """Take a seat, or return to it."""
        form = {"room": self.pin, "seat": str(seat), "pin": pin or f"111{seat}"}
        return (visitor or self.anybody).submit("/join", form, "/join")

    def join_all(self) -> None:
        """Let everybody take a seat."""
        players = len(self.table.snapshot().setup.seated())  # type: ignore[union-attr]
        self.seats = [self.join(seat).headers["Location"] for seat in range(players)]

    def page(self, kind: str) -> str:
        """Return a new page of the shared tablet (`tablet`) or of a spectator (`watch`)."""
        return self.anybody.submit(f"/{kind}", {"room": self.pin}, "/join").headers["Location"]

    def begin(self, kind: str = "") -> None:
        """Name Jane as the starter and draw the auction token; with real cards, a token of this kind."""
        assert self.anybody.say(self.seats[0], "starter_named", seat=0).status_code == 204
        if kind:
            assert self.anybody.say(self.seats[0], "token_drawn", kind=kind).status_code == 204
        else:
            assert self.anybody.tap(self.seats[0], "draw").status_code == 204

    @property
    def count(self) -> int:
        """The number of the match's records, which shows changes."""
        return self.table.snapshot().seq


def lobby_pages(room: Room, game: str) -> list[str]:
    """Open a lobby and return its pages, one of each kind: the host's, a guest's, the shared tablet's, and the form."""
    host = room.lobby(game, ["Wilhelmina-Josephine III"])
    lobby = room.context.lobby.waiting
    assert lobby is not None
    room.anybody.tap(host, "add", {"device": "bot"})
    guest = room.visitor().submit("/join", {"room": lobby.room, "name": "Ann"}, "/join").headers["Location"]
    shared = room.visitor().submit("/tablet", {"room": lobby.room}, "/join").headers["Location"]
    return [host, guest, shared, f"/join?room={lobby.room}", "/join", "/"]


def regions(html: str) -> dict[str, str]:
    """Return the regions of a page."""
    parts = re.split(r'<section class="region region-\w+" id="region-(\w+)" data-region="\w+">', html)
    return {name: text.partition("</section>")[0] for name, text in zip(parts[1::2], parts[2::2], strict=True)}


def messages(sent: list[bytes]) -> list[dict[str, Any]]:
    """Return a stream's regions, each with its `id`."""
    found = []
    for block in b"".join(sent).split(b"\n\n"):
        lines = dict(line.split(b": ", 1) for line in block.split(b"\n") if line and not line.startswith(b":"))
        if lines.get(b"event") == b"regions":
            found.append(msgspec.json.decode(lines[b"data"]) | {"id": lines[b"id"].decode()})
    return found


def without_code(text: str) -> str:
    """Return a text without the marks around commands."""
    return text.replace("<code>", "").replace("</code>", "")


def said(answer: TestResponse) -> str:
    """Return the message in an answer."""
    found = re.search(r'<p class="message[^>]*>(.*?)</p>', answer.text, re.S)
    return without_code(unescape(found.group(1))) if found else answer.text
