"""`companion backup` and `companion restore`: one file holds everything that cannot be recreated."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import click
import msgspec

from companion.commands.terminal import as_json, data_folder, out, print_json, remarks
from companion.files.untrusted import printable
from companion.ops.backup.archive import (
    DECKS,
    BackupContents,
    BackupError,
    BackupMatch,
    is_encrypted,
    open_backup,
    read_archive,
)
from companion.ops.backup.backup import FOLDER, make_backup

C = TypeVar("C", bound=Callable[..., object])

OPTION, VARIABLE, OLD = "--passphrase-file", "COMPANION_BACKUP_PASSPHRASE_FILE", "COMPANION_BACKUP_PASSPHRASE"
"""The sources of the passphrase file's name: an option, an environment variable, and that variable's old name.

Never print their values: somebody may have typed the passphrase itself.
"""


def folder_options(command: C) -> C:
    """Add the options for the data folders and the passphrase."""
    for option in (
        click.option("--data", type=click.Path(path_type=Path, file_okay=False),
                     help="Folder of matches and settings. [default: COMPANION_DATA, or the user's data folder]"),
        click.option("--camera-data", envvar="COMPANION_CAMERA_DATA", type=click.Path(path_type=Path, file_okay=False),
                     help="The camera's folder (decks), if it has its own. [default: COMPANION_CAMERA_DATA]"),
        click.option(OPTION, type=click.Path(path_type=Path),
                     help=f"File whose first line is the passphrase. [default: {VARIABLE}]"),
    ):  # fmt: skip
        command = option(command)
    return command


@click.command("backup", short_help="Save matches, decks and settings in one file.")
@click.option("--to", "target", type=click.Path(path_type=Path), metavar="FILE|FOLDER",
              help="Where to write it. [default: the folder `backups` of the data folder]")  # fmt: skip
@click.option("--open", "plainly", is_flag=True, help="Save without a passphrase; leave out everything secret.")
@folder_options
@as_json
def backup(
    target: Path | None,
    plainly: bool,
    passphrase_file: Path | None,
    camera_data: Path | None,
    data: Path | None,
    as_json: bool,
) -> None:
    """Save matches, decks, settings and manual places in one file, even during a game.

    With a passphrase, the file contains everything, encrypted: phones and PINs keep working after a restore. Without
    one, it leaves out everything secret: PINs, addresses of pages, and unfinished matches with secrets (sealed bids,
    purposes, the dealer's seed). Keep the file somewhere other than on the same card.
    """
    folder = data_folder(data)
    passphrase = "" if plainly else read_passphrase(passphrase_file, new=True)
    if target is None:
        target = folder / FOLDER
        if folder.is_dir():
            target.mkdir(mode=0o700, exist_ok=True)
    path, contents = make_backup(folder, target, passphrase, camera_data)
    for sentence in contents.said:
        remarks().print(printable(sentence))
    if as_json:
        print_json({"file": str(path), "complete": bool(passphrase), "contents": contents})
        return
    size = path.stat().st_size
    out().print(f"{describe_contents(contents)} saved in {path} ({size / 1e6:.1f} MB).")
    for match in contents.left_out:
        remarks().print(
            f"Left out: {describe_match(match)} is not over and still has secrets. "
            "Save it with a passphrase: --passphrase-file."
        )
    if target == folder / FOLDER:
        out().print("It is on the same disk as the game: copy it to another one.")


@click.command("restore", short_help="Restore the data from a backup.")
@click.argument("source", metavar="FILE", type=click.Path(path_type=Path, exists=True))
@click.option("--check", "only_check", is_flag=True, help="Check the whole file and change nothing.")
@folder_options
@as_json
def restore(
    source: Path,
    only_check: bool,
    passphrase_file: Path | None,
    camera_data: Path | None,
    data: Path | None,
    as_json: bool,
) -> None:
    """Restore what `companion backup` saved in FILE, after checking all of it.

    The current data move to the folder `before-restore-…` inside the data folder; to undo the restore, give that folder
    as FILE. Stop the companion first. If the command is interrupted, you have either the old or the new data.
    """
    from companion.ops.backup.restore import restore as restore_backup

    sealed = False
    if not source.is_dir():
        with open_backup(source) as file:
            sealed = is_encrypted(file)
    passphrase = read_passphrase(passphrase_file, new=False) if sealed else ""
    if only_check:
        if source.is_dir():
            raise BackupError(f"{source} is a folder and has no checksums: only a backup file can be checked.")
        with open_backup(source) as file:
            contents = read_archive(source, file, passphrase)
        if as_json:
            print_json({"file": str(source), "complete": sealed, "contents": contents})
        else:
            out().print(f"{source} is complete: {describe_contents(contents)}.")
        return
    folder = data_folder(data)
    done = restore_backup(source, folder, passphrase, camera_data)
    if as_json:
        print_json({"data": str(folder), **msgspec.structs.asdict(done)})
        return
    out().print(
        f"{describe_contents(done.contents) if not source.is_dir() else 'The earlier data'} restored to {folder}."
    )
    for match in done.contents.matches:
        if match.ended is None:
            out().print(f"{describe_match(match)} goes on from record {match.records}.")
    for kept in done.aside:
        out().print(f"The previous data are in {kept}; `companion restore {kept}` restores them.")
    if done.settings:
        out().print(f"The settings belong to the system: compare and copy them yourself from {done.settings}.")


def read_passphrase(option: Path | None, new: bool) -> str:
    """Return the passphrase from a file or the terminal; empty if there is neither."""
    name, file = find_passphrase_file(option)
    if file:
        try:
            lines = Path(file).read_text(encoding="utf-8").splitlines()
        except (OSError, ValueError) as error:
            why = (isinstance(error, OSError) and error.strerror) or "it is not text"
            raise BackupError(f"The passphrase cannot be read from the file that {name} names: {why}.") from None
        if not lines or not lines[0].strip():
            raise BackupError(f"The first line of the file that {name} names is empty: write the passphrase there.")
        return lines[0].strip()
    if not sys.stdin.isatty():
        return ""
    if not new:
        return str(click.prompt("Passphrase", hide_input=True, err=True))
    asked = "Passphrase (leave empty for a backup without secrets)"
    return str(click.prompt(asked, default="", hide_input=True, confirmation_prompt=True, show_default=False, err=True))


def find_passphrase_file(option: Path | None) -> tuple[str, str]:
    """Return the source of the passphrase file's name, and the name; both empty if there is none."""
    if option is not None:
        return OPTION, str(option)
    if os.environ.get(VARIABLE):
        return VARIABLE, os.environ[VARIABLE]
    file = os.environ.get(OLD, "")
    if not file:
        return "", ""
    if not os.path.isfile(file):
        raise BackupError(
            f"{OLD} must name a file, and there is none of that name. If it is the passphrase itself, write that into "
            f"the first line of a file that only you can read, and set {VARIABLE} to the file's name."
        )
    remarks().print(f"{OLD} is the old name of {VARIABLE}: use the new one.")
    return OLD, file


def describe_contents(contents: BackupContents) -> str:
    """Return a summary of a backup's contents."""
    decks = sum(file.name.startswith(f"{DECKS}/") and file.name.endswith(".deck") for file in contents.files)
    parts = [f"{len(contents.matches)} match{'' if len(contents.matches) == 1 else 'es'}"]
    parts += [f"{decks} deck{'' if decks == 1 else 's'}"] if decks else []
    others = len(contents.files) - decks - any(file.name == "journal.db" for file in contents.files)
    parts += [f"{others} other file{'' if others == 1 else 's'}"] if others else []
    return ", ".join(parts)


def describe_match(match: BackupMatch) -> str:
    """Return a match's number and players."""
    return f"Match {match.id} ({printable(', '.join(match.players))})"
