"""`companion enrol`: make a deck from a folder of photographs, and print the problems with them."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands.terminal import out, print_json, remarks
from vision.commands.many_cards import read_groups, split_groups
from vision.commands.opencv import opencv
from vision.commands.picture_files import (
    PICTURES,
    EnrolledPictures,
    files_in,
    read_each,
    read_picture,
    report_unread,
)

if TYPE_CHECKING:
    from vision.deck.making import EnrolmentReport

SHOWN = 24
"""The maximum number of similar pairs to print."""


@click.command("enrol", short_help="Make a deck from photographs of cards.")
@click.option("--from", "folder", required=True, type=click.Path(path_type=Path, file_okay=False),
              help="Folder of pictures. Each file has the name of its card; a sub-folder named after the card "
              "may hold several. Names that begin with back- are backs.")  # fmt: skip
@click.option("--deck", "target", required=True, type=click.Path(path_type=Path, dir_okay=False),
              help="Deck file to write. An existing file is replaced only if it is a deck.")  # fmt: skip
@click.option("--name", default="", help="Name of the deck. [default: the file name without its ending]")
@click.option("--whole", is_flag=True, help="The pictures show cards right to their edges: cut nothing out.")
@click.option("--tokens", is_flag=True, help="The pictures show tokens: put them into the deck's file.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON, for programs.")
def command(folder: Path, target: Path, name: str, whole: bool, tokens: bool, as_json: bool) -> None:
    """Make a deck from a folder of photographs, and report poor pictures and cards that look too alike.

    Lay each card on a plain cloth of another colour, so that it can be cut out at its edges. A picture beside the deck,
    named after it, shows the result. A photograph may show many cards if a text file of the same name beside it names
    them row by row, one a line. Unreadable pictures, and those without a card's edge, are reported and left out, and
    the exit code is 1. Pictures of tokens come from `companion deck pictures --tokens`, or are photographs of one token
    each on a sheet of A4 or letter paper.
    """
    opencv()
    from vision.enrolled_file import DeckError

    try:
        if tokens:
            from vision.commands.enrol_tokens import enrol_tokens

            found = enrol_tokens(folder, target)
        else:
            found = enrol_cards(folder, target, name, whole)
    except (DeckError, OSError) as error:
        raise click.ClickException(str(error)) from None
    if as_json:
        print_json(found.data)
    else:
        found.show()
        out().print(f"{target}: {found.counted}")
    report_unread(found.unread, found.files)


def enrol_cards(folder: Path, target: Path, name: str, whole: bool = False) -> EnrolledPictures:
    """Make a deck from a folder's pictures, or raise `DeckError`.

    whole: whether to cut nothing out.
    """
    from vision.commands.contact_sheet import write_contact_sheet
    from vision.deck.deck_file import save
    from vision.deck.making import LEFT_OUT, EnrolmentReport, enrol
    from vision.enrolled_file import DeckError

    require_writable(target)
    called = check_deck_name(name, "--name") if name else name_after(target)
    files = files_in(folder)
    single, many = split_groups(files)
    pictures, unread = read_each(single, lambda path, _: read_picture(path))
    straight, refused = read_groups(many)
    unread += refused
    if unread and not pictures and not straight:
        raise DeckError("\n".join(unread))
    deck, report = enrol(called, pictures, whole, straight)
    save(deck, target)
    sheet = write_contact_sheet(deck, target)
    left_out = [one for one in report.findings if one.key in LEFT_OUT]
    unread += [one.said for one in left_out]
    report = EnrolmentReport(tuple([one for one in report.findings if one not in left_out]), report.pairs)
    backs = f" and {len(deck.backs)} backs" if deck.backs else ""
    shots = sum(len(entry.shots) for entry in deck.entries)
    counted = f"cards: {len(deck.cards)}{backs}, pictures: {shots}, all shown in {sheet}"
    data = report_data(deck.cards, deck.backs, report)
    return EnrolledPictures(data, lambda: print_report(report), counted, unread, sum(map(len, files.values())))


def require_writable(target: Path) -> None:
    """Raise `DeckError` if a deck's file would replace something else, such as one of the photographs."""
    from vision.enrolled_file import DeckError

    if target.suffix.lower() in PICTURES:
        raise DeckError(f"{target} has the name of a picture: give --deck another file, such as cards.deck.")
    if target.exists() and target.stat().st_size and not is_deck(target):
        raise DeckError(
            f"{target} exists and is not a readable deck, so it is not replaced."
            " Give --deck another file, or remove it."
        )


def is_deck(path: Path) -> bool:
    """Whether a file is a readable deck."""
    from vision.deck.deck_file import load
    from vision.enrolled_file import DeckError

    try:
        return path.is_file() and bool(load(path).entries)
    except DeckError:
        return False


def check_deck_name(name: str, where: str) -> str:
    """Return the name of a deck, or raise `DeckError` if the pages would refuse it.

    where: its place in the message.
    """
    from vision.deck.stored_decks import ALLOWED, RequestRefused, check_name
    from vision.enrolled_file import DeckError

    try:
        return check_name(unicodedata.normalize("NFC", name))
    except RequestRefused:
        raise DeckError(f"{where}: {name!r} cannot be a name. {ALLOWED}") from None


def name_after(target: Path) -> str:
    """Return a deck's name after its file's, with a dash for each invalid character."""
    from vision.deck.stored_decks import LONGEST, RequestRefused, check_name

    plain = re.sub(r"[^\w +&'()-]+", "-", unicodedata.normalize("NFC", target.stem)).lstrip(" +&'()-")
    try:
        return check_name(plain[:LONGEST].rstrip(" -"))
    except RequestRefused:
        return "deck"


def report_data(cards: tuple[str, ...], backs: tuple[str, ...], report: EnrolmentReport) -> dict[str, object]:
    """Return the data to print as JSON."""
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
    """Print the findings and the similar cards."""
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
