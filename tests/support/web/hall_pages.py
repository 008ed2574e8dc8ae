"""A hall's pages for tests, with a database in a folder, a broker that is not started, and browsers."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.devices.bus.address import BrokerAddress
from companion.devices.hall_link import messages as m
from companion.devices.hall_link.joining import JoiningTable
from companion.devices.hall_link.signing import TableKey
from companion.hall import entries as e
from companion.hall.approval import TableApproval
from companion.hall.broker import HallBroker, TableEntrance
from companion.hall.hall import Hall
from companion.hall.sqlite import EntryStore, sqlite_url
from web.hall.app import create_hall_app
from web.hall.context import HallContext
from web.hall.roles import COOKIE, SECURE_COOKIE, VIEWER, RoleAccess

STORED = "$7$1$c2FsdA==$aGFzaA=="
TOKEN = re.compile(r'<meta name="csrf" content="([^"]+)">')
SECURE, SECURE_PORT = "https://localhost", 8091
HOSTILE = "<b>O'Brien & Söhne</b>"


class _SilentBroker:
    """A broker for admissions that does nothing."""

    def set_users(self, users: Mapping[str, str]) -> None:
        """Ignore the users."""

    def table_address_fields(self) -> TableEntrance:
        """Return a table's address."""
        return TableEntrance(1884, False, "")


class SecureClient(FlaskClient):
    """A browser at the second entrance, over HTTPS."""

    def open(self, *args: Any, **fields: Any) -> TestResponse:
        """Open a page."""
        fields.setdefault("base_url", SECURE)
        return super().open(*args, **fields)


class HallPages:
    """A hall with its pages."""

    def __init__(self, folder: Path, access: RoleAccess | None = None) -> None:
        store = EntryStore(sqlite_url(folder / "hall.sqlite"))
        self.hall = Hall(store, BrokerAddress("127.0.0.1", 1, m.PREFIX), "The <i>club</i>")
        self.approval = TableApproval(self.hall, cast(HallBroker, _SilentBroker()))
        self.context = HallContext(self.hall, self.approval, access, secure=SECURE_PORT)
        self.app = create_hall_app(self.context, testing=True)
        self.keys: dict[str, TableKey] = {}

    def close(self) -> None:
        """Close the database. The hall was never started and has no broker to leave."""
        self.context.feeds.stop()
        self.hall._record.store.close()

    def browser(self, lang: str = "en", secure: bool | None = None) -> HallBrowser:
        """Return a browser, over HTTPS if requested, and by default if there are passwords."""
        self.app.test_client_class = (
            SecureClient if secure or (secure is None and self.context.access.guarded) else None
        )
        client = self.app.test_client()
        client.set_cookie("lang", lang)
        return HallBrowser(client)

    def signed_in(self, role: str) -> HallBrowser:
        """Return a signed-in browser for a role; judges and organisers use HTTPS."""
        found = self.browser()
        found.client.set_cookie(COOKIE if role == VIEWER else SECURE_COOKIE, self.context.access.session(role))
        return found

    def add_table(self, number: int, name: str = "") -> str:
        """Admit a table directly; return its id."""
        table = f"table{number:03d}"
        self.keys[table] = TableKey.generate()
        admitted = e.TableAdmitted(table, name or f"Name {number}", number, self.keys[table].public, STORED)
        self.hall.record("organiser", admitted)
        return table

    def hear(self, table: str, *messages: Any) -> None:
        """Publish a table's message."""
        for message in messages:
            live = self.hall.live(table)
            self.hall._live[table] = live.heard(message, time.monotonic())
        self.context.feeds.changed()

    def play(self, table: str, *names: str, **summary: Any) -> None:
        """Let a table play with these people."""
        fields = {
            "stage": "playing",
            "match": "m1",
            "game": "game-of-trains",
            "moment": "act",
            "awaited": (0,),
        } | summary
        self.hear(table, m.Presence("s"), m.TableSummary(**fields), m.Players("m1", names))

    def report(self, table: str, *names: str, confirmed: tuple[int, ...] = (0,), disputed: tuple[int, ...] = ()) -> str:
        """Let a table report a result in the order of the seats; return the result's id."""
        result = m.Result(
            hall=self.hall.state.hall, table=table, match="m1", sequence=1, game="game-of-trains", names=names,
            placings=tuple([m.Placing((seat,), seat + 1, 10 - seat) for seat in range(len(names))]),
            confirmed=confirmed, disputed=disputed,
        )  # fmt: skip
        signed = self.keys[table].sign(result)
        self.hall.record(table, e.ResultReported(table, signed.payload, signed.signature))
        return result.id

    def knock(self, name: str = "Upstairs", key: TableKey | None = None, code: str = "") -> str:
        """Let a table with the right code wait for admission; return its exchange."""
        desk = self.approval.desk
        before = {each.exchange for each in desk.waiting()}
        table = JoiningTable(code or desk.code(), name, lambda hall: key or TableKey.generate())
        _, answer = desk.answer(table.opening(), "192.168.1.44")
        desk.answer(table.confirmation(answer), "192.168.1.44")
        return next(each.exchange for each in desk.waiting() if each.exchange not in before)


class HallBrowser:
    """A browser with cookies, which fills in form tokens."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client

    def get(self, path: str, **fields: Any) -> TestResponse:
        """Open a page."""
        return self.client.get(path, **fields)

    def post(self, path: str, token: str | None = None, quiet: bool = False, **form: str) -> TestResponse:
        """Send the form of a page."""
        return self.send(path, form, token, quiet)

    def send(self, path: str, form: Mapping[str, str], token: str | None = None, quiet: bool = False) -> TestResponse:
        """Send a form, by default with a token from one of the hall's pages; `quiet` sends it as a page's script
        does."""
        if token is None:
            found = TOKEN.search(self.client.get("/enter").text)
            assert found is not None
            token = found[1]
        return self.client.post(path, data={"csrf": token, **form}, headers={"X-Hall": "1"} if quiet else {})
