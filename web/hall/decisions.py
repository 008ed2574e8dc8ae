"""Deciding on what is written down already: taking an entry back, and results that nobody expected."""

from __future__ import annotations

import zlib
from typing import Any

from flask import Blueprint, redirect, render_template, request

from companion.hall import entries as e
from companion.hall.checks import HallError
from companion.hall.striking import Striking, strike
from companion.i18n import Words
from web.hall import tournament_facts as facts
from web.hall.access import JUDGE, ORGANISER, require
from web.hall.audit import audit_lines, entry_text
from web.hall.pages import acting, sure_page
from web.hall.tournament_pages import find_round, hall, say, whole
from web.whole_numbers import DIGITS

TRAIL = 200
"""Entries on a page of the audit trail."""
MOST_LINES = 12
"""Later entries that a page names of those that depend on one."""
bp = Blueprint("decisions", __name__)


@bp.route("/organiser/undo", methods=["GET", "POST"])
@bp.route("/tournament/undo", methods=["GET", "POST"], endpoint="tournament_undo")
@require(ORGANISER)
def undo() -> Any:
    """Show what taking back an entry would do; a second press, on what is still so, does it."""
    here, named = say(), request.values.get("entry", "")
    back = "/" + request.path.split("/")[1]
    found = strike(hall().entries(), int(named) if DIGITS.fullmatch(named) else 0)
    possible, lines = not found.needed and not found.lost, follows(found, here)
    shown = zlib.crc32("\n".join(lines).encode())
    if request.method == "POST" and request.form.get("shown"):
        if request.form["shown"] != str(shown):
            raise HallError("undo_other")
        hall().undo(acting(), found.entry.number)
        return redirect(back, 303)
    fields = {"entry": found.entry.number, "shown": shown}
    text = next(each for each in audit_lines((found.entry,), found.before, here, 1))
    said = f"{text.when} · {text.who} {text.what}"
    return sure_page(here("hall.organiser.undo"), said, fields=fields, lines=lines, back=back, possible=possible)


def follows(found: Striking, here: Words) -> list[str]:
    """Return what follows from taking an entry back, or why that is impossible."""
    if found.needed or found.lost:
        why = [here("hall.undo.needed", what=entry_text(each, found.before, here)) for each in found.needed]
        if found.lost:
            why.append(here("hall.undo.lost", tables=facts.places_text(found.lost, here)))
        advice = "came" if isinstance(found.entry.body, e.NoShow) and found.before.rounds else "first"
        return [*why[:MOST_LINES], *(["…"] if len(why) > MOST_LINES else []), here(f"hall.undo.{advice}")]
    lines = [facts.undo_sentence(found.entry, found.before, here)]
    if isinstance(found.entry.body, e.RoundSeated) and found.entry.body.round in found.after.rounds:
        lines.append(here("hall.undo.seating_before"))
    for number, table in found.changed:
        at = [each for each in facts.tables_of(found.after, found.after.rounds[number]) if each.number == table]
        status = here(f"tournament.status.{at[0].status}") if at else "–"
        lines.append(f"{facts.places_text([(number, table)], here)}: {status}")
    return lines + [here("hall.undo.idle", what=entry_text(each, found.before, here)) for each in found.idle]


@bp.get("/organiser/entries")
@require(ORGANISER)
def trail() -> str:
    """Show what was written down before an entry, and so on back to the first."""
    before = request.args.get("before", "")
    entries = hall().entries()
    lines = audit_lines(entries, hall().state, say(), TRAIL, int(before) if DIGITS.fullmatch(before) else 0)
    older = lines[-1].number if lines and lines[-1].number > entries[0].number else 0
    return render_template("hall/trail.html", lines=lines, older=older)


@bp.post("/tournament/result/<any(use, drop):what>")
@require(JUDGE)
def decide(what: str) -> Any:
    """Let a result that nobody expected count at its table, instead of what is there, or drop it."""
    result = request.form.get("result", "")
    body: e.Body = e.ResultJudged(result, False)
    if what == "use":
        number = find_round(whole(request.form.get("round", ""))).number
        body = e.ResultUsed(result, number, whole(request.form.get("table", "")))
    hall().record(acting(), body)
    return redirect("/tournament", 303)
