"""The command line and composition root: the only module that imports the companion, hardware, vision and web."""

from __future__ import annotations

import logging
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, ClassVar

import click

from companion.commands.terminal import Commands
from companion.config import BUS, Check, Checker, Settings

if TYPE_CHECKING:
    from companion.ops.game_check import Ports

LOG = logging.getLogger(__name__)


class Main(Commands):
    """All commands. Each is imported on demand, so that a service loads nothing of the others."""

    PLACES: ClassVar[dict[str, str]] = {
        "address": "companion.commands.address:command",
        "backup": "companion.commands.backup:backup",
        "bench": "vision.commands.bench:command",
        "broker": "companion.commands.broker:command",
        "buttons": "hardware.commands:buttons_command",
        "camera": "vision.commands.camera:command",
        "deck": "vision.commands.deck:command",
        "enrol": "vision.commands.enrol:command",
        "export": "companion.commands.replay:export_command",
        "host-pin": "companion.commands.host_pin:command",
        "mat": "vision.commands.mat:command",
        "recognise": "vision.commands.recognise:command",
        "replay": "companion.commands.replay:replay",
        "restore": "companion.commands.backup:restore",
        "rules": "companion.commands.rules:command",
        "run": "web.commands:run",
        "simulate": "companion.commands.simulate:command",
        "table": "web.commands:table",
        "update": "companion.commands.update:command",
        "verify": "companion.commands.verify:command",
        "wiring": "hardware.commands:wiring_command",
    }
    """The module and the name of each command."""

    PLUGINS: ClassVar[dict[str, str]] = {
        "demo": "web.plugins.demonstration.demo_command:command",
        "hall": "web.hall.commands:command",
        "people": "web.plugins.demonstration.people_command:command",
    }
    """The same for plugins; a plugin that cannot be loaded costs only its own command."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted([*self.PLACES, *self.PLUGINS, *MADE])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by its name."""
        if cmd_name in self.PLUGINS:
            return plugin_command(cmd_name, self.PLUGINS[cmd_name])
        if cmd_name in self.PLACES:
            return command_at(self.PLACES[cmd_name])
        return MADE[cmd_name]() if cmd_name in MADE else None


def command_at(place: str) -> click.Command:
    """Return the command at `module:name`."""
    module, _, name = place.partition(":")
    found: click.Command = vars(import_module(module))[name]
    return found


def plugin_command(name: str, place: str) -> click.Command | None:
    """Return the command of a plugin; if it cannot be loaded, say why and return None."""
    try:
        return command_at(place)
    except Exception as error:
        click.echo(f"The command {name!r} cannot be loaded: {error}", err=True)
        return None


def catalogue() -> click.Command:
    """Return the commands for card lists: check, show, balance."""
    from companion.commands.balance import command as balance
    from companion.commands.catalogue import command

    command.add_command(balance)
    return command


def doctor() -> click.Command:
    """Return the doctor's command: it examines the machine, the pins and the camera."""
    from companion.commands.doctor import make_command
    from hardware import commands as pins
    from vision.commands import doctor as checking

    return make_command(pins.examine, pins.press, checking.examine, Checker(checks).left_out)


def game() -> click.Command:
    """Return the commands for people who write games; the check examines rules, words, pages, mat and deck."""
    from companion.commands.game import make_command

    return make_command(game_ports)


def game_ports() -> Ports:
    """Return the functions that draw pages, mats and decks; importing them waits until a game is checked."""
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
    from web.security.host_names import read_web_settings as names

    return {**CHECKS, "camera": camera, "web": names, "hall": check_hall, "presses": presses, BUS: bus}


def check_hall(settings: Settings) -> None:
    """Check the hall's settings if there are any; a hall that cannot be loaded stops no table."""
    if settings.table("hall") is None:
        return
    try:
        from web.hall.settings import read_database
    except Exception:
        LOG.exception("the hall cannot be loaded: its settings are not checked")
        return
    read_database(settings)


MADE: dict[str, Callable[[], click.Command]] = {"catalogue": catalogue, "doctor": doctor, "game": game}
"""Commands built from several modules."""


@click.group(cls=Main, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="table-companion", prog_name="companion")
@click.pass_context
def main(context: click.Context) -> None:
    """A companion for real card games at a real table: rules, bank and live pages on tablets.

    `companion run` starts the live table. Everything else works without one.
    """
    context.obj = Checker(checks)
