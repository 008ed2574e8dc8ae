"""A judge's desk: the line for everybody, more minutes, what phones say of results, and the sheet of codes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from flask import Blueprint, Response, redirect, render_template, request

from companion.hall import entries as e
from companion.hall.checks import HallError
from companion.hall.phones import table_code, words_of
from companion.hall.round_results import round_results
from companion.hall.state import HallState, SaidResult
from web.hall import tournament_facts as facts
from web.hall.access import JUDGE, require
from web.hall.pages import back_to, signed
from web.hall.tournament_pages import hall, whole

bp = Blueprint("desk", __name__, url_prefix="/judge")


class SaidCard(NamedTuple):
    """What phones say of a table whose result does not count yet."""

    round: int
    number: int
    words: tuple[tuple[SaidResult, str, str, str], ...]
    """Each with the speaker's name, the places as a sentence has them, and as a form does."""


def said_cards(state: HallState) -> Iterator[SaidCard]:
    """Yield what waits for a judge, by table: those who know the code come first."""
    current = state.round
    if current is None or not current.said:
        return
    results = round_results(state, current.number)
    for number in sorted({each.number for each in current.said.values()}):
        if number not in results or not results[number].holds:
            found = [*words_of(current, number, coded=True), *words_of(current, number, coded=False)]
            said = []
            for each in found:
                placed, name = places_of(each), facts.full_name(state, each.player)
                text = ", ".join([f"{place}. {facts.full_name(state, player)}" for place, player in placed])
                said.append((each, name, text, str(placed)))
            if said:
                yield SaidCard(current.number, number, tuple(said))


def places_of(said: SaidResult) -> list[tuple[int, int]]:
    """Return the place of each player, the best first."""
    return sorted([(each.place, said.players[seat]) for each in said.placings for seat in each.seats])


@bp.post("/announce")
@require(JUDGE)
def announce() -> Response:
    """Say a line to everybody; an empty one takes the last away."""
    hall().record(signed(), e.Announced(" ".join(request.form.get("text", "").split())))
    return back_to("/judge")


@bp.post("/minutes")
@require(JUDGE)
def add_minutes() -> Response:
    """Give the round more minutes, at one table or at all."""
    form = request.form
    table, minutes = whole(form.get("table") or "0"), whole(form.get("minutes", ""))
    hall().record(signed(), e.MinutesAdded(whole(form.get("round", "")), minutes, table))
    return back_to("/judge")


@bp.get("/table")
@require(JUDGE)
def find_table() -> Response:
    """Lead to the page on which a table's result is typed."""
    current, number = hall().state.round, whole(request.args.get("table", ""))
    if current is None or not current.people(number):
        raise HallError("no_such_table", number=number)
    return redirect(f"/tournament/round/{current.number}/table/{number}", 303)  # type: ignore[return-value]


@bp.post("/said")
@require(JUDGE)
def judge_said() -> Response:
    """Say that what a phone says is right, which then is the result, or set it aside."""
    form, state = request.form, hall().state
    which = (whole(form.get("player", "")), form.get("coded") == "1")
    said = state.round.said.get(which) if state.round is not None else None
    if state.round is None or said is None or form.get("places") != str(places_of(said)):
        raise HallError("said_gone")
    number = state.round.number
    right = form.get("right") == "1"
    typed = e.ResultTyped(number, said.number, said.players, said.placings)
    hall().record(signed(), typed if right else e.ResultSaid(number, said.number, *which))
    return back_to("/judge")


@bp.get("/sheet")
@require(JUDGE)
def sheet() -> str:
    """Return a page for paper: each table of the round with its code, its people, and room for their places."""
    state = hall().state
    current = state.round
    tables = facts.tables_of(state, current) if current is not None else ()
    codes = {each.number: table_code(state, current, each.number) for each in tables} if current is not None else {}
    return render_template("hall/judge_sheet.html", current=current, tables=tables, codes=codes)
