"""`companion update`: install a new version's package, and return to the old version by itself if the new one fails."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import click

from companion.commands.terminal import out, remarks
from companion.files.untrusted import printable
from companion.ops.update import asking
from companion.ops.update.asking import Outcome, Said
from companion.ops.update.places import Places
from companion.ops.update.sentences import UpdateError, sentence
from companion.ops.update.services import Services
from companion.ops.update.system import run
from companion.ops.update.updater import Stage, Updater, copy_of

USER = "companion"
"""The table's user, who receives packages from pages."""


@click.command("update", short_help="Install a new version's package.")
@click.argument("package", metavar="FILE.deb", type=click.Path(path_type=Path, dir_okay=False), required=False)
@click.option("--older", is_flag=True, help="Take a version that is older than the installed one, without asking.")
@click.option("--requested", is_flag=True, hidden=True, help="Take what a page brought; for the service.")
@click.option("--data-back", metavar="FOLDER", hidden=True, help="Put saved data back where it must be; at a start.")
def command(package: Path | None, older: bool, requested: bool, data_back: str | None) -> None:
    """Install a new version from its package FILE.deb, without internet.

    Before any change, this tries the new version beside the installed one and copies matches, decks and settings. Then
    it installs the new version and restarts the services; a game on the table goes on. If a service does not stay up,
    the old version comes back. Use sudo.
    """
    if os.geteuid() != 0:
        raise click.UsageError("Only root can install: sudo companion update FILE.deb")
    if requested:
        answer_request(Places.here())
        return
    if data_back is not None:
        # Nothing runs yet, and stopping the table would cancel its pending start.
        updater_here(Places.here(), lambda stage: None, running=False).bring_data_back(data_back)
        return
    if package is None:
        raise click.UsageError("Say which package: sudo companion update FILE.deb")
    out().print(sentence("done", version=take(package, older)))


def take(package: Path, older: bool) -> str:
    """Install a package and return its version; ask first if it is older than the installed one."""
    updater = updater_here(Places.here(), lambda stage: remarks().print(f"→ {sentence(stage)}"))
    try:
        return updater.update(copy_of(package), signed=False, older=older)
    except UpdateError as error:
        if error.key != "older":
            raise
        click.confirm(f"{printable(str(error))} Install it all the same?", abort=True, err=True)
        return updater.update(copy_of(package), signed=False, older=True)


def answer_request(places: Places) -> None:
    """Do what a page requested, and record the outcome."""
    if not asking.take_request(places):
        return
    stages: list[Stage] = []

    def tell(stage: Stage) -> None:
        stages.append(stage)
        asking.tell(places, Outcome("running", (Said(stage),)))

    try:
        version = updater_here(places, tell).update(asking.upload_of(places, USER), signed=True)
    except UpdateError as error:
        asking.tell(places, asking.outcome_of(error, "installing" in stages))
        if "installing" in stages:
            raise
        # A rejected file is no failure of the service.
        remarks().print(printable(str(error)))
        return
    except Exception:
        asking.tell(places, Outcome("failed", (Said("ended"),)))
        raise
    asking.tell(places, Outcome("done", (Said("done", {"version": version}),)))


def updater_here(places: Places, tell: Callable[[Stage], None], running: bool = True) -> Updater:
    """Return the updater of this machine; `running`: whether its services may run, provided that systemd does."""
    return Updater(places, run, Services(run, running and Path("/run/systemd/system").is_dir()), tell)
