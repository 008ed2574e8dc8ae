"""Start a server and one Chromium, and tap the pages of phones and tablets."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import msgspec
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Response,
    ViewportSize,
    expect,
    sync_playwright,
)

from companion.engine import Event
from companion.games import GAMES
from companion.referee.pace import Pace
from tests.support.chromium import CHROMIUM
from tests.support.paces import HURRIED, write_pace
from tests.support.web.visitors import Room
from web.live.channels import ChannelKey

ARGUMENTS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--ignore-certificate-errors",  # service workers require the browser to trust the self-signed certificate
)
PHONE, TABLET = ViewportSize(width=360, height=740), ViewportSize(width=1280, height=800)
PATIENCE = 30_000
"""Milliseconds after which an expected event counts as missing, even on a busy machine."""
expect.set_options(timeout=PATIENCE)
START = 30.0
"""Seconds for a server to start."""
ANSWERED = re.compile(r"/(propose|draw|undo|redo|pause|consent|correct|free|bot|ask|leave)$")
"""The address to which a page's own script sends taps."""
FORM = "application/x-www-form-urlencoded"
EXPERIENCED = """
try { for (const game of %s) localStorage.setItem(`guide ${game}`, '{"done":true}'); } catch { /* no page yet */ }
"""
"""The storage of a device whose owner knows every game: no tip appears."""
TAPS_APART = 450
"""Milliseconds until a tap counts on a control that an earlier tap moved under the finger."""
SEEN = 300
"""Milliseconds until a tap counts on a control that another person's move brought."""
LOOKED = 1000
"""Milliseconds until a tap counts on a page that opened by itself."""
NOTE_TAPS = f"""
  addEventListener('click', () => {{ window.tappedAt = performance.now(); }}, true);
  addEventListener('region:changed', () => {{ window.changedAt = performance.now(); }}, true);
  let came = null;
  try {{ came = sessionStorage.getItem('left by itself'); }} catch {{ /* a page without an address */ }}
  if (came) window.tappedAt = Infinity;
  if (came) addEventListener('DOMContentLoaded', () => {{
    window.tappedAt = performance.now() + {LOOKED - TAPS_APART};
  }});"""
UNHURRIED = f"""() => {{
  const tapped = performance.now() - (window.tappedAt ?? -Infinity);
  return tapped >= {TAPS_APART} && (tapped >= 2000 || performance.now() - (window.changedAt ?? -Infinity) >= {SEEN});
}}"""


def wait_shown(page: Page, room: Room, seat: int) -> None:
    """Wait until a seat's page is up to date: a tap on an older state may be refused.

    People look before they tap the same spot again.
    """
    room.context.hub.refresh()
    now = room.context.hub.page(ChannelKey(room.table.snapshot().match_id, "seat", seat, "en"))
    assert now is not None
    page.wait_for_function("shown => document.body.dataset.shown === shown", arg=now.id, timeout=PATIENCE)
    page.wait_for_function(UNHURRIED, timeout=PATIENCE)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Yield Debian's own Chromium."""
    arguments = [*ARGUMENTS, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=arguments)
        try:
            yield browser
        finally:
            browser.close()


