"""`companion recognise`: name the enrolled cards in pictures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from companion.commands.terminal import out, print_json
from vision.commands.opencv import opencv
from vision.commands.picture_files import read_picture, report_unread

if TYPE_CHECKING:
    from vision.image import CardReading

WHY = {
    "unknown": "a card, not certainly one of the deck",
    "value": "value cannot be read",
    "hidden": "too little of it is visible",
}
"""The words for a doubt in the table."""


@click.command("recognise", short_help="Name the cards on pictures.")
@click.argument("images", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--deck", "file", required=True, type=click.Path(path_type=Path), help="A deck that `companion enrol` made."
)
@click.option(
    "--threads", default=2, show_default=True, type=click.IntRange(1, 64), help="Number of processor cores to use."
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON, for programs.")
def command(images: tuple[Path, ...], file: Path, threads: int, as_json: bool) -> None:
    """Name the enrolled cards on pictures. Uncertain cards are not named.

    Unreadable pictures are reported and skipped, and the exit code is 1.
    """
    opencv()
    from vision.deck.deck_file import load
    from vision.enrolled_file import DeckError
    from vision.recognise import Recogniser

    try:
        recogniser = Recogniser(load(file), threads)
    except DeckError as error:
        raise click.ClickException(str(error)) from None
    results: list[tuple[Path, list[CardReading]]] = []
    unread: list[str] = []
    for image in images:
        try:
            cards = recogniser.read(read_picture(image))
        except DeckError as error:
            unread.append(str(error))
        else:
            results.append((image, cards))
    if as_json:
        print_json([{"image": str(image), "cards": msgspec.to_builtins(cards)} for image, cards in results])
    else:
        print_readings(results)
    report_unread(unread, len(images))


def print_readings(results: list[tuple[Path, list[CardReading]]]) -> None:
    """Print the cards in each picture."""
    from rich.table import Table

    for image, cards in results:
        table = Table("card", "certainty", "where", title=str(image), title_justify="left")
        table.columns[1].justify = "right"
        for card in cards:
            middle = [sum(corner[axis] for corner in card.corners) / 4 for axis in (0, 1)]
            name = card.card or f"– {WHY[card.doubt]} ({', '.join(card.likeliest)}?)"
            certainty = f"{card.confidence:.2f}" if card.card else ""
            table.add_row(name, certainty, f"{middle[0]:.0f}, {middle[1]:.0f}")
        out().print(table if cards else f"{image}: no card of this deck.")
