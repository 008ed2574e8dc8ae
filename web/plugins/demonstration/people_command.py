"""`companion people`: the programs that play a demonstration, as a separate process."""

from __future__ import annotations

import os
import signal
import sys

import click

from companion.commands.stdio import log_to_terminal
from companion.demo_records import KEY_VARIABLE
from companion.devices.child_processes import end_with_parent
from companion.games import SEEN


@click.command("people", hidden=True)
@click.option("--address", required=True, help="Address of the companion's pages.")
@click.option("--game", required=True, type=click.Choice(tuple(SEEN)), help="Game to play.")
@click.option("--players", required=True, type=int, help="Number of players.")
@click.option("--seed", type=int, help="The same seed deals the same cards.")
@click.option("--child", is_flag=True, help="Exit with the process that started this one.")
def command(address: str, game: str, players: int, seed: int | None, child: bool) -> None:
    """Join a demonstration's table and play."""
    if child:
        end_with_parent()
    from companion.demo.director import Director

    log_to_terminal()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    Director(address, os.environ.get(KEY_VARIABLE, ""), SEEN[game], players, seed).run()