def end_browsers() -> None:
    """Kill every Chromium of this process, so that a call to a hanging page fails."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            name, rest = stat.read_text().split("(", 1)[1].rsplit(")", 1)
            parents[int(stat.parent.name)] = (name, int(rest.split()[1]))
    ours = {os.getpid()}
    while found := {pid for pid, (_, parent) in parents.items() if parent in ours} - ours:
        ours |= found
    for pid in ours:
        if parents.get(pid, ("", 0))[0].startswith("chrom"):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


# --- the server -----------------------------------------------------------------------------------


class Server:
    """A running server: the address of its pages, and its journal."""

    def __init__(self, address: str, folder: Path) -> None:
        self.address = address
        self.folder = folder


@contextmanager
def started(host: str = "127.0.0.1", pace: Pace = HURRIED) -> Iterator[Server]:
    """Yield a separate server, started as by `companion run`, whose data folder contains only a pace."""
    with socket.create_server((host, 0)) as probe:
        port = probe.getsockname()[1]
    address = f"http://{host}:{port}"
    with tempfile.TemporaryDirectory(prefix="companion-") as name, (Path(name) / "server.log").open("wb") as log:
        write_pace(Path(name), pace)
        command = [sys.executable, "-m", "companion", "run", "--host", host, "--port", str(port), "--data", name]
        with subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL) as server:
            try:
                until_started(server, address, Path(log.name))
                yield Server(address, Path(name))
            finally:
                server.terminate()
                server.wait(START)
        told = Path(log.name).read_text(errors="replace")
        assert "Traceback" not in told, told


def until_started(server: subprocess.Popen[bytes], address: str, log: Path) -> None:
    """Return once the server answers; fail with its output if it stops or takes too long."""
    late = time.monotonic() + START
    while time.monotonic() < late:
        try:
            with urllib.request.urlopen(f"{address}/health", timeout=START) as answer:
                answer.read()
            return
        except urllib.error.URLError:
            try:
                server.wait(0.05)
            except subprocess.TimeoutExpired:
                continue
        break
    raise AssertionError(f"the server did not start: {log.read_text(errors='replace')}")


# --- a device -------------------------------------------------------------------------------------


class Device:
    """A phone or a tablet with one page open, in a browser context of its own.

    Its owner knows the games, unless this is their `first_game`. `complaints` are the errors that its pages logged or
    threw, including violations of the content policy. `wanted` are patterns of the errors that a test provokes.
    """

    def __init__(self, browser: Browser, size: ViewportSize, first_game: bool = False, **more: Any) -> None:
        settings = {"viewport": size, "has_touch": True, "reduced_motion": "reduce"} | more
        self.context: BrowserContext = browser.new_context(**settings)
        self.context.set_default_timeout(PATIENCE)
        self.context.add_init_script(NOTE_TAPS)
        if not first_game:
            self.context.add_init_script(EXPERIENCED % sorted(GAMES))
        self.complaints: list[str] = []
        self.wanted: list[str] = []
        self.parked: tuple[str, str] | None = None
        self.page = self.context.new_page()
        self.page.on("console", self.heard)
        self.page.on("pageerror", lambda error: self.complaints.append(f"{self.page.url}: {error}"))

    def heard(self, message: ConsoleMessage) -> None:
        """Record a page's complaints. The browser also logs an error for a move that a test expects to be refused."""
        if message.type in ("error", "warning"):
            said = f"{message.text} at {message.location.get('url', '')}"
            if not any(re.search(pattern, said) for pattern in self.wanted):
                self.complaints.append(said)

    def open(self, address: str) -> Page:
        """Open an address and wait for the page's font, because text is wider without it."""
        self.page.goto(address, wait_until="domcontentloaded")
        self.write_pace()
        return self.page

    def leave(self) -> None:
        """Leave the page, so that the device follows no game until it opens another page."""
        self.page.goto("about:blank")

    def write_pace(self) -> None:
        """Wait until the page's scripts have run and its font is loaded, so that nothing moves under a finger."""
        self.page.wait_for_load_state("domcontentloaded")
        self.page.evaluate("() => document.fonts.ready.then(() => true)")

    @contextmanager
    def asleep(self) -> Iterator[None]:
        """Suspend painting, which takes most of the time when five pages follow a game."""
        self.parked = self.page.url, self.csrf()
        self.open("about:blank")
        yield
        self.open(self.parked[0])
        self.parked = None

    # --- by touch -----------------------------------------------------------------------------------

    def form(self, event: str, **hidden: object) -> Locator:
        """Return the page's form that proposes this kind of event with these hidden values."""
        inputs = {"event": event} | hidden
        having = "".join(f':has(input[name="{name}"][value="{value}"])' for name, value in inputs.items())
        return self.page.locator("form.move" + having)

    def move(
        self, event: str, button: tuple[str, object] | None = None, *, amount: int | None = None,
        pick: tuple[str, ...] = (), **hidden: object,
    ) -> Response:  # fmt: skip
        """Fill in an event's form, tap its button, and return the server's answer."""
        form = self.form(event, **hidden)
        if amount is not None:
            field = form.locator("input[name=amount]")
            unfold(field)
            field.fill(str(amount))
            form = form.filter(has=self.page.locator("input[name=amount]"))
        for value in pick:
            label = form.locator(f'label:has(input[value="{value}"])')
            unfold(label)
            label.click()
        name = f'[name="{button[0]}"][value="{button[1]}"]' if button else ":not([type=button])"
        return self.tap(form.locator(f"button{name}"))

    def tap(self, button: Locator) -> Response:
        """Tap a button that sends a move, which must be accepted."""
        response = self.answer_to(button)
        assert response.status in (200, 204), (response.status, response.text())
        return response

    def answer_to(self, button: Locator) -> Response:
        """Tap a button that sends a move, and return the server's answer."""
        unfold(button)
        self.page.wait_for_function(UNHURRIED)
        with self.page.expect_response(lambda r: bool(ANSWERED.search(urlsplit(r.url).path))) as answer:
            button.click()
        answer.value.finished()
        return answer.value

    def press(self, seconds: float = 0.0) -> None:
        """Hold the page's own button down for some seconds."""
        button = self.page.locator("[data-press]")
        button.wait_for()
        self.write_pace()
        box = None
        while box is None:  # the region may be redrawn between the two queries
            button.wait_for()
            box = button.bounding_box()
        self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        with self.page.expect_response(lambda r: urlsplit(r.url).path.endswith("/press")) as answer:
            self.page.mouse.down()
            if seconds:
                self.page.wait_for_timeout(1000 * seconds)
            self.page.mouse.up()
        assert answer.value.status == 204, answer.value.text()

    # --- by fast fingers ------------------------------------------------------------------------------

    def send(self, event: Event) -> None:
        """Send an event from this page's own address, as its script would; it must be accepted."""
        self.request("propose", "application/json", msgspec.json.encode(event))

    def send_form(self, where: str, **form: object) -> None:
        """Send a form of this page, as its script would; it must be accepted."""
        self.request(where, FORM, urlencode(form, doseq=True).encode())

    def request(self, where: str, kind: str, data: bytes) -> None:
        """Send data from this page's own address."""
        address, csrf = self.parked or (self.page.url, self.csrf())
        headers = {"Content-Type": kind, "X-CSRF": csrf, "HX-Request": "true"}
        answer = self.context.request.post(f"{address}{where}", data=data, headers=headers)
        assert answer.status == 204, (where, data, answer.status, answer.text())

    def csrf(self) -> str:
        """Return the page's form token."""
        return str(self.page.locator('meta[name="csrf"]').get_attribute("content"))

    def post(self, path: str, shown: str = "", **form: object) -> str:
        """Send the form of an ordinary page (`shown`, or the same) without showing it, and return the next address."""
        page = self.context.request.get(f"{origin(self.page)}{shown or path}").text()
        token = re.search(r'name="csrf" content="([^"]+)"', page)
        assert token, page
        data = urlencode({"csrf": token[1]} | form, doseq=True)
        answer = self.context.request.post(f"{origin(self.page)}{path}", data=data, headers={"Content-Type": FORM})
        assert answer.ok, answer.text()
        return answer.url


@contextmanager
def opened(browser: Browser, address: str, size: ViewportSize = PHONE, **more: Any) -> Iterator[Page]:
    """Yield a page on a separate device, which must log no errors."""
    device = Device(browser, size, **more)
    try:
        yield device.open(address)
        assert device.complaints == []
    finally:
        device.context.close()


def origin(page: Page) -> str:
    """Return the scheme, host and port of a page's address."""
    parts = urlsplit(page.url)
    return f"{parts.scheme}://{parts.netloc}"


def unfold(place: Locator) -> None:
    """Open the folds around an element from the outside in, as a person does who looks for it."""
    place.first.wait_for(state="attached")
    folds = place.first.locator("xpath=ancestor::details[not(@open)]")
    for _ in range(folds.count()):
        folds.first.locator("> summary").click()
