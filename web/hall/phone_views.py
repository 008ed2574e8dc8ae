"""A player's phone reports the table's result. With the table's code it answers for its seat; without it, the report
only informs the judges.
"""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request
from flask.typing import ResponseReturnValue

from companion.hall import entries as e
from companion.hall.checks import HallError
from companion.hall.phones import is_code, sides, table_code
from web.hall import tournament_facts as facts
from web.hall.context import hall, hall_context, say
from web.hall.form_handling import TypedFault, whole
from web.hall.round_views import read_placings, with_partners
from web.hall.tournament_frame import FAULTS, fault_sentence
from web.security.client_network import client_network, request_address

bp = Blueprint("phone", __name__)


@bp.get("/p/<int:player>/result")
def said_page(player: int, fault: Exception | None = None) -> ResponseReturnValue:
    """Ask for the places at a player's table, or ask again after invalid input. Lead back if the player has no
    table.
    """
    state, here, typed = hall().state, say(), request.form
    current, table = state.round, table_of(player)
    if current is None or not table:
        if fault is not None:
            raise fault
        return redirect(f"/p/{player}", 303)
    places = dict(zip(typed.getlist("player"), typed.getlist("place"), strict=False))
    people = [(each, facts.public_name(state, each, here), places.get(str(each), "")) for each in current.people(table)]
    body = render_template(
        "hall/player_result.html",
        player=player,
        current=current,
        table=table,
        people=people,
        partners=bool(typed.get("partners")) if typed else with_partners(state),
        code=typed.get("code", "")[:12],
        fault=fault_sentence(fault) if fault is not None else "",
    )
    return body if fault is None else (body, 422)


@bp.post("/p/<int:player>/result")
def say_result(player: int) -> ResponseReturnValue:
    """Record a phone's report; repeating it changes nothing."""
    try:
        said = read_said(player)
        current = hall().state.round
        before = current.said.get((player, said.coded)) if current is not None else None
        if before is None or sides(before.players, before.placings) != sides(said.players, said.placings):
            hall().record("phone", said)
    except FAULTS as fault:
        return said_page(player, fault)
    return redirect(f"/p/{player}", 303)


def read_said(player: int) -> e.ResultSaid:
    """Return the form's report; raise `HallError` after the round or for another table's code."""
    state, typed, table = hall().state, request.form, table_of(player)
    current, number = state.round, whole(typed.get("round", ""))
    if current is None or current.number != number:
        raise HallError("round_gone", round=number)
    if not table:
        raise HallError("not_seated")
    sender, rates = request_address(), hall_context().words
    if not rates.player(f"{client_network(sender)} {player}") or not rates.address(sender):
        raise TypedFault("too_many_words")
    code = typed.get("code", "").strip()
    if code and not is_code(code, table_code(state, current, table)):
        raise TypedFault("wrong_code", table=table)
    players = tuple([whole(each) for each in typed.getlist("player")])
    placings = read_placings(typed.getlist("place"), [""] * len(players), len(players))
    return e.ResultSaid(number, table, player, bool(code), players, placings)


def table_of(player: int) -> int:
    """Return the number of a player's table in the latest round; 0 if there is none."""
    current = hall().state.round
    tables = () if current is None else current.tables
    return next((each.number for each in tables if current and player in current.people(each.number)), 0)
