"""The organiser's page: admitting tables, their numbers, problems, undoing, the audit trail, and the end."""

from __future__ import annotations

import io
import time

import segno
from flask import Blueprint, Response, abort, render_template, request
from flask.typing import ResponseReturnValue

from companion.devices.hall_link.joining import AGAIN, JoinError
from companion.hall import entries as e
from companion.hall.approval import TableApproval
from companion.hall.checks import MOST_TABLES, HallError
from companion.hall.state import HallState
from companion.i18n import Words
from web.forms import InvalidForm
from web.hall.context import hall, hall_context, say
from web.hall.form_handling import acting, back_to, sure_page, typed_number, typed_text
from web.hall.live_parts import live_parts
from web.hall.notices import clock_time
from web.hall.roles import ORGANISER, require
from web.hall.rows import game_title
from web.presenters.csv_tables import Cells, csv_text

bp = Blueprint("organiser", __name__, url_prefix="/organiser")
HOME = "/organiser"
MOST_CODES = 300
"""The most codes that one form makes."""


@bp.get("")
@require(ORGANISER)
def page() -> str:
    """Show everything that the organiser decides on."""
    return render_template("hall/organiser.html", **live_parts("organiser"))


@bp.get("/qr.svg")
@require(ORGANISER)
def qr() -> Response:
    """Serve the address of the pages as a QR code."""
    out = io.BytesIO()
    segno.make(hall_context().first_page(), error="m").save(out, kind="svg", border=2, omitsize=True, light="#fff")
    return Response(out.getvalue(), mimetype="image/svg+xml")


# --- tables ---------------------------------------------------------------------------------------


@bp.post("/admit")
@require(ORGANISER)
def admit() -> Response:
    """Admit a table under a name and a number."""
    entrance().admit(request.form.get("exchange", ""), typed_text("name"), typed_number("number"), acting())
    return back_to(HOME)


@bp.post("/refuse")
@require(ORGANISER)
def refuse() -> Response:
    """Turn a table away."""
    try:
        entrance().desk.refuse(request.form.get("exchange", ""))
    except JoinError:
        raise HallError("candidate_gone") from None
    return back_to(HOME)


@bp.post("/code")
@require(ORGANISER)
def code() -> Response:
    """Make a new code and invalidate the previous one."""
    entrance().desk.new_code()
    hall_context().feeds.changed()
    return back_to(HOME)


@bp.post("/number")
@require(ORGANISER)
def number() -> Response:
    """Give a table another number, or another name."""
    table, name, given = request.form.get("table", ""), typed_text("name"), typed_number("number")
    found = hall().state.tables.get(table)
    bodies: list[e.Body] = []
    if found is not None and "name" in request.form and name != found.name:
        bodies.append(e.TableRenamed(table, name))
    if found is None or not bodies or given != found.number:
        bodies.append(e.TableNumbered(table, given))
    hall().record(acting(), *bodies)
    return back_to(HOME)


@bp.route("/remove/<table>", methods=["GET", "POST"])
@require(ORGANISER)
def remove(table: str) -> ResponseReturnValue:
    """Ban a table, once the organiser has confirmed it."""
    found = hall().state.tables.get(table)
    if found is None or found.removed:
        abort(404)
    if request.method == "GET":
        asked = say()("hall.organiser.remove_sure", number=found.number, name=found.name)
        return sure_page(say()("hall.organiser.remove"), asked)
    hall().record(acting(), e.TableRemoved(table))
    return back_to(HOME)


def entrance() -> TableApproval:
    """Return the approval of tables; raise `HallError` if no table can join."""
    found = hall_context().approval
    if found is None:
        raise HallError("candidate_gone")
    return found


# --- codes for many tables -----------------------------------------------------------------------


@bp.get("/codes")
@require(ORGANISER)
def code_sheet() -> str:
    """Show the valid codes, to be printed and cut out."""
    codes = [code for code in entrance().desk.printed() if code.number != AGAIN]
    until = clock_time(round(time.time() + min([code.left_s for code in codes], default=0)))
    address = hall_context().first_page().removeprefix("http://").rstrip("/")
    return render_template("hall/codes.html", codes=codes, until=until, address=address)


@bp.post("/codes")
@require(ORGANISER)
def make_codes() -> Response:
    """Make a code for each table from one number to another."""
    first, last = typed_number("first"), typed_number("last")
    if not 0 < first <= last <= min(MOST_TABLES, first + MOST_CODES - 1):
        raise InvalidForm("hall.fault.sheet", most=MOST_CODES)
    entrance().desk.print_codes(range(first, last + 1))
    return back_to("/organiser/codes")


@bp.post("/codes/again")
@require(ORGANISER)
def make_code_again() -> Response:
    """Make a new code for each table that took part before."""
    entrance().desk.print_codes([AGAIN])
    return back_to(HOME)


@bp.post("/codes/admit")
@require(ORGANISER)
def admit_numbered() -> Response:
    """Admit all waiting tables that have a code of the sheet."""
    entrance().admit_numbered(acting())
    return back_to(HOME)


# --- the hall -------------------------------------------------------------------------------------


@bp.post("/names")
@require(ORGANISER)
def names() -> Response:
    """Choose how names appear on walls."""
    hall().record(acting(), e.NamesShown(request.form.get("how", "")))
    return back_to(HOME)


@bp.post("/advice")
@require(ORGANISER)
def advice() -> Response:
    """Choose whether the tables' hosts may allow advice."""
    hall().record(acting(), e.AdviceAllowed(request.form.get("allowed") == "yes"))
    return back_to(HOME)


@bp.route("/forget", methods=["GET", "POST"])
@require(ORGANISER)
def forget() -> ResponseReturnValue:
    """Delete all personal data, once the organiser has confirmed it."""
    here = say()
    if request.method == "GET":
        asked = here("hall.organiser.forget_sure")
        return sure_page(here("hall.organiser.forget"), asked, sure=here("hall.organiser.forget_know"))
    if request.form.get("sure") != "1":
        raise InvalidForm("hall.fault.not_sure")
    hall().forget(acting())
    return back_to(HOME)


@bp.get("/results.csv")
@require(ORGANISER)
def results() -> Response:
    """Serve all results as a spreadsheet."""
    here = say()
    heads = ("round", "table", "name", "game", "place", "player", "score", "status")
    rows: list[Cells] = [[here(f"hall.csv.{head}") for head in heads], *result_rows(hall().state, here)]
    answer = Response(csv_text(rows, here.lang), mimetype="text/csv")
    answer.headers["Content-Disposition"] = 'attachment; filename="results.csv"'
    return answer


def result_rows(state: HallState, say: Words) -> list[list[str | int]]:
    """Return a line for every player of every result, in order of arrival."""
    found: list[list[str | int]] = []
    records = [record for each in (*state.past, state) for record in each.results.values()]
    for record in sorted(records, key=lambda each: each.entry):
        result, at = record.result, state.tables.get(record.result.table)
        for placing in sorted(result.placings, key=lambda each: each.place):
            found += [
                [
                    result.round or "", at.number if at else "", at.name if at else result.table,
                    game_title(result.game, say.lang), placing.place, result.names[seat], placing.score,
                    say(f"hall.status.{record.status}"),
                ]
                for seat in placing.seats
            ]  # fmt: skip
    return found
