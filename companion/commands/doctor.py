"""`companion doctor`: the whole examination, line by line, with advice. A running table answers over the bus."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import click

from companion.commands.terminal import FAILED, as_json, bus_option, data_folder, find_bus, own_language, print_json
from companion.devices.bus import Address, join, reachable
from companion.devices.camera_requests.pending_requests import Requests
from companion.files.untrusted import printable
from companion.findings import PARTS, Finding, bad, finding_text, findings_of, sentences, to_plain, without_duplicates
from companion.i18n import LANGUAGES, Words
from companion.messages import Answered, AnyMessage
from companion.ops.doctor import machine, services
from companion.ops.doctor.services import ServicesReading

PATIENCE = 20.0
"""Seconds within which a running table must answer; it asks its own services meanwhile."""
JOINING = 3.0
"""Seconds within which we must have joined the bus of a listening table."""
MARKS = {"well": "✓", "look": "!", "bad": "✗"}

Pins = Callable[[Path, str], list[Finding]]
"""Examines pins: takes the data folder and the kind of pins."""
Presses = Callable[[Path, str, float, Callable[[Finding], None]], list[Finding]]
"""Asks for every button in turn."""
Camera = Callable[[Path], list[Finding]]


SettingsCheck = Callable[[Path], tuple[Finding, ...]]
"""Examines the settings of a data folder."""


def make_command(pins: Pins, presses: Presses, camera: Camera, settings: SettingsCheck) -> click.Command:
    """Return the command, given the functions that examine pins, camera and settings."""

    @click.command("doctor", short_help="Check power, disk, network, pins and camera, and suggest fixes.")
    @click.option("--data", type=click.Path(path_type=Path, file_okay=False),
                  help="Folder of matches and settings. [default: COMPANION_DATA, or the user's own]")  # fmt: skip
    @bus_option
    @click.option("--pins", "kind", default="auto", show_default=True,
                  type=click.Choice(("auto", "lgpio", "rpigpio", "simulated")),
                  help="How to access the pins; auto simulates them if there are none.")  # fmt: skip
    @click.option("--press", is_flag=True, help="Ask for every button in turn, and name those that do not respond.")
    @click.option("--patience", default=10.0, show_default=True, type=click.FloatRange(0.1, 600), metavar="SECONDS",
                  help="With --press: how long to wait for each button.")  # fmt: skip
    @click.option("--lang", default=None, type=click.Choice(LANGUAGES), help="Language. [default: the system's]")
    @as_json
    @click.pass_context
    def command(
        context: click.Context, data: Path | None, bus: str | None, kind: str, press: bool, patience: float,
        lang: str | None, as_json: bool,
    ) -> None:  # fmt: skip
        """Check the machine, its pins and its camera: one line each, with a fix for every problem.

        A running table answers itself, and its game is not disturbed. If no table runs, press nothing meanwhile; lamps
        light up for a moment. Exit code 0: all is well; 1: something needs attention.
        """
        folder = data_folder(data)
        words = sentences(lang or own_language())

        def show(finding: Finding) -> None:
            if not as_json:
                print_finding(finding, words)

        own = press or kind != "auto"
        findings = examine(folder, find_bus(bus, folder), kind, own, Examinations(pins, camera, settings))
        findings.sort(key=lambda each: PARTS.index(each.part) if each.part in PARTS else len(PARTS))
        for finding in findings:
            show(finding)
        if press:
            findings += presses(folder, kind, patience, show)
        if as_json:
            print_json([to_plain(each, words) for each in findings])
        else:
            print_summary(findings, words)
        if any(not each.well for each in findings):
            context.exit(FAILED)

    return command


class Examinations(NamedTuple):
    """The functions that examine pins, camera and settings."""

    pins: Pins
    camera: Camera
    settings: SettingsCheck


def examine(folder: Path, bus: Address, kind: str, own: bool, parts: Examinations) -> list[Finding]:
    """Return all findings, from a running table or else from this process; with `own`, always examine the pins here."""
    there = not reachable(bus)
    if there and not own:
        found = ask_table(bus)
        if found is not None:
            return found
    tables = tuple(services.find_processes(Path("/proc"), *services.TABLES))
    around = [*parts.settings(folder), *machine.examine(folder, ServicesReading(str(bus), there, tables=tables))]
    if there and not own:
        return [*around, bad("services.table", "no_answer", bus=str(bus))]
    return without_duplicates([*around, *parts.pins(folder, kind), *([] if there else parts.camera(folder))])


def ask_table(bus: Address) -> list[Finding] | None:
    """Return a running table's findings, or None if it does not answer."""
    asking, joined = Requests(), threading.Event()

    def on_message(message: AnyMessage) -> None:
        if isinstance(message, Answered):
            asking.on_answer(message)

    client = join(bus, "doctor", on_message, joined.set)
    try:
        if not joined.wait(JOINING):
            return None
        return findings_of(asking.ask(client, "examine", {}, "table", PATIENCE))
    finally:
        client.close()


def print_finding(finding: Finding, words: Words) -> None:
    """Print a finding on one line."""
    what, how, advice = finding_text(finding, words)
    line = f"{MARKS[finding.grade]} {what}: {how.rstrip('.')}"
    click.echo(printable(line + (f". {advice}" if advice else "")))


def print_summary(findings: Sequence[Finding], words: Words) -> None:
    """Print the number of findings that need attention."""
    bad = sum(not finding.well for finding in findings)
    every = len(findings)
    click.echo(
        words.plural("check.page.some", bad, bad=bad, all=every) if bad else words("check.page.all_well", all=every)
    )
