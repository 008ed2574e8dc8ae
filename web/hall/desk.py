"""A judge's desk: the line for everybody, more minutes, what phones say of results, and the sheet of codes."""

from __future__ import annotations

from collections.abc import Iterator

from flask import Blueprint, Response, render_template, request

from companion.hall import entries as e
from companion.hall.checks import HallError
from companion.hall.phones import table_code, words_by_table
from companion.hall.round_results import round_results
from companion.hall.state import HallState
from web.hall import tournament_facts as facts
from web.hall.access import JUDGE, require
from web.hall.context import hall
from web.hall.pages import back_to, signed, typed_number, typed_text

bp = Blueprint("desk", __name__, url_prefix="/judge")


Said = tuple[e.ResultSaid, str, str, str]
"""What a phone says, with its player's name, and the places as a sentence has them and as a form does."""


def said_cards(state: HallState) -> Iterator[tuple[int, list[Said]]]:
    """Yield what phones say, by table number, where no result counts yet; those who know a code come first."""
    current = state.round
    words = words_by_table(current) if current is not None and current.said else {}
    results = round_results(state, current.number) if current is not None and words else {}
    for number in sorted(words, key=lambda number: (not any(each.coded for each in words[number]), number)):
        if number not in results or not results[number].holds:
            found = sorted(words[number], key=lambda each: not each.coded)
            yield number, [(each, facts.full_name(state, each.player), *_texts(state, each)) for each in found]


def _texts(state: HallState, said: e.ResultSaid) -> tuple[str, str]:
    placed = places_of(said)
    return ", ".join([f"{place}. {facts.full_name(state, player)}" for place, player in placed]), str(placed)


def places_of(said: e.ResultSaid) -> list[tuple[int, int]]:
    """Return the place of each player, the best first."""
    return sorted([(each.place, said.players[seat]) for each in said.placings for seat in each.seats])


@bp.post("/announce")
@require(JUDGE)
def announce() -> Response:
    """Say a line to everybody; an empty one takes the last away."""
    hall().record(signed(), e.Announced(typed_text("text")))
    return back_to("/judge")


@bp.post("/minutes")
@require(JUDGE)
def add_minutes() -> Response:
    """Give the round more minutes, at one table or at all."""
    table, minutes = typed_number("table", "0"), typed_number("minutes")
    hall().record(signed(), e.MinutesAdded(typed_number("round"), minutes, table))
    return back_to("/judge")


@bp.post("/said")
@require(JUDGE)
def judge_said() -> Response:
    """Say that what a phone says is right, which then is the result, or set it aside."""
    form, state = request.form, hall().state
    which = (typed_number("player"), form.get("coded") == "1")
    said = state.round.said.get(which) if state.round is not None else None
    if said is None or form.get("places") != str(places_of(said)):
        raise HallError("said_gone")
    typed = e.ResultTyped(said.round, said.number, said.players, said.placings)
    hall().record(signed(), typed if form.get("right") == "1" else e.ResultSaid(said.round, said.number, *which))
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
