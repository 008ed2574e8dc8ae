"""The tournament's rounds: seating, calling, and each table's result from the table or the organiser."""

from __future__ import annotations

import time
from collections.abc import Sequence
from random import SystemRandom

from flask import Blueprint, redirect, request
from flask.typing import ResponseReturnValue
from msgspec.structs import replace
from werkzeug.exceptions import NotFound

from companion.devices.hall_link.messages import Placing, Result
from companion.engine.names import name_key
from companion.hall import entries as e
from companion.hall.checks import HallError, check, others_left
from companion.hall.round_results import open_tables, round_results
from companion.hall.rounds import next_seating
from companion.hall.state import HallState, TournamentRound
from companion.i18n import Words
from web.hall import tournament_facts as facts
from web.hall.audit import audit_lines, result_text, table_entries
from web.hall.context import hall, say
from web.hall.form_handling import TypedFault, acting, signed, sure_page, typed_number, whole
from web.hall.notices import clock_time
from web.hall.roles import JUDGE, ORGANISER, VIEWER, has_role, require
from web.hall.rows import game_title
from web.hall.tournament_frame import FAULTS, SEATING, find_round, tournament_page
from web.names import isolated

ASK_S = 10
"""How often the latest round's page checks for new results, in seconds."""
MOST_MINUTES = 240
"""How long before its start a round may be called."""
bp = Blueprint("rounds", __name__)


@bp.get("/tournament/round/<int:number>")
@require(VIEWER)
def page(number: int) -> ResponseReturnValue:
    """Show a round."""
    return round_page(find_round(number))


def round_page(current: TournamentRound | None, fault: Exception | None = None) -> ResponseReturnValue:
    """Return a round's page; without a round, the page of a tournament that has not begun."""
    state, here = hall().state, say()
    if state.tournament is None:
        if fault is not None:
            raise fault
        return redirect("/tournament/plan", 303)
    last = max(state.rounds, default=0)
    latest = current is None or current.number == last
    tables = facts.tables_of(state, current) if current is not None else ()
    missing = open_tables(state, current.number) if current is not None else ()
    only_open = request.args.get("open") == "1" and bool(missing)
    over = last >= state.tournament.rounds
    may_next = latest and bool(state.players) and facts.may_seat_next(state)
    return tournament_page(
        "round",
        fault=fault,
        current=current,
        latest=latest,
        tables=tables,
        shown=[table for table in tables if not only_open or table.number in missing],
        only_open=only_open,
        missing=len(missing),
        finished=current is not None and not missing,
        over=over,
        next_round=last + 1 if may_next else 0,
        may_again=latest and facts.may_seat_again(state),
        waiting_for=last + 1 if latest and missing and not over else 0,
        byes=[facts.full_name(state, player) for player in current.byes] if current is not None else [],
        together=facts.couples_lines(state, current, here) if current is not None and latest else [],
        minutes=next((each.minutes for _, each in sorted(state.rounds.items(), reverse=True) if each.minutes), ""),
        unexpected=unexpected_lines(state, here) if latest else [],
        again=f"/tournament?open={int(only_open)}",
        every=ASK_S,
        begun=current is not None and current.begins <= time.time(),
        begins=lambda at: here(f"tournament.rounds.{'begins' if at > time.time() else 'began'}", time=clock_time(at)),
    )


def unexpected_lines(state: HallState, here: Words) -> list[tuple[facts.UnexpectedResult, str, bool]]:
    """Return the results that fit no table, each with its sentence, and whether using it would replace another."""
    found = []
    for each in facts.strangers(state):
        result = each.record.result
        names = result_text(result.names, result.placings, here, scored=False)
        title = game_title(result.game, here.lang)
        sentence = here("tournament.rounds.unexpected_at", names=names, game=title, round=result.round)
        found.append((each, sentence, each.fits in round_results(state, result.round)))
    return found


