"""Test that a hall works for everybody else while strangers, a viewer and a table attack it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from companion.devices.hall_link import messages as m
from companion.devices.hall_link.joining import JoiningTable
from companion.devices.hall_link.signing import TableKey
from companion.threads.quotas import QuotaExceeded
from tests.support.web.hall_pages import HallPages
from web.hall.app import create_hall_app
from web.hall.context import HallContext
from web.hall.feeds import MOST, FeedKey
from web.hall.roles import open_access

KEY = TableKey.from_bytes(bytes(32))
TABLES, BOARD, JUDGE = 20, FeedKey("board", "en"), FeedKey("judge", "en")


@pytest.fixture
def passwords() -> dict[str, str]:
    """Return an empty mapping of roles to passwords, which `pages` fills in."""
    return {}


@pytest.fixture
def pages(tmp_path: Path, passwords: dict[str, str], cheap_hashes: None) -> Iterator[HallPages]:
    """Yield a hall with its limits, its passwords and a sheet of codes."""
    found = HallPages(tmp_path)
    access, made = open_access(tmp_path)
    passwords |= made
    found.context = HallContext(found.hall, found.approval, access)
    found.app = create_hall_app(found.context)
    found.approval.desk.print_codes(range(1, TABLES + 1))
    yield found
    found.close()


def post(pages: HallPages, address: str, body: bytes) -> TestResponse:
    """Send a joining table's message."""
    environment = {"REMOTE_ADDR": address}
    return pages.app.test_client().post("/join", data=body, environ_base=environment)


def new_key(hall: str) -> TableKey:
    """Return a new table's key."""
    return TableKey.generate()


def attack(pages: HallPages, table: str) -> None:
    """Join, try codes and passwords, open streams, call judges, report results and send messages, all far too often."""
    opening = JoiningTable("7-222222", "x", lambda hall: KEY).opening()
    for number in range(120):
        post(pages, f"10.0.0.{number % 3}", opening)
    for number in range(60):
        wrong = JoiningTable(f"{1 + number % TABLES}-222222", "x", lambda hall: KEY)
        answer = post(pages, "10.0.1.1", wrong.opening())
        if answer.status_code == 200:
            post(pages, "10.0.1.1", wrong.confirmation(answer.data))
    browser = pages.browser()
    for _ in range(70):
        browser.post("/enter", password="2222-2222")
    for _ in range(MOST):
        pages.context.feeds.open(BOARD, sender="a phone")
    with pytest.raises(QuotaExceeded):
        pages.context.feeds.open(BOARD, sender="a phone")
    for number in range(700):
        call = m.JudgeCall(f"call {number}")
        pages.hall._on_message(m.up(table, "call"), m.encode(call), False, 0)


def test_everybody_else_goes_on(pages: HallPages, passwords: dict[str, str]) -> None:
    """All honest tables join with their codes, a call reaches the judge's page, and a viewer and an organiser get
    in."""
    hostile, honest = pages.add_table(100), pages.add_table(101)
    attack(pages, hostile)
    for code in pages.approval.desk.printed():
        address, table = f"10.1.0.{code.number}", JoiningTable(code.shown, f"Table {code.number}", new_key)
        answer = post(pages, address, table.opening())
        assert table.verdict(post(pages, address, table.confirmation(answer.data)).data).state == "waiting"
        pages.approval.admit_numbered("organiser")
        assert table.verdict(post(pages, address, table.poll()).data).state == "approved"
    assert {each.number for each in pages.hall.state.present} == {*range(1, TABLES + 1), 100, 101}
    pages.hall._on_message(m.up(honest, "call"), m.encode(m.JudgeCall("honest")), False, 0)
    parts, _ = pages.context.feeds.page(JUDGE)
    assert "call-honest" in parts and len([part for part in parts if part.startswith("call-call")]) == 4
    pages.context.feeds.open(JUDGE, sender="judge", trusted=True)
    pages.context.feeds.open(BOARD, sender="another phone")
    for role, page in (("viewer", "/"), ("organiser", "/organiser")):
        visitor = pages.browser()
        visitor.client.environ_base["REMOTE_ADDR"] = "10.2.0.1"
        visitor.post("/enter", password=passwords[role])
        assert visitor.get(page).status_code == 200
