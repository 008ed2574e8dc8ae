"""The players' page. A list of players is read, previewed and only then entered."""

from __future__ import annotations

import base64
import hashlib
import zlib

from flask import Blueprint, redirect, request
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import NotFound

from companion.devices.hall_link.messages import NAME_LENGTH
from companion.engine.names import TYPED, composed, plain_letters
from companion.hall import entries as e
from companion.hall.tournament.list_text import MOST_BYTES, PlayerListError
from companion.hall.tournament.player_list import ListChoice, ReadList, read_list
from web.hall import tournament_facts as facts
from web.hall.context import hall, hall_context
from web.hall.form_handling import TypedFault, acting
from web.hall.roles import ORGANISER, VIEWER, require
from web.hall.tournament_frame import FAULTS, tournament_page
from web.names import isolated

SHOWN = 200
"""The number of players on a page; the search finds the others."""
FIRST = 5
"""Names of a list to show at once; the others are folded."""
MOST_LINES = 100
"""The most lines of a list about which a page asks."""
bp = Blueprint("players", __name__)


@bp.get("/tournament/players")
@require(VIEWER)
def players_page(typed: str = "", fault: Exception | None = None) -> ResponseReturnValue:
    """Show the players, with the form's input."""
    state = hall().state
    query = request.args.get("q", "").strip()[:NAME_LENGTH]
    wanted = plain_letters(query)
    found = [
        {"id": player.id, "name": facts.full_name(state, player.id), "plain": player.name, "present": player.present}
        for player in state.players.values()
        if wanted in plain_letters(player.name) or query == str(player.id)
    ]
    more = max(len(found) - SHOWN, 0)
    present = sum(player.present for player in state.players.values())
    gone = len(state.players) - present
    return tournament_page(
        "players",
        fault=fault,
        players=found[:SHOWN],
        more=more,
        present=present,
        gone=gone,
        query=query,
        typed=typed,
    )


@bp.post("/tournament/players")
@require(ORGANISER)
def enter() -> ResponseReturnValue:
    """Enter a whole list if it matches the preview; otherwise lead back to the preview."""
    form = request.form.copy()
    typed = form.pop("names", "")
    try:
        if not form.get("read"):
            form["read"] = base64.b64encode(zlib.compress(_sent(typed), 9)).decode()
        read = _read(form)
        if not read.names or read.faults or form.get("shown") != _mark(read):
            return redirect(f"/tournament/players/list?read={hall_context().lists.keep(form)}", 303)
        hall().record(acting(), e.PlayersEntered(read.names, families=read.families if any(read.families) else ()))
    except FAULTS as fault:
        return players_page(typed, fault)
    return redirect(f"/tournament/players?entered={len(read.names)}", 303)


@bp.get("/tournament/players/list")
@require(ORGANISER)
def list_page() -> ResponseReturnValue:
    """Preview a list, with its choices."""
    form = hall_context().lists.find(request.args.get("read", ""))
    if not form:
        return redirect("/tournament/players", 303)
    try:
        read = _read(form)
    except FAULTS as fault:
        return players_page(fault=fault)
    asked = {fault.line for fault in read.faults[:MOST_LINES]}
    return tournament_page(
        "players",
        "list",
        read=read,
        packed=form["read"],
        mark=_mark(read),
        changed="shown" in form,
        first=", ".join(map(isolated, read.names[:FIRST])),
        typed=[each for each in _choice(form).typed.items() if each[0] not in asked],
        kept=_choice(form).kept,
        longest=TYPED,
        shown_lines=MOST_LINES,
    )


def _sent(typed: str) -> bytes:
    """Return the pasted list or the uploaded file."""
    file = request.files.get("list")
    data = file.stream.read(MOST_BYTES + 1) if file is not None and file.filename else b""
    if bool(typed.strip()) == bool(data):
        raise TypedFault("both" if data else "no_file")
    return data or typed.encode()


def _read(form: MultiDict[str, str]) -> ReadList:
    """Return the players in a form's list, with the form's choices."""
    try:
        data = zlib.decompressobj().decompress(base64.b64decode(form["read"]), MOST_BYTES + 1)
    except (ValueError, zlib.error) as error:
        raise PlayerListError("hall.fault.list_binary") from error
    return read_list(data, [player.name for player in hall().state.players.values()], _choice(form))


def _choice(form: MultiDict[str, str]) -> ListChoice:
    """Return a form's choices; ignore those that our pages never offered."""
    typed = {line: form[f"line-{line}"] for line in _numbers([key[5:] for key in form if key.startswith("line-")])}
    columns = {key: (*_numbers([form[key]]), -1)[0] for key in ("column", "family") if key in form}
    return ListChoice(form.get("encoding", ""), kept=_numbers(form.getlist("keep")), typed=typed, **columns)


def _numbers(said: list[str]) -> list[int]:
    return [int(each) for each in said if each.isascii() and each.isdecimal() and len(each) < 8]


def _mark(read: ReadList) -> str:
    """Return a digest of the names in a list, to match it with its preview."""
    return hashlib.sha256(repr((read.names, read.families)).encode()).hexdigest()[:16]


@bp.get("/tournament/players/<int:player>")
@require(ORGANISER)
def player_page(player: int, fault: Exception | None = None) -> ResponseReturnValue:
    """Show a player whom the organiser may rename; after invalid input the form keeps it."""
    state = hall().state
    if player not in state.players:
        raise NotFound
    name, typed = facts.full_name(state, player), request.form.get("name", "")[:TYPED]
    return tournament_page(
        "players", "player", fault, player=state.players[player], name=name, typed=typed, longest=TYPED
    )


@bp.post("/tournament/players/<int:player>/<any(left, back, name):what>")
@require(ORGANISER)
def change_player(player: int, what: str) -> ResponseReturnValue:
    """Record that a player leaves, returns, or changes name."""
    bodies: dict[str, e.Body] = {
        "left": e.PlayerLeft(player),
        "back": e.PlayerBack(player),
        "name": e.PlayerRenamed(player, composed(request.form.get("name", ""))),
    }
    try:
        hall().record(acting(), bodies[what])
    except FAULTS as fault:
        return player_page(player, fault)
    return redirect("/tournament/players", 303)
