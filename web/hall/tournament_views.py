"""The tournament's pages: the plan, the players, the standings, printed pages and downloads."""

from __future__ import annotations

import re

import msgspec
from flask import Blueprint, Response, redirect, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from companion.games import GAMES, is_example
from companion.hall import entries as e
from companion.hall.checks import SIZES, HallError
from companion.hall.round_results import open_tables
from companion.hall.rounds import standing_after, standings
from companion.hall.state import HallState
from web.forms import InvalidForm
from web.hall import player_entry, round_views, seating_views
from web.hall import tournament_facts as facts
from web.hall.context import hall, say
from web.hall.form_handling import acting, sure_page, typed_number, typed_text, whole
from web.hall.roles import ORGANISER, VIEWER, require
from web.hall.rows import game_title
from web.hall.tournament_frame import FAULTS, find_round, tournament_page
from web.words import language

SCALE = re.compile(r"[-–,;/\s]+")
"""The separators that people may type between the points for each place."""
SUGGESTED = e.TournamentPlanned("", "", 4, "swiss", (3, 4), 4)
"""The initial content of the plan's form."""
bp = Blueprint("tournament", __name__)
bp.register_blueprint(player_entry.bp)
bp.register_blueprint(round_views.bp)
bp.register_blueprint(seating_views.bp)


@bp.get("/tournament")
@require(VIEWER)
def page() -> ResponseReturnValue:
    """Show the latest round; before there is a plan, its form."""
    if hall().state.tournament is None:
        return plan_page(SUGGESTED)
    return round_views.round_page(hall().state.round)


# --- the plan -------------------------------------------------------------------------------------


@bp.get("/tournament/plan")
@require(VIEWER)
def plan() -> ResponseReturnValue:
    """Show the plan."""
    return plan_page(hall().state.tournament or SUGGESTED)


def plan_page(form: e.TournamentPlanned, fault: Exception | None = None) -> ResponseReturnValue:
    """Return the plan's page with the form's content."""
    games = [(name, game_title(name, language())) for name, game in GAMES.items() if not is_example(game)]
    typed, state = request.form, hall().state
    return tournament_page(
        "plan",
        fault=fault,
        form=form,
        sizes=list(SIZES),
        games=games,
        typed_rounds=typed.get("rounds", str(form.rounds)),
        points=typed.get("points", "-".join(map(str, form.points))),
        final=typed.get("final", str(form.final)),
        couples=[("{}-{}".format(*each), *[facts.full_name(state, player) for player in each]) for each in form.apart],
        people=[player.name for player in state.players.values()],
    )


@bp.post("/tournament/plan")
@require(ORGANISER)
def save_plan() -> ResponseReturnValue:
    """Save the plan; fields missing from the form keep their values."""
    form = request.form
    preferred = form.get("preferred", "")
    typed = msgspec.structs.replace(
        hall().state.tournament or SUGGESTED,
        name=typed_text("name"),
        game=form.get("game", "") if form.get("game") in GAMES else "",
        method=form.get("method", ""),
        sizes=tuple(sorted({int(size) for size in form.getlist("sizes") if size.isdecimal() and len(size) < 3})),
        preferred=int(preferred) if preferred.isdecimal() and len(preferred) < 3 else 0,
    )
    try:
        changes: dict[str, object] = {"rounds": typed_number("rounds")}
        if "points" in form:
            changes["points"] = tuple([whole(each) for each in SCALE.split(form["points"].strip()) if each])
        if "final" in form:
            changes["final"] = typed_number("final", "0")
        hall().record(acting(), msgspec.structs.replace(typed, **changes))
    except FAULTS as fault:
        return plan_page(typed, fault)
    return redirect("/tournament" if hall().state.players else "/tournament/players", 303)


