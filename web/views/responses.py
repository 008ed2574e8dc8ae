"""Answers to requests: a sentence, another page, or the reason for a refusal."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Response, redirect, render_template, request

from companion.engine import AnyGame, Player, Refusal
from companion.games import teller_of
from companion.match.history import HistoryEntry
from companion.table.table import TableAnswer
from web.context import context
from web.page_app import address_here
from web.presenters.match_log import players_of, table_of
from web.security.access import Viewer
from web.words import language, package, words

MOST_CHANGES = 5
"""The most changes reported to a stale page."""


class PageGone(Exception):
    """A request that cannot be answered; `key` names the sentence, `code` is the HTTP status."""

    def __init__(self, key: str, code: int = 404, **fields: object) -> None:
        super().__init__(key)
        self.key = key
        self.code = code
        self.fields = fields


def message(sentence: str, code: int = 200) -> Response:
    """Return a sentence as a fragment for our own script, else as a page. A form that succeeded leads back."""
    script, good = bool(request.headers.get("HX-Request")), code < 400
    if request.method == "POST" and good and not script:
        return redirect_to(address_here())
    if not sentence:
        return Response(status=204) if script else redirect_to("./")
    return Response(render_template("message.html" if script else "error.html", sentence=sentence, good=good), code)


def message_page(key: str, code: int, **fields: object) -> Response:
    """Return a page that says one sentence."""
    return Response(render_template("error.html", sentence=words(language())(key, **fields)), code)


def redirect_to(where: str) -> Response:
    """Redirect to another page, for our own script by a header."""
    if request.headers.get("HX-Request"):
        return Response(status=204, headers={"HX-Redirect": where})
    answer = redirect(where, 303)
    assert isinstance(answer, Response)
    answer.autocorrect_location_header = False
    return answer


def proposal_outcome(answer: TableAnswer, viewer: Viewer) -> Response:
    """Refresh all pages and return a proposal's outcome, as far as this viewer may know."""
    context().hub.refresh()
    return message("") if answer.accepted else message(refusal_sentence(answer, viewer), 409)


def refusal_sentence(answer: TableAnswer, viewer: Viewer) -> str:
    """Return the reason for a refusal in the reader's language, or a general sentence."""
    snapshot = context().snapshot()
    why = answer.refusal
    assert why is not None
    if not snapshot.match_id:
        return words(language())(f"refusal.{why.rule}.{why.key}", **why.fields)
    say, teller = words(language(), package(snapshot.game)), teller_of(snapshot.game)
    if answer.stale:
        return teller.stale(describe_changes(answer.changes), say)
    if why.audience is not None and (viewer.role != "seat" or why.audience != viewer.seat):
        return say("correct.not_accepted")
    return teller.refused(why, players_of(snapshot), say, table_of(snapshot))


def setup_refusal(why: Refusal, game: AnyGame, players: Sequence[Player]) -> str:
    """Return why a game refused a set-up, before there was a table."""
    return teller_of(game).refused(why, players, words(language(), package(game)))


def describe_changes(entries: Sequence[HistoryEntry]) -> list[str]:
    """Return those of these entries that are public, in words, the latest last."""
    fresh = {id(entry) for entry in entries}
    snapshot = context().snapshot().shown()
    if not snapshot.match_id:
        return []
    teller = context().renderer.teller
    count = sum(id(snapshot.entries[at]) in fresh for at in teller.places(snapshot))
    lines = teller.log(snapshot, language(), min(count, MOST_CHANGES)) if count else ()
    return [sentence for line in reversed(lines) for sentence in line.sentences]
