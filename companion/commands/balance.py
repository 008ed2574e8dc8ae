"""`companion catalogue balance`: play many games with a catalogue and check whether anything in it dominates."""

from __future__ import annotations

from typing import Any

import click

from companion.bots.simulation import simulate
from companion.commands.catalogue import find_catalogue
from companion.commands.simulate import show_progress
from companion.commands.terminal import FAILED, as_json, out, print_json
from companion.engine import Setup
from companion.games import take_a_train
from companion.games.take_a_train.balance import Verdict, figures, verdicts
from companion.games.take_a_train.study import Study

COLUMNS = {
    "auctions": ("rounds", "price", "price_median", "price_over_power", "paid", "profit", "net", "replacements"),
    "drives": ("locomotives", "price", "profit", "net", "returned", "profit_share", "wagons", "edge"),
    "cargos": ("trains", "wagons", "profit_per_train", "profit_per_card", "multiplier"),
}
"""The columns printed of each table of figures."""


@click.command("balance")
@click.argument("name", default="reconstruction", metavar="[NAME|FILE]")
@click.option("--players", default=4, show_default=True, type=click.IntRange(2, 6), help="Number of players.")
@click.option("--games", default=200, show_default=True, type=click.IntRange(1), help="Number of games.")
@click.option("--seed", default=1, show_default=True, help="Game k uses the seed SEED + k, from k = 0.")
@click.option("--edition", default="en", show_default=True, help="Edition of the rules: en or fr.")
@as_json
def command(name: str, players: int, games: int, seed: int, edition: str, as_json: bool) -> None:
    """Play many games with a catalogue and show what each auction, drive, cargo and seat earned.

    Exits with 1 if one of them dominates: the last lines name the criterion. A few games prove little.
    """
    study = Study()
    setup = Setup(take_a_train.GAME.name, players, {"edition": edition}, find_catalogue(name))
    for _ in show_progress(simulate(take_a_train.GAME, setup, games, seed, watch=study.watch), games):
        pass
    found = figures(study)
    judged = verdicts(found)
    if as_json:
        criteria = [{"asked": v.asked, "measured": v.measured, "most": v.most, "good": v.good} for v in judged]
        print_json(found | {"players": players, "edition": edition, "seed": seed, "criteria": criteria})
    else:
        print_figures(found, judged)
    if not all(verdict.good for verdict in judged):
        raise click.exceptions.Exit(FAILED)


def print_figures(found: dict[str, Any], judged: list[Verdict]) -> None:
    """Print the figures as tables."""
    from rich.table import Table

    console = out()
    for section, columns in COLUMNS.items():
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
