"""The tournament's pages: the plan, the players, the standings, and what is printed or downloaded."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, redirect, render_template, request
from werkzeug.exceptions import NotFound

from companion.games import GAMES, is_example
from companion.hall import entries as e
from companion.hall.checks import SIZES
from companion.hall.messages import NAME_LENGTH
from companion.hall.rounds import standing_after, standings
from companion.hall.state import HallState
from companion.hall.tournament.player_list import MOST_BYTES, read_players
from web.hall import round_views
from web.hall import tournament_facts as facts
from web.hall.access import ORGANISER, VIEWER, require
from web.hall.pages import acting
from web.hall.rows import game_title
from web.hall.tournament_pages import FAULTS, TypedFault, find_round, hall, say, tournament_page, whole
from web.names import plain_letters
from web.words import language

SHOWN = 200
"""How many players a page lists; further ones are searched for."""
SUGGESTED = e.TournamentPlanned("", "", 4, "swiss", (3, 4), 4)
"""What the form of the plan holds at first."""
bp = Blueprint("tournament", __name__)
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


# --- the players ----------------------------------------------------------------------------------


@bp.get("/tournament/players")
@require(VIEWER)
def players() -> Any:
    """Show the players."""
    return players_page()


def players_page(typed: str = "", fault: Exception | None = None) -> Any:
    """Return the players' page with what is typed in its form."""
    state = hall().state
    query = request.args.get("q", "").strip()[:NAME_LENGTH]
    wanted = plain_letters(query)
    found = [
        {"id": player.id, "name": facts.full_name(state, player.id), "plain": player.name, "present": player.present}
        for player in state.players.values()
        if wanted in plain_letters(player.name) or query == str(player.id)
    ]
    more = max(len(found) - SHOWN, 0)
    present = sum(player.present for player in state.players.values())
    gone = len(state.players) - present
    return tournament_page(
        "players",
        fault=fault,
        players=found[:SHOWN],
        more=more,
        present=present,
        gone=gone,
        query=query,
        typed=typed,
    )


@bp.post("/tournament/players")
@require(ORGANISER)
def enter_players() -> Any:
    """Enter players, all of them or none."""
    typed = request.form.get("names", "")
    file = request.files.get("list")
    data = file.stream.read(MOST_BYTES + 1) if file is not None and file.filename else b""
    try:
        if bool(typed.strip()) == bool(data):
            raise TypedFault("both" if data else "no_file")
        existing = [player.name for player in hall().state.players.values()]
        names = read_players(data or typed.encode(), existing)
        hall().record(acting(), e.PlayersEntered(names))
    except FAULTS as fault:
        return players_page(typed, fault)
    return redirect(f"/tournament/players?entered={len(names)}", 303)


@bp.get("/tournament/players/<int:player>")
@require(ORGANISER)
def player_page(player: int) -> Any:
    """Show a player whom the organiser may rename."""
    return shown_player(player)


def shown_player(player: int, fault: Exception | None = None) -> Any:
    """Return a player's page; after a fault its form holds what was typed."""
    state = hall().state
    if player not in state.players:
        raise NotFound
    name, typed = facts.full_name(state, player), request.form.get("name", "")[:NAME_LENGTH]
    return tournament_page("players", "player", fault, player=state.players[player], name=name, typed=typed)


@bp.post("/tournament/players/<int:player>/<any(left, back, name):what>")
@require(ORGANISER)
def change_player(player: int, what: str) -> Any:
    """Write down that a player leaves, is back, or is called otherwise."""
    bodies: dict[str, e.Body] = {
        "left": e.PlayerLeft(player),
        "back": e.PlayerBack(player),
        "name": e.PlayerRenamed(player, " ".join(request.form.get("name", "").split())),
    }
    try:
        hall().record(acting(), bodies[what])
    except FAULTS as fault:
        return shown_player(player, fault)
    return redirect("/tournament/players", 303)


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
        "standings", lines=lines_of(state), after=after, over=over, running=last if last > after else 0,
        passed_over=facts.passed_over_text(state, say()),
    )  # fmt: skip


# --- printing, downloading ------------------------------------------------------------------------


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
