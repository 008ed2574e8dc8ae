"""One tournament after another: closing the one that runs, and reading the earlier ones."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, redirect, render_template, request
from werkzeug.exceptions import NotFound

from companion.hall import entries as e
from companion.hall.round_results import open_tables
from companion.hall.state import HallState
from web.forms import InvalidForm
from web.hall import tournament_facts as facts
from web.hall.access import ORGANISER, VIEWER, require
from web.hall.pages import acting
from web.hall.tournament_pages import hall, say, tournament_page

bp = Blueprint("earlier", __name__)


@bp.route("/tournament/close", methods=["GET", "POST"])
@require(ORGANISER)
def close() -> Any:
    """Close the tournament, once the organiser has said it twice, and begin the next one."""
    state, here = hall().state, say()
    if state.tournament is None:
        return redirect("/tournament", 303)
    if request.method == "GET":
        missing = open_tables(state, max(state.rounds, default=0))
        text = here("tournament.next.text", name=state.tournament.name)
        if missing:
            text += " " + here("tournament.next.missing", numbers=", ".join(map(str, missing)))
        return render_template(
            "hall/sure.html", title=here("tournament.next.title"), text=text, act=request.path, back="/tournament",
            sure=here("tournament.next.know"), also=here("tournament.next.same"),
        )  # fmt: skip
    if request.form.get("sure") != "1":
        raise InvalidForm("hall.fault.not_sure")
    names = tuple([player.name for player in state.players.values() if player.present])
    same = [e.PlayersEntered(names)] if names and request.form.get("also") == "1" else []
    hall().record(acting(), e.TournamentClosed(), *same)
    return redirect("/tournament/plan", 303)


def past_of(number: int) -> HallState:
    """Return the hall as it was at the end of an earlier tournament, counted from 1; answer 404 if there is none."""
    past = hall().state.past
    if not 0 < number <= len(past):
        raise NotFound
    return past[number - 1]


@bp.get("/tournament/earlier/<int:number>")
@bp.get("/tournament/earlier/<int:number>/round/<int:shown>")
@require(VIEWER)
def page(number: int, shown: int = 0) -> Any:
    """Show the standings of an earlier tournament, or one of its rounds."""
    past = past_of(number)
    if shown and shown not in past.rounds:
        raise NotFound
    current = past.rounds.get(shown)
    return tournament_page(
        "earlier",
        past=past.tournament,
        number=number,
        of_past=sorted(past.rounds),
        current=current,
        tables=facts.tables_of(past, current) if current is not None else (),
        byes=[facts.full_name(past, player) for player in current.byes] if current is not None else [],
        lines=[] if current is not None else facts.standing_lines(past, say()),
    )
