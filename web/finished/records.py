"""Records over all finished matches: each player's wins, and what winners owned. Each match is summarised once."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec

from companion.engine import AnyGame
from companion.engine.names import skeleton
from companion.games import GAMES, definition_of, load_part, teller_of
from companion.i18n import Words
from companion.journal.journal import JournalError, Summary
from companion.match.match import MatchError
from companion.mechanics.definition import Report
from companion.mechanics.report import Feat
from web.finished.matches import FinishedMatch
from web.names import in_order, isolated
from web.presenters.report import Wordings

LOG = logging.getLogger(__name__)
BUDGET = 1.0
"""Seconds that one visit spends on summarising matches; the next visit continues."""


class MatchSum(NamedTuple):
    """The facts that the records need of a match. `won` says for each seat whether it won."""

    game: str
    names: tuple[str, ...]
    scores: tuple[int, ...]
    won: tuple[bool, ...]
    chance: float
    """A seat's expected number of wins if all sides were equal."""
    feats: tuple[Feat, ...]


class PlayerLine(NamedTuple):
    """A player's line in a game's table."""

    name: str
    games: int
    wins: int
    best: str
    average: str


class FeatLine(NamedTuple):
    """How often the owners of something won; shares are in hundredths."""

    what: str
    times: int
    won: int
    expected: int


class FeatTable(NamedTuple):
    """The lines of one kind of feat."""

    title: str
    note: str
    lines: tuple[FeatLine, ...]


class GameRecords(NamedTuple):
    """The records of one game."""

    title: str
    players: tuple[PlayerLine, ...]
    feats: tuple[FeatTable, ...]


class RecordBook:
    """Summaries of matches, by their keys. Any thread may call it; only one at a time reads matches."""

    def __init__(self, open_match: Callable[[Summary], FinishedMatch]) -> None:
        self._open = open_match
        self._sums: dict[tuple[str, str, int], MatchSum | None] = {}
        self._lock = threading.Lock()

    def sums(self, lines: Sequence[Summary], clock: Callable[[], float] = time.monotonic) -> list[MatchSum | None]:
        """Return the summaries known after `BUDGET` seconds; None for an unreadable match."""
        until = clock() + BUDGET
        with self._lock:
            for line in lines:
                key = key_of(line)
                if key in self._sums:
                    continue
                if clock() > until:
                    break
                self._sums[key] = self._sum(line)
            return [self._sums[key] for line in lines if (key := key_of(line)) in self._sums]

    def _sum(self, line: Summary) -> MatchSum | None:
        """Return the summary of one match; None if it cannot be read, so that the others still count."""
        try:
            return sum_of(self._open(line))
        except (JournalError, MatchError):
            return None
        except Exception:  # a game's own report may raise anything
            LOG.exception("match %s could not be summed up", line.id)
            return None


def key_of(line: Summary) -> tuple[str, str, int]:
    """Return a finished match's key. It changes when the match is resumed, so that the match is summarised again."""
    return line.id, line.ended or "", line.records


def sum_of(finished: FinishedMatch) -> MatchSum:
    """Return the summary of a match."""
    match = finished.match
    game, state = match.game, match.state
    winners, sides = set(game.winners(state)), game.sides(match.setup)
    report = load_part(game, definition_of(game).report, Report)
    return MatchSum(
        match.setup.game,
        tuple([player.name for player in match.setup.seated()]),
        tuple(game.scores(state)),
        tuple([seat in winners for seat in range(len(match.setup.seated()))]),
        1 / len(sides),
        tuple(report.feats(finished.steps)) if report is not None and finished.steps else (),
    )


def game_records(name: str, sums: Sequence[MatchSum], say: Words) -> GameRecords:
    """Return the records of one game in words."""
    game = GAMES[name]
    own = [each for each in sums if each.game == name]
    return GameRecords(say("game.title"), player_lines(game, own, say), feat_tables(game, own, say))


def player_lines(game: AnyGame, sums: Sequence[MatchSum], say: Words) -> tuple[PlayerLine, ...]:
    """Return a line for every player, most wins first; names that look alike count as one player."""
    found: dict[str, tuple[str, list[tuple[int, bool]]]] = {}
    for each in sums:
        for name, score, won in zip(each.names, each.scores, each.won, strict=True):
            found.setdefault(skeleton(name), (name, []))[1].append((score, won))
    teller = teller_of(game)
    lines = []
    for name, played in found.values():
        scores = [score for score, _ in played]
        mean = round(sum(scores) / len(scores))
        wins = sum([won for _, won in played])
        lines.append(
            PlayerLine(isolated(name), len(played), wins, teller.score(max(scores), say), teller.score(mean, say))
        )
    return tuple(sorted(lines, key=lambda line: (-line.wins, line.games, in_order(line.name))))


def feat_tables(game: AnyGame, sums: Sequence[MatchSum], say: Words) -> tuple[FeatTable, ...]:
    """Return how often the owners of each kind of feat won, highest share first."""
    counted: dict[str, dict[bytes, tuple[Feat, list[tuple[bool, float]]]]] = {}
    for each in sums:
        for feat in each.feats:
            kind = counted.setdefault(feat.kind, {})
            owners = kind.setdefault(msgspec.json.encode(feat.what), (feat, []))[1]
            owners += [(each.won[seat], each.chance) for seat in feat.seats]
    wordings = Wordings(game, (), say)
    tables = []
    for name, kind in counted.items():
        lines = [
            FeatLine(
                wordings.cell(feat.what).text,
                len(owners),
                round(100 * sum([won for won, _ in owners]) / len(owners)),
                round(100 * sum([chance for _, chance in owners]) / len(owners)),
            )
            for feat, owners in kind.values()
        ]
        ordered = tuple(sorted(lines, key=lambda line: (-line.won, -line.times, in_order(line.what))))
        tables.append(FeatTable(say(f"records.{name}.title"), say(f"records.{name}.note"), ordered))
    return tuple(tables)
