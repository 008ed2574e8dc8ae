"""Which entries of the hall's record concern a table of a round."""

from __future__ import annotations

from collections.abc import Sequence

from companion.devices.hall_link.messages import read_result
from companion.engine.names import name_key
from companion.hall import entries as e
from companion.hall.state import HallState, TournamentRound


def table_entries(state: HallState, entries: Sequence[e.Entry], current: TournamentRound, number: int) -> list[e.Entry]:
    """Return the entries about a table's people and its results, in order."""
    numbers = {name_key(player.name): player.id for player in state.players.values()}
    players = {player for table in current.tables if table.number == number for player in table.players}
    reported: set[str] = set()
    found = []
    for entry in entries:
        match entry.body:
            case e.ResultTyped(of, at) | e.ResultSaid(of, at):
                here = (of, at) == (current.number, number)
            case e.NoShow(of, player) | e.PlayerCame(of, player):
                here = of == current.number and player in players
            case e.ResultReported(_, payload):
                result = read_result(payload)
                people = {numbers.get(name_key(name), 0) for name in result.names}
                here = result.round == current.number and people <= players
                reported |= {result.id} if here else set()
            case e.ResultJudged(result_id) | e.ResultUsed(result_id):
                here = result_id in reported
            case _:
                continue
        found += [entry] if here else []
    return found
