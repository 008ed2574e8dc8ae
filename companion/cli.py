"""The command line, which is the composition root: the only place that may look at both the companion and the web."""

from __future__ import annotations

import socket
import sys
from importlib.util import find_spec
from pathlib import Path

import click

from companion.commands import balance, catalogue, replay, rules, simulate
from companion.commands.screen import Commands, aside, data_folder
from companion.sibling import Sibling

PORT = 8080
"""Where the pages are served if nobody says otherwise."""
DEVICES = Path("/dev")
"""Where Linux shows cameras, as `video0` and so on; a Raspberry Pi's own camera, too."""
ELSEWHERE = ("192.0.2.1", 9)
"""An address for documentation (RFC 5737): connecting a datagram socket to it sends nothing, and tells our own."""


class Main(Commands):
    """All commands; those around the buttons and the camera are looked up when they are asked for."""

    BUTTONS = ("buttons", "doctor", "wiring")
    CAMERA: tuple[str, ...] = ("bench", "camera", "deck", "enrol", "mat", "recognise")
    """Each joins when its module is there (`vision.commands`)."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted([*super().list_commands(ctx), *self.BUTTONS, *self.CAMERA])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by its name."""
        if cmd_name in self.BUTTONS:
            from hardware.commands import COMMANDS

            return COMMANDS[cmd_name]
        if cmd_name in self.CAMERA:
            from vision.commands import find

            return find(cmd_name)
        return super().get_command(ctx, cmd_name)


@click.group(cls=Main, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="table-companion", prog_name="companion")
def main() -> None:
    """A companion for real card games at a real table: rules, bank and live pages on tablets.

    `companion run` starts the live table. Everything else works without one.
    """


main.add_command(simulate.command)
main.add_command(replay.replay)
main.add_command(replay.export_command)
main.add_command(catalogue.command)
main.add_command(rules.command)
catalogue.command.add_command(balance.command)


def own_address() -> str:
    """Return this machine's address in the local network, or its own loop where there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)
            address: str = probe.getsockname()[0]
        except OSError:
            return "127.0.0.1"
    return address


def announce(address: str, folder: Path) -> None:
    """Print where the pages are, as text and as a QR code, where the data lies and how to stop."""
    import segno

    click.echo(f"The live table is at  {address}")
    click.echo()
    segno.make(address, micro=False).terminal(compact=True, border=2)
    click.echo()
    click.echo(f"Matches are kept in   {folder}")
    click.echo("Ctrl-C to stop.")


def buttons_service(folder: Path, pins: str) -> Sibling:
    """Return the buttons' service, as a process of its own beside the table."""
    command = (sys.executable, "-m", "companion", "buttons", "--pins", pins, "--data", str(folder), "--child")
    return Sibling("the buttons' service", command)


def camera_service(folder: Path, source: str) -> Sibling | None:
    """Return the camera's service, as a process of its own beside the table; None, with a sentence, without a camera.

    `source` is as for `companion camera`; empty: what the settings say, else `auto`.
    """
    source = source or _settled_source(folder)
    if source == "none":
        return None
    if find_spec("cv2") is None:
        aside().print("OpenCV is not installed: there is no camera, and the game goes on by touch (docs/camera.md).")
        return None
    if source == "auto" and not any(DEVICES.glob("video*")):
        aside().print("No camera is found: the game goes on by touch (docs/camera.md).")
        return None
    command = (sys.executable, "-m", "companion", "camera", "--source", source, "--data", str(folder), "--child")
    return Sibling("the camera's service", command)


def _settled_source(folder: Path) -> str:
    """Return the camera that the settings name; whatever is wrong with them the service says."""
    from companion import config

    try:
        return str(config.read(folder).get("camera", {}).get("source", "auto"))
    except config.ConfigError:
        return "auto"


def taken(host: str, port: int) -> str:
    """Return why the address cannot be served, as a sentence, or nothing when it can."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            return f"Port {port} on {host} cannot be used: {error.strerror}. Choose another with --port."
        except OverflowError:
            return f"{port} is no port: choose one from 1 to 65535."
    return ""


@main.command("run", short_help="Start the live table.")
@click.option("--port", default=PORT, show_default=True, type=click.IntRange(1, 65535), help="Port of the pages.")
@click.option("--host", default="0.0.0.0", show_default=True, help="Where to listen; 127.0.0.1: only here.")
@click.option("--pins", default="auto", show_default=True,
              type=click.Choice(["auto", "lgpio", "rpigpio", "simulated", "none"]),
              help="How buttons and lamps are reached; none: only the pages' own buttons.")  # fmt: skip
@click.option("--camera", default="", metavar="SOURCE",
              help="auto, none, picamera2, usb:N, file:PATH, folder:PATH, rendered. [default: settings]")  # fmt: skip
@click.option("--data", type=click.Path(path_type=Path, file_okay=False),
              help="Folder of matches and settings. [default: COMPANION_DATA, or the user's data folder]")  # fmt: skip
def run(port: int, host: str, pins: str, camera: str, data: Path | None) -> None:
    """Start the live table and serve its pages to the tablets and phones in the room.

    Prints the address and a QR code. A match that lay on the table when the companion stopped goes on where it was.
    """
    folder = data_folder(data)
    folder.mkdir(parents=True, exist_ok=True)
    why = taken(host, port)
    if why:
        raise click.ClickException(why)
    from web.server import serve

    everywhere = host in ("0.0.0.0", "::", "")
    shown = own_address() if everywhere else host
    if everywhere and shown == "127.0.0.1":
        aside().print("This machine is in no network: only its own browser reaches the pages.")
    address = f"http://{f'[{shown}]' if ':' in shown else shown}:{port}"
    announce(f"{address}/", folder)
    try:
        buttons = None if pins == "none" else buttons_service(folder, pins)
        serve(folder, host, port, address, buttons, camera_service(folder, camera))
    except KeyboardInterrupt:
        click.echo("Stopped.")
