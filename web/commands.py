"""The commands of the live table: `companion run` (with its services as children) and `companion table` (without)."""

from __future__ import annotations

import gc
import os
import socket
import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import click

from companion import config
from companion.commands.terminal import data_folder, own_language, print_code, remark
from companion.devices.bus import SocketAddress, reachable
from companion.devices.bus import find_address as bus_address
from companion.devices.child_processes import SupervisedProcess
from companion.findings import Finding, finding_text, sentences
from companion.journal.database import check_free
from companion.journal.journal import JOURNAL
from companion.messages import PHONE, RENDERED
from companion.ops.doctor.power import is_raspberry
from companion.ops.network_address import LOOPBACK, own_address, page_address

PORT = 8080
"""The default port of the pages."""
DEVICES = Path("/dev")
"""The folder in which Linux lists cameras, as `video0` and so on, including a Raspberry Pi's own camera."""
SERVICES = ("buttons", "camera")
MATCHES, KEPT_IN = "Matches", "kept in"
Row = tuple[str, str, str]
"""A row of the printed start: a part of the companion, its kind, and a note."""
EXAMPLES = "COMPANION_EXAMPLES"
"""The environment variable that also offers the example games."""
SERVICE_LOG = "JOURNAL_STREAM"
"""An environment variable that systemd sets for a service whose output goes to the journal."""

STARTING = 50_000
"""Newly allocated objects that trigger a garbage collection while the table's modules are loaded."""

port_option = click.option(
    "--port", default=PORT, show_default=True, type=click.IntRange(1, 65535), help="Port of the pages."
)
host_option = click.option(
    "--host", default="0.0.0.0", show_default=True, help="Address to listen on; 127.0.0.1: this machine only."
)
data_option = click.option(
    "--data", type=click.Path(path_type=Path, file_okay=False),
    help="Folder of matches and settings. [default: COMPANION_DATA, or the user's data folder]",
)  # fmt: skip


def announce(address: str, folder: Path, found: Sequence[Row] = (), what: str = "live table") -> None:
    """Print the address as text and as a QR code, the parts found, the data folder and how to stop."""
    click.echo(f"The {what} is at  {address}")
    if SERVICE_LOG in os.environ:
        return  # keep the code out of systemd's log: `companion address` shows it
    click.echo()
    print_code(address)
    click.echo()
    kept = (
        () if any(part == MATCHES or kind == KEPT_IN for part, kind, _ in found) else ((MATCHES, KEPT_IN, str(folder)),)
    )
    for part, kind, note in (*found, *kept):
        click.echo(f"{part:<9} {kind:<11} {note}")
    click.echo("\nCtrl-C to stop.")


def buttons_service(folder: Path, pins: str) -> SupervisedProcess:
    """Return the buttons' service as a process beside the table."""
    command = (sys.executable, "-m", "companion", "buttons", "--pins", pins, "--data", str(folder), "--child")
    return SupervisedProcess("the buttons' service", command)


def camera_service(folder: Path, source: str) -> SupervisedProcess | None:
    """Return the camera's service as a process beside the table. Without a camera, print a line and return None.

    `source` is as for `companion camera`; if empty, the one in the settings, else `auto`.
    """
    source = source or _configured_source(folder)
    if source == "none":
        return None
    if find_spec("cv2") is None:
        remark("OpenCV is not installed: there is no camera, and the game goes on by touch (docs/camera.md).")
        return None
    if source == "auto" and not any(DEVICES.glob("video*")):
        remark("No camera found: the game goes on by touch (docs/camera.md).")
        return None
    command = (sys.executable, "-m", "companion", "camera", "--source", source, "--data", str(folder), "--child")
    return SupervisedProcess("the camera's service", command)


def _buttons_row(pins: str, closed: bool) -> Row:
    """Return a line about buttons and lamps."""
    if closed:
        return "Buttons", "closed", "for their settings cannot be used; every player's page has its own"
    if pins == "none":
        return "Buttons", "none", "every player's page has its own"
    if pins == "simulated" or (pins == "auto" and not is_raspberry()):
        return "Buttons", "simulated", "press them on the host's page, or each on its player's own"
    return "Buttons", "real", "on this machine's pins"


def _camera_row(service: SupervisedProcess | None, closed: bool) -> Row:
    """Return a line about the camera."""
    if closed:
        return "Camera", "closed", "for its settings cannot be used; cards are entered by touch"
    if service is None:
        return "Camera", "none", "cards are entered by touch; `companion demo` shows a camera at work"
    source = service.command[service.command.index("--source") + 1]
    if source == PHONE:
        return "Camera", "a phone", "its browser takes the pictures, from the camera page"
    return ("Camera", "simulated", "above a drawn table") if source == RENDERED else ("Camera", "real", source)


def _configured_source(folder: Path) -> str:
    """Return the camera's source in the settings; `none` if they cannot be read."""
    try:
        return str((config.read(folder).table("camera") or {}).get("source", "auto"))
    except config.ConfigError:
        return "none"


