"""`companion catalogue balance`: play many games with a catalogue and check whether one of its parts dominates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click

from companion.bots.simulation import simulate
from companion.commands.catalogue import find_catalogue, game_option
from companion.commands.simulate import show_progress
from companion.commands.terminal import FAILED, as_json, out, print_json
from companion.engine import AnyGame, JsonObject, Setup
from companion.games import definition_of
from companion.mechanics.definition import Criterion


@click.command("balance")
@click.argument("name", default="reconstruction", metavar="[NAME|FILE]")
@game_option
@click.option("--players", default=4, show_default=True, help="Number of players.")
@click.option("--games", default=200, show_default=True, type=click.IntRange(1), help="Number of games.")
@click.option("--seed", default=1, show_default=True, help="Game k uses the seed SEED + k, from k = 0.")
@click.option("--edition", default="en", show_default=True, help="Edition of the rules: en or fr.")
@as_json
def command(name: str, game: AnyGame, players: int, games: int, seed: int, edition: str, as_json: bool) -> None:
    """Play many games with a catalogue and show the earnings of each kind of card, each seat and so on.

    Exits with 1 if one of them dominates: the last lines name the criterion. A few games prove little.
    """
    balance = definition_of(game).balance()
    if balance is None:
        raise click.ClickException(f"{game.name} does not say what is measured: it declares no balance.")
    if players not in game.seats:
        seats = f"{game.seats[0]} to {game.seats[-1]}"
        raise click.BadParameter(f"{game.name} is for {seats} players.", param_hint="--players")
    study = balance.study()
    setup = Setup(game.name, players, {"edition": edition} if chooses_edition(game) else {}, find_catalogue(name, game))
    for _ in show_progress(simulate(game, setup, games, seed, watch=study.watch), games):
        pass
    found = balance.figures(study)
    judged = balance.verdicts(found)
    if as_json:
        criteria = [{"asked": v.asked, "measured": v.measured, "most": v.most, "good": v.good} for v in judged]
        print_json(found | {"players": players, "edition": edition, "seed": seed, "criteria": criteria})
    else:
        print_figures(balance.columns, found, judged)
    if not all(verdict.good for verdict in judged):
        raise click.exceptions.Exit(FAILED)


def chooses_edition(game: AnyGame) -> bool:
    """Return whether the game has editions to choose from."""
    options = definition_of(game).options
    return options is not None and "edition" in options.names


def print_figures(tables: Mapping[str, Sequence[str]], found: JsonObject, judged: Sequence[Criterion]) -> None:
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
