"""`companion people`: the programs that play a demonstration, as a separate process."""

from __future__ import annotations

import logging
import os
import signal
import sys

import click

from companion.devices.child_processes import end_with_parent
from companion.games import SEEN
from companion.wire import KEY_VARIABLE


@click.command("people", hidden=True)
@click.option("--address", required=True, help="Where the companion's pages are.")
@click.option("--game", required=True, type=click.Choice(tuple(SEEN)), help="What they play.")
@click.option("--players", required=True, type=int, help="How many they are.")
@click.option("--seed", type=int, help="The same seed deals the same cards.")
@click.option("--child", is_flag=True, help="End with the process that started this one.")
def command(address: str, game: str, players: int, seed: int | None, child: bool) -> None:
    """Sit down at a companion that was started for a demonstration, and play."""
    if child:
        end_with_parent()
    from companion.demo.director import Director

    logging.basicConfig(format="%(levelname)s %(name)s: %(message)s")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    Director(address, os.environ.get(KEY_VARIABLE, ""), SEEN[game], players, seed).run()
