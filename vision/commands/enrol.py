"""`companion enrol`: makes a deck from a folder of photographs, and prints what is wrong with them."""

from __future__ import annotations

import re
import stat
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands.terminal import out, print_json, remarks
from vision.commands.opencv import opencv

if TYPE_CHECKING:
    from vision.deck import EnrolmentReport
    from vision.image import Image

PICTURES = (".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff")
"""Files that are taken as pictures."""
MOST_BYTES = 512 << 20
"""No camera's picture takes more."""
MOST_STRETCHED = 20
"""A picture is at most so many times as long as it is wide."""
SHOWN = 24
"""So many pairs of cards that look alike are printed."""


@click.command("enrol", short_help="Make a deck from photographs of cards.")
@click.option("--from", "folder", required=True, type=click.Path(path_type=Path, file_okay=False),
              help="Folder of pictures. Each file has the name of its card; a sub-folder named after the card "
              "may hold several. Names that begin with back- are backs.")  # fmt: skip
@click.option("--deck", "target", required=True, type=click.Path(path_type=Path, dir_okay=False),
              help="Deck file to write. An existing file is replaced only if it is a deck.")  # fmt: skip
@click.option("--name", default="", help="Name of the deck. [default: the file name without its ending]")
@click.option("--tokens", is_flag=True, help="The pictures show tokens: put them into the deck's file.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON, for programs.")
def command(folder: Path, target: Path, name: str, tokens: bool, as_json: bool) -> None:
    """Make a deck from a folder of photographs, and report poor pictures and cards that look too alike.

    Pictures that cannot be read are reported and left out; the exit code is then 1. Pictures of tokens are those of
    `companion deck pictures --tokens`, or photographs of one token each on a sheet of A4 or letter paper.
    """
    opencv()
    if tokens:
        from vision.commands.enrol_tokens import enrol_tokens

        enrol_tokens(folder, target, as_json)
        return
    from vision.deck import DeckError, EnrolmentReport, enrol, save

    try:
        require_writable(target)
        called = check_deck_name(name, "--name") if name else name_after(target)
        files = files_in(folder)
        pictures, unread = read_pictures(files)
        deck, report = enrol(called, pictures)
        save(deck, target)
    except DeckError as error:
        raise click.ClickException(str(error)) from None
    blank = [one for one in report.findings if one.key == "blank"]
    unread += [one.said for one in blank]
    report = EnrolmentReport(tuple([one for one in report.findings if one not in blank]), report.pairs)
    if as_json:
        print_json(report_data(deck.cards, deck.backs, report))
    else:
        print_report(report)
        backs = f" and {len(deck.backs)} backs" if deck.backs else ""
        shots = sum(len(entry.shots) for entry in deck.entries)
        out().print(f"{target}: cards: {len(deck.cards)}{backs}, pictures: {shots}")
    report_unread(unread, sum(map(len, files.values())))


def read_pictures(files: Mapping[str, Sequence[Path]]) -> tuple[dict[str, list[Image]], list[str]]:
    """Return each card's pictures, and a sentence for each file that cannot be read.

    DeckError: none can.
    """
    from vision.deck import DeckError

    pictures: dict[str, list[Image]] = {}
    unread: list[str] = []
    for card, paths in files.items():
        for path in paths:
            try:
                pictures.setdefault(card, []).append(read_picture(path))
            except DeckError as error:
                unread.append(str(error))
    if not any(pictures.values()):
        raise DeckError("\n".join(unread))
    return pictures, unread


def report_unread(unread: Sequence[str], of: int) -> None:
    """Say which pictures were left out and end with exit code 1; do nothing where there are none."""
    if not unread:
        return
    for said in unread:
        click.echo(said, err=True)
    raise click.ClickException(f"{len(unread)} of {of} pictures left out.")


def require_writable(target: Path) -> None:
    """Raise DeckError where a deck's file would take the place of something else, such as one of the photographs."""
    from vision.deck import DeckError

    if target.suffix.lower() in PICTURES:
        raise DeckError(f"{target} has the name of a picture: give --deck another file, such as cards.deck.")
    if target.exists() and target.stat().st_size and not is_deck(target):
        raise DeckError(
            f"{target} exists and is not a readable deck, so it is not replaced."
            " Give --deck another file, or remove it."
        )


def is_deck(path: Path) -> bool:
    """Whether a file is a deck that can be read."""
    from vision.deck import DeckError, load

    try:
        return path.is_file() and bool(load(path).entries)
    except DeckError:
        return False


def check_deck_name(name: str, where: str) -> str:
    """Return the name of a deck, or raise DeckError where the pages would not take it; `where` it stands."""
    from vision.deck import DeckError
    from vision.deck.stored_decks import ALLOWED, RequestRefused, check_name

    try:
        return check_name(unicodedata.normalize("NFC", name))
    except RequestRefused:
        raise DeckError(f"{where}: {name!r} cannot be a name. {ALLOWED}") from None


