"""The command line and composition root: the only module that imports the companion, hardware, vision and web."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, ClassVar

import click

from companion.commands import address, backup, balance, broker, catalogue, host_pin, replay, rules, simulate
from companion.commands.terminal import Commands
from companion.config import BUS, Check, Checker

if TYPE_CHECKING:
    from companion.ops.game_check import Ports


class Main(Commands):
    """All commands. Those of the live table, the buttons and the camera are imported when they are needed."""

    LIVE = ("run", "table")
    PLUGINS: ClassVar[dict[str, str]] = {
        "demo": "web.plugins.demonstration.demo_command",
        "hall": "web.hall.commands",
        "people": "web.plugins.demonstration.people_command",
    }
    """Modules that bring a command; one that cannot be loaded costs that command alone."""

    BUTTONS = ("buttons", "wiring")
    CAMERA: tuple[str, ...] = ("bench", "camera", "deck", "enrol", "mat", "recognise")
    """Each is in `vision.commands`."""

    ALL = ("doctor", "game")
    """Commands that need all packages."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted([*super().list_commands(ctx), *self.LIVE, *self.PLUGINS, *self.BUTTONS, *self.CAMERA, *self.ALL])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by its name."""
        if cmd_name in self.LIVE:
            from web.commands import COMMANDS as LIVE

            return LIVE[cmd_name]
        if cmd_name in self.PLUGINS:
            return plugin_command(cmd_name, self.PLUGINS[cmd_name])
        if cmd_name in self.BUTTONS:
            from hardware.commands import COMMANDS

            return COMMANDS[cmd_name]
        if cmd_name in self.ALL:
            return doctor() if cmd_name == "doctor" else game()
        if cmd_name in self.CAMERA:
            from vision.commands import find

            return find(cmd_name)
        return super().get_command(ctx, cmd_name)


def plugin_command(name: str, module: str) -> click.Command | None:
    """Return the command that a module brings; where that fails, say why and return None."""
    try:
        found: click.Command = import_module(module).command
    except Exception as error:
        click.echo(f"The command {name!r} cannot be loaded: {error}", err=True)
        return None
    return found


def doctor() -> click.Command:
    """Return the doctor's command: it examines the machine, the pins and the camera."""
    from companion.commands.doctor import make_command
    from hardware import commands as pins
    from vision.commands import doctor as checking

    return make_command(pins.examine, pins.press, checking.examine, Checker(checks).left_out)


def game() -> click.Command:
    """Return the commands for people who write games: a check examines rules and words, pages, mat and deck."""
    from companion.commands.game import make_command

    return make_command(game_ports)


def game_ports() -> Ports:
    """Return what draws pages, mats and decks for a check, imported only when a game is checked."""
    from companion.ops.game_check import Ports
    from web import game_trial

    if find_spec("cv2") is None:
        return Ports(game_trial, None)
    from vision import game_prints

    return Ports(game_trial, game_prints)


def checks() -> dict[str, Check]:
    """Return the check of each table of the settings."""
    from companion.devices.bus.address import configured_address as bus
    from companion.table.pace_settings import read_pace as presses
    from hardware.settings import CHECKS
    from vision.settings import read_camera_settings as camera
    from web.hall.settings import read_database as hall
    from web.security.host_names import read_web_settings as names

    return {**CHECKS, "camera": camera, "web": names, "hall": hall, "presses": presses, BUS: bus}


@click.group(cls=Main, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="table-companion", prog_name="companion")
@click.pass_context
def main(context: click.Context) -> None:
    """A companion for real card games at a real table: rules, bank and live pages on tablets.

    `companion run` starts the live table. Everything else works without one.
    """
    context.obj = Checker(checks)


main.add_command(address.command)
main.add_command(broker.command)
main.add_command(simulate.command)
main.add_command(replay.replay)
main.add_command(replay.export_command)
main.add_command(catalogue.command)
main.add_command(rules.command)
main.add_command(backup.backup)
main.add_command(backup.restore)
main.add_command(host_pin.command)
catalogue.command.add_command(balance.command)