@bp.post("/tournament/seat")
@require(ORGANISER)
def seat() -> ResponseReturnValue:
    """Seat the next round. The form has its number, so that a double press seats only one."""
    try:
        with SEATING:
            found = next_seating(hall().state, SystemRandom())
            if found.round != typed_number("round"):
                raise HallError("not_the_round")
            hall().record(acting(), found)
    except FAULTS as fault:
        return round_page(hall().state.round, fault)
    return redirect("/tournament", 303)


@bp.route("/tournament/seat-again", methods=["GET", "POST"])
@require(ORGANISER)
def seat_again() -> ResponseReturnValue:
    """Seat the latest round again if it has not changed since the form was shown; a called round asks first."""
    current, here = hall().state.round, say()
    try:
        fields = {name: whole(request.values.get(name, "")) for name in ("round", "entry")}
        if current is None or current.number != fields["round"]:
            raise HallError("not_the_round")
        shown = fields["entry"] or -1
        check(hall().state, e.RoundSeated(current.number, current.tables, current.byes, instead=shown))
        if request.method == "POST" and (not current.begins or request.form.get("sure") == "1"):
            with SEATING:
                found = next_seating(hall().state, SystemRandom(), again=True)
                hall().record(acting(), replace(found, instead=shown))
            return redirect("/tournament", 303)
    except FAULTS as fault:
        return round_page(current, fault)
    asked = here("tournament.rounds.again_sure", round=current.number)
    return sure_page(here("tournament.rounds.again"), asked, fields=fields, back="/tournament")


@bp.post("/tournament/call")
@require(ORGANISER)
def call_round() -> ResponseReturnValue:
    """Call the latest round."""
    try:
        minutes = typed_number("minutes")
        if not 0 <= minutes <= MOST_MINUTES:
            raise TypedFault("minutes", most=MOST_MINUTES)
        current = hall().state.round
        if current is not None and request.form.get("entry", str(current.entry)) != str(current.entry):
            raise HallError("round_changed")
        length = typed_number("length", "0")
        begins = int(time.time()) + 60 * minutes
        hall().record(acting(), e.RoundCalled(typed_number("round"), begins, length))
    except FAULTS as fault:
        return round_page(hall().state.round, fault)
    return redirect("/tournament", 303)


# --- a table --------------------------------------------------------------------------------------


@bp.get("/tournament/round/<int:number>/table/<int:table>")
@require(VIEWER)
def table_page(number: int, table: int, fault: Exception | None = None) -> ResponseReturnValue:
    """Show a table of a round with players, result and history. After invalid input the form keeps the input."""
    state, entries, current = hall().state, hall().entries(), find_round(number)
    found = next((each for each in facts.tables_of(state, current) if each.number == table), None)
    if found is None:
        raise NotFound
    came = [each for each in found.people if not each.absent]
    record = state.find_result(request.args.get("from", ""))
    other = record.result if record is not None and record.result.round == current.number else None
    columns = [request.form.getlist(name) for name in ("player", "place", "score")]
    typed = {player: (place, score) for player, place, score in zip(*columns, strict=False)}
    suggested = _suggested(state, other) if other is not None else {}
    form = []
    for each in came:
        known = (str(each.place), str(each.score)) if each.place else suggested.get(each.player, ("", ""))
        place, score = typed.get(str(each.player), known)
        form.append({"player": each.player, "name": each.name, "place": place, "score": score})
    results = round_results(state, current.number)
    return tournament_page(
        "round",
        "typed",
        fault=fault,
        current=current,
        table=found,
        shown=result_shown(current, table),
        came=form,
        may_absent=has_role(ORGANISER) and not (table in results and results[table].holds) and len(came) > 0,
        partners=bool(request.form.get("partners")) if typed else with_partners(state),
        other_people=[isolated(name) for name in other.names] if other is not None else [],
        history=audit_lines(table_entries(state, entries, current, table), entries, state, say()),
    )


@bp.post("/tournament/round/<int:number>/table/<int:table>")
@require(JUDGE)
def type_result(number: int, table: int) -> ResponseReturnValue:
    """Record a result typed by the organiser or a judge."""
    current = find_round(number)
    try:
        if request.form.get("shown", result_shown(current, table)) != result_shown(current, table):
            raise HallError("result_changed")
        players = tuple([whole(player) for player in request.form.getlist("player")])
        placings = read_placings(request.form.getlist("place"), request.form.getlist("score"), len(players))
        hall().record(signed(), e.ResultTyped(number, table, players, placings))
    except FAULTS as fault:
        return table_page(number, table, fault)
    return redirect(f"/tournament/round/{number}/table/{table}", 303)


