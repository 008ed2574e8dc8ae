"""`companion demo`: a companion in a temporary folder, with simulated hardware and programs at the table."""

from __future__ import annotations

import os
import secrets
import signal
import sys
import tempfile
from collections.abc import MutableMapping
from contextlib import ExitStack, suppress
from importlib.util import find_spec
from pathlib import Path

import click
from platformdirs import user_cache_path

from companion.config import NAME
from companion.demo_records import KEY_VARIABLE
from companion.devices.child_processes import SupervisedProcess, end_with_parent
from companion.games import FIRST, SEEN, is_example
from companion.own_games import VARIABLE as GAMES
from web.commands import EXAMPLES, MATCHES, LiveServices, buttons_service, camera_service, host_option, live

SETTINGS = """[camera]
source = "rendered"
game = "{game}"
players = {players}
difficulty = "{difficulty}"
"""
OWN = "COMPANION_"
"""The prefix of the companion's environment variables: a demonstration starts without them."""
PLAYERS = 4
FOUND = (
    ("Buttons", "simulated", "programs press them"),
    ("Camera", "simulated", "above a drawn table, on which programs move cards"),
    (MATCHES, "played", "by programs, and thrown away; no other companion is touched"),
)
"""Lines for the terminal."""


@click.command("demo", short_help="Watch a table that plays itself.")
@click.option("--game", default=FIRST, show_default=True, type=click.Choice(tuple(SEEN)), help="Game to play.")
@click.option("--players", default=PLAYERS, show_default=True, help="Number of players.")
@click.option("--difficulty", default="easy", show_default=True, type=click.Choice(("easy", "default", "hard")),
              help="How hard the rendered table is to read.")  # fmt: skip
@click.option("--seed", type=int, help="The same seed deals the same cards. [default: by chance]")
@click.option("--port", default=0, type=click.IntRange(0, 65535), help="Port of the pages. [default: any free port]")
@host_option
@click.option("--child", is_flag=True, hidden=True, help="Exit with the process that started this one.",
              expose_value=False, callback=lambda _, option, given: end_with_parent() if given else None)  # fmt: skip
def command(game: str, players: int, difficulty: str, seed: int | None, port: int, host: str) -> None:
    """Start a companion that programs play on: they press simulated buttons, move drawn cards under a simulated camera
    and tap on tablets. Open the address to watch, and take over a seat at any time.

    Nothing is kept, and no other companion on this machine is touched.
    """
    if find_spec("cv2") is None:
        raise click.ClickException("OpenCV is not installed: it is required to simulate a camera (docs/camera.md).")
    if players not in SEEN[game].seats:
        seats = SEEN[game].seats
        raise click.BadParameter(f"{game} is for {seats[0]} to {seats[-1]} players.", param_hint="--players")
    # Delete the folder even if the server never starts.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    forget_settings(os.environ)
    os.environ[KEY_VARIABLE] = secrets.token_urlsafe(24)
    if is_example(SEEN[game]):
        os.environ[EXAMPLES] = "1"
    from web.plugins.demonstration.beside import (
        free_port,  # import late: it reads the offered games from the variable
    )

    port = port or free_port(host)
    with tempfile.TemporaryDirectory(prefix="companion-demo-") as name, ExitStack() as stack:
        settings = SETTINGS.format(game=game, players=players, difficulty=difficulty)
        (Path(name) / NAME).write_text(settings, encoding="utf-8")

        camera, people = camera_service(Path(name), "rendered"), people_service(port, game, players, seed)
        early = [each for each in (camera, people) if each is not None]
        for each in early:  # before the table: its camera takes longest, and players wait to join
            each.start()
            stack.callback(each.close)

        keep_templates(Path(name))

        def start(folder: Path) -> tuple[SupervisedProcess, ...]:
            return (buttons_service(folder, "simulated"), *early)

        live(port, host, Path(name), LiveServices(start, ("buttons", "camera"), FOUND))


def forget_settings(variables: MutableMapping[str, str]) -> None:
    """Remove the settings of other companions on this machine, except the folders of people's own games."""
    for name in [name for name in variables if name.startswith(OWN) and name != GAMES]:
        del variables[name]


def keep_templates(folder: Path) -> None:
    """Store a demonstration's compiled templates in the user's cache, for the next demonstration.

    Compiling them takes seconds, just when all its pages are opened. Without a cache they are compiled each time.
    """
    from web.live.compiled_templates import FOLDER  # import late: the programs at the table start first

    kept = user_cache_path("table-companion") / FOLDER
    with suppress(OSError):
        kept.mkdir(mode=0o700, parents=True, exist_ok=True)
        (folder / FOLDER).symlink_to(kept, target_is_directory=True)


def people_service(port: int, game: str, players: int, seed: int | None) -> SupervisedProcess:
    """Return the playing programs as a process beside the table."""
    command = [sys.executable, "-m", "companion", "people", "--address", f"http://127.0.0.1:{port}", "--game", game]
    command += ["--players", str(players), "--child"]
    if seed is not None:
        command += ["--seed", str(seed)]
    return SupervisedProcess("the people", command)
