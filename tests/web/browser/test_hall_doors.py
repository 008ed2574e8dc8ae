"""Test the two doors of a hall in a browser: viewers use HTTP, organisers and judges use HTTPS."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from companion.hall import entries as e
from companion.hall.certificates import ensure_certificate
from tests.support.brokers import until
from tests.support.web.hall_pages import HallPages
from web.hall.app import body_limit, goes_first
from web.hall.roles import RoleAccess, open_access
from web.server import open_listener
from web.serving.server import Listener
from web.serving.tls import SecureEntrance, server_context

pytestmark = pytest.mark.browser

LOOP, WAIT_MS = "127.0.0.1", 20_000


class OpenHall:
    """A hall with passwords, which a separate thread serves at both doors."""

    def __init__(self, folder: Path, access: RoleAccess, passwords: dict[str, str], stack: ExitStack) -> None:
        self.passwords = passwords
        self.pages = pages = HallPages(folder, access)
        stack.callback(pages.close)
        plain, secure = (stack.enter_context(open_listener(LOOP, 0)) for _ in range(2))
        self.plain, self.secure = f"http://{LOOP}:{plain.getsockname()[1]}", f"https://{LOOP}:{secure.getsockname()[1]}"
        pages.context._secure = secure.getsockname()[1]
        certificate = ensure_certificate(folder)
        entrance = SecureEntrance(secure, server_context(certificate.file, certificate.key_file))
        front = Listener(pages.app, plain, goes_first, body_limit, entrance)
        front.when_stopping(pages.context.feeds.stop)
        pages.context.feeds.start()
        thread = threading.Thread(target=front.run, daemon=True)
        thread.start()
        stack.callback(thread.join)
        stack.callback(front.stop, 1.0)


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[OpenHall]:
    """Yield a hall with a table."""
    access, made = open_access(tmp_path)
    with ExitStack() as stack:
        found = OpenHall(tmp_path, access, made, stack)
        found.pages.play(found.pages.add_table(1), "Ann", "Bob")
        yield found


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """Yield a browser that has accepted the hall's certificate."""
    found = browser.new_context(ignore_https_errors=True, viewport={"width": 390, "height": 844})
    yield found
    found.close()


def test_an_organiser_comes_by_https_and_works_there(context: BrowserContext, hall: OpenHall) -> None:
    """The board's link leads to HTTPS, where forms, files and live parts work; on HTTP the browser has no role."""
    page = context.new_page()
    page.goto(f"{hall.plain}/organiser")
    page.get_by_role("link", name="Organisers and judges").click()
    assert page.url.startswith(f"{hall.secure}/enter")
    page.get_by_label("Password").fill(hall.passwords["organiser"].lower())
    page.get_by_role("button", name="Enter").click()
    page.wait_for_url(f"{hall.secure}/organiser")
    hall.pages.knock("Upstairs")
    page.get_by_role("button", name="Let in").click(timeout=WAIT_MS)  # the page's stream brought it
    expect(page.get_by_role("button", name="Let in")).to_have_count(0, timeout=WAIT_MS)
    assert "Upstairs" in [table.name for table in hall.pages.hall.state.present]
    for path in ("/", "/judge", "/tournament", "/wall", "/organiser/results.csv", "/organiser/qr.svg"):
        answer = page.request.get(hall.secure + path)
        assert answer.ok and "/enter" not in answer.url, path
    page.goto(f"{hall.plain}/organiser")
    assert page.url.startswith(f"{hall.plain}/enter")


def test_a_judge_hears_of_a_call_over_https(context: BrowserContext, hall: OpenHall) -> None:
    """The stream brings the call over HTTPS, and a tap answers it."""
    page = context.new_page()
    page.goto(f"{hall.secure}/enter?next=/judge%3Fname")
    page.get_by_label("Password").fill(hall.passwords["judge"])
    page.get_by_role("button", name="Enter").click()
    page.wait_for_url(f"{hall.secure}/judge?name")
    page.locator("input[name=name]").fill("Jo")
    page.get_by_role("button", name="Start judging").click()
    hall.pages.hall.record("table001", e.CallMade("c1", "table001", 0))
    page.get_by_role("button", name="coming").click(timeout=WAIT_MS)
    until(lambda: hall.pages.hall.state.calls["c1"].judge == "Jo")


def test_a_viewer_stays_on_http(context: BrowserContext, hall: OpenHall) -> None:
    """The board is live on HTTP; a judge's password typed there opens nothing and is reported as exposed."""
    page = context.new_page()
    page.goto(hall.plain)
    field = page.get_by_label("Password for viewers")
    field.fill(hall.passwords["judge"])
    page.get_by_role("button", name="Enter").click()
    expect(page.get_by_role("alert").first).to_contain_text("treat it as known")
    field.fill(hall.passwords["viewer"])
    page.get_by_role("button", name="Enter").click()
    page.wait_for_url(f"{hall.plain}/")
    expect(page.locator("main")).to_contain_text("Ann")
    hall.pages.play(hall.pages.add_table(2), "Zoë", "Cid")
    expect(page.locator("main")).to_contain_text("Zoë", timeout=WAIT_MS)
    assert page.locator("nav.ways a").all_inner_texts() == ["Board", "Tournament"]
