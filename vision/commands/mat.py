"""`companion mat print`: the mat as a PDF. OpenCV is imported late."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands.terminal import data_folder, remarks
from companion.engine import tell_by_cards
from companion.engine.board import plays_on_board
from companion.games import FIRST, GAMES, SEEN, files, game_words
from companion.i18n import LANGUAGES, load
from vision.commands.opencv import opencv

if TYPE_CHECKING:
    from vision.mat import Mat


paper_option = click.option(
    "--paper",
    default="a4",
    show_default=True,
    type=click.Choice(("a4", "a3", "a2", "letter")),
    help="The paper's size.",
)


@click.group("mat", short_help="Print the mat that the camera reads.")
def command() -> None:
    """The mat: sheets of paper that show every place of the table, with markers for the camera."""


@command.command("print")
@click.option("--players", type=click.IntRange(1, 20), required=True, help="Number of players.")
@click.option("--card", "card", default="", metavar="WxH", help="Size of a card in mm. [default: settings, else 63x88]")
@paper_option
@click.option("--game", default=FIRST, show_default=True, help="Game whose places to print.")
@click.option("--lang", default="en", show_default=True, type=click.Choice(LANGUAGES), help="Language of the text.")
@click.option("--tokens/--no-tokens", default=True, help="With places for tokens, where the game has them, or without.")
@click.option("--data", type=click.Path(path_type=Path, file_okay=False), help="Folder with the settings.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="The PDF. [default: mat-<players>.pdf]")
def print_mat(
    players: int, card: str, paper: str, game: str, lang: str, tokens: bool, data: Path | None, out: Path | None
) -> None:
    """Make the PDF: one page with instructions, then the mat's sheets. Print it at 100 %.

    The card's size is that of [camera] in companion.toml. Cards of another size need another mat.
    """
    opencv()
    from vision.mat import MatError, mat_of_game, read_card, suggest_game_mat
    from vision.mat.printed_sheets import print_mat as print_pages
    from vision.settings import settings

    known = settings(data_folder(data))
    _check_seats(game, players)
    try:
        size = read_card(card) if card else known.card
    except MatError as error:
        raise click.ClickException(str(error)) from None
    try:
        mat = mat_of_game(SEEN[game], players, size, paper, tokens)
    except MatError as error:
        instead = suggest_game_mat(SEEN[game], players, size, paper, tokens)
        raise click.ClickException(f"{error}{_instead(instead)}") from None
    path = out or Path(f"mat-{players}.pdf")
    print_pages(mat, path, lang, game_words(SEEN[game], lang))
    for line in _remarks(mat, game, path, tokens):
        remarks().print(line)
    if mat.card != known.card:
        remarks().print(f'Add card = "{mat.card[0]:g}x{mat.card[1]:g}" under [camera] in companion.toml.')


def _remarks(mat: Mat, game: str, path: Path, tokens: bool) -> Iterator[str]:
    """Yield the remarks on the PDF: its contents, what it gave up, and the cameras that suffice."""
    from vision.mat import token_places_of
    from vision.mat.camera_resolution import camera_lines, token_line
    from vision.mat.concessions import concessions

    yield (
        f"{path}: {len(mat.sheets)} sheets {mat.paper.upper()} for {mat.players} players,"
        f" cards {mat.card[0]:g} × {mat.card[1]:g} mm; the mat is {mat.size[0] / 10:.0f} × {mat.size[1] / 10:.0f} cm."
        " Print at 100 %."
    )
    rules = SEEN[game]
    read = token_places_of(rules, mat.players) if tokens else ()
    yield from concessions(mat, rules.places(mat.players), game_words(rules, LANGUAGES[0]), read)
    yield "Where the mat fills the picture:"
    yield from [f"  {line}" for line in camera_lines(mat)]
    if said := token_line(mat):
        yield said


def _instead(mat: Mat | None) -> str:
    """Return the sentence that offers another mat, or "" without one."""
    if mat is None:
        return ""
    return (
        f" On {mat.paper.upper()}, with cards of {mat.card[0]:g} × {mat.card[1]:g} mm, it fits: "
        f"{mat.size[0] / 10:.0f} × {mat.size[1] / 10:.0f} cm."
    )


@command.command("coasters")
@click.option("--players", type=click.IntRange(1, 10), required=True, help="Number of players.")
@paper_option
@click.option("--game", default=FIRST, show_default=True, help="Game that is played.")
@click.option("--lang", default="en", show_default=True, type=click.Choice(LANGUAGES), help="Language of the text.")
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="The PDF. [default: coasters-<players>.pdf]"
)
def print_coasters(players: int, paper: str, game: str, lang: str, out: Path | None) -> None:
    """Make the PDF of four coasters on one sheet, which bound the table in place of a mat. Print it at 100 %."""
    opencv()
    from vision.mat.coaster_sheet import print_coasters as print_sheet

    _check_seats(game, players)
    if not tell_by_cards(SEEN[game].places(players)):
        raise click.BadParameter(f"{game} is played on its mat: it has no coasters.", param_hint="--game")
    path = out or Path(f"coasters-{players}.pdf")
    print_sheet(players, path, paper, lang)
    remarks().print(f"{path}: four coasters on one sheet {paper.upper()} for {players} players. Print at 100 %.")


def _check_seats(game: str, players: int) -> None:
    if game not in SEEN:
        raise click.BadParameter(f"{game!r} is not available: choose one of {', '.join(SEEN)}.", param_hint="--game")
    if players not in SEEN[game].seats:
        seats = SEEN[game].seats
        raise click.BadParameter(f"{game} is for {seats[0]} to {seats[-1]} players.", param_hint="--players")


@command.command("board")
@click.option("--game", required=True, help="Game whose board to print.")
@click.option("--board", "name", default="", help="Which of its boards. [default: the first]")
@paper_option
@click.option("--lang", default="en", show_default=True, type=click.Choice(LANGUAGES), help="Language of the text.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="The PDF. [default: board-<name>.pdf]")
def print_board(game: str, name: str, paper: str, lang: str, out: Path | None) -> None:
    """Make the PDF of a board: one page with instructions, then its sheets. Print it at 100 %."""
    opencv()
    from vision.mat import MatError, make_board_mat
    from vision.mat.printed_sheets import print_mat as print_pages

    if game not in GAMES:
        raise click.BadParameter(f"{game!r} is not available: choose one of {', '.join(GAMES)}.", param_hint="--game")
    rules = GAMES[game]
    if not plays_on_board(rules):
        raise click.BadParameter(f"{game} is played without a board.", param_hint="--game")
    known = {board.name: number for number, board in enumerate(rules.boards)}
    if name and name not in known:
        raise click.BadParameter(
            f"{game} has no board {name!r}: choose one of {', '.join(known)}.", param_hint="--board"
        )
    number = known.get(name, 0)
    board = rules.boards[number]
    try:
        mat = make_board_mat(board, number, paper)
    except MatError as error:
        raise click.ClickException(str(error)) from None
    path = out or Path(f"board-{board.name}.pdf")
    folder = files(rules, "words")
    print_pages(mat, path, lang, load(lang, (folder,)) if folder.is_dir() else None)
    remarks().print(
        f"{path}: {len(mat.sheets)} sheets {paper.upper()}; the board with its markers is"
        f" {mat.size[0] / 10:.0f} × {mat.size[1] / 10:.0f} cm, its pieces {board.piece:g} mm. Print at 100 %."
    )
