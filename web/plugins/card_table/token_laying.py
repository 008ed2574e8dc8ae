"""Tokens on the card table: people without a camera lay tokens on the rendered table. The page never reads them."""

from __future__ import annotations

import re
from typing import NamedTuple

from flask import Blueprint, Response, render_template, request

from companion.engine import TokenGame, TokenKind, TokenPlace, tokens_seen
from companion.messages import TokensLaid
from companion.table.snapshot import Snapshot
from web.context import context
from web.presenters.camera_status import place_name
from web.presenters.match_log import players_of
from web.presenters.spotted_tokens import token_name
from web.views import responses, viewer_pages
from web.views.camera import camera_link
from web.words import language, package, words

bp = Blueprint("token_laying", __name__)
COUNT = re.compile(r"\d{1,2}", re.ASCII)


class TokenChoice(NamedTuple):
    """A face that may be laid, its form name and its worded name, and the most copies at one place."""

    name: str
    title: str
    most: int


@bp.post("/laying/tokens")
def lay(token: str) -> Response:
    """Lay exactly these tokens at a place, or clear all places; the form has a number for each face."""
    viewer_pages.require_viewer("host", "table")
    snapshot, link, say = context().snapshot(), camera_link(), words(language())
    if link is None or not context().watcher.camera().rendered:
        return responses.message(say("card_table.absent"), 409)
    places = {place.name: place for place in places_of(snapshot)}
    if request.form.get("do") == "clear":
        laid = [TokensLaid(name) for name in places]
    else:
        place = places.get(request.form.get("place", ""))
        if place is None:
            raise responses.PageGone("error.malformed", 422)
        laid = [TokensLaid(place.name, read_tokens(snapshot), request.form.get("heaped") == "1")]
        if len(laid[0].tokens) > place.most:
            return responses.message(say("card_table.tokens_full", count=place.most), 409)
    if not all(link.lay(each) for each in laid):
        return responses.message(say("answer.absent"), 409)
    return responses.message(say("card_table.tokens_laid"))


def read_tokens(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the faces that a form requests; raise `PageGone` for an invalid number of tokens."""
    found: list[str] = []
    for face in faces_of(token_game(snapshot)):
        count = request.form.get(face.name, "") or "0"
        if not COUNT.fullmatch(count):
            raise responses.PageGone("error.malformed", 422)
        found += [face.name] * int(count)
    return tuple(found)


def token_game(snapshot: Snapshot) -> TokenGame[object] | None:
    """Return the match's game if a camera can read its tokens."""
    game = snapshot.match_game
    return game if game is not None and tokens_seen(game) else None


def places_of(snapshot: Snapshot) -> tuple[TokenPlace, ...]:
    """Return the places for tokens of the match's table."""
    game = token_game(snapshot)
    return () if game is None else game.token_places(len(players_of(snapshot)))


def faces_of(game: TokenGame[object] | None) -> tuple[TokenKind, ...]:
    """Return the kinds of tokens, and one for each hidden face."""
    kinds = () if game is None else game.token_kinds
    backs = dict.fromkeys(kind.back for kind in kinds if kind.back)
    return (*kinds, *[TokenKind(name, 1) for name in backs])


def render_form() -> str:
    """Return the form as an HTML fragment; empty for a game without tokens."""
    snapshot = context().snapshot()
    game = token_game(snapshot)
    if game is None:
        return ""
    say, players = words(language(), package(game)), players_of(snapshot)
    places = [(each.name, place_name(each.name, players, say)) for each in places_of(snapshot)]
    faces = [
        TokenChoice(each.name, token_name(each.name, game.token_kinds, say), each.count) for each in faces_of(game)
    ]
    return render_template("card_table/tokens.html", places=places, faces=faces, words=say)
