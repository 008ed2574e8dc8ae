"""The host's page "Check": how everything around the table is, and what to do; and switching the machine off.

Knows no disk, no pin and no camera: it shows findings, and passes on a wish.
"""

from __future__ import annotations

import time
from typing import Any

import msgspec
from flask import Blueprint, Response, render_template, request

from companion.findings import GRADES, PARTS, Finding, Grade, said, worst_first
from companion.i18n import Words
from companion.ops.power import WISHES
from web.context import house
from web.views import common
from web.views.setup import free
from web.words import language, words

bp = Blueprint("check", __name__)
anybody = Blueprint("machine", __name__)


class CheckLine(msgspec.Struct, frozen=True):
    """One finding in words."""

    grade: Grade
    what: str
    how: str
    advice: str


class CheckGroup(msgspec.Struct, frozen=True):
    """All findings of one part, the worst first."""

    part: str
    name: str
    grade: Grade
    lines: tuple[CheckLine, ...]


def grouped(findings: tuple[Finding, ...], say: Words) -> tuple[CheckGroup, ...]:
    """Return findings in words, part by part, the part with the worst one first."""
    found: dict[str, list[CheckLine]] = {}
    for each in worst_first(findings):
        what, how, advice = said(each, say)
        found.setdefault(each.part, []).append(CheckLine(each.grade, what, how.rstrip("."), advice))

    def name(part: str) -> str:
        return say(f"check.part.{part}") if part in PARTS else part

    return tuple([CheckGroup(part, name(part), lines[0].grade, tuple(lines)) for part, lines in found.items()])


@bp.get("/check")
def page(token: str) -> str:
    """Show how everything is, looked at now."""
    viewer = common.asker("host")
    return common.show("check.html", viewer, possible=house().farewell.possible(), **found())


@anybody.get("/check")
def machine() -> str:
    """Show the same to anybody who could set up a game now; while one is played it is the host's."""
    if not free():
        raise common.PageGone("error.check_host", 409)
    return render_template("machine.html", **found())


def found() -> dict[str, Any]:
    """Return what is found now, in words."""
    findings = house().examiner.examine()
    counts = {grade: sum(each.grade == grade for each in findings) for grade in GRADES}
    groups = grouped(findings, words(language()))
    return {"groups": groups, "counts": counts, "all": len(findings), "at": time.strftime("%H:%M:%S")}


@bp.get("/power")
def asking(token: str) -> str:
    """Ask whether the machine shall really be switched off or started again."""
    common.asker("host")
    return render_template("power.html", possible=house().farewell.possible(), running=running())


@bp.post("/power")
def switch(token: str) -> Response:
    """Tell everybody, then have the machine switched off or started again."""
    viewer = common.asker("host")
    what = request.form.get("what", "")
    if what not in WISHES:
        raise common.PageGone("error.malformed", 422)
    if not house().farewell.go(what, str(viewer.by)):
        return common.page_of("power.impossible", 409)
    return common.to("./")


def running() -> bool:
    """Whether a game is under way."""
    snapshot = house().snapshot()
    return bool(snapshot.match_id) and not snapshot.over
