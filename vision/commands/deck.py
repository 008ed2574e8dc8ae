"""`companion deck`: the companion's own printable decks as a PDF or as pictures. Only pictures need OpenCV."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands.catalogue import find_catalogue
from companion.commands.terminal import remarks
from companion.drawing import Design, DrawError, TokenDesign
from companion.games import GAMES
from companion.i18n import LANGUAGES
from companion.mechanics.definition import CatalogueData
from vision.commands.opencv import opencv
from vision.print.card_sheets import PAPERS, grid_for, sheets
from vision.print.cards import chosen, design, dividers, printable_games
from vision.print.token_pictures import pictures_of, token_designs
from vision.print.token_sheets import token_sheets

if TYPE_CHECKING:
    from vision.image import Image

UNSAFE = re.compile(r"[^A-Za-z0-9._+-]")
"""Characters that are not safe in file names on every system."""

TOKEN_PX_PER_MM = 8.0
"""Pixels per millimetre of a token's picture, slightly finer than a card's, whose digits are larger."""

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
    """Group the commands for printable decks."""


def chosen_design(
    game: str, catalogue: str | None, lang: str = LANGUAGES[0], only: Sequence[str] = (), dividing: bool = False
) -> Design:
    """Return the requested cards or dividers, or raise `ClickException` with a sentence."""
    named: CatalogueData = catalogue and find_catalogue(catalogue, GAMES[game])
    try:
        deck = (dividers if dividing else design)(game, named or None, lang)
        return chosen(deck, only) if only else deck
    except DrawError as error:
        raise click.ClickException(str(error)) from None


def chosen_tokens(game: str, catalogue: str | None) -> tuple[TokenDesign, ...]:
    """Return a game's tokens, or raise `ClickException` with a sentence."""
    try:
        return token_designs(game, (catalogue and find_catalogue(catalogue, GAMES[game])) or None)
    except DrawError as error:
        raise click.ClickException(str(error)) from None


@command.command("print")
@game_argument
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="The PDF. [default: deck-GAME.pdf]")
@click.option("--paper", default="a4", show_default=True, type=click.Choice(tuple(PAPERS)), help="The paper's size.")
@click.option("--lang", default="en", show_default=True, type=click.Choice(LANGUAGES), help="Language of plain cards.")
@click.option("--only", default="", metavar="NAMES", help="These cards alone: tunnel,waste=12, or a set of cards.")
@click.option("--dividers", "dividing", is_flag=True, help="Dividers for the piles instead of cards.")
@click.option("--tokens", is_flag=True, help="The tokens instead of cards: all in the box, both faces.")
@click.option("--fronts", is_flag=True, help="Fronts only, for sleeves with opaque backs.")
@catalogue_option
def print_deck(
    game: str,
    out: Path | None,
    paper: str,
    lang: str,
    only: str,
    dividing: bool,
    tokens: bool,
    fronts: bool,
    catalogue: str | None,
) -> None:
    """Make a PDF of the deck of GAME: every card as often as in the box, with alternating fronts and backs.

    Print it at 100 %, on both sides, flipped on the long edge. See docs/decks.md for paper, cutting and sleeves.
    """
    from vision.print.drawing.pdf import to_pdf

    if tokens:
        if only or dividing or fronts:
            raise click.UsageError(
                "--tokens prints all tokens on both sides: --only, --dividers and --fronts are for cards."
            )
        print_tokens(game, out or Path(f"tokens-{game}.pdf"), paper, catalogue)
        return
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


def print_tokens(game: str, path: Path, paper: str, catalogue: str | None) -> None:
    """Make a PDF of a game's tokens, and print instructions."""
    from vision.print.drawing.pdf import to_pdf

    designs = chosen_tokens(game, catalogue)
    made = tuple(token_sheets(designs, f"{game}: tokens", paper))
    to_pdf(made, path, f"{game}: tokens")
    remarks().print(
        f"{path}: {sum([token.count for token in designs])} tokens on {len(made) // 2} sheets {paper.upper()}."
        " Print at 100 %, both sides, long edge."
    )


@command.command("pictures")
@game_argument
@click.option("--to", "folder", required=True, type=click.Path(path_type=Path, file_okay=False), help="The folder.")
@click.option("--scale", default=1.0, show_default=True, type=click.FloatRange(0.25, 4.0), help="1: 372 × 520 pixels.")
@click.option("--tokens", is_flag=True, help="The tokens instead of cards, 8 pixels per millimetre times the scale.")
@catalogue_option
def pictures(game: str, folder: Path, scale: float, tokens: bool, catalogue: str | None) -> None:
    """Save one picture (PNG) of each card and back of GAME in a folder, each in a file named after its card.

    `companion enrol --from FOLDER` makes a deck of them without a camera. Pictures of tokens are transparent outside
    their outline. A second face of the same token is called NAME_2.
    """
    opencv()
    from vision.image import CARD
    from vision.print.drawing.raster import to_pixels

    if tokens:
        save_token_pictures(game, folder, scale, catalogue)
        return
    deck = chosen_design(game, catalogue)
    size = (round(CARD[0] * scale), round(CARD[1] * scale))
    for name in deck.faces:
        save_picture(folder, name, to_pixels(deck.drawing(name), size[0] / deck.width, size))
    remarks().print(f"{folder}: {len(deck.faces)} pictures of {size[0]} × {size[1]} pixels.")


def save_token_pictures(game: str, folder: Path, scale: float, catalogue: str | None) -> None:
    """Save every face of a game's tokens, transparent outside its outline."""
    import numpy as np

    made = pictures_of(chosen_tokens(game, catalogue), TOKEN_PX_PER_MM * scale)
    for name, (picture, mask) in made.items():
        save_picture(folder, name, np.dstack([picture, mask]))
    remarks().print(f"{folder}: {len(made)} pictures, {TOKEN_PX_PER_MM * scale:g} pixels per millimetre.")


def save_picture(folder: Path, name: str, picture: Image) -> None:
    """Save a picture as NAME.png in a folder, which is created if necessary."""
    import cv2

    folder.mkdir(parents=True, exist_ok=True)
    _, packed = cv2.imencode(".png", picture)
    (folder / f"{UNSAFE.sub('_', name)}.png").write_bytes(packed.tobytes())
