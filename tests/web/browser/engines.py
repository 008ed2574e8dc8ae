"""Drive Debian's own Firefox by WebDriver BiDi and WebKitGTK by WebDriver.

Playwright cannot drive either of them as Debian ships them.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import websocket
from selenium import webdriver
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

START = 60.0
"""Seconds for a browser to start."""
MINI_BROWSERS = ("/usr/lib/*/webkit2gtk-4.1/MiniBrowser", "/usr/lib/*/webkit2gtk-4.0/MiniBrowser")
Json = Any
"""A JSON value."""


def mini_browser() -> str:
    """Return WebKitGTK's mini browser; empty if there is none."""
    found = [str(path) for pattern in MINI_BROWSERS for path in Path("/").glob(pattern[1:])]
    return found[0] if found else ""


class Firefox:
    """One page of a headless Firefox, by WebDriver BiDi."""

    name = "Firefox"

    def __init__(self, port: int) -> None:
        self._numbers = itertools.count(1)
        self._socket = self._connect(port)
        self.send("session.new", capabilities={})
        self.tab = self.send("browsingContext.getTree")["contexts"][0]["context"]
        self.send("browsingContext.setViewport", context=self.tab, viewport={"width": 390, "height": 844})

    @staticmethod
    def _connect(port: int) -> websocket.WebSocket:
        late = time.monotonic() + START
        while True:
            try:
                return websocket.create_connection(
                    f"ws://127.0.0.1:{port}/session", timeout=START, suppress_origin=True
                )
            except (OSError, websocket.WebSocketException):
                assert time.monotonic() < late, "Firefox did not start"
                time.sleep(0.1)

    def close(self) -> None:
        """Close the browser."""
        self._socket.close()

    def send(self, method: str, **params: Json) -> Json:
        """Send a command and return its result."""
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            answer = json.loads(self._socket.recv())
            if answer.get("id") == number:
                assert answer["type"] == "success", answer
                return answer["result"]

    def open(self, address: str) -> None:
        """Go to an address."""
        self.send("browsingContext.navigate", context=self.tab, url=address, wait="interactive")

    def run(self, function: str, *arguments: Json) -> Json:
        """Call a JavaScript function in the page; return its JSON result."""
        source = f"async (given) => JSON.stringify((await ({function})(...JSON.parse(given))) ?? null)"
        result = self.send(
            "script.callFunction", functionDeclaration=source, awaitPromise=True, target={"context": self.tab},
            arguments=[{"type": "string", "value": json.dumps(arguments)}],
        )  # fmt: skip
        assert result["type"] == "success", result
        return json.loads(result["result"]["value"])

    def click(self, function: str, *arguments: Json) -> None:
        """Click the element that a function returns."""
        centre = f"""(...given) => {{
          const element = ({function})(...given);
          element.scrollIntoView({{ block: "center", behavior: "instant" }});
          const box = element.getBoundingClientRect();
          return [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
        }}"""
        x, y = self.run(centre, *arguments)
        actions = [
            {"type": "pointerMove", "x": x, "y": y},
            *[{"type": f"pointer{t}", "button": 0} for t in ("Down", "Up")],
        ]
        pointer = {"type": "pointer", "id": "finger", "parameters": {"pointerType": "touch"}, "actions": actions}
        self.send("input.performActions", context=self.tab, actions=[pointer])


class WebKit:
    """One page of WebKitGTK, by WebDriver."""

    name = "WebKit"

    def __init__(self, driver: webdriver.WebKitGTK) -> None:
        self.driver = driver
        driver.set_window_size(390, 844)
        driver.set_script_timeout(START)

    def open(self, address: str) -> None:
        """Go to an address."""
        self.driver.get(address)

    def run(self, function: str, *arguments: Json) -> Json:
        """Call a JavaScript function in the page; return its result."""
        source = f"const done = arguments[0], given = arguments[1]; Promise.resolve(({function})(...given)).then(done)"
        swapped = f"const all = [...arguments], end = all.pop(); (function () {{ {source} }})(end, all)"
        return self.driver.execute_async_script(swapped, *arguments)

    def click(self, function: str, *arguments: Json) -> None:
        """Click the element that a function returns."""
        self.driver.execute_script(f"return ({function})(...arguments)", *arguments).click()


Engine = Firefox | WebKit


@contextlib.contextmanager
def firefox() -> Iterator[Firefox]:
    """Yield a Firefox with a new profile and without fading, because axe-core must see the final colours."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="firefox-", ignore_cleanup_errors=True) as profile:
        (Path(profile) / "user.js").write_text('user_pref("ui.prefersReducedMotion", 1);\n')
        command = ["firefox-esr", "--headless", "--no-remote", "--profile", profile, f"--remote-debugging-port={port}"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                page = Firefox(port)
                yield page
                page.close()
            finally:
                process.terminate()


@contextlib.contextmanager
def webkit() -> Iterator[WebKit]:
    """Yield a WebKitGTK on a separate screen and without fading, because axe-core must see the final colours."""
    options = Options()
    options.binary_location = mini_browser()
    options.add_argument("--automation")
    with screen() as display, tempfile.TemporaryDirectory(prefix="webkit-", ignore_cleanup_errors=True) as settings:
        for gtk in ("gtk-3.0", "gtk-4.0"):
            (Path(settings) / gtk).mkdir()
            (Path(settings) / gtk / "settings.ini").write_text("[Settings]\ngtk-enable-animations=false\n")
        service = Service(shutil.which("WebKitWebDriver"), env=display | {"XDG_CONFIG_HOME": settings})
        driver = webdriver.WebKitGTK(options=options, service=service)
        try:
            yield WebKit(driver)
        finally:
            driver.quit()


@contextlib.contextmanager
def screen() -> Iterator[dict[str, str]]:
    """Yield the environment of a virtual screen."""
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x1024x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        os.close(write)
        try:
            with os.fdopen(read) as told:
                number = told.readline().strip()
            yield os.environ | {"DISPLAY": f":{number}"}
        finally:
            server.terminate()


ENGINES: dict[str, Callable[[], contextlib.AbstractContextManager[Engine]]] = {"firefox": firefox, "webkit": webkit}
"""Maps the name of an engine to the function that starts it."""


def missing(name: str) -> str:
    """Return why an engine cannot be driven here, or an empty text if it can."""
    if name == "firefox":
        return "" if shutil.which("firefox-esr") else "there is no Firefox: apt install firefox-esr"
    lacks = [tool for tool in ("WebKitWebDriver", "Xvfb") if not shutil.which(tool)]
    return f"there is no {lacks[0]}: apt install webkit2gtk-driver xvfb" if lacks else ""
