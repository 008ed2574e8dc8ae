"""The tournament as players see it without a password: their own place on a phone, and the walls.

Over a thousand phones ask every few seconds. All places are computed once per state, each player's part is rendered
once until its content changes, and a phone that has it gets a 304.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple
from unicodedata import east_asian_width

import segno
from flask import Blueprint, Response, current_app, g, redirect, render_template, request
from flask.blueprints import BlueprintSetupState
from flask.typing import ResponseReturnValue
from jinja2 import Environment

from companion.devices.hall_link.messages import NAME_LENGTH
from companion.hall.rounds import PlayerPlace, everywhere, standing_after
from companion.hall.state import HallState
from web.hall import tournament_facts as facts
from web.hall.context import hall, hall_context, say
from web.hall.notices import Notice, clock_time, notice
from web.hall.roles import VIEWER, require
from web.words import language, words

ASK_S, FRESH_S = 12, 5
"""How often a phone asks, in seconds, and how long it may reuse an answer without asking."""
SETTLE_S = 1.0
"""Seconds by which the places may lag while many results arrive."""
MOST_PARTS = 8192
"""The number of cached players' parts: enough for the largest tournament in two languages."""
MOST_FOUND = 20
"""The most players with similar names on a page."""
SEATS_ON_WALL, LINES_ON_WALL, WALL_S = (72, 22), (45, 26), 12
"""The most rows on a wall, the most letters in a row, and the seconds for which a page of rows stays."""
LEAST = 18
"""The longest list, in rows, at each size."""
PLACES = "hall_places"
bp = Blueprint("player", __name__)


class ShownPlace(NamedTuple):
    """Everything that a player's part depends on."""

    place: PlayerPlace
    name: str
    others: tuple[str, ...]
    planned: bool
    begun: bool
    lang: str
    notice: Notice
    """The line for everybody, and the clock of the player's table while it runs."""
    said: str
    """The phone's report of the result: `coded`, `wish` (sent without the code) or empty for none."""


class PlaceIndex:
    """Everybody's place, computed once for each state and at most once in `SETTLE_S`. Shared by all threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._state: HallState | None = None
        self._places: Mapping[int, PlayerPlace] = {}
        self._again_at = 0.0

    def of(self, state: HallState) -> Mapping[int, PlayerPlace]:
        """Return everybody's place; while another thread computes it, return the previous one."""
        if state is self._state or time.monotonic() < self._again_at:
            return self._places
        if self._lock.acquire(blocking=self._state is None):
            try:
                if state is not self._state:
                    self._places = everywhere(state)
                    self._state, self._again_at = state, time.monotonic() + SETTLE_S
            finally:
                self._lock.release()
        return self._places


@bp.record_once
def prepare(setup: BlueprintSetupState) -> None:
    """Give the application the objects that its requests share."""
    setup.app.extensions[PLACES] = PlaceIndex()


# --- a phone --------------------------------------------------------------------------------------


@bp.get("/p")
def find() -> ResponseReturnValue:
    """Ask for the player's name or number; if walls show only numbers, names find nobody."""
    state, said = hall().state, request.args.get("number", "").strip()[:NAME_LENGTH]
    if said.isascii() and said.isdecimal() and len(said) < 7 and int(said) in state.players:
        return redirect(f"/p/{int(said)}", 303)
    found = [] if state.names == "numbers" else facts.players_called(state, said)
    if len(found) == 1:
        return redirect(f"/p/{found[0]}", 303)
    return find_page(said, found)


def find_page(said: str, found: Sequence[int] = ()) -> str:
    """Return the page on which players find themselves, with the candidates."""
    state, here = hall().state, say()
    return render_template(
        "hall/player_find.html",
        plan=state.tournament,
        said=said,
        found=[(player, facts.public_name(state, player, here)) for player in found[:MOST_FOUND]],
        more=len(found) > MOST_FOUND,
        by_name=state.names != "numbers",
        longest=NAME_LENGTH,
    )


@bp.get("/p/<int:player>")
def page(player: int) -> ResponseReturnValue:
    """Show a player's place."""
    found = part_of(player)
    if found is None:
        return find_page(str(player)[:12]), 404
    plan = hall().state.tournament
    return render_template(
        "hall/player.html", plan=plan, part=found[0].decode(), player=player, now=round(time.time()), every=ASK_S
    )


