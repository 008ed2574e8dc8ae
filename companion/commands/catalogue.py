"""`companion catalogue`: check and show card lists."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import click
import msgspec

from companion.commands.game_argument import GameName
from companion.commands.terminal import FAILED, as_json, out, print_json
from companion.engine import AnyGame
from companion.files.untrusted import Unreadable, parse_toml, printable, read_bytes
from companion.games import FIRST, definition_of
from companion.mechanics.definition import Catalogues

LARGEST = 1 << 20
"""Maximum size of a catalogue file in bytes."""


def catalogues_of(game: AnyGame) -> Catalogues:
    """Return a game's card lists; raise `ClickException` if it has none."""
    lists = definition_of(game).catalogues()
    if lists is None:
        raise click.ClickException(f"{game.name} has no list of cards.")
    return lists


game_option = click.option("--game", type=GameName(), default=FIRST, show_default=True, help="Game of the cards.")


def read_data(path: Path) -> dict[str, object]:
    """Return a TOML file's data; raise `ClickException` if it cannot be read."""
    try:
        return parse_toml(read_bytes(path, LARGEST).decode("utf-8-sig"))
    except FileNotFoundError:
        raise click.ClickException(f"There is no file {path}.") from None
    except Unreadable as error:
        raise click.ClickException(f"{path} cannot be read: {error}.") from None
    except UnicodeDecodeError as error:
        raise click.ClickException(f"{path} is not text: byte {error.start} cannot be read as UTF-8.") from None
    except tomllib.TOMLDecodeError as error:
        raise click.ClickException(f"{path} cannot be read as TOML: {error}.") from None


def read_catalogue(path: Path, lists: Catalogues) -> tuple[Any, list[str]]:
    """Return a file's catalogue and a description of each fault."""
    data = read_data(path)
    try:
        catalogue = msgspec.convert(data, lists.kind)
    except msgspec.ValidationError as error:
        return None, [explain_error(error)]
    return catalogue, lists.complaints(catalogue)


def explain_error(error: msgspec.ValidationError) -> str:
    """Return a sentence that says why data is not a catalogue: the place, what is there, what was expected."""
    text, _, path = str(error).partition(" - at `")
    place = re.sub(r"\[(\d+)\]", lambda found: f" {int(found[1]) + 1}", path.rstrip("`").removeprefix("$"))
    place = place.replace("[...]", "").strip(".").replace(".", ", ")
    for pattern, words in WORDINGS:
        text = re.sub(pattern, words, text)
    return f"{place}: {text}." if place else f"{text[:1].upper()}{text[1:]}."


WORDINGS = (
    (r"Object missing required field `(\w+)`", r"'\1' is missing"),
    (r"Object contains unknown field `(\w+)`", r"'\1' is not allowed here"),
    (r"Invalid enum value '([^']*)'", r"'\1' is not one of the allowed words"),
    (r"Expected `([^`]*)`, got `([^`]*)`", r"expected \1, but found \2"),
    (r"\bint \| null\b|\bint\b", "a whole number"),
    (r"\bfloat\b", "a number with a point"),
    (r"\bstr\b", "a text"),
    (r"\barray\b", "a list"),
    (r"\bobject\b", "a table"),
)
"""Patterns of the decoder's messages, and our wording of each."""


def find_catalogue(name: str, game: AnyGame) -> str | dict[str, object]:
    """Return a shipped catalogue's name, or the data of a file."""
    lists = definition_of(game).catalogues()
    shipped = lists is not None and name in lists.names
    return name if shipped else read_data(Path(name))


def catalogue_data(name: str, game: AnyGame) -> dict[str, object]:
    """Return a shipped catalogue or a file's catalogue as data."""
    found = find_catalogue(name, game)
    if isinstance(found, str):
        found = msgspec.to_builtins(catalogues_of(game).shipped(found))
    assert isinstance(found, dict)
    return found


@click.group("catalogue", short_help="Check or show a list of cards.")
def command() -> None:
    """Check or show a catalogue: the list of a game's cards with their figures and sources."""


@command.command("check")
@click.argument("file", type=click.Path(path_type=Path))
@game_option
@as_json
def check(file: Path, game: AnyGame, as_json: bool) -> None:
    """Check the catalogue FILE (TOML) and describe any faults.

    Exits with 1 if it finds a fault, otherwise with 0. Missing figures are listed but are no fault.
    """
    lists = catalogues_of(game)
    catalogue, said = read_catalogue(file, lists)
    missing = [] if said else lists.gaps(catalogue)
    if as_json:
        print_json({"file": str(file), "good": not said, "complaints": said, "missing": missing})
    elif said:
        for line in said:
            click.echo(printable(line))
    else:
        end = "has no faults, but some figures are missing." if missing else "is complete and can be played."
        click.echo("\n".join([f"{file}: the catalogue {catalogue.name!r} {end}", *missing]))
    if said:
        raise click.exceptions.Exit(FAILED)


@command.command("show")
@click.argument("name", default="", metavar="[NAME|FILE]")
@game_option
@as_json
def show(name: str, game: AnyGame, as_json: bool) -> None:
    """Show every card of a catalogue with the source of its figures.

    NAME is reconstruction, box, for Express also ours, or a TOML file. [default: the list used for play]
    """
    lists = catalogues_of(game)
    name = name or lists.names[0]
    if name in lists.names:
        catalogue = lists.shipped(name)
    else:
        catalogue, said = read_catalogue(Path(name), lists)
        if said:
            raise click.ClickException(" ".join(said))
    if as_json:
        print_json(catalogue)
        return
    from rich.table import Table

    console = out()
    for title, columns, rows in lists.listing(catalogue):
        table = Table(*columns, title=title)
        for row in rows:
            table.add_row(*row)
        console.print(table)
