"""`companion verify`: check the seals of a match's bids on any computer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from companion.commands.terminal import as_json, print_json
from companion.engine import Seat
from companion.files.untrusted import printable
from companion.match.history import History
from companion.match.notation import TextError, follow_text, match_in_header, read_lines
from companion.match.seal_check import CheckedLot, check_seals


@click.command("verify", short_help="Check the seals of a match's bids.")
@click.argument("file", metavar="EXPORT", type=click.Path(path_type=Path))
@as_json
def command(file: Path, as_json: bool) -> None:
    """Check every sealed bid in EXPORT against its seal, lot by lot.

    EXPORT is the text of a finished match, from `companion export`. A seal that does not fit its bid, or a phone that
    was ready with other seals, ends the command with exit code 1; so does a text that cannot be read to its end.
    """
    lines = read_lines(file)
    line, trouble = read_as_far_as_possible(lines, file.name)
    if line is None:
        raise click.ClickException(trouble)
    found = check_seals(line, match_in_header(lines))
    if as_json:
        print_json({"lots": [msgspec.to_builtins(each) | {"sound": each.sound} for each in found], "trouble": trouble})
    else:
        for each in found:
            click.echo(told(each, line))
        if not found and not trouble:
            click.echo("No bid of this match was sealed.")
    if trouble and not as_json:
        click.echo(f"The text cannot be checked any further. {trouble}", err=True)
    if trouble or not all(each.sound for each in found):
        raise SystemExit(1)


def read_as_far_as_possible(lines: Sequence[str], name: str) -> tuple[History | None, str]:
    """Return the line of play of a text up to its first fault, and the fault in words; empty: there is none."""
    found: History | None = None
    try:
        for so_far in follow_text(lines, name):
            found = so_far
    except TextError as error:
        return found, str(error)
    return found, ""


def told(lot: CheckedLot, line: History) -> str:
    """Return what is known of a lot in a sentence or several."""
    players = [printable(player.name) for player in line.setup.seated()]

    def names(seats: Sequence[Seat]) -> str:
        return ", ".join([players[seat] for seat in seats])

    count = sum(map(len, (lot.checked, lot.unsealed, lot.corrected, lot.misfit)))
    said = [f"Lot {printable(lot.lot)}, record {lot.seq}: {len(lot.checked)} of {count} checked."]
    if lot.misfit:
        said.append(f"Does not fit the seal: {names(lot.misfit)}.")
    if lot.apart:
        said.append("A phone was ready with other seals than these.")
    if lot.unsealed:
        said.append(f"Without a seal: {names(lot.unsealed)}.")
    if lot.undone:
        said.append("Corrected by the host: the opening was taken back.")
    elif lot.corrected:
        said.append(f"Corrected by the host: {names(lot.corrected)}.")
    return " ".join(said)