@bp.post("/tournament/apart")
@require(ORGANISER)
def keep_apart() -> ResponseReturnValue:
    """Keep two players apart from now on, or no longer."""
    state, form = hall().state, request.form
    plan = state.tournament or SUGGESTED
    try:
        if "end" in form:
            apart = tuple([each for each in plan.apart if "{}-{}".format(*each) != form["end"]])
        else:
            one, other = sorted([facts.find_player(state, form.get(name, "")) for name in ("one", "other")])
            apart = (*[each for each in plan.apart if each != (one, other)], (one, other))
        if state.tournament is None:
            raise HallError("no_tournament")
        hall().record(acting(), msgspec.structs.replace(plan, apart=apart))
    except FAULTS as fault:
        return plan_page(plan, fault)
    return redirect("/tournament/plan", 303)


# --- the standings --------------------------------------------------------------------------------


@bp.get("/tournament/standings")
@require(VIEWER)
def show_standings() -> ResponseReturnValue:
    """Show the standings with every tie-break."""
    state = hall().state
    after, last = standing_after(state), max(state.rounds, default=0)
    over = state.tournament is not None and after >= state.tournament.rounds
    return tournament_page(
        "standings", lines=facts.standing_lines(state, say()), after=after, over=over,
        running=last if last > after else 0, passed_over=facts.passed_over_text(state, say()),
    )  # fmt: skip


# --- successive tournaments -----------------------------------------------------------------------


@bp.route("/tournament/close", methods=["GET", "POST"])
@require(ORGANISER)
def close() -> ResponseReturnValue:
    """Close the tournament, once the organiser has confirmed it, and begin the next."""
    state, here = hall().state, say()
    if state.tournament is None:
        return redirect("/tournament", 303)
    if request.method == "GET":
        missing = open_tables(state, max(state.rounds, default=0))
        text = here("tournament.next.text", name=state.tournament.name)
        if missing:
            text += " " + here("tournament.next.missing", numbers=", ".join(map(str, missing)))
        also = here("tournament.next.same")
        return sure_page(
            here("tournament.next.title"), text, sure=here("tournament.next.know"), also=also, back="/tournament"
        )
    if request.form.get("sure") != "1":
        raise InvalidForm("hall.fault.not_sure")
    there = [player for player in state.players.values() if player.present]
    again = e.PlayersEntered(
        tuple([player.name for player in there]), families=tuple([player.family for player in there])
    )
    same = [again] if there and request.form.get("also") == "1" else []
    hall().record(acting(), e.TournamentClosed(), *same)
    return redirect("/tournament/plan", 303)


def past_of(number: int) -> HallState:
    """Return the hall at the end of an earlier tournament, counted from 1; answer 404 if there is none."""
    past = hall().state.past
    if not 0 < number <= len(past):
        raise NotFound
    return past[number - 1]


@bp.get("/tournament/earlier/<int:number>")
@bp.get("/tournament/earlier/<int:number>/round/<int:shown>")
@require(VIEWER)
def earlier(number: int, shown: int = 0) -> ResponseReturnValue:
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


# --- printing, downloading ------------------------------------------------------------------------


@bp.get("/tournament/print/<any(seating, standings):what>")
@require(VIEWER)
def print_page(what: str) -> ResponseReturnValue:
    """Return a printable page: the seating of the latest round, or the standings."""
    state = hall().state
    current = state.round
    shown: dict[str, object] = {}
    if what == "standings":
        shown = {"lines": facts.standing_lines(state, say()), "after": standing_after(state)}
    elif current is not None:
        shown = {"seats": facts.seats_by_name(state, current), "tables": facts.tables_of(state, current)}
    return render_template("hall/tournament_print.html", what=what, plan=state.tournament, current=current, **shown)


@bp.get("/tournament/<any(seating, results, standings):what>.csv")
@bp.get("/tournament/earlier/<int:number>/<any(results, standings):what>.csv")
@require(VIEWER)
def download(what: str, number: int = 0) -> Response:
    """Return a spreadsheet of this tournament or an earlier one."""
    state = past_of(number) if number else hall().state
    if what == "seating":
        data = facts.seating_csv(state, find_round(max(state.rounds, default=0)), say())
    elif what == "results":
        data = facts.results_csv(state, say())
    else:
        data = facts.standings_csv(state, standings(state), say())
    answer = Response(data, mimetype="text/csv")
    answer.headers["Content-Disposition"] = f'attachment; filename="{what}.csv"'
    return answer