def name_after(target: Path) -> str:
    """Return a deck's name after its file's: what no name may have becomes a dash."""
    from vision.deck.stored_decks import LONGEST, RequestRefused, check_name

    plain = re.sub(r"[^\w +&'()-]+", "-", unicodedata.normalize("NFC", target.stem)).lstrip(" +&'()-")
    try:
        return check_name(plain[:LONGEST].rstrip(" -"))
    except RequestRefused:
        return "deck"


def card_of(path: Path) -> str:
    """Return the card that a file or a folder is named after, or raise DeckError where that is no name of a card.

    Programs may call cards as they like, with dots and commas: the pages alone ask for less.
    """
    from vision.deck import BACK, DeckError, is_harmless_name

    name = unicodedata.normalize("NFC", path.name if path.is_dir() else path.stem)  # a Mac takes accents apart
    if not is_harmless_name(name):
        raise DeckError(f"{path} cannot be a card's name: it is too long or has characters that cannot be printed.")
    if name == BACK:
        raise DeckError(f"{path} needs a name after {BACK}, such as {BACK}wagon.")
    return name


def files_in(folder: Path) -> dict[str, list[Path]]:
    """Return the files of a folder's pictures by card, or raise DeckError with what is wrong."""
    from vision.deck import DeckError

    if not folder.is_dir():
        raise DeckError(f"There is no folder {folder}.")
    found: dict[str, list[Path]] = {}
    for path in list_folder(folder):
        if path.name.startswith("."):
            continue
        if path.is_dir():
            inside = [file for file in list_folder(path) if file.suffix.lower() in PICTURES]
            if inside:
                found.setdefault(card_of(path), []).extend(inside)
        elif path.suffix.lower() in PICTURES:
            found.setdefault(card_of(path), []).append(path)
    if not found:
        raise DeckError(f"There are no pictures in {folder}: add photographs named after their cards (jpg, png).")
    return found


def list_folder(folder: Path) -> list[Path]:
    """Return what is in a folder, sorted; DeckError where it cannot be opened."""
    from vision.deck import DeckError

    try:
        return sorted(folder.iterdir())
    except OSError as error:
        raise DeckError(f"{folder} cannot be read: {error.strerror}.") from None


def read_picture(path: Path) -> Image:
    """Return a picture from a file; DeckError says which file is none, or is too large."""
    import cv2
    import numpy as np

    from vision.deck import DeckError

    try:
        found = path.stat()
        if stat.S_ISDIR(found.st_mode):
            raise DeckError(f"{path} is a folder, not a picture.")
        if not stat.S_ISREG(found.st_mode):  # a pipe or a device may never end
            raise DeckError(f"{path} is not a file.")
        if found.st_size > MOST_BYTES:
            raise DeckError(f"{path} is too large for a picture: {found.st_size >> 20} MB.")
        data = np.frombuffer(path.read_bytes(), np.uint8)
    except OSError as error:
        raise DeckError(f"{path} cannot be read: {error.strerror}.") from None
    try:
        picture = cv2.imdecode(data, cv2.IMREAD_COLOR) if len(data) else None
    except cv2.error:
        picture = None
    if picture is None:
        raise DeckError(f"{path} is not a readable picture.")
    if min(picture.shape[:2]) < 48:
        raise DeckError(f"{path} is too small to show a card: {picture.shape[1]} × {picture.shape[0]} pixels.")
    if max(picture.shape[:2]) > MOST_STRETCHED * min(picture.shape[:2]):
        raise DeckError(f"{path} is too narrow to show a card: {picture.shape[1]} × {picture.shape[0]} pixels.")
    return np.asarray(picture, np.uint8)


def report_data(cards: tuple[str, ...], backs: tuple[str, ...], report: EnrolmentReport) -> dict[str, object]:
    """Return what is printed as JSON."""
    return {
        "cards": cards,
        "backs": backs,
        "findings": [
            {"card": one.card, "picture": one.which, "key": one.key, "fields": one.fields, "said": one.said}
            for one in report.findings
        ],
        "alike": [
            {"cards": [one.first, one.second], "margin": one.margin, "one_art": one.one_art, "advice": one.advice}
            for one in report.pairs
        ],
    }


def print_report(report: EnrolmentReport) -> None:
    """Print findings and look-alikes."""
    from rich.table import Table

    for finding in report.findings:
        remarks().print(finding.said)
    if not report.pairs:
        return
    table = Table("cards that look alike", "margin", "what to do", title="the closest first")
    table.columns[1].justify = "right"
    for pair in report.pairs[:SHOWN]:
        table.add_row(f"{pair.first} – {pair.second}", f"{pair.margin:.2f}", pair.advice)
    out().print(table)
    if len(report.pairs) > SHOWN:
        out().print(f"… and {len(report.pairs) - SHOWN} more pairs, less alike.")
