"""The consequences of undoing any entry, and whether something depends on it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from msgspec.structs import replace

from companion.hall import entries as e
from companion.hall.checks import HallError, check
from companion.hall.round_results import RoundResult, round_results
from companion.hall.state import HallState, StateBuilder, fold, undone_entries, with_numbers

DECISIONS = (e.ResultTyped, e.ResultJudged, e.ResultUsed)
"""Entries whose own result changes when they are undone."""


class Striking(msgspec.Struct, frozen=True):
    """The consequences of undoing an entry. It is allowed only while `needed` and `lost` are empty."""

    entry: e.Entry
    before: HallState
    after: HallState
    idle: tuple[e.Entry, ...]
    """Later entries that become pointless, such as the call of a round that is no longer seated."""
    needed: tuple[e.Entry, ...]
    """Later entries that would be impossible without it."""
    changed: tuple[tuple[int, int], ...]
    """Round and table of every result that changes or disappears."""
    lost: tuple[tuple[int, int], ...]
    """Those of them that count and are not the entry's own subject."""


def strike(entries: Sequence[e.Entry], number: int) -> Striking:
    """Return the consequences of undoing an entry; raise `HallError` if it does not exist or can never be undone."""
    entry = next((each for each in entries if each.number == number), None)
    if entry is None:
        raise HallError("nothing_to_undo")
    undone = undone_entries(entries)
    if number in undone:
        raise HallError("undone_already")
    if isinstance(entry.body, e.ResultReported):
        raise HallError("judged_not_undone")
    closed = any(isinstance(each.body, e.TournamentClosed) for each in entries if each.number > number)
    if closed or not isinstance(entry.body, e.UNDOABLE):
        raise HallError("not_undoable")
    live = [each for each in with_numbers(entries) if each.number not in undone]
    at = next(place for place, each in enumerate(live) if each.number == number)
    start, rest = fold(live[:at]), live[at + 1 :]
    after, impossible = _replay(start, rest, rest)
    before, earlier = _replay(fold([live[at]], start), rest, impossible)
    needed = [each for each in impossible if each not in earlier]
    idle = [each for each in needed if impossible[each] and not isinstance(each.body, DECISIONS)]
    old, new = _all_results(before), _all_results(after)
    changed = [place for place in sorted({*old, *new}) if _said(old.get(place)) != _said(new.get(place))]
    lost = [at for at in changed if at in old and old[at].holds and not _decided(entry.body, at, old[at])]
    return Striking(
        entry, before, after, tuple(idle), tuple([each for each in needed if each not in idle]), tuple(changed),
        tuple(lost),
    )  # fmt: skip


def _replay(
    state: HallState, entries: Sequence[e.Entry], doubtful: Iterable[e.Entry]
) -> tuple[HallState, dict[e.Entry, bool]]:
    """Return the state after entries, and the impossible ones of `doubtful`, each with whether it has no effect."""
    builder, number, impossible = StateBuilder(state), state.number, {}
    # Entries of tables and judges are always possible.
    asked = {each.number for each in doubtful if isinstance(each.body, e.UNDOABLE)}
    for entry in entries:
        body = entry.body
        before = builder.state(number)
        if entry.number in asked:
            try:  # `instead` mattered only when the seating was written
                check(before, replace(body, instead=0) if isinstance(body, e.RoundSeated) else body)
            except HallError:
                before = fold((), before)
                impossible[entry] = replace(fold([entry], before), number=number) == before
        builder.apply(entry)
        number = entry.number
    return builder.state(number), impossible


def _decided(body: e.Body, at: tuple[int, int], result: RoundResult) -> bool:
    """Whether an entry is a judge's or the organiser's decision on this very result."""
    match body:
        case e.ResultTyped(number, table):
            return at == (number, table) and result.status == "typed"
        case e.ResultJudged(of) | e.ResultUsed(of):
            return result.result.rpartition(":")[0] == of.rpartition(":")[0]
    return False


def _all_results(state: HallState) -> dict[tuple[int, int], RoundResult]:
    return {(number, at): each for number in state.rounds for at, each in round_results(state, number).items()}


def _said(result: RoundResult | None) -> object:
    """Return a result's players and placings, and its status."""
    return None if result is None else (result.players, result.placings, result.status)
