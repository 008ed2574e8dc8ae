"""Changes the latest seating by hand: two players swap, or some tables stay while the rest is seated again."""

from __future__ import annotations

from random import SystemRandom

from flask import Blueprint, redirect, request
from flask.typing import ResponseReturnValue

from companion.hall import entries as e
from companion.hall.checks import HallError
from companion.hall.rounds import meetings_again, next_seating, swapped
from companion.hall.state import TournamentRound
from web.hall import tournament_facts as facts
from web.hall.context import hall, say
from web.hall.form_handling import acting, whole
from web.hall.roles import ORGANISER, require
from web.hall.tournament_frame import FAULTS, SEATING, tournament_page

bp = Blueprint("hand", __name__)


@bp.get("/tournament/hand")
@require(ORGANISER)
def hand_page(fault: Exception | None = None) -> ResponseReturnValue:
    """Show the seating with its boxes; after a fault the boxes stay ticked."""
    state, current = hall().state, hall().state.round
    if current is None or not facts.may_seat_again(state):
        if fault is not None:
            raise fault
        return redirect("/tournament", 303)
    return tournament_page(
        "round",
        "hand",
        fault=fault,
        current=current,
        mark=facts.seating_mark(current),
        tables=facts.tables_of(state, current),
        byes=[(player, facts.full_name(state, player)) for player in current.byes],
        together=facts.couples_lines(state, current, say()),
        again=meetings_again(state, current),
        ticked=request.form.getlist("player"),
        held=request.form.getlist("held"),
    )


@bp.post("/tournament/hand/<any(swap, again):what>")
@require(ORGANISER)
def change(what: str) -> ResponseReturnValue:
    """Seat the latest round as the organiser wants, if it has not changed since it was shown."""
    try:
        with SEATING:
            state, current = hall().state, hall().state.round
            if current is None or request.form.get("shown") != facts.seating_mark(current):
                raise HallError("seating_stale")
            if current.begins and request.form.get("sure") != "1":
                raise HallError("round_called")
            held = [whole(number) for number in request.form.getlist("held")]
            again = None if what == "swap" else next_seating(state, SystemRandom(), again=True, held=held)
            hall().record(acting(), again or _swap(current))
    except FAULTS as fault:
        return hand_page(fault)
    return redirect("/tournament/hand", 303)


def _swap(current: TournamentRound) -> e.RoundSeated:
    """Return the seating after the two ticked players have swapped their places."""
    ticked = [whole(player) for player in request.form.getlist("player")]
    if len(ticked) != 2:
        raise HallError("swap_two")
    return swapped(current, *ticked)