def why_unusable(host: str, port: int) -> str:
    """Return the reason why the server cannot use the address, as a sentence; empty if it can."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            return f"Port {port} on {host} cannot be used: {error.strerror}. Choose another with --port."
    return ""


def checker() -> config.Checker:
    """Return the checker of the settings that the composition root provides."""
    return click.get_current_context().find_object(config.Checker) or config.Checker()


def print_findings(findings: Iterable[Finding]) -> None:
    """Print the ignored settings, with place and reason, in the terminal's language."""
    words = sentences(own_language())
    for each in findings:
        what, how, advice = finding_text(each, words)
        remark(f"{what}: {how}. {advice}")


def why_occupied(folder: Path) -> str:
    """Return why another table blocks this folder; empty if none does. Raise `BusError` or `JournalError`."""
    where = bus_address(folder)
    if isinstance(where, SocketAddress) and not reachable(where):
        return f"Another table listens at {where.path} already: stop it first, or choose another data folder."
    check_free(folder / JOURNAL)
    return ""


class LiveServices(NamedTuple):
    """The services beside the pages.

    `start` returns the services to run beside the table, given its data folder, and appends each part's kind to `rows`.
    `expected` names the services that should run. `demonstrations` says whether people may watch a demonstration.
    """

    start: Callable[[Path], tuple[SupervisedProcess, ...]] = lambda folder: ()
    expected: Collection[str] = ()
    rows: Sequence[Row] = ()
    demonstrations: bool = False


def live(port: int, host: str, data: Path | None, services: LiveServices) -> None:
    """Serve the table until stopped."""
    folder = data_folder(data)
    why = why_unusable(host, port) or why_occupied(folder)
    if why:
        raise click.ClickException(why)
    gc.set_threshold(STARTING)  # objects made at the start are rarely garbage
    from web.context import PageOptions
    from web.security.host_names import web_settings_in
    from web.server import SideServices, serve

    everywhere = host in ("0.0.0.0", "::", "")
    shown = own_address() if everywhere else host
    if everywhere and shown == LOOPBACK:
        remark("This machine is not on a network: only its own browser can open the pages.")
    left_out = checker().left_out
    print_findings(left_out(folder))
    processes = services.start(folder)
    # A server that listens on all interfaces leaves the address to the pages: a network may come up later.
    address = web_settings_in(folder).address or ("" if everywhere else page_address(shown, port))
    announce(address or page_address(shown, port), folder, services.rows)
    options = PageOptions(address, demonstrations=host if services.demonstrations else "", settings=left_out)
    try:
        serve(folder, host, port, options, SideServices(processes, services.expected))
    except KeyboardInterrupt:
        click.echo("Stopped.")


@click.command("run", short_help="Start the live table, with buttons and camera.")
@port_option
@host_option
@click.option("--pins", default="auto", show_default=True,
              type=click.Choice(["auto", "lgpio", "rpigpio", "simulated", "none"]),
              help="How to access buttons and lamps; none: only the buttons on the pages.")  # fmt: skip
@click.option("--camera", default="", metavar="SOURCE",
              help="auto, none, phone, picamera2, usb:N, file:PATH, folder:PATH or rendered."
                   " [default: settings]")  # fmt: skip
@data_option
@click.option("--examples", is_flag=True, help="Offer the example games, too.")
def run(port: int, host: str, pins: str, camera: str, data: Path | None, examples: bool) -> None:
    """Start the live table and serve its pages to tablets and phones in the room.

    Prints the address and a QR code. An unfinished match continues where it stopped. The services for buttons and
    camera start and stop with the table.
    """
    if examples:
        os.environ[EXAMPLES] = "1"
    expected: list[str] = []
    rows: list[Row] = []

    def start(folder: Path) -> tuple[SupervisedProcess, ...]:
        closed = config.closed_tables(checker().left_out(folder))
        buttons = None if pins == "none" or "wiring" in closed else buttons_service(folder, pins)
        found = {"buttons": buttons, "camera": None if "camera" in closed else camera_service(folder, camera)}
        rows.extend((_buttons_row(pins, "wiring" in closed), _camera_row(found["camera"], "camera" in closed)))
        expected.extend(name for name, service in found.items() if service is not None)
        return tuple(service for service in found.values() if service is not None)

    live(port, host, data, LiveServices(start, expected, rows, demonstrations=find_spec("cv2") is not None))


@click.command("table", short_help="Start the live table alone, without its services.")
@port_option
@host_option
@data_option
@click.option("--expect", "expected", multiple=True, type=click.Choice(SERVICES),
              help="A required service: the pages report it if it is missing. May be given twice.")  # fmt: skip
def table(port: int, host: str, data: Path | None, expected: tuple[str, ...]) -> None:
    """Start the live table without buttons and camera, as on a Raspberry Pi, where each runs as a service of its own.

    `companion buttons` and `companion camera` find it over the bus in any order of starting, and reconnect after a
    restart.
    """
    live(port, host, data, LiveServices(expected=expected))
