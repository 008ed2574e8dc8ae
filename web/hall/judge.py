"""The judges' page: calls from tables, waiting results, reports from phones, and a judge's desk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import quote

from flask import Blueprint, Flask, Response, render_template, request

from companion.devices.hall_link.messages import ANNOUNCEMENT, NAME_LENGTH, fits
from companion.engine.names import TYPED
from companion.hall import entries as e
from companion.hall.checks import HallError
from companion.hall.phones import table_code, words_by_table
from companion.hall.round_results import round_results
from companion.hall.state import WAITING, HallState
from web.forms import InvalidForm
from web.hall import tournament_facts as facts
from web.hall.context import HallContext, hall, say
from web.hall.feeds import FeedKey, Parts
from web.hall.form_handling import JUDGE_COOKIE, back_to, judge_name, signed, typed_number, typed_text
from web.hall.live_parts import live_parts
from web.hall.notices import notice
from web.hall.roles import JUDGE, require
from web.hall.rows import game_title
from web.words import words

bp = Blueprint("judge", __name__, url_prefix="/judge")
NAME_S = 14 * 24 * 3600
"""How long a browser keeps a judge's name, in seconds."""


@bp.get("")
@require(JUDGE)
def page(typed: str = "", wrong: str = "") -> str:
    """Show everything that waits for a judge. The form for the judge's name keeps the input and names its fault."""
    ask, name = bool(wrong) or "name" in request.args, typed or judge_name()
    return render_template("hall/judge.html", ask=ask, typed=name, wrong=wrong, longest=TYPED, **live_parts("judge"))


@bp.post("/name")
@require(JUDGE)
def name() -> Response:
    """Keep the judge's name in this browser."""
    given = typed_text("name")
    if not given or not fits(given):
        wrong = say()("hall.fault.judge_name", most=NAME_LENGTH)
        return Response(page(given[:NAME_LENGTH], wrong), 422)
    answer = back_to("/judge")
    answer.set_cookie(JUDGE_COOKIE, quote(given), max_age=NAME_S, httponly=True, samesite="Lax")
    return answer


@bp.post("/take")
@require(JUDGE)
def take() -> Response:
    """Take a call: the judge is on the way."""
    hall().record(by(), e.CallTaken(request.form.get("call", ""), judge_name()))
    return back_to("/judge")


@bp.post("/close")
@require(JUDGE)
def close() -> Response:
    """Close a call that has been dealt with."""
    hall().record(by(), e.CallClosed(request.form.get("call", "")))
    return back_to("/judge")


@bp.post("/result")
@require(JUDGE)
def result() -> Response:
    """Record whether a result is right."""
    right = request.form.get("right", "")
    if right not in ("0", "1"):
        raise InvalidForm("error.malformed")
    hall().record(by(), e.ResultJudged(request.form.get("result", ""), right == "1"))
    return back_to("/judge")


@bp.post("/announce")
@require(JUDGE)
def announce() -> Response:
    """Show a line on all walls and phones; an empty one removes the last."""
    hall().record(signed(), e.Announced(typed_text("text")))
    return back_to("/judge")


@bp.post("/minutes")
@require(JUDGE)
def add_minutes() -> Response:
    """Extend the round by some minutes, at one table or at all."""
    table, minutes = typed_number("table", "0"), typed_number("minutes")
    hall().record(signed(), e.MinutesAdded(typed_number("round"), minutes, table))
    return back_to("/judge")


@bp.post("/said")
@require(JUDGE)
def judge_said() -> Response:
    """Accept a phone's report as the result, or set it aside."""
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
    """Return a printable page: each table of the round with its code, its players, and room for their places."""
    state = hall().state
    current = state.round
    tables = facts.tables_of(state, current) if current is not None else ()
    codes = {each.number: table_code(state, current, each.number) for each in tables} if current is not None else {}
    return render_template("hall/judge_sheet.html", current=current, tables=tables, codes=codes)


def by() -> str:
    """Return the judge as entries name them; raise `InvalidForm` if no name was given."""
    if not judge_name():
        raise InvalidForm("hall.fault.judge_unnamed")
    return f"judge {judge_name()}"


def install(app: Flask, context: HallContext) -> None:
    """Register the parts of this page for updates."""

    def parts(key: FeedKey) -> Parts:
        state, live, say = context.hall.state, context.hall.live, words(key.lang)
        calls = sorted([call for call in state.calls.values() if not call.closed], key=lambda call: call.at)
        waiting = [each for each in state.results.values() if each.status in WAITING]
        results = sorted(waiting, key=lambda each: (WAITING.index(each.status), each.entry))
        said = list(said_cards(state))
        fields = {"words": say, "calls": calls, "results": results, "names_of": names_of}
        fields |= {"said": said, "notice": notice(state, say), "state": state, "longest": ANNOUNCEMENT}
        module: object = app.jinja_env.get_template("hall/judge_parts.html").make_module(fields)

        def made(macro: str, *args: object) -> str:
            return str(getattr(module, macro)(*args))

        found = {"calls-head": made("calls_head")}
        for call in calls:
            if call.table in state.tables:
                names = live(call.table).names
                found[f"call-{call.id}"] = made("call", call, state.tables[call.table], names)
        if not calls:
            found["no-calls"] = made("no_calls")
        found["results-head"] = made("results_head")
        for each in results:
            at = state.tables.get(each.result.table)
            found[f"result-{each.id}"] = made("result", each, at, game_title(each.result.game, key.lang))
        found |= {f"said-{number}": made("said_card", number, listed) for number, listed in said}
        if not results and not said:
            found["no-results"] = made("no_results")
        return found | {"desk": made("desk")}

    context.feeds.kinds["judge"] = parts


def names_of(seats: Sequence[int], names: Sequence[str]) -> list[str]:
    """Return the names of some seats."""
    return [names[seat] for seat in seats]


# --- reports from phones -------------------------------------------------------------------------


Said = tuple[e.ResultSaid, str, str, str]
"""A phone's report: its player's name, and the places, both worded in a sentence and as form values."""


def said_cards(state: HallState) -> Iterator[tuple[int, list[Said]]]:
    """Yield phone reports by table number, for tables without a counting result; senders with a code come first."""
    current = state.round
    words = words_by_table(current) if current is not None and current.said else {}
    results = round_results(state, current.number) if current is not None and words else {}
    for number in sorted(words, key=lambda number: (not any(each.coded for each in words[number]), number)):
        if number not in results or not results[number].holds:
            found: list[Said] = []
            for each in sorted(words[number], key=lambda each: not each.coded):
                placed = places_of(each)
                told = ", ".join([f"{place}. {facts.full_name(state, player)}" for place, player in placed])
                found.append((each, facts.full_name(state, each.player), told, str(placed)))
            yield number, found


def places_of(said: e.ResultSaid) -> list[tuple[int, int]]:
    """Return each player's place, the best first."""
    return sorted([(each.place, said.players[seat]) for each in said.placings for seat in each.seats])
