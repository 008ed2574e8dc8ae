"""The commands `companion wiring` and `companion buttons`, and the doctor's examination of pins."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
import msgspec

from companion import config
from companion.commands.stdio import log_to_terminal
from companion.commands.terminal import bus_option, data_folder, find_bus, out, remarks
from companion.config import ConfigError
from companion.devices.child_processes import end_with_parent
from companion.findings import Finding

C = TypeVar("C", bound=Callable[..., object])

if TYPE_CHECKING:
    from hardware.pins.factory import Pins
    from hardware.pins.simulated import Faults
    from hardware.radio.radio import Radio
    from hardware.wiring.wiring import Wiring

data_option = click.option(
    "--data", type=click.Path(path_type=Path, file_okay=False),
    help="Folder of matches and settings. [default: COMPANION_DATA, or the user's data folder]",
)  # fmt: skip
pins_option = click.option(
    "--pins", "kind", default="auto", show_default=True, type=click.Choice(("auto", "lgpio", "rpigpio", "simulated")),
    help="How to access the pins; auto simulates them on a machine that has none.",
)  # fmt: skip


# --- wiring ---------------------------------------------------------------------------------------


@click.command("wiring", short_help="Print or draw the pins of every button and lamp.")
@data_option
@click.option("--svg", type=click.Path(path_type=Path, dir_okay=False), help="Draw the wiring into this file (SVG).")
@click.option("--write", is_flag=True, help="Copy the default wiring to the settings so that you can edit it there.")
def wiring_command(data: Path | None, svg: Path | None, write: bool) -> None:
    """Print which button, lamp and buzzer is on which pin of the 40-pin header, and the nearest ground.

    The wiring is the table [wiring] of companion.toml in the data folder, or the shipped wiring if there is none.
    """
    from hardware.wiring import wiring

    folder = data_folder(data)
    if write:
        write_wiring(folder)
    found = wiring.read(folder)
    if svg is not None:
        from hardware.wiring.diagram import picture

        svg.write_text(picture(found), encoding="utf-8")
    print_wiring(found)
    for line in wiring.remarks(found):
        remarks().print(line)
    if write:
        remarks().print(f"Change it in {config.path_in(folder)}.")
    if svg is not None:
        remarks().print(f"Drawn in {svg}.")


def write_wiring(folder: Path) -> None:
    """Append the shipped wiring to the settings unless they have one; raise `ConfigError` if the table is closed."""
    from hardware.wiring.wiring import shipped

    settings = config.read(folder)
    path = Path(settings.file)
    if settings.table("wiring") is not None:
        raise click.ClickException(f"{path} already has a table [wiring]: edit it, or remove it first.")
    folder.mkdir(parents=True, exist_ok=True)
    before = settings.text
    between = "" if not before else "\n" if before.endswith("\n") else "\n\n"
    with path.open("a", encoding="utf-8") as file:
        file.write(between + shipped())


def print_wiring(found: Wiring) -> None:
    """Print the wiring as a table."""
    from rich.table import Table

    from hardware.wiring.currents import ALL_MA, total_ma
    from hardware.wiring.header import ground_near, place

    shown = Table(box=None, padding=(0, 2, 0, 0))
    for head in ("", "Button", "Pin", "Ground", "Lamp", "Pin", "Ground"):
        shown.add_column(head, justify="left" if head in ("", "Button", "Lamp") else "right")

    def cells(gpio: int | None) -> tuple[str, str, str]:
        return ("–", "", "") if gpio is None else (f"GPIO {gpio}", str(place(gpio)), str(ground_near(place(gpio))))

    for seat, wired in enumerate(found.seats, 1):
        shown.add_row(f"seat {seat}", *cells(wired.button), *cells(wired.lamp))
    shown.add_row("host", *cells(found.host), *cells(None))
    shown.add_row("buzzer", *cells(None), *cells(found.buzzer))
    out().print(shown)
    out().print(f"Pins and grounds are places on the 40-pin header. All lit: {total_ma(found):.0f} of {ALL_MA} mA.")


# --- for the doctor -------------------------------------------------------------------------------


def examine(folder: Path, kind: str) -> list[Finding]:
    """Open every pin of the wiring, light every lamp briefly, and return the findings about pins and radio."""
    found, radio, left_out = read_settings(folder)
    if found is None:
        return list(left_out)
    from hardware.doctor import diagnosis, readings
    from hardware.pins.factory import PinsError, open_pins

    pins, said = None, ""
    try:
        pins = open_pins(kind)
    except PinsError as error:
        said = str(error)
    findings = [*left_out, *diagnosis.judge_surroundings(readings.surroundings(pins, said))]
    if pins is not None:
        pin_readings = readings.read_pins(found, pins)
        pins.factory.close()
        findings += [diagnosis.judge(reading) for reading in pin_readings]
    if radio is not None:
        from hardware.radio.doctor import examine as examine_radio

        findings += examine_radio(radio)
    return findings


def press(folder: Path, kind: str, patience: float, told: Callable[[Finding], None]) -> list[Finding]:
    """Ask for every button in turn; pass each finding to `told` at once. Raise `PinsError` if the pins are not free."""
    if read_settings(folder)[0] is None:
        return []  # the examination has already reported the reason
    from companion.messages import Press
    from hardware.buttons import ButtonBoard, name_of
    from hardware.doctor.readings import ensure_free, read_press
    from hardware.pins.factory import open_pins
    from hardware.wiring import wiring

    pins = open_pins(kind)
    ensure_free(pins)
    felt: list[Press] = []
    findings = []
    with ButtonBoard(wiring.read(folder), pins, on_press=felt.append) as buttons:
        for state in buttons.buttons():
            click.echo(f"{name_of(state.seat)}, please …", err=True)
            finding = read_press(buttons, state.seat, felt, patience)
            told(finding)
            findings.append(finding)
    return findings


# --- buttons --------------------------------------------------------------------------------------


def fault(name: str, *names: str, help: str, **settings: Any) -> Callable[[C], C]:
    """Return a command-line option for a fault of simulated buttons."""
    return click.option(f"--{name}", *names, help=f"Simulated pins: {help}", **settings)


@click.command("buttons", short_help="Run the buttons service, or try buttons and lamps.")
@data_option
@bus_option
@pins_option
@click.option("--test", is_flag=True, help="Try buttons and lamps in the terminal instead; no table needed.")
@click.option(
    "--seconds", type=click.FloatRange(0.1), help="With --test: stop after this many seconds. [default: Ctrl-C]"
)
@click.option("--child", is_flag=True, hidden=True, help="Exit with the process that started this one.")
@fault("bounce", default=0, type=click.IntRange(0, 100), help="number of bounces of a contact.")
@fault("bounce-ms", default=4.0, type=click.FloatRange(0, 1000), help="longest time a contact bounces.")
@fault("jitter", "jitter_ms", default=0.0, type=click.FloatRange(0, 1000), help="timestamps up to this many ms late.")
@fault("late", "late_ms", default=0.0, type=click.FloatRange(0, 10_000), help="edges up to this many ms late.")
@fault("disorder", is_flag=True, help="late edges overtake one another.")
@fault("noise", "noise_per_s", default=0.0, type=click.FloatRange(0, 1000), help="spikes a second.")
@fault("stuck", multiple=True, type=click.IntRange(0, 27), metavar="GPIO", help="a button that stays closed.")
@fault("seed", default=1, type=int, help="the same seed repeats the same faults.")
def buttons_command(
    data: Path | None, bus: str | None, kind: str, test: bool, seconds: float | None, child: bool, **faults: object
) -> None:
    """Run the service between buttons and table until stopped; `companion run` starts it automatically.

    With --test: test all lamps, then show every button's state, presses and bounce live in the terminal.
    """
    if child:
        end_with_parent()
    folder = data_folder(data)
    found, radio, left_out = read_settings(folder)
    if found is None:
        error = ConfigError(left_out[0])
        if test or not (child or "NOTIFY_SOCKET" in os.environ):
            raise error
        from hardware.fault_reporter import report

        # The table's pages show the reason; a restart would not help.
        report(find_bus(bus, folder), left_out)
        return
    from hardware.pins.factory import PinsError, open_pins
    from hardware.pins.simulated import Faults

    wrong = msgspec.convert(faults, Faults)
    if wrong != Faults() and kind != "simulated":
        raise click.UsageError("Bounce, noise and similar options need simulated pins: add --pins simulated.")
    if seconds is not None and not test:
        raise click.UsageError("--seconds requires --test.")
    log_to_terminal()
    try:
        if test:
            try_out(found, open_pins(kind), wrong, seconds)
        else:
            from hardware.buttons_service import ButtonsSetup, serve

            serve(ButtonsSetup(found, radio, left_out, wrong), kind, find_bus(bus, folder))
    except PinsError as error:
        raise click.ClickException(str(error)) from None


def read_settings(folder: Path) -> tuple[Wiring | None, Radio | None, tuple[Finding, ...]]:
    """Return the wiring, the wireless buttons (none without a wiring), and the reason why either is left out."""
    from hardware.pins.library import missing_library
    from hardware.wiring import wiring

    if missing := missing_library():
        return None, None, missing
    settings = config.read(folder)
    try:
        found = wiring.configured_wiring(settings)
    except ConfigError as error:
        return None, None, (error.finding,)
    try:
        return found, open_radio(settings, found), ()
    except ConfigError as error:
        return found, None, (error.finding,)


def open_radio(settings: config.Settings, found: Wiring) -> Radio | None:
    """Return the wireless buttons in the settings, or None; raise `ConfigError`."""
    from hardware.radio.settings import configured_radio

    known = configured_radio(settings, found)
    if known is None:
        return None
    from hardware.radio.radio import Radio

    return Radio(known)


def try_out(found: Wiring, pins: Pins, faults: Faults, seconds: float | None) -> None:
    """Try buttons and lamps, for some seconds or until Ctrl-C."""
    import time

    from companion.messages import SECOND
    from hardware.doctor.trial import Trial

    if pins.kind == "simulated":
        remarks().print(f"{pins.said or 'The pins are simulated.'} A simulated finger presses them in turn.")
    trial = Trial(found, pins, faults, out())
    trial.run(None if seconds is None else time.monotonic_ns() + int(seconds * SECOND))
