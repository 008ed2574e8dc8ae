"""`companion deck`: our own printable decks as a PDF or as pictures. Printing needs no OpenCV, pictures do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from companion.commands.catalogue import find_catalogue
from companion.commands.terminal import remarks
from companion.drawing import Design, DrawError
from companion.games import GAMES
from companion.i18n import LANGUAGES
from vision.commands.opencv import opencv
from vision.print.cards import chosen, design, dividers, printable_games
from vision.print.sheets import PAPERS, grid_for, sheets

UNSAFE = re.compile(r"[^A-Za-z0-9._+-]")
"""What does not go into a file's name everywhere."""

GAMES_WITH_DECKS = printable_games()
game_argument = click.argument("game", type=click.Choice(GAMES_WITH_DECKS), metavar="GAME")
catalogue_option = click.option(
    "--catalogue",
    metavar="NAME|FILE",
    help="The list of cards: a shipped one's name, or a TOML file. [default: shipped]",
)


@click.group(
    "deck",
    short_help="Print our own decks of cards.",
    help=f"""Our own decks: drawn for playing and for the camera, free to print.

    There are decks of {", ".join(GAMES_WITH_DECKS)}.
    """,
)
def command() -> None:
    """Group the commands around printable decks."""


def chosen_design(
    game: str, catalogue: str | None, lang: str = LANGUAGES[0], only: Sequence[str] = (), dividing: bool = False
) -> Design:
    """Return the cards or dividers that were asked for, or say in a sentence why there are none."""
    named: str | dict[str, Any] | None = catalogue and find_catalogue(catalogue, GAMES[game])
    try:
        deck = (dividers if dividing else design)(game, named or None, lang)
        return chosen(deck, only) if only else deck
    except DrawError as error:
        raise click.ClickException(str(error)) from None


@command.command("print")
@game_argument
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="The PDF. [default: deck-GAME.pdf]")
@click.option("--paper", default="a4", show_default=True, type=click.Choice(tuple(PAPERS)), help="The paper's size.")
@click.option("--lang", default="en", show_default=True, type=click.Choice(LANGUAGES), help="Language of plain cards.")
@click.option("--only", default="", metavar="NAMES", help="These cards alone: tunnel,waste=12, or a set of cards.")
@click.option("--dividers", "dividing", is_flag=True, help="Dividers for the piles instead of cards.")
@click.option("--fronts", is_flag=True, help="Fronts only, for sleeves with opaque backs.")
@catalogue_option
def print_deck(
    game: str, out: Path | None, paper: str, lang: str, only: str, dividing: bool, fronts: bool, catalogue: str | None
) -> None:
    """Make a PDF of the deck of GAME: every card as often as in the box, fronts and backs in turn.

    Print it at 100 %, on both sides, flipped on the long edge. docs/decks.md tells about paper, cutting and sleeves.
    """
    from vision.print.drawing import to_pdf

    deck = chosen_design(game, catalogue, lang, [name for name in only.split(",") if name], dividing)
    fronts = fronts or dividing
    path = out or Path(f"{'dividers' if dividing else 'deck'}-{game}.pdf")
    made = tuple(sheets(deck, paper, backs=not fronts))
    to_pdf(made, path, f"{game}: cards")
    grid = grid_for(paper, (deck.width, deck.height))
    sides = "one side" if fronts else "both sides, long edge"
    count, kind = len(made) if fronts else len(made) // 2, "dividers" if dividing else "cards"
    remarks().print(
        f"{path}: {sum(deck.counts.values())} {kind} of {deck.width:g} × {deck.height:g} mm on {count} sheets"
        f" {paper.upper()}, {grid.columns * grid.rows} on each. Print at 100 %, {sides}."
    )


@command.command("pictures")
@game_argument
@click.option("--to", "folder", required=True, type=click.Path(path_type=Path, file_okay=False), help="The folder.")
@click.option("--scale", default=1.0, show_default=True, type=click.FloatRange(0.25, 4.0), help="1: 372 × 520 pixels.")
@catalogue_option
def pictures(game: str, folder: Path, scale: float, catalogue: str | None) -> None:
    """Save one picture (PNG) of each card and back of GAME in a folder; each file has the name of its card.

    `companion enrol --from FOLDER` makes a deck of them without a camera.
    """
    opencv()
    import cv2

    from vision.image import CARD
    from vision.print.drawing import to_pixels

    deck = chosen_design(game, catalogue)
    folder.mkdir(parents=True, exist_ok=True)
    size = (round(CARD[0] * scale), round(CARD[1] * scale))
    for name in deck.faces:
        path = folder / f"{UNSAFE.sub('_', name)}.png"
        _, packed = cv2.imencode(".png", to_pixels(deck.drawing(name), size[0] / deck.width, size))
        path.write_bytes(packed.tobytes())
    remarks().print(f"{folder}: {len(deck.faces)} pictures of {size[0]} × {size[1]} pixels.")