@bp.get("/p/<int:player>/now")
def part(player: int) -> Response:
    """Return the live part of a player's page, or 304."""
    g.kept_for_good = True
    found = part_of(player)
    answer = Response(status=404) if found is None else Response(found[0], mimetype="text/html")
    answer.headers["Cache-Control"] = f"private, max-age={FRESH_S}"
    if found is not None:
        answer.set_etag(found[1])
        answer.make_conditional(request)
    return answer


def part_of(player: int) -> tuple[bytes, str] | None:
    """Return a player's part in the reader's language and its ETag; None for an unknown number."""
    state, lang = hall().state, language()
    place = current_app.extensions[PLACES].of(state).get(player)
    if place is None:
        return None
    here = words(lang)
    others = tuple([facts.public_name(state, other, here) for other in place.others])
    begun = 0 < place.begins <= time.time()
    said = state.round.said if state.round is not None else {}
    spoken = "coded" if (player, True) in said else "wish" if (player, False) in said else ""
    now = notice(state, here, place.table) if begun and place.table and not place.place else Notice(state.announcement)
    name = facts.public_name(state, player, here)
    shown = ShownPlace(place, name, others, state.tournament is not None, begun, lang, now, spoken)
    return rendered(current_app.jinja_env, shown)


@lru_cache(maxsize=MOST_PARTS)
def rendered(environment: Environment, shown: ShownPlace) -> tuple[bytes, str]:
    """Return a part as bytes, and its ETag. It contains nothing that belongs to one browser, such as form tokens."""
    body = environment.get_template("hall/player_part.html").render(
        words=words(shown.lang), clock_time=clock_time, again=f"/p/{shown.place.player}/now", every=ASK_S,
        **shown._asdict(),
    )  # fmt: skip
    data = body.encode()
    return data, hashlib.sha256(data).hexdigest()[:16]


# --- walls ----------------------------------------------------------------------------------------


class WallPage(NamedTuple):
    """A page of a long list: its lines, its number, the number of pages, and the next page's address."""

    lines: list[Any]
    page: int
    pages: int
    again: str
    size: str
    """`least`, `few`, `some` or `many` lines: fewer lines are larger."""


def wall_page(lines: Iterable[tuple[str, Any]], fit: int, letters: int) -> WallPage:
    """Return the page of a list that the request asks for; the first follows the last.

    As many lines fit as there are rows; a long name takes two rows. The line for everybody takes a ninth of the rows.
    """
    fit = fit * 8 // 9 if hall().state.announcement else fit
    pieces: list[list[Any]] = [[]]
    room, used = fit, 0
    for name, line in lines:
        rows = -(-sum(2 if east_asian_width(letter) in "WF" else 1 for letter in name) // letters)
        if rows > room:
            pieces.append([])
            room = fit
        pieces[-1].append(line)
        room, used = room - rows, used + rows
    asked = request.args.get("page", "1")
    page = min(max(int(asked), 1), len(pieces)) if asked.isascii() and asked.isdecimal() and len(asked) < 5 else 1
    size = "least" if used <= LEAST else "few" if used * 3 <= fit else "some" if used * 3 <= fit * 2 else "many"
    return WallPage(pieces[page - 1], page, len(pieces), f"{request.path}?page={page % len(pieces) + 1}", size)


@bp.get("/wall/seating")
@require(VIEWER)
def seating_wall() -> str:
    """Show the seating on a wall."""
    state = hall().state
    current = state.round
    seats = [] if current is None else list(facts.seats_by_name(state, current, say()))
    address = f"{hall_context().first_page()}p"
    return render_template(
        "hall/tournament_wall_seating.html",
        plan=state.tournament,
        current=current,
        wall=wall_page([(f"{seat.name} {seat.player}", seat) for seat in seats], *SEATS_ON_WALL),
        every=WALL_S,
        numbered=state.names == "full",
        begun=current is not None and 0 < current.begins <= time.time(),
        clock_time=clock_time,
        now=round(time.time()),
        notice=notice(state, say()),
        address=address,
        code=segno.make(address, error="m").svg_data_uri(border=2, light="#fff", omitsize=True),
    )


@bp.get("/wall/standings")
@require(VIEWER)
def standings_wall() -> str:
    """Show the standings on a wall."""
    state = hall().state
    after = standing_after(state)
    lines = facts.standing_lines(state, say(), public=True) if after else []
    over = state.tournament is not None and after >= state.tournament.rounds
    return render_template(
        "hall/tournament_wall_standings.html",
        plan=state.tournament,
        after=after,
        over=over,
        wall=wall_page([(str(line["name"]), line) for line in lines], *LINES_ON_WALL),
        every=WALL_S,
        now=round(time.time()),
        notice=Notice(state.announcement) if over else notice(state, say()),
    )
