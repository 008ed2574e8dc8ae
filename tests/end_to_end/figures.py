"""Figures of whole games: each game is a line of JSON in a file, and a table sums them up.

`python -m tests.end_to_end.figures FILE` prints the table.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

import msgspec

from tests.end_to_end.play import PlayReport

VARIABLE = "COMPANION_FIGURES"
"""The environment variable with the file to which games are added; if it is not set, no figures are stored."""
QUESTIONS = ("asked", "typed", "amended", "put right", "straightened")
"""The actions besides playing: answers, reports of unseen events, corrections, misplaced cards and tilted cards."""
CARDS = 50
"""The number of laid cards per which questions are counted."""
DIFFICULTIES = ("told", "easy", "default", "hard")
HEAD = (
    *("game", "players", "difficulty", "games", "exact", f"questions/{CARDS} cards", "cards"),
    *("numbers", "taps", "processor s"),
)
"""`numbers`: amounts typed in a game, without spoken ones; `taps`: all taps of a game."""


class Figures(msgspec.Struct, frozen=True):
    """The figures of one game. `wrong` names the fields that differ from the truth and is empty if none does."""

    game: str
    players: int
    difficulty: str
    seed: int
    counts: dict[str, int]
    processor: float
    """Processor time in seconds."""
    people: float
    """The people's own time in seconds."""
    wrong: tuple[str, ...] = ()
    at: str = ""
    """The event after which the companion differed."""

    @property
    def exact(self) -> bool:
        """Return whether the companion matched the truth to the end."""
        return not self.wrong

    @property
    def questions(self) -> int:
        """Return the number of actions besides playing."""
        return sum([self.counts.get(name, 0) for name in QUESTIONS])

    @property
    def cards(self) -> int:
        """Return the number of cards laid on the table."""
        return self.counts.get("laid", 0)


def figures(
    game: str, players: int, difficulty: str, seed: int, report: PlayReport, wrong: tuple[str, ...], **seconds: float
) -> Figures:
    """Return the figures of a finished game; `seconds` are `processor` and `people`."""
    counts = {name: report.counts[name] for name in sorted(report.counts)}
    return Figures(game, players, difficulty, seed, counts, wrong=wrong, at=report.at, **seconds)


def keep(one: Figures) -> None:
    """Append a game to the file in the environment variable, if it is set."""
    if os.environ.get(VARIABLE):
        with Path(os.environ[VARIABLE]).open("ab") as file:
            file.write(msgspec.json.encode(one) + b"\n")


def recorded(game: str, players: int, difficulty: str, seed: int) -> Figures | None:
    """Return the figures of a game already in the file, so that an interrupted run can continue."""
    path = Path(os.environ.get(VARIABLE) or "none")
    games = kept(path) if os.environ.get(VARIABLE) and path.exists() else []
    same = (game, players, difficulty, seed)
    return next((each for each in games if (each.game, each.players, each.difficulty, each.seed) == same), None)


def kept(path: Path) -> list[Figures]:
    """Return the games of a file; raise a `ValueError` for an invalid line and an `OSError` for a missing file."""
    return [msgspec.json.decode(line, type=Figures) for line in path.read_bytes().splitlines() if line.strip()]


def sentence(one: Figures) -> str:
    """Return a line that describes one game."""
    end = f"out of step after {one.at or 'the end'}: {', '.join(one.wrong)}" if one.wrong else "true to the end"
    counts = ", ".join([f"{name} {count}" for name, count in one.counts.items()])
    spent = f"{one.processor:.0f} s of the processor for {one.people:.0f} s of people's time"
    return f"{one.game}, {one.players} players, seed {one.seed}, {one.difficulty}: {end}; {counts}; {spent}"


def table(games: Iterable[Figures]) -> str:
    """Return a table by kind, players and difficulty: number of games, exact games, questions and seconds."""
    groups: dict[tuple[str, int, int, str], list[Figures]] = {}
    for each in games:
        rank = DIFFICULTIES.index(each.difficulty) if each.difficulty in DIFFICULTIES else len(DIFFICULTIES)
        groups.setdefault((each.game, rank, each.players, each.difficulty), []).append(each)
    rows = [HEAD, *[_row(groups[key]) for key in sorted(groups)]]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join([cell.ljust(width) for cell, width in zip(row, widths, strict=True)]).rstrip() for row in rows]
    return "\n".join([lines[0], "  ".join(["-" * width for width in widths]), *lines[1:]])


def _row(games: list[Figures]) -> tuple[str, ...]:
    """Return the row of games of one kind, with totals and the mean seconds of a game."""
    first, cards, questions = games[0], sum([each.cards for each in games]), sum([each.questions for each in games])
    exact = sum([each.exact for each in games])
    seconds = sum([each.processor for each in games]) / len(games)
    often = f"{questions / cards * CARDS:.2f} ({questions})" if cards else "–"
    return (
        *(first.game, str(first.players), first.difficulty, str(len(games)), f"{exact} of {len(games)}"),
        *(often, str(cards), _mean(games, "numbers"), _mean(games, "taps"), f"{seconds:.0f} a game"),
    )


def _mean(games: list[Figures], name: str) -> str:
    """Return the mean count per game, to one decimal."""
    return f"{sum([each.counts.get(name, 0) for each in games]) / len(games):.1f}"


def main(arguments: list[str]) -> int:
    """Print the table of a file."""
    try:
        print(table(kept(Path(*arguments))))
    except (OSError, ValueError, TypeError) as error:
        print(f"No figures can be read: {error}. Say the file of {VARIABLE} that `make whole-games` wrote.")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
