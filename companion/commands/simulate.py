"""`companion simulate`: let bots play whole games."""

from __future__ import annotations

import time
from collections.abc import Iterable
from statistics import mean, median
from typing import Any, TypeVar

import click
import msgspec

from companion.bots.bot import KINDS
from companion.bots.contest import Contest, bounds, contest
from companion.bots.simulation import SimulationResult, simulate
from companion.commands.catalogue import catalogue_data
from companion.commands.game_argument import game_argument, words_of
from companion.commands.terminal import as_json, out, print_json, remarks
from companion.engine import AnyGame, BadSetup, Setup
from companion.games import package_of, reason

T = TypeVar("T")


def parse_options(edition: str | None, given: tuple[str, ...]) -> dict[str, object]:
    """Return the game's options from the command line."""
    found: dict[str, object] = {} if edition is None else {"edition": edition}
    for pair in given:
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise click.BadParameter(f"{pair!r} is not an option: write --option key=value.", param_hint="--option")
        try:
            found[key] = msgspec.json.decode(value) if value.startswith("[") else value
        except msgspec.DecodeError:
            raise click.BadParameter(
                f"{value!r} is not a list: write one such as [600,500].", param_hint="--option"
            ) from None
    return found


@click.command("simulate", short_help="Play whole games with bots.")
@game_argument
@click.option("--players", default=4, show_default=True, help="Number of players.")
@click.option("--games", default=100, show_default=True, type=click.IntRange(1), help="Number of games.")
@click.option("--seed", default=1, show_default=True, help="Game k uses the seed SEED + k, from k = 0.")
@click.option("--edition", help="Edition of the rules, such as fr or later. [default: the game's first]")
@click.option(
    "--option",
    "given",
    multiple=True,
    metavar="KEY=VALUE",
    help="A rule option; may be given repeatedly. A list is written as JSON, such as sequence_costs=[600,500].",
)
@click.option("--partners", is_flag=True, help="Play in sides, where the game has them: --option partners=sides.")
@click.option(
    "--deck",
    default="dealt",
    show_default=True,
    type=click.Choice(["dealt", "ours", "box"]),
    help="Cards dealt by the companion, our printed cards, or a bought box with unknown figures.",
)
@click.option("--catalogue", "cards", metavar="NAME|FILE", help="A shipped catalogue, or one of your own.")
@click.option(
    "--bots",
    default="sensible",
    show_default=True,
    help=f"Who plays: {', '.join(KINDS)}, or several in turn such as sensible,random.",
)
@click.option(
    "--against",
    metavar="KIND",
    help="Seat one of --bots among others of KIND, each deal from every seat, and show how many games it wins.",
)
@as_json
def command(
    game: AnyGame,
    players: int,
    games: int,
    seed: int,
    edition: str | None,
    given: tuple[str, ...],
    partners: bool,
    deck: Any,
    cards: str | None,
    bots: str,
    against: str | None,
    as_json: bool,
) -> None:
    """Play whole games of GAME with bots and show how they ended.

    The same seed plays the same games. Chance is drawn as events, and every event is checked by the rules.

    \b
    Examples:
      companion simulate take-a-train --players 4 --games 1000 --seed 7
      companion simulate game-of-trains --players 2 --games 2000 --bots wins --against plays
    """
    if players not in game.seats:
        raise click.BadParameter(
            f"{game.name} is for {game.seats[0]} to {game.seats[-1]} players, not {players}.", param_hint="--players"
        )
    check_kinds(bots.split(","), "--bots")
    if against is not None:
        check_kinds([bots, against], "--against")
    catalogue = catalogue_data(cards, game) if cards else "box" if deck == "box" else "reconstruction"
    options = parse_options(edition, (*given, "partners=sides") if partners else given)
    setup = Setup(game.name, players, options, catalogue, deck)
    if against is not None:
        show_contest(played(game, contest(game, setup, bots, against, games, seed), games), bots, against, as_json)
        return
    began = time.perf_counter()
    results = played(game, simulate(game, setup, games, seed, bots), games)
    seconds = time.perf_counter() - began
    events = sum(result.events for result in results)
    if as_json:
        print_json(
            {
                "game": game.name,
                "players": players,
                "games": games,
                "events": events,
                "seconds": round(seconds, 3),
                "results": results,
            }
        )
        return
    print_summary(game, players, results, events, seconds)


def check_kinds(kinds: Iterable[str], option: str) -> None:
    """Reject an unknown kind of bot."""
    for kind in kinds:
        if kind.strip() not in KINDS:
            said = f"There are no {kind.strip()!r} bots: choose {', '.join(KINDS[:-1])} or {KINDS[-1]}."
            raise click.BadParameter(said, param_hint=option)


def played(game: AnyGame, results: Iterable[T], games: int) -> list[T]:
    """Return the results of games; explain an error in the game's own files, with a way around it."""
    try:
        return list(show_progress(results, games))
    except Exception as error:  # the game's own code, or its bot's, may raise anything
        why = reason(error, package_of(game))
        if isinstance(error, BadSetup) or why.startswith(type(error).__name__):
            raise  # another part caused the error
        raise click.ClickException(f"{game.name} fails: {why}. --bots random plays without its bots.") from error


def show_contest(results: list[Contest], one: str, other: str, as_json: bool) -> None:
    """Print how many games one kind of bot won, the bounds of that figure, and how long it thought."""
    games, won = len(results), sum([result.won for result in results])
    low, high = bounds(won, games)
    thought = sorted([second for result in results for second in result.seconds]) or [0.0]
    usual, longest = median(thought), thought[-1]
    if as_json:
        print_json(
            {
                "one": one,
                "other": other,
                "games": games,
                "won": round(won, 3),
                "bounds": [round(low, 4), round(high, 4)],
                "thought": {"median": round(usual, 5), "longest": round(longest, 5)},
            }
        )
        return
    out().print(f"{one} among {other}: {won / games:.1%} of {games:,} games won, 95 % sure: {low:.1%} to {high:.1%}.")
    out().print(f"A decision takes {usual * 1000:.1f} ms, the longest {longest * 1000:.0f} ms.")


def show_progress(results: Iterable[T], games: int) -> Iterable[T]:
    """Yield the results, with a progress bar on a terminal."""
    console = remarks()
    if not console.is_terminal:
        yield from results
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("playing", total=games)
        for result in results:
            progress.advance(task)
            yield result


def print_summary(game: AnyGame, players: int, results: list[SimulationResult], events: int, seconds: float) -> None:
    """Print the scores of each seat."""
    from rich.table import Table

    table = Table("seat", f"mean {words_of(game)('score.title')}", "median", "least", "most", "games won")
    table.title = f"{len(results)} games, {game.name}"
    for column in table.columns[1:]:
        column.justify = "right"
    for seat in range(players):
        scores = [result.scores[seat] for result in results]
        won = sum(1 / len(result.winners) for result in results if seat in result.winners)
        table.add_row(
            str(seat + 1),
            f"{mean(scores):,.0f}" if game.money else f"{mean(scores):.1f}",
            f"{median(scores):,.0f}",
            f"{min(scores):,}",
            f"{max(scores):,}",
            f"{won / len(results):.1%}",
        )
    out().print(table)
    rate = events / seconds if seconds else 0
    out().print(f"{events:,} events in {seconds:.1f} s ({rate:,.0f} a second), {events / len(results):.0f} a game.")
