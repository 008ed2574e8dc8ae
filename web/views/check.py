"""The host's page "Check": findings about the machine and its devices with remedies; switching the machine off."""

from __future__ import annotations

import time

import msgspec
from flask import Blueprint, Response, render_template, request

from companion.findings import GRADES, PARTS, Finding, Grade, bad, finding_text, worst_first
from companion.i18n import Words
from companion.ops.power import WISHES
from companion.ops.update.asking import is_offered
from companion.ops.update.places import Places
from web.context import context
from web.game_pages import BROKEN
from web.views import responses, viewer_pages
from web.views.setup import table_is_free
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
    """All findings about one part, the worst first."""

    part: str
    name: str
    grade: Grade
    lines: tuple[CheckLine, ...]


def group_findings(findings: tuple[Finding, ...], say: Words) -> tuple[CheckGroup, ...]:
    """Return findings in words, part by part, the part with the worst finding first."""
    found: dict[str, list[CheckLine]] = {}
    for each in worst_first(findings):
        what, how, advice = finding_text(each, say)
        found.setdefault(each.part, []).append(CheckLine(each.grade, what, how.rstrip("."), advice))

    def name(part: str) -> str:
        return say(f"check.part.{part}") if part in PARTS else part

    return tuple([CheckGroup(part, name(part), lines[0].grade, tuple(lines)) for part, lines in found.items()])


@bp.get("/check")
def page(token: str) -> str:
    """Examine everything and show the findings."""
    viewer = viewer_pages.require_viewer("host")
    updatable = is_offered(Places.here())
    ways = {"switchable": context().shutdown.possible(), "updatable": updatable}
    return viewer_pages.render_page("check.html", viewer, **ways, **examination())


@anybody.get("/check")
def machine() -> str:
    """Show the findings to anybody; during a game only to the host, if its PINs exist."""
    if not table_is_free() and not context().locked_out():
        raise responses.PageGone("error.check_host", 409)
    return render_template("machine.html", **examination())


def examination() -> dict[str, object]:
    """Examine everything and return the findings in words."""
    findings = (*context().examiner.examine(), *context().plugins.failed, *broken_games())
    counts = {grade: sum(each.grade == grade for each in findings) for grade in GRADES}
    groups = group_findings(findings, words(language()))
    return {"groups": groups, "counts": counts, "all": len(findings), "at": time.strftime("%H:%M:%S")}


def broken_games() -> tuple[Finding, ...]:
    """Return the folders of games that cannot be played, each with the reason."""
    folders = [(folder.package.rpartition(".")[2], folder.why) for folder in BROKEN]
    return tuple([bad("services.game", "failed", folder=folder, why=why) for folder, why in folders])


@bp.get("/power")
def asking(token: str) -> str:
    """Ask whether to switch the machine off or restart it."""
    viewer_pages.require_viewer("host")
    return render_template("power.html", switchable=context().shutdown.possible(), running=not table_is_free())


@bp.post("/power")
def switch(token: str) -> Response:
    """Announce the shutdown on all pages, then switch the machine off or restart it."""
    viewer = viewer_pages.require_viewer("host")
    what = request.form.get("what", "")
    if what not in WISHES:
        raise responses.PageGone("error.malformed", 422)
    if not context().shutdown.go(what, str(viewer.by)):
        return responses.message_page("power.impossible", 409)
    return responses.redirect_to("./")
