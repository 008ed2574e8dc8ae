"""The tournament's pages: the plan, the players, the standings, and what is printed or downloaded."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, redirect, render_template, request

from companion.games import GAMES, is_example
from companion.hall import entries as e
from companion.hall.checks import SIZES
from companion.hall.rounds import standing_after, standings
from companion.hall.state import HallState, last_undoable
from web.hall import player_entry, round_views
from web.hall import tournament_facts as facts
from web.hall.access import ORGANISER, VIEWER, require
from web.hall.pages import acting
from web.hall.rows import game_title
from web.hall.tournament_pages import FAULTS, TypedFault, find_round, hall, say, tournament_page, whole
from web.words import language

SUGGESTED = e.TournamentPlanned("", "", 4, "swiss", (3, 4), 4)
"""What the form of the plan holds at first."""
bp = Blueprint("tournament", __name__)
bp.register_blueprint(player_entry.bp)
bp.register_blueprint(round_views.bp)


@bp.get("/tournament")
@require(VIEWER)
def page() -> Any:
    """Show the latest round; before there is a plan, its form."""
    if hall().state.tournament is None:
        return plan_page(SUGGESTED)
    return round_views.round_page(hall().state.round)


# --- the plan -------------------------------------------------------------------------------------


@bp.get("/tournament/plan")
@require(VIEWER)
def plan() -> Any:
    """Show the plan."""
    return plan_page(hall().state.tournament or SUGGESTED)


def plan_page(form: e.TournamentPlanned, fault: Exception | None = None) -> Any:
    """Return the plan's page with what is in its form."""
    games = [(name, game_title(name, language())) for name, game in GAMES.items() if not is_example(game)]
    return tournament_page("plan", fault=fault, form=form, sizes=list(SIZES), games=games)


@bp.post("/tournament/plan")
@require(ORGANISER)
def save_plan() -> Any:
    """Write the plan down."""
    form = request.form
    sizes = tuple(sorted({int(size) for size in form.getlist("sizes") if size.isdecimal() and len(size) < 3}))
    preferred = form.get("preferred", "")
    typed = e.TournamentPlanned(
        " ".join(form.get("name", "").split()),
        form.get("game", "") if form.get("game") in GAMES else "",
        0,
        form.get("method", ""),
        sizes,
        int(preferred) if preferred.isdecimal() and len(preferred) < 3 else 0,
    )
    try:
        typed = e.TournamentPlanned(typed.name, typed.game, whole(form.get("rounds", "")), *_last_three(typed))
        hall().record(acting(), typed)
    except FAULTS as fault:
        return plan_page(typed, fault)
    return redirect("/tournament" if hall().state.players else "/tournament/players", 303)


def _last_three(plan: e.TournamentPlanned) -> tuple[str, tuple[int, ...], int]:
    return plan.method, plan.sizes, plan.preferred


# --- the standings --------------------------------------------------------------------------------


def lines_of(state: HallState) -> list[dict[str, Any]]:
    """Return the standings' lines as pages show them."""
    lang, found = language(), standings(state)
    points = facts.points_texts([line.points for line in found], lang)
    opposition = facts.points_texts([line.opposition for line in found], lang)
    return [
        {
            "place": line.place,
            "player": line.player,
            "name": facts.full_name(state, line.player),
            "points": points[at],
            "wins": line.wins,
            "opposition": opposition[at],
            "tables": line.tables,
            "byes": line.byes,
            "absent": line.absent,
            "gone": not state.players[line.player].present,
        }
        for at, line in enumerate(found)
    ]


@bp.get("/tournament/standings")
@require(VIEWER)
def show_standings() -> Any:
    """Show the standings with everything that breaks ties."""
    state = hall().state
    after, last = standing_after(state), max(state.rounds, default=0)
    over = state.tournament is not None and after >= state.tournament.rounds
    return tournament_page(
        "standings", lines=lines_of(state), after=after, over=over, running=last if last > after else 0
    )


# --- taking back, printing, downloading -----------------------------------------------------------


@bp.post("/tournament/undo")
@require(ORGANISER)
def undo() -> Any:
    """Take back the entry that the page named."""
    try:
        last = last_undoable(hall().entries())
        if last is not None and last.number != whole(request.form.get("entry", "")):
            raise TypedFault("stale")
        hall().undo(acting())
    except FAULTS as fault:
        return round_views.round_page(hall().state.round, fault)
    return redirect("/tournament", 303)


@bp.get("/tournament/print/<any(seating, standings):what>")
@require(VIEWER)
def print_page(what: str) -> Any:
    """Return a page for paper: who sits where in the latest round, or the standings."""
    state = hall().state
    current = state.round
    return render_template(
        "hall/tournament_print.html",
        what=what,
        plan=state.tournament,
        current=current,
        seats=facts.seats_by_name(state, current) if current is not None else (),
        tables=facts.tables_of(state, current) if current is not None else (),
        lines=lines_of(state),
        after=standing_after(state),
    )


@bp.get("/tournament/<any(seating, results, standings):what>.csv")
@require(VIEWER)
def download(what: str) -> Response:
    """Return a table for spreadsheets."""
    state = hall().state
    if what == "seating":
        data = facts.seating_csv(state, find_round(max(state.rounds, default=0)), say())
    elif what == "results":
        data = facts.results_csv(state, say())
    else:
        data = facts.standings_csv(state, standings(state), say())
    answer = Response(data, mimetype="text/csv")
    answer.headers["Content-Disposition"] = f'attachment; filename="{what}.csv"'
    return answer