@bp.route("/tournament/round/<int:number>/<any(absent, came):what>", methods=["GET", "POST"])
@require(ORGANISER)
def presence(number: int, what: str) -> ResponseReturnValue:
    """Record that somebody did not come, or came after all. Ask first if that decides a table's result."""
    current, state, here = find_round(number), hall().state, say()
    try:
        fields = {name: whole(request.values.get(name, "")) for name in ("player", "table")}
        player, back = fields["player"], f"/tournament/round/{number}/table/{fields['table']}"
        found = round_results(state, number).get(fields["table"])
        counts = found is not None and found.holds
        if what == "came":
            body: e.Body = e.PlayerCame(number, player)
            asked = here("tournament.typed.came_sure", name=facts.full_name(state, player)) if counts else ""
        else:
            if found is not None and counts and player in found.players:
                raise TypedFault("has_result")
            body, asked = absence(number, player)
        check(state, body)
    except FAULTS as fault:
        return round_page(current, fault)
    if asked and request.form.get("sure") != "1":
        return sure_page(here(f"tournament.typed.{what}"), asked, fields=fields, back=back)
    if request.method == "POST":
        hall().record(acting(), body)
    return redirect(back, 303)


def absence(number: int, player: int) -> tuple[e.NoShow, str]:
    """Return the entry that a player missed a round. With it comes the question to ask if at most one player is left
    at the table.
    """
    state, here = hall().state, say()
    left = others_left(state, number, player)
    if left is None or len(left) > 1:
        return e.NoShow(number, player), ""
    names = {"player": facts.full_name(state, player), "name": facts.full_name(state, left[0]) if left else ""}
    return e.NoShow(number, player, True), here(f"tournament.typed.{'wins_alone' if left else 'nobody_left'}", **names)


def result_shown(current: TournamentRound, table: int) -> str:
    """Return the version of the result on a table's page, so that nobody's input is overwritten unseen."""
    found, typed = round_results(hall().state, current.number).get(table), current.typed.get(table)
    return str(typed.entry) if typed is not None else f"{found.result} {found.status}" if found is not None else ""


def read_placings(places: Sequence[str], scores: Sequence[str], players: int) -> tuple[Placing, ...]:
    """Return the typed placings by seat; raise `TypedFault` for impossible ones.

    Partners share a place. The next side may have the next place, or skip as many places as there are partners.
    """
    if not len(places) == len(scores) == players:
        raise TypedFault("places", most=players)
    typed = [whole(place) for place in places]
    if not all(0 < place <= max(players, 1) for place in typed):
        raise TypedFault("places", most=players)
    points = [whole(score) if score.strip() else None for score in scores]
    if not request.form.get("partners"):
        return tuple([Placing((at,), place, points[at] or 0) for at, place in enumerate(typed)])
    found = []
    for rank, place in enumerate(sorted(set(typed)), start=1):
        seats = tuple([at for at, each in enumerate(typed) if each == place])
        said = {points[at] for at in seats} - {None}
        if len(said) > 1:
            raise TypedFault("partners_score")
        found.append(Placing(seats, rank, next(iter(said), 0) or 0))
    return tuple(found)


def _suggested(state: HallState, result: Result) -> dict[int, tuple[str, str]]:
    """Return the place and score of each known player of a result, as people would type them."""
    numbers = {name_key(player.name): player.id for player in state.players.values()}
    return {
        numbers[name_key(result.names[seat])]: (str(placing.place), str(placing.score))
        for placing in result.placings
        for seat in placing.seats
        if name_key(result.names[seat]) in numbers
    }


def with_partners(state: HallState) -> bool:
    """Whether people play as partners at this table, judging by results."""
    return any(len(placing.seats) > 1 for record in state.results.values() for placing in record.result.placings)
