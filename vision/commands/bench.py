"""`companion bench`: measure accuracy and speed of reading. It prints figures without judging them."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from vision.commands.opencv import opencv

TABLES, FEW = 6, 2
"""The number of rendered tables to measure, and the number with `--quick`."""

ROOM_GAME = "take-a-train"
"""The game whose printed cards lie in rendered rooms."""


@click.group("bench", short_help="Measure accuracy and speed of card recognition.")
def command() -> None:
    """Measure on this machine. Nothing is sent or saved."""


@command.command("vision", short_help="Rendered tables and photographs.")
@click.option(
    "--photographs",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder of photographs with labels.json, refs and scenes. [default: rendered tables]",
)
@click.option(
    "--changed", is_flag=True, help="With --photographs: read them also in other light, less sharp, and noisy."
)
@click.option(
    "--tables", type=click.IntRange(1, 1000), help=f"Number of rendered tables. [default: {TABLES}, {FEW} with --quick]"
)
@click.option(
    "--rooms",
    type=click.IntRange(1, 1000),
    metavar="NUMBER",
    help="Read so many pictures of each kind of rendered room.",
)
@click.option("--follow", "game", metavar="GAME", help="Follow whole games by camera alone.")
@click.option("--games", type=click.IntRange(1, 10_000), default=50, show_default=True, help="Number of whole games.")
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="Seed of the first game or table; the others count up from it.",
)
@click.option(
    "--quick", is_flag=True, help="Use only a few layouts of each table; with --follow the beginning of one game."
)
def vision(
    photographs: Path | None,
    changed: bool,
    tables: int | None,
    rooms: int | None,
    game: str | None,
    games: int,
    seed: int,
    quick: bool,
) -> None:
    """Measure on rendered tables or rooms of our own deck, or on a folder of photographs.

    With --follow, bots play whole games on rendered tables, and the companion knows only what it sees. Progress goes to
    standard error.
    """
    opencv()
    if game is not None:
        follow(game, games, seed, quick)
        return
    if photographs is not None:
        measure(photographs, changed)
        return
    if rooms is not None:
        look_into_rooms(rooms, seed)
        return
    from vision.bench import tables as rendered

    rendered.run(tables or (FEW if quick else TABLES), quick, click.echo, seed)


def look_into_rooms(pictures: int, seed: int) -> None:
    """Read this many pictures of each kind of room in each half of the seeds."""
    from vision.bench import rooms
    from vision.print.cards import faces

    cards = {name: face for name, face in faces(ROOM_GAME).items() if not name.startswith("back-")}
    rooms.run(cards, pictures, click.echo, seed)


def measure(photographs: Path, changed: bool) -> None:
    """Measure a folder of photographs, or raise `ClickException` with a sentence.

    changed: whether to vary the light too.
    """
    from vision.bench.photographs import Unusable, run
    from vision.enrolled_file import DeckError

    try:
        run(photographs, changed)
    except (Unusable, DeckError) as error:
        raise click.ClickException(str(error)) from None


def follow(game: str, games: int, seed: int, quick: bool) -> None:
    """Follow whole games, or name the games that a camera can follow."""
    from companion.games import SEEN
    from vision.bench import follow as following

    if game not in SEEN:
        raise click.BadParameter(f"{game!r} is not available: choose one of {', '.join(SEEN)}.", param_hint="--follow")
    following.run(game, games, seed, click.echo, partial(click.echo, err=True), quick)
