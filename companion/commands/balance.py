"""`companion catalogue balance`: play many games with a catalogue and check whether anything in it dominates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import click

from companion.bots.simulation import simulate
from companion.commands.catalogue import find_catalogue, game_option
from companion.commands.simulate import show_progress
from companion.commands.terminal import FAILED, as_json, out, print_json
from companion.engine import AnyState, Event, Game, JsonObject, Setup
from companion.games import part


class GameStudy(Protocol):
    """What a game's `balance` module collects of every event of many games."""

    def watch(self, before: AnyState, event: Event, after: AnyState, /) -> None:
        """Take in one event."""
        ...


class Criterion(Protocol):
    """One criterion of balance: what was asked, what was measured, the most that is allowed, whether it holds."""

    asked: str
    measured: float
    most: float

    @property
    def good(self) -> bool:
        """Whether the measured figure keeps within the limit."""
        ...


class Balance(Protocol):
    """A game's module `balance`: what is measured of its games, and by which criteria nothing dominates."""

    COLUMNS: Mapping[str, Sequence[str]]
    """The columns printed of each table of figures."""
    Study: type[GameStudy]

    def figures(self, study: GameStudy, /) -> JsonObject:
        """Return all figures: those of `COLUMNS` as tables, `seats` and `game` as lines."""
        ...

    def verdicts(self, found: JsonObject, /) -> Sequence[Criterion]:
        """Return the criteria with what was measured."""
        ...


@click.command("balance")
@click.argument("name", default="reconstruction", metavar="[NAME|FILE]")
@game_option
@click.option("--players", default=4, show_default=True, help="Number of players.")
@click.option("--games", default=200, show_default=True, type=click.IntRange(1), help="Number of games.")
@click.option("--seed", default=1, show_default=True, help="Game k uses the seed SEED + k, from k = 0.")
@click.option("--edition", default="en", show_default=True, help="Edition of the rules: en or fr.")
@as_json
def command(name: str, game: Game[Any], players: int, games: int, seed: int, edition: str, as_json: bool) -> None:
    """Play many games with a catalogue and show what each kind of card, each seat and so on earned.

    Exits with 1 if one of them dominates: the last lines name the criterion. A few games prove little.
    """
    balance: Balance | None = part(game, "balance")
    if balance is None:
        raise click.ClickException(f"{game.name} has no balance.py that says what is measured.")
    if players not in game.seats:
        seats = f"{game.seats[0]} to {game.seats[-1]}"
        raise click.BadParameter(f"{game.name} is for {seats} players.", param_hint="--players")
    study = balance.Study()
    setup = Setup(game.name, players, {"edition": edition} if chooses_edition(game) else {}, find_catalogue(name, game))
    for _ in show_progress(simulate(game, setup, games, seed, watch=study.watch), games):
        pass
    found = balance.figures(study)
    judged = balance.verdicts(found)
    if as_json:
        criteria = [{"asked": v.asked, "measured": v.measured, "most": v.most, "good": v.good} for v in judged]
        print_json(found | {"players": players, "edition": edition, "seed": seed, "criteria": criteria})
    else:
        print_figures(balance.COLUMNS, found, judged)
    if not all(verdict.good for verdict in judged):
        raise click.exceptions.Exit(FAILED)


def chooses_edition(game: Game[Any]) -> bool:
    """Whether the game has editions to choose from."""
    options = part(game, "options")
    return options is not None and "edition" in options.Options.__struct_fields__


def print_figures(tables: Mapping[str, Sequence[str]], found: dict[str, Any], judged: Sequence[Criterion]) -> None:
    """Print the figures as tables."""
    from rich.table import Table

    console = out()
    for section, columns in tables.items():
        table = Table(section, *[column.replace("_", " ") for column in columns])
        for column in table.columns[1:]:
            column.justify = "right"
        for row, data in found[section].items():
            table.add_row(row.replace("_", " "), *[f"{data[column]:,}" for column in columns])
        console.print(table)
    for section in ("seats", "game"):
        for key, value in found[section].items():
            console.print(f"{key.replace('_', ' ')}: {value}")
    for verdict in judged:
        word = "holds" if verdict.good else "FAILS"
        console.print(f"{word}: {verdict.asked}: {verdict.measured} (at most {verdict.most})")
