"""What a hall must have after a tournament full of kills: reckoned from the tables' own journals alone."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import msgspec

from companion.devices.hall_link.membership import MATCHES, MEMBERSHIP, MatchReport, Membership
from companion.devices.hall_link.messages import Result, read_result
from companion.hall import entries as e
from companion.hall.round_results import round_results
from companion.hall.self_play import JOURNAL
from companion.hall.state import HallState, fold
from companion.hall.tournament.scoring import PlayedRound, PlayerStanding, SidePlacing, standings
from companion.journal.journal import Journal
from companion.match.match import Match

End = tuple[tuple[str, ...], tuple[tuple[int, tuple[int, ...], int], ...]]
"""How a match ended: the names by seat, and the place, seats and score of each side, in order."""


def entries_of(database: Path) -> list[e.Entry]:
    """Return the entries that a hall's database holds, read by another way than the hall's own."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        rows = connection.execute('SELECT number, at, "by", body FROM entries ORDER BY number').fetchall()
    return [e.Entry(number, at, by, e.decode_body(body)) for number, at, by, body in rows]


def ends_of(folder: Path) -> dict[str, End]:
    """Return how the finished matches in a table's journal ended, by `table:match`."""
    with Journal(folder / JOURNAL, read_only=True) as journal:
        kept = journal.read_value(MEMBERSHIP)
        assert kept is not None
        table = msgspec.json.decode(kept, type=Membership).grant.table
        matches = [Match.open(journal, summary.id) for summary in reversed(journal.matches())]
    found: dict[str, End] = {}
    for match in matches:
        if match.state.over:
            scores = match.game.scores(match.state)
            groups, place, sides = match.game.ranking(match.state), 1, []
            for group in groups:  # in these games everybody plays alone
                sides += [(place, (seat,), scores[seat]) for seat in group]
                place += len(group)
            found[f"{table}:{match.id}"] = (tuple([p.name for p in match.setup.seated()]), tuple(sorted(sides)))
    return found


def end_of(result: Result) -> End:
    """Return a result in the same form."""
    return result.names, tuple(sorted((each.place, each.seats, each.score) for each in result.placings))


def unkept_promises(folders: Iterable[Path], database: Path) -> list[str]:
    """Return the results that the hall confirmed to a table, and that its database lacks.

    The tables are asked first: a confirmation that comes meanwhile only finds more in the database.
    """
    promised: list[Result] = []
    for folder in folders:
        with Journal(folder / JOURNAL, read_only=True) as journal:
            reports = [msgspec.json.decode(kept, type=MatchReport) for kept in journal.read_values(MATCHES).values()]
        promised += [report.result for report in reports if report.result is not None and not report.owed]
    kept = [read_result(each.body.payload) for each in entries_of(database) if isinstance(each.body, e.ResultReported)]
    return [
        f"confirmed, but not there: {result.id} {result.confirmed}"
        for result in promised
        if not any((each.id, end_of(each)) == (result.id, end_of(result))
                   and set(each.confirmed) >= set(result.confirmed) for each in kept)
    ]  # fmt: skip


def owed(folders: Iterable[Path]) -> int:
    """Return the number of results that tables still owe."""
    count = 0
    for folder in folders:
        with Journal(folder / JOURNAL, read_only=True) as journal:
            reports = [msgspec.json.decode(kept, type=MatchReport) for kept in journal.read_values(MATCHES).values()]
        count += sum(report.owed for report in reports)
    return count


def wrong(folders: Iterable[Path], database: Path, rounds: int) -> list[str]:
    """Return what is wrong with a hall's database after a whole tournament, as sentences; nothing if all is well."""
    entries, truth = entries_of(database), {key: end for folder in folders for key, end in ends_of(folder).items()}
    state = fold(entries)
    found = [f"entry {each.number} is number {place}" for place, each in enumerate(entries, 1) if each.number != place]
    payloads = Counter(each.body.payload for each in entries if isinstance(each.body, e.ResultReported))
    found += [f"twice: {payload!r}" for payload, count in payloads.items() if count > 1]
    recorded = {key: end_of(record.result) for key, record in state.results.items()}
    found += [f"lost: {key}" for key in truth.keys() - recorded.keys()]
    found += [f"invented: {key}" for key in recorded.keys() - truth.keys()]
    found += [f"other: {key}: {recorded[key]}, not {truth[key]}" for key in truth.keys() & recorded if
              truth[key] != recorded[key]]  # fmt: skip
    people, expected = {player.name for player in state.players.values()}, rounds * len(state.present)
    count = sum(set(names) <= people for names, _ in truth.values())
    if count != expected:
        found.append(f"{count} matches of the tournament were played, not {expected}")
    if any(record.status != "confirmed" for record in state.results.values()):
        found.append("a result is not confirmed")
    if standings_of(state) != standings_by_truth(state, truth):
        found.append(f"other standings: {standings_of(state)}, not {standings_by_truth(state, truth)}")
    return found


def standings_of(state: HallState) -> tuple[PlayerStanding, ...]:
    """Return the standings by the hall's results of its rounds."""
    played = []
    for number, current in sorted(state.rounds.items()):
        tables = [
            tuple([SidePlacing(tuple([each.players[seat] for seat in p.seats]), p.place, p.score) for p in
                   each.placings])
            for each in round_results(state, number).values()
        ]  # fmt: skip
        played.append(PlayedRound(tuple(tables), current.byes, current.absent))
    return standings(played, state.players)


def standings_by_truth(state: HallState, truth: dict[str, End]) -> tuple[PlayerStanding, ...]:
    """Return the standings by the tables' own matches: of the seating alone the hall is asked."""
    numbers = {player.name: player.id for player in state.players.values()}
    tables = {table.number: table.id for table in state.present}
    played, left = [], dict(truth)
    for _, current in sorted(state.rounds.items()):
        sides = []
        for seated in current.tables:
            people = tuple([state.players[player].name for player in seated.players])
            own = [key for key in left if key.startswith(f"{tables[seated.number]}:") and left[key][0] == people]
            ranked = left.pop(own[0])[1] if own else ()
            sides.append(tuple([SidePlacing((numbers[people[seats[0]]],), at, score) for at, seats, score in ranked]))
        played.append(PlayedRound(tuple(sides), current.byes, current.absent))
    return standings(played, state.players)


def told(folder: Path) -> str:
    """Return the end of what the processes have logged."""
    log = folder / "log"
    return log.read_text()[-3000:] if log.exists() else ""
