"""Decisions about existing records: taking back an entry, and counting unexpected results."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

from flask import Blueprint, redirect, render_template, request
from flask.typing import ResponseReturnValue

from companion.hall import entries as e
from companion.hall.checks import HallError
from companion.hall.striking import DECISIONS, Striking, strike
from companion.i18n import Words
from web.hall import tournament_facts as facts
from web.hall.audit import audit_lines, entry_text
from web.hall.context import hall, say
from web.hall.form_handling import acting, sure_page, typed_number
from web.hall.roles import JUDGE, ORGANISER, require
from web.hall.tournament_frame import find_round
from web.whole_numbers import DIGITS

TRAIL = 200
"""Audit entries per page."""
MOST_LINES = 12
"""The most dependent entries that a page names."""
bp = Blueprint("decisions", __name__)


@bp.route("/organiser/undo", methods=["GET", "POST"])
@bp.route("/tournament/undo", methods=["GET", "POST"], endpoint="tournament_undo")
@require(ORGANISER)
def undo() -> ResponseReturnValue:
    """Show the consequences of taking back an entry. A second press takes it back if nothing has changed in between."""
    here, entries, named = say(), hall().entries(), request.values.get("entry", "")
    found = strike(entries, int(named) if DIGITS.fullmatch(named) else 0)
    lines, back = follows(found, here), "/" + request.path.split("/")[1]
    fields = {"entry": found.entry.number, "shown": zlib.crc32("\n".join(lines).encode())}
    if request.method == "GET":
        (line,) = audit_lines((found.entry,), entries, found.before, here)
        text = f"{line.when} · {line.who} {line.what}"
        possible = not found.needed and not found.lost
        return sure_page(here("hall.organiser.undo"), text, fields=fields, lines=lines, back=back, possible=possible)
    if "shown" not in request.form:
        return redirect(f"{request.path}?entry={found.entry.number}", 303)
    if request.form["shown"] != str(fields["shown"]):
        raise HallError("undo_other")
    hall().undo(acting(), found.entry.number)
    return redirect(back, 303)


def follows(found: Striking, here: Words) -> list[str]:
    """Return the consequences of taking an entry back, or the reason why that is impossible."""

    def named(key: str, entries: Sequence[e.Entry]) -> list[str]:
        said = [here(key, what=entry_text(each, found.before, here)) for each in entries[:MOST_LINES]]
        return [*said, *(["…"] if len(entries) > MOST_LINES else [])]

    lost = [here("hall.undo.lost", tables=facts.places_text(found.lost, here))] if found.lost else []
    if found.needed or lost:
        kinds: dict[type, str] = {e.NoShow: "came", **dict.fromkeys(DECISIONS, "typed")}
        advice = kinds.get(type(found.entry.body), "first")
        return [*named("hall.undo.needed", found.needed), *lost, here(f"hall.undo.{advice}")]
    again = isinstance(found.entry.body, e.RoundSeated) and found.entry.body.round in found.after.rounds
    lines = [here("hall.undo.seating_before")] if again else []
    for number, table in found.changed:
        at = [each for each in facts.tables_of(found.after, found.after.rounds[number]) if each.number == table]
        status = here(f"tournament.status.{at[0].status}") if at else "–"
        lines.append(here("hall.undo.then", table=facts.places_text([(number, table)], here), status=status))
    return [*lines, *named("hall.undo.idle", found.idle)] or [here("hall.undo.nothing_else")]


@bp.get("/organiser/entries")
@require(ORGANISER)
def trail() -> str:
    """Show the entries before an entry, page by page back to the first."""
    entries, before = hall().entries(), request.args.get("before", "")
    shown = [each for each in entries if not DIGITS.fullmatch(before) or each.number < int(before)][-TRAIL:]
    older = shown[0].number if shown and shown[0].number > entries[0].number else 0
    return render_template("hall/trail.html", lines=audit_lines(shown, entries, hall().state, say()), older=older)


@bp.post("/tournament/result/<any(use, drop):what>")
@require(JUDGE)
def decide(what: str) -> ResponseReturnValue:
    """Count an unexpected result at its table in place of the present one, or discard it."""
    result = request.form.get("result", "")
    body: e.Body = e.ResultJudged(result, False)
    if what == "use":
        number = find_round(typed_number("round")).number
        body = e.ResultUsed(result, number, typed_number("table"))
    hall().record(acting(), body)
    return redirect("/tournament", 303)
