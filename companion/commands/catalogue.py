"""`companion catalogue`: lists of cards, checked and shown."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import click
import msgspec

from companion.commands.screen import FAILED, as_json, out, print_json
from companion.games.take_a_train.catalogue import Catalogue, Loco, WagonCount, complaints
from companion.games.take_a_train.rules import shipped

SHIPPED = ("reconstruction", "box")
"""Catalogues that come with the game."""


def data_of(path: Path) -> dict[str, Any]:
    """Return a TOML file's data; say where it cannot be read."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise click.ClickException(f"There is no file {path}.") from None
    except IsADirectoryError:
        raise click.ClickException(f"{path} is a folder, not a file.") from None
    except UnicodeDecodeError as error:
        raise click.ClickException(f"{path} is no text: byte {error.start} cannot be read as UTF-8.") from None
    except tomllib.TOMLDecodeError as error:
        raise click.ClickException(f"{path} cannot be read as TOML: {error}.") from None


def read(path: Path) -> tuple[Catalogue | None, list[str]]:
    """Return a file's catalogue and what is wrong with it, in words."""
    data = data_of(path)
    try:
        catalogue = msgspec.convert(data, Catalogue)
    except msgspec.ValidationError as error:
        return None, [unfit(error)]
    return catalogue, complaints(catalogue)


def unfit(error: msgspec.ValidationError) -> str:
    """Return why data is no catalogue, in words: where in the file, what is there, what was expected."""
    text, _, path = str(error).partition(" - at `")
    place = re.sub(r"\[(\d+)\]", lambda found: f" {int(found[1]) + 1}", path.rstrip("`").removeprefix("$"))
    place = place.replace("[...]", "").strip(".").replace(".", ", ")
    for pattern, words in SAID:
        text = re.sub(pattern, words, text)
    return f"{place}: {text}." if place else f"{text[:1].upper()}{text[1:]}."


SAID = (
    (r"Object missing required field `(\w+)`", r"'\1' is missing"),
    (r"Object contains unknown field `(\w+)`", r"'\1' means nothing here"),
    (r"Invalid enum value '([^']*)'", r"'\1' is not one of the words that can stand here"),
    (r"Expected `([^`]*)`, got `([^`]*)`", r"expected \1, but there is \2"),
    (r"\bint \| null\b|\bint\b", "a whole number"),
    (r"\bfloat\b", "a number with a point"),
    (r"\bstr\b", "a text"),
    (r"\barray\b", "a list"),
    (r"\bobject\b", "a table"),
)
"""The decoder's words, and ours."""


def catalogue_named(name: str) -> str | dict[str, Any]:
    """Return a shipped catalogue's name, or the data of a file."""
    return name if name in SHIPPED else data_of(Path(name))


@click.group("catalogue", short_help="Check or show a list of cards.")
def command() -> None:
    """Check or show a catalogue: the list of a game's cards with their figures and where these come from."""


@command.command("check")
@click.argument("file", type=click.Path(path_type=Path))
@as_json
def check(file: Path, as_json: bool) -> None:
    """Say what is missing or wrong in the catalogue FILE (TOML), in words.

    Ends with 0 when it can be played, with 1 when something is wrong.
    """
    catalogue, said = read(file)
    if as_json:
        print_json({"file": str(file), "good": not said, "complaints": said})
    elif said:
        for line in said:
            click.echo(line)
    else:
        assert catalogue is not None
        open_ = sum(not loco.known for loco in catalogue.locomotives)
        click.echo(f"{file}: the catalogue {catalogue.name!r} is complete and can be played.")
        if open_ or catalogue.open_values:
            click.echo("Figures not given are asked for at the table, when a card is first seen.")
    if said:
        raise click.exceptions.Exit(FAILED)


@command.command("show")
@click.argument("name", default="reconstruction", metavar="[NAME|FILE]")
@as_json
def show(name: str, as_json: bool) -> None:
    """Show every card of a catalogue with the source of its figures.

    NAME is reconstruction (the one that comes with the game), box, or a TOML file.
    """
    if name in SHIPPED:
        catalogue = shipped(name)
    else:
        found, said = read(Path(name))
        if found is None or said:
            raise click.ClickException(" ".join(said))
        catalogue = found
    if as_json:
        print_json(catalogue)
        return
    from rich.table import Table

    console = out()
    table = Table("locomotive", "drive", "power", "speed", "×", "source", title=f"Locomotives of {catalogue.name}")
    for loco in catalogue.locomotives:
        table.add_row(loco.id, loco.drive, told(loco.power), told(loco.speed), told(loco.multiplier), origin(loco))
    console.print(table)
    table = Table("wagon", "value", "cards", "source", title="Wagons")
    for wagon in catalogue.wagons:
        table.add_row(wagon.type, told(wagon.value), str(wagon.count), origin(wagon))
    console.print(table)
    table = Table("sequence token", "exchange price", "source", title="Exchange prices")
    for token, price in enumerate(catalogue.sequence, 1):
        table.add_row(str(token), told(price), catalogue.sequence_sources.get(str(token), catalogue.sequence_source))
    console.print(table)


def origin(card: Loco | WagonCount) -> str:
    """Return where a card's figures come from, the exceptions named."""
    return ", ".join([card.source, *(f"{figure}: {source}" for figure, source in card.sources.items())])


def told(figure: int | None) -> str:
    """Return a figure as shown, a question mark where it is not known."""
    return "?" if figure is None else f"{figure:,}"
