"""Watching a demonstration: another companion beside this one, with its own folder and port.

This keeps it out of the owner's journal. Available only if a person started this companion (`companion run`): a service
may not start programs and lacks the memory.
"""

from __future__ import annotations

import http.client
import socket
import subprocess
import sys
import threading
from urllib.parse import urlsplit

from flask import Blueprint, Response, current_app, redirect, render_template, request

from companion.devices.child_processes import child_environment
from companion.games import SEEN
from web.game_pages import OFFERED
from web.views import responses
from web.words import language, package, words

bp = Blueprint("demonstration", __name__, url_prefix="/demonstration")
GAMES = tuple(name for name in OFFERED if name in SEEN)
"""Games that can be watched: they have pages, and a camera can follow their table."""
PATIENCE = 0.5
"""Seconds within which a running demonstration answers."""


class Demonstration:
    """The one demonstration that may run beside a companion. Any thread may call any method."""

    def __init__(self, host: str) -> None:
        """`host`: the address that this companion and the demonstration listen on."""
        self.host = host
        self.port = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def start(self, game: str, players: int) -> None:
        """Start a demonstration, unless one is running."""
        with self._lock:
            if self.running:
                return
            self.port = free_port(self.host)
            command = [sys.executable, "-m", "companion", "demo", "--host", self.host, "--port", str(self.port)]
            command += ["--game", game, "--players", str(players), "--child"]
            # Its own session: Ctrl-C in the terminal is meant for us, and it ends with us.
            self._process = subprocess.Popen(
                command,
                env=child_environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                start_new_session=True,
            )

    @property
    def running(self) -> bool:
        """Whether a demonstration was started and is still running."""
        return self._process is not None and self._process.poll() is None

    def up(self) -> bool:
        """Whether its pages can be opened."""
        if not self.running:
            return False
        there = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(self.host, self.host)
        connection = http.client.HTTPConnection(there, self.port, timeout=PATIENCE)
        try:
            connection.request("GET", "/health")
            return connection.getresponse().status == 200
        except OSError:
            return False
        finally:
            connection.close()

    def close(self) -> None:
        """End it."""
        with self._lock:
            if self._process is not None and self._process.poll() is None:
                self._process.terminate()
                self._process.wait()


def free_port(host: str) -> int:
    """Return a free port."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.bind((host, 0))
        return int(probe.getsockname()[1])


def find_demonstration() -> Demonstration | None:
    """Return the demonstration beside this companion; None if none may run."""
    found = current_app.extensions.get("demonstration")
    return found if isinstance(found, Demonstration) else None


def require_demonstration() -> Demonstration:
    """Return the demonstration; raise `PageGone` if none may run."""
    found = find_demonstration()
    if found is None:
        raise responses.PageGone("error.no_demonstration", 409)
    return found


@bp.app_context_processor
def ways() -> dict[str, object]:
    """Return the watchable games with their titles, for the first page; none if no demonstration may run."""
    names = GAMES if find_demonstration() is not None else ()
    lang = language()
    return {"watchable": lambda: [(name, words(lang, package(OFFERED[name]))("game.title")) for name in names]}


@bp.post("/")
def begin() -> Response:
    """Start a demonstration."""
    here = require_demonstration()
    game, players = request.form.get("game", ""), request.form.get("players", "")
    if game not in GAMES or not (players.isascii() and players.isdecimal() and len(players) < 3):
        raise responses.PageGone("error.malformed", 422)
    if int(players) not in SEEN[game].seats:
        raise responses.PageGone("error.malformed", 422)
    here.start(game, int(players))
    return responses.redirect_to("/demonstration/")


@bp.get("/")
def waiting() -> Response:
    """Wait until it is running, then redirect to it."""
    here = require_demonstration()
    if here.up():
        host = urlsplit(request.host_url).hostname or "127.0.0.1"
        answer = redirect(f"http://{f'[{host}]' if ':' in host else host}:{here.port}/stage/", 303)
        assert isinstance(answer, Response)
        return answer
    return Response(render_template("demonstration/waiting.html", running=here.running))
