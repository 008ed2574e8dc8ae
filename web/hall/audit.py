"""The audit trail in words: the author, time and content of each entry in the hall's record."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from companion.devices.hall_link.messages import Placing, read_result
from companion.engine.names import name_key
from companion.hall import entries as e
from companion.hall.state import HallState, TournamentRound, undone_entries
from companion.i18n import Words
from web.hall.rows import game_title
from web.names import in_order, isolated

MOST_NAMES = 12
"""The most names of players in a sentence."""


class AuditLine(msgspec.Struct, frozen=True):
    """An entry as the organiser reads it."""

    when: str
    who: str
    what: str
    number: int
    undone: bool = False
    undoable: bool = False


def audit_lines(shown: Sequence[e.Entry], entries: Sequence[e.Entry], state: HallState, say: Words) -> list[AuditLine]:
    """Return entries in words, the latest first."""
    undone = undone_entries(entries)
    known = {entry.number: entry for entry in entries}
    return [
        AuditLine(
            time_text(entry.at), who_text(entry.by, state, say), entry_text(entry, state, say, known), entry.number,
            entry.number in undone, isinstance(entry.body, e.UNDOABLE) and entry.number not in undone,
        )
        for entry in reversed(shown)
    ]  # fmt: skip


def table_entries(state: HallState, entries: Sequence[e.Entry], current: TournamentRound, number: int) -> list[e.Entry]:
    """Return the entries about a table's players and results, in order."""
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


def time_text(at: float) -> str:
    """Return a time of day in the hall's time zone, with the date if it is not today."""
    then, today = time.localtime(at), time.localtime()
    return time.strftime("%H:%M" if then[:3] == today[:3] else "%Y-%m-%d %H:%M", then)


def who_text(by: str, state: HallState, say: Words) -> str:
    """Return the author of an entry in words."""
    if by in state.tables:
        return say("hall.table.title", number=state.tables[by].number)
    if by.startswith("judge "):
        return say("hall.audit.by_judge", name=by.removeprefix("judge "))
    return say(f"hall.audit.by_{by}") if say.has(f"hall.audit.by_{by}") else by


def entry_text(entry: e.Entry, state: HallState, say: Words, before: Mapping[int, e.Entry] = {}) -> str:
    """Return an entry in words; for an undo, name the undone entry."""
    body = entry.body
    if isinstance(body, e.Undone):
        what = entry_text(before[body.entry], state, say) if body.entry in before else f"{body.entry}"
        return say("hall.audit.undone", what=what)
    if isinstance(body, e.PlayersEntered):
        names = ", ".join(map(isolated, body.names[:MOST_NAMES])) + (" …" if len(body.names) > MOST_NAMES else "")
        return say.plural("hall.audit.players", len(body.names), names=names)
    kind = type(body).__struct_config__.tag
    if isinstance(body, e.ResultSaid):
        kind = "set_aside" if not body.placings else "said" if body.coded else "wished"
    return say(f"hall.audit.{kind}", **(msgspec.structs.asdict(body) | _in_words(body, state, say)))


def _in_words(body: e.Body, state: HallState, say: Words) -> dict[str, object]:
    match body:
        case e.TableNumbered(table) | e.TableRemoved(table):
            return {"name": state.tables[table].name if table in state.tables else table}
        case e.TableRenamed(table) | e.CallMade(_, table):
            return {"table": _table_number(state, table, say)}
        case e.CallTaken(call) | e.CallClosed(call):
            made = state.calls.get(call)
            return {"table": _table_number(state, made.table, say) if made else "?"}
        case e.ResultReported(_, payload):
            found = read_result(payload)
            named = result_text(found.names, found.placings, say)
            return {"game": game_title(found.game, say.lang), "result": named}
        case e.ResultTyped(_, _, players, placings):
            names = [_player_name(state, player) for player in players]
            return {"result": result_text(names, placings, say)}
        case e.ResultUsed(result):
            known = state.find_result(result)
            return {"result": result_text(known.result.names, known.result.placings, say) if known else result}
        case e.ResultJudged(result, right):
            verdict = say("hall.audit.right" if right else "hall.audit.wrong")
            return {"table": _table_number(state, result.partition(":")[0], say), "verdict": verdict}
        case e.ResultSaid(_, _, player, _, players, placings):
            names = [_player_name(state, each) for each in players]
            return {"name": _player_name(state, player), "result": result_text(names, placings, say, scored=False)}
        case e.PlayerLeft(player) | e.PlayerBack(player) | e.NoShow(_, player) | e.PlayerCame(_, player):
            return {"name": _player_name(state, player)}
        case e.MinutesAdded(_, minutes, table):
            at = say("hall.table.title", number=table) if table else say("hall.audit.everywhere")
            return {"minutes": f"{minutes:+d}", "at": at}
        case e.Announced(text):
            return {"text": text or "–"}
        case e.AdviceAllowed(allowed):
            return {"how": say("hall.organiser.advice_yes" if allowed else "hall.organiser.advice_no")}
        case e.NamesShown(how):
            return {"how": say(f"hall.names.{how}")}
    return {}


def _table_number(state: HallState, table: str, say: Words) -> str:
    return say("hall.table.title", number=state.tables[table].number) if table in state.tables else table


def _player_name(state: HallState, player: int) -> str:
    return isolated(state.players[player].name) if player in state.players else f"#{player}"


def result_text(names: Sequence[str], placings: Iterable[Placing], say: Words, *, scored: bool = True) -> str:
    """Return a result in one line, the best first, with scores if there are any."""
    kind = "score" if scored else "place"
    lines = [(each.place, each.score, isolated(names[seat])) for each in placings for seat in each.seats]
    lines.sort(key=lambda line: (*line[:2], in_order(line[2])))
    return ", ".join(
        [say(f"tournament.typed.of_{kind}", place=place, score=score, name=name) for place, score, name in lines]
    )
