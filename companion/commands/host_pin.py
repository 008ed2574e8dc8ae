"""`companion host-pin`: set a new host PIN on the machine itself, for a host who cannot sign in."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from companion.commands.terminal import data_folder, out
from companion.files.untrusted import printable
from companion.journal.journal import JOURNAL, Journal, JournalError, Summary
from companion.ops import host_pin
from companion.ops.backup.restore import as_owner
from companion.table.session import CURRENT


@click.command("host-pin", short_help="Set a new host PIN for a game.")
@click.option("--match", "match_id", metavar="NUMBER", help="Which match. [default: the one on the table]")
@click.option("--data", type=click.Path(path_type=Path, file_okay=False),
              help="Folder of matches and settings. [default: COMPANION_DATA, or the user's data folder]")  # fmt: skip
def command(match_id: str | None, data: Path | None) -> None:
    """Set a new host PIN if the old one is forgotten or can no longer be read.

    A running table takes the new PIN at once, a stopped one when it starts. The old PIN and the host's pages end; seats
    keep theirs. You need the right to write to the data folder: on a Raspberry Pi, use sudo. Type the PIN twice, or
    send it to standard input.
    """
    folder = data_folder(data)
    match = find_match(folder, match_id)
    pin = ask_pin()
    if not host_pin.is_valid_pin(pin):
        raise JournalError(f"The host PIN must have {host_pin.LEAST} to {host_pin.MOST} digits.")
    with as_owner(folder):
        host_pin.leave_request(folder, host_pin.HostPinRequest(match.id, host_pin.hash_pin(pin)))
    players = printable(", ".join(match.players))
    out().print(f"The new host PIN of match {match.id} ({players}) is valid from now on, or when the table starts.")
    out().print("Open the table's first page on any device, choose the host's page, and enter it.")


def find_match(folder: Path, match_id: str | None) -> Summary:
    """Return the match with this id, or the current one without an id; raise `JournalError` if there is none."""
    with Journal(folder / JOURNAL, read_only=True) as journal:
        if match_id is None:
            match_id = (journal.read_value(CURRENT) or b"").decode()
        if not match_id:
            raise JournalError(
                "There is no match on the table. Choose one with --match; `companion export --list` shows them all."
            )
        return journal.summary(match_id)


def ask_pin() -> str:
    """Return the PIN, typed twice or read from the first line of standard input."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().strip()
    return str(click.prompt("New host PIN", hide_input=True, confirmation_prompt=True, err=True)).strip()
