"""The commands around the camera: one module each, imported on demand.

May import everything in vision, late where OpenCV is needed. Enter at `find`.
"""

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
"""The module of each command; it holds it as `command`."""


def find(name: str) -> click.Command:
    """Return the command of this name."""
    found: click.Command = import_module(COMMANDS[name]).command
    return found
