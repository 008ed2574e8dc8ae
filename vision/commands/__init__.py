"""The commands around the camera: one module each, imported when it is asked for."""

from __future__ import annotations

from importlib import import_module

import click

COMMANDS = {
    "bench": "vision.commands.bench",
    "camera": "vision.commands.camera",
    "deck": "vision.commands.deck",
    "enrol": "vision.commands.enrol",
    "mat": "vision.commands.mat",
    "recognise": "vision.commands.recognise",
}
"""Where each command lives: its module has it as `command`."""


def find(name: str) -> click.Command:
    """Return the command of a name."""
    found: click.Command = import_module(COMMANDS[name]).command
    return found
