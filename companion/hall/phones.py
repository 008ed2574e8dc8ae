"""Results from players' phones: with their table's code they count for a seat, without it a judge must confirm them."""

from __future__ import annotations

import hmac
import unicodedata
from collections.abc import Mapping, Sequence

from companion.devices.hall_link.joining import ALIKE, ALPHABET
from companion.devices.hall_link.messages import CONFIRMING_SEATS, Placing
from companion.hall import entries as e
from companion.hall.state import HallState, ResultRecord, TournamentRound

LETTERS = 4
"""Length of a table's code: it allows 390,625 codes, of which a phone may try some hundreds in a round."""


def table_code(state: HallState, current: TournamentRound, number: int) -> str:
    """Return the code of a round's table, which depends on its players; empty if there is no such table."""
    seated = next((table.players for table in current.tables if table.number == number), None)
    if seated is None or not state.codes:
        return ""
    about = f"{current.number} {number} {seated}"
    drawn = int.from_bytes(hmac.digest(state.codes.encode(), about.encode(), "sha256"), "big")
    return "".join([ALPHABET[drawn // len(ALPHABET) ** place % len(ALPHABET)] for place in range(LETTERS)])


def is_code(typed: str, code: str) -> bool:
    """Whether somebody typed this code, in any spelling of its letters."""
    letters = unicodedata.normalize("NFKC", typed[:40]).upper().translate(ALIKE)
    plain = "".join([letter for letter in letters if letter in ALPHABET])
    return bool(code) and hmac.compare_digest(plain, code)


def words_by_table(current: TournamentRound) -> Mapping[int, Sequence[e.ResultSaid]]:
    """Return phones' results by table, in order, of the people who should be there now."""
    absent = set(current.absent)
    here = {table.number: set(table.players) - absent for table in current.tables} if current.said else {}
    found: dict[int, list[e.ResultSaid]] = {}
    for each in current.said.values():
        people = here.get(each.number, set())
        if each.player in people and set(each.players) == people:
            found.setdefault(each.number, []).append(each)
    return found


def phone_result(
    said: Sequence[e.ResultSaid], own: ResultRecord | None, people: Sequence[int]
) -> tuple[tuple[int, ...], tuple[Placing, ...], str] | None:
    """Return a table's result according to its phones (players, placings, status), or None if they have no say.

    They have none if none knew the code, or if the table's own result already counts: the first one stays. `people` are
    the players of the table's `own` result, by seat. Seats that report the same on the tablet and on phones confirm it
    together; if they disagree, a judge decides.
    """
    words = [each for each in said if each.coded]
    if not words:
        return None
    first, seats = words[0], {each.player for each in words}
    results = {sides(each.players, each.placings) for each in words}
    if own is not None and own.status != "rejected":
        agree = results == {sides(people, own.result.placings)}
        if own.judged or (own.status == "confirmed" and (agree or len(seats) < CONFIRMING_SEATS or len(results) > 1)):
            return None
        if own.status == "confirmed":
            return first.players, first.placings, "confirmed"
        seats |= {people[seat] for seat in own.result.confirmed} if agree else set()
        if own.result.disputed or not agree:
            return tuple(people), own.result.placings, "disputed"
    status = "disputed" if len(results) > 1 else "confirmed" if len(seats) >= CONFIRMING_SEATS else "waiting"
    return first.players, first.placings, status


def sides(players: Sequence[int], placings: Sequence[Placing]) -> frozenset[tuple[frozenset[int], int]]:
    """Return each side's players with their place; two results with the same sides are equal. Phones send no scores."""
    return frozenset([(frozenset([players[seat] for seat in each.seats]), each.place) for each in placings])
