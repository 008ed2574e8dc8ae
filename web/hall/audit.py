"""The audit trail in words: who wrote what into the hall's record, and when."""

from __future__ import annotations

import time
from collections.abc import Mapping

import msgspec

from companion.hall import entries as e
from companion.hall.messages import read_result
from companion.hall.state import HallState
from companion.hall.striking import undone_entries
from companion.i18n import Words
from web.hall.rows import game_title


class AuditLine(msgspec.Struct, frozen=True):
    """An entry as the organiser reads it."""

    when: str
    who: str
    what: str
    number: int
    undone: bool = False
    undoable: bool = False


def audit_lines(
    entries: tuple[e.Entry, ...], state: HallState, say: Words, most: int, before: int = 0
) -> list[AuditLine]:
    """Return the last entries, the latest first; those `before` a number, if one is given."""
    undone = undone_entries(entries)
    known = {entry.number: entry for entry in entries}
    shown = [entry for entry in entries if not before or entry.number < before]
    return [
        AuditLine(
            time_text(entry.at), who_text(entry.by, state, say), entry_text(entry, state, say, known), entry.number,
            entry.number in undone, isinstance(entry.body, e.UNDOABLE) and entry.number not in undone,
        )
        for entry in reversed(shown[-most:])
    ]  # fmt: skip


def time_text(at: float) -> str:
    """Return a time of the hall's day, with the day if it is not today."""
    then, today = time.localtime(at), time.localtime()
    return time.strftime("%H:%M" if then[:3] == today[:3] else "%Y-%m-%d %H:%M", then)


def who_text(by: str, state: HallState, say: Words) -> str:
    """Return who wrote an entry."""
    if by in state.tables:
        return say("hall.table.title", number=state.tables[by].number)
    if by.startswith("judge "):
        return say("hall.audit.by_judge", name=by.removeprefix("judge "))
    return say(f"hall.audit.by_{by}") if say.has(f"hall.audit.by_{by}") else by


def entry_text(entry: e.Entry, state: HallState, say: Words, before: Mapping[int, e.Entry] = {}) -> str:
    """Return what an entry says; of an undone one, what it was."""
    body = entry.body
    if isinstance(body, e.Undone):
        what = entry_text(before[body.entry], state, say) if body.entry in before else f"{body.entry}"
        return say("hall.audit.undone", what=what)
    if isinstance(body, e.PlayersEntered):
        return say.plural("hall.audit.players", len(body.names), name=body.names[0] if body.names else "")
    return say(f"hall.audit.{type(body).__struct_config__.tag}", **_fields(body, state, say))


def _fields(body: e.Body, state: HallState, say: Words) -> dict[str, object]:
    """Return what an entry's sentence names."""
    match body:
        case e.HallOpened(_, name):
            return {"name": name}
        case e.TableAdmitted(_, name, number):
            return {"name": name, "number": number}
        case e.TableNumbered(table, number):
            return {"name": _table_name(state, table), "number": number}
        case e.TableRemoved(table):
            return {"name": _table_name(state, table)}
        case e.ResultReported(_, payload):
            result = read_result(payload)
            return {"game": game_title(result.game, say.lang), "names": ", ".join(result.names)}
        case e.ResultTyped(number, table) | e.ResultUsed(_, number, table):
            return {"round": number, "number": table}
        case e.ResultJudged(result_id, right):
            verdict = say("hall.audit.right" if right else "hall.audit.wrong")
            return {"table": _table_number(state, result_id.partition(":")[0], say), "verdict": verdict}
        case e.CallMade(_, table):
            return {"table": _table_number(state, table, say)}
        case e.CallTaken(call) | e.CallClosed(call):
            found = state.calls.get(call)
            return {"table": _table_number(state, found.table, say) if found else "?"}
        case e.TournamentPlanned():
            return {"name": body.name}
        case e.PlayerRenamed(player, name):
            return {"player": player, "name": name}
        case e.PlayerLeft(player) | e.PlayerBack(player):
            return {"name": _player_name(state, player)}
        case e.NoShow(number, player) | e.PlayerCame(number, player):
            return {"round": number, "name": _player_name(state, player)}
        case e.RoundSeated(number) | e.RoundCalled(number):
            return {"round": number}
        case e.NamesShown(how):
            return {"how": say(f"hall.names.{how}")}
    return {}


def _table_name(state: HallState, table: str) -> str:
    return state.tables[table].name if table in state.tables else table


def _table_number(state: HallState, table: str, say: Words) -> str:
    return say("hall.table.title", number=state.tables[table].number) if table in state.tables else table


def _player_name(state: HallState, player: int) -> str:
    return state.players[player].name if player in state.players else f"#{player}"
