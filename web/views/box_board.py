"""The box's own board on the camera's page: its cells' positions, by four taps and by moved cells."""

from __future__ import annotations

import msgspec
from flask import Blueprint, Response, request

from companion.devices.camera_requests.camera_request import CameraRefusal
from companion.devices.camera_requests.table import ACROSS, OutlineBoard, SetBoard, TappedBoard
from companion.engine import AnyGame, Board
from companion.engine.board import plays_on_board
from web.context import context
from web.views import responses, viewer_pages
from web.views.camera import ask, may_show_whole, refusal_response, send, turns_clockwise
from web.words import language, words

bp = Blueprint("box_board", __name__)


class BadTaps(Exception):
    """Impossible taps; the text is the key of a sentence."""


@bp.post("/camera/board/outline")
def outline(token: str) -> Response:
    """Return the cells' positions of a tapped board; without one, the current board and its cells."""
    viewer_pages.require_viewer("host", "table")
    try:
        found = ask(OutlineBoard(read_field()))
    except BadTaps as fault:
        return responses.message(words(language())(str(fault)), 422)
    except CameraRefusal as refusal:
        return refusal_response(refusal)
    return Response(msgspec.json.encode({"tapped": found.tapped, "cells": found.cells}), mimetype="application/json")


@bp.post("/camera/board")
def save(token: str) -> Response:
    """Set a tapped board; without one, clear the current board.

    From then on pictures show everything within its corners, so it cannot be set while people hold cards.
    """
    viewer_pages.require_viewer("host", "table")
    try:
        tapped = read_field()
    except BadTaps as fault:
        return responses.message(words(language())(str(fault)), 422)
    if tapped is not None and not may_show_whole():
        return responses.message(words(language())("box_board.pause"), 409)
    return send(SetBoard(tapped), "box_board.forgotten" if tapped is None else "box_board.saved")


def read_field() -> TappedBoard | None:
    """Return this request's tapped board; None if there is none; raise `BadTaps`."""
    text = request.form.get("board", "")
    return read_taps(text, context().snapshot().game) if text else None


def read_taps(text: str, game: AnyGame) -> TappedBoard:
    """Return a tapped board of this game; raise `BadTaps`."""
    try:
        found = msgspec.json.decode(text, type=TappedBoard)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise BadTaps("answer.bad_board") from None
    boards: tuple[Board, ...] = game.boards if plays_on_board(game) else ()
    board = next((each for each in boards if each.name == found.board), None)
    points = (*found.corners, *found.moved.values())
    if board is None or not found.moved.keys() <= board.by_name.keys() or not turns_clockwise(found.corners):
        raise BadTaps("answer.bad_board")
    if not all(0 <= value <= 1 for point in points for value in point):
        raise BadTaps("answer.bad_board")
    if found.across and not ACROSS[0] <= found.across <= ACROSS[1]:
        raise BadTaps("box_board.bad_across")
    return found
