"""`companion camera`: run the camera's service, or list the cameras. OpenCV is imported late."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands.stdio import log_to_terminal
from companion.commands.terminal import bus_option, data_folder, find_bus
from companion.config import ConfigError
from companion.devices.bus import Address
from companion.devices.child_processes import end_with_parent
from companion.messages import RENDERED
from companion.ops.systemd import SystemdNotifier
from vision.commands.opencv import WITHOUT, opencv

if TYPE_CHECKING:
    from vision.cameras.camera_protocol import Camera, Simulated
    from vision.settings import CameraSettings
    from vision.simulate.drawn_deck import DrawnCards

SPOKEN = 0.4
"""The interval in seconds between two messages of a service without OpenCV."""
POLITE = 10
"""The nice value of a child. Beside a process with nice value 0 it gets a tenth of a contested core."""
AUTOGROUP = Path("/proc/self/autogroup")
"""Sets the nice value of a whole session, if the kernel schedules by session first."""


@click.command("camera", short_help="Run the camera's service, or list the cameras.")
@click.option(
    "--source",
    default="",
    metavar="SOURCE",
    help="auto, none, phone, picamera2, usb:N, file:PATH, folder:PATH, rendered. [default: settings, else auto]",
)
@click.option("--data", type=click.Path(path_type=Path, file_okay=False),
              help="Folder of settings and decks. [default: COMPANION_DATA, or the user's data folder]")  # fmt: skip
@bus_option
@click.option("--list", "listing", is_flag=True, help="List the available cameras and exit.")
@click.option("--child", is_flag=True, hidden=True, help="Exit with the process that started this one.")
def command(source: str, data: Path | None, bus: str | None, listing: bool, child: bool) -> None:
    """Run the service between camera and table until stopped. `companion run` starts it automatically.

    Settings are the table [camera] of companion.toml in the data folder.
    """
    if child:
        end_with_parent()
        if source != RENDERED:  # viewers wait for each picture of a demonstration, but a real table can wait
            give_way()
    if listing:
        opencv()
        list_cameras()
        return
    log_to_terminal()
    folder = data_folder(data)
    code = serve(folder, find_bus(bus, folder), source)
    if code:
        # A hanging library would hang or abort the exit of this process too.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def give_way() -> None:
    """Yield to all other processes when time is short: a picture can wait, but a tap cannot."""
    os.nice(POLITE)
    with suppress(OSError):  # not Linux, or no such groups
        AUTOGROUP.write_text(str(POLITE))


def list_cameras() -> None:
    """Print every camera of this machine as a source, with its name."""
    from vision.cameras.sources import find_cameras

    found = find_cameras()
    for each in found:
        click.echo(f"{each.source:<14} {each.name}")
    if not found:
        click.echo("No camera found: check the cable or plug, or use a video or pictures: file:PATH, folder:PATH.")


def serve(folder: Path, bus: Address, source: str) -> int:
    """Run the service until SIGTERM or SIGINT, and return the exit code."""
    notify = SystemdNotifier.from_environment()
    try:
        import cv2  # noqa: F401
    except ImportError:
        logging.warning(WITHOUT)
        return _serve_refusals(bus, "no_opencv", {}, notify)
    from companion.devices.frames import frames_folder
    from vision.process import prepare
    from vision.service.loop import CameraService, ServiceOptions
    from vision.service.place_locator import CameraTrouble
    from vision.settings import CameraSettings, settings

    prepare()
    trouble = CameraTrouble()
    known = CameraSettings()
    try:
        known = settings(folder)
    except ConfigError as error:
        logging.warning("%s", error)
        trouble, source = CameraTrouble("bad_settings", {"said": str(error)}), "none"
    wanted = source or known.source
    provide: Callable[[], str] | None = None
    if wanted == RENDERED:
        from vision.simulate.drawn_deck import DeckDrawing

        drawing = DeckDrawing(known.game)
        provide = lambda: drawing.deck(folder, known.deck)  # noqa: E731
        camera = opener(wanted, known, drawing.cards)
    else:
        camera = opener(wanted, known)
    options = ServiceOptions(known, trouble=trouble, notify=notify, provide=provide)
    service = CameraService(folder, bus, frames_folder(folder), camera, options)
    return _run_until_signal(service.stop, service.run)


def opener(
    source: str, known: CameraSettings, cards: Callable[[], DrawnCards] | None = None
) -> Callable[[], Camera | None]:
    """Return a function that opens the camera, or returns None if none is wanted.

    cards: for a rendered table.
    """
    from vision.cameras.camera_protocol import CameraOptions
    from vision.cameras.sources import CameraOpener

    options = CameraOptions(known.focus, known.sensor == "half", known.mains)
    return CameraOpener(source, options, lambda: open_rendered(known, cards)).open


def open_rendered(known: CameraSettings, cards: Callable[[], DrawnCards] | None = None) -> Simulated:
    """Return the camera over a rendered table with the companion's own printable deck."""
    from companion.drawing import DrawError
    from vision.cameras.camera_protocol import CameraError
    from vision.process import give_back
    from vision.simulate.demonstration_table import demonstration_camera

    try:
        camera = demonstration_camera(known, cards)
    except DrawError as error:
        raise CameraError("no_camera", str(error), source="rendered") from None
    give_back()
    return camera


def _run_until_signal(stop: Callable[[], None], run: Callable[[], int]) -> int:
    """Run until SIGTERM or SIGINT."""
    before = {number: signal.signal(number, lambda *_: stop()) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        return run()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _serve_refusals(bus: Address, key: str, fields: dict[str, str | int | float], notify: SystemdNotifier) -> int:
    """Report repeatedly why there is no camera, and refuse all other requests, until stopped."""
    from companion.devices.bus import join
    from companion.findings import answer_of, well
    from companion.messages import Answered, AnyMessage, Asked, CameraState, Health

    state = CameraState("none", key, fields)
    ending = threading.Event()

    def on_message(message: AnyMessage) -> None:
        if not isinstance(message, Asked) or message.service != "camera":
            return
        if message.what == "examine":
            client.send(Answered(message.number, True, "", answer_of([well("camera.opencv", "missing")])))
        else:
            client.send(Answered(message.number, False, key, fields))

    client = join(bus, "camera", on_message)

    def run() -> int:
        notify.ready(WITHOUT)
        while not ending.wait(SPOKEN):
            client.send(Health("camera", time.monotonic_ns(), camera=state))
            notify.alive()
        notify.stopping()
        client.close()
        return 0

    return _run_until_signal(ending.set, run)
