"""`companion recognise`: which enrolled cards are on pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import msgspec

from companion.commands.terminal import out, print_json
from vision.commands.enrol import read_picture, report_unread
from vision.commands.opencv import opencv

WHY = {
    "unknown": "a card, but none of the deck's for certain",
    "value": "its value cannot be read",
    "hidden": "too little shows",
}
"""What a doubt is called in the table."""


@click.command("recognise", short_help="Name the cards on pictures.")
@click.argument("images", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--deck", "file", required=True, type=click.Path(path_type=Path), help="A deck that `companion enrol` made."
)
@click.option(
    "--threads", default=2, show_default=True, type=click.IntRange(1, 64), help="So many processor cores are used."
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON, for programs.")
def command(images: tuple[Path, ...], file: Path, threads: int, as_json: bool) -> None:
    """Name the enrolled cards on pictures. What is not certain is not named.

    A picture that cannot be read is said and left out; the exit code is 1 then.
    """
    opencv()
    from vision.deck import DeckError, load
    from vision.recognise import Recogniser

    try:
        recogniser = Recogniser(load(file), threads)
    except DeckError as error:
        raise click.ClickException(str(error)) from None
    results: list[dict[str, Any]] = []
    unread: list[str] = []
    for image in images:
        try:
            cards = [msgspec.to_builtins(one) for one in recogniser.read(read_picture(image))]
        except DeckError as error:
            unread.append(str(error))
        else:
            results.append({"image": str(image), "cards": cards})
    if as_json:
        print_json(results)
    else:
        print_readings(results)
    report_unread(unread, len(images))


def print_readings(results: list[dict[str, Any]]) -> None:
    """Print what lies on each picture."""
    from rich.table import Table

    for result in results:
        table = Table("card", "certainty", "where", title=result["image"], title_justify="left")
        table.columns[1].justify = "right"
        for card in result["cards"]:
            middle = [sum(corner[axis] for corner in card["corners"]) / 4 for axis in (0, 1)]
            name = card["card"] or f"– {WHY[card['doubt']]} ({', '.join(card['likeliest'])}?)"
            certainty = f"{card['confidence']:.2f}" if card["card"] else ""
            table.add_row(name, certainty, f"{middle[0]:.0f}, {middle[1]:.0f}")
        out().print(table if result["cards"] else f"{result['image']}: no card of this deck.")
