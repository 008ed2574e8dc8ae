"""Codes for many tables: a sheet to print, with one for each table, and one for all tables that were here before."""

from __future__ import annotations

import time

from flask import Blueprint, Response, render_template

from companion.devices.hall_link.joining import AGAIN
from companion.hall.checks import MOST_TABLES
from web.forms import InvalidForm
from web.hall.access import ORGANISER, require
from web.hall.context import hall_context
from web.hall.notices import clock_time
from web.hall.organiser import HOME, entrance
from web.hall.pages import acting, back_to, typed_number

MOST_CODES = 300
bp = Blueprint("codes", __name__, url_prefix="/organiser/codes")


@bp.get("")
@require(ORGANISER)
def sheet() -> str:
    """Show the codes that are still good, to be printed and cut."""
    codes = [code for code in entrance().desk.printed() if code.number != AGAIN]
    until = clock_time(round(time.time() + min([code.left_s for code in codes], default=0)))
    address = hall_context().first_page().removeprefix("http://").rstrip("/")
    return render_template("hall/codes.html", codes=codes, until=until, address=address)


@bp.post("")
@require(ORGANISER)
def make() -> Response:
    """Make a code for each table from one number to another."""
    first, last = typed_number("first"), typed_number("last")
    if not 0 < first <= last <= min(MOST_TABLES, first + MOST_CODES - 1):
        raise InvalidForm("hall.fault.sheet", most=MOST_CODES)
    entrance().desk.print_codes(range(first, last + 1))
    return back_to("/organiser/codes")


@bp.post("/again")
@require(ORGANISER)
def again() -> Response:
    """Make the code for tables that were here before."""
    entrance().desk.print_codes([AGAIN])
    return back_to(HOME)


@bp.post("/admit")
@require(ORGANISER)
def admit() -> Response:
    """Let all tables in that wait with a code of the sheet."""
    entrance().admit_numbered(acting())
    return back_to(HOME)
