"""What was written down of a table of a round, line by line: who said what, and when."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

from companion.hall import entries as e
from companion.hall.messages import Placing, read_result
from companion.hall.state import HallState, TournamentRound
from companion.hall.tournament.player_list import name_key
from companion.i18n import Words
from web.names import in_order, isolated


def table_history(
    state: HallState, entries: Sequence[e.Entry], current: TournamentRound, number: int, say: Words
) -> list[str]:
    """Return what was written down of a table, the latest first; what was taken back is said to be."""
    undone = {entry.body.entry: entry for entry in entries if isinstance(entry.body, e.Undone)}
    names = {player.id: player.name for player in state.players.values()}
    numbers = {name_key(name): player for player, name in names.items()}
    players = {player for table in current.tables if table.number == number for player in table.players}
    known: dict[str, str] = {}
    """The result of each id that was reported here, as a sentence has it."""
    found = []
    for entry in entries:
        fields = {"time": _time(entry), "by": who(state, entry.by, say)}
        match entry.body:
            case e.ResultTyped(of, at, seats, placings) if (of, at) == (current.number, number):
                typed = [names.get(player, str(player)) for player in seats]
                line = say("tournament.typed.by_typed", result=_result(typed, placings, say), **fields)
            case e.NoShow(of, player) if of == current.number and player in players:
                line = say("tournament.typed.by_absent", name=isolated(names.get(player, str(player))), **fields)
            case e.PlayerCame(of, player) if of == current.number and player in players:
                line = say("tournament.typed.by_came", name=isolated(names.get(player, str(player))), **fields)
            case e.ResultUsed(result_id, of, at) if (of, at) == (current.number, number):
                line = say("tournament.typed.by_used", result=known.get(result_id, "?"), **fields)
            case e.ResultReported(_, payload):
                result = read_result(payload)
                here = {numbers.get(name_key(name), 0) for name in result.names} <= players
                if result.round != current.number or not here:
                    continue
                known[result.id] = _result(result.names, result.placings, say)
                line = say("tournament.typed.by_reported", result=known[result.id], **fields)
            case e.ResultJudged(result_id, right) if result_id in known:
                line = say(f"tournament.typed.by_judged_{'right' if right else 'wrong'}", **fields)
            case _:
                continue
        if entry.number in undone:
            by = undone[entry.number]
            line = say("tournament.typed.taken_back", line=line, by=who(state, by.by, say), time=_time(by))
        found.append(line)
    return found[::-1]


def who(state: HallState, by: str, say: Words) -> str:
    """Return who wrote an entry."""
    if by in ("organiser", "judge"):
        return say(f"tournament.typed.{by}")
    if by.startswith("judge "):
        return say("tournament.typed.judge_named", name=isolated(by.removeprefix("judge ")))
    return state.tables[by].name if by in state.tables else by


def _result(names: Sequence[str], placings: Iterable[Placing], say: Words) -> str:
    """Return a result in one line, the best first."""
    lines = [(each.place, each.score, isolated(names[seat])) for each in placings for seat in each.seats]
    lines.sort(key=lambda line: (*line[:2], in_order(line[2])))
    return ", ".join(
        [say("tournament.typed.of_score", place=place, score=score, name=name) for place, score, name in lines]
    )


def _time(entry: e.Entry) -> str:
    return time.strftime("%H:%M", time.localtime(entry.at))
