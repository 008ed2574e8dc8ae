"""The parts that all tournament pages share: the frame, error sentences, numbers in forms, and time."""

from __future__ import annotations

import threading
import time

from flask import render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from companion.hall.checks import HallError
from companion.hall.state import TournamentRound, last_undoable
from companion.hall.store import StoreError
from companion.hall.tournament.list_text import PlayerListError
from companion.hall.tournament.seating import SeatingError
from web.hall.audit import entry_text
from web.hall.context import hall, say
from web.hall.notices import notice
from web.hall.roles import JUDGE, ORGANISER, has_role
from web.hall.rows import game_title
from web.words import language

TABS = ("round", "players", "standings", "plan")
SEATING = threading.Lock()
"""The lock held while a round is seated. After a double press, the second request finds the first one's seating."""
FAULTS = (HallError, SeatingError, PlayerListError, StoreError)


def fault_sentence(fault: Exception) -> str:
    """Return why a request was refused."""
    if isinstance(fault, (HallError, SeatingError, PlayerListError)):
        return say()(fault.key, **fault.fields)
    return say()("hall.fault.store", why=str(fault))


def tournament_page(
    tab: str, template: str = "", fault: Exception | None = None, **found: object
) -> ResponseReturnValue:
    """Return a tournament page with its common content; a fault explains why nothing changed."""
    state, here, may_change = hall().state, say(), has_role(ORGANISER)
    last = last_undoable(hall().entries()) if may_change else None
    entered = request.args.get("entered", "")
    common = {
        "tab": tab,
        "tabs": [(name, "/tournament" if name == "round" else f"/tournament/{name}") for name in TABS],
        "plan": state.tournament,
        "game": game_title(state.tournament.game, language()) if state.tournament else "",
        "rounds": sorted(state.rounds),
        "earlier": [past.tournament.name for past in state.past if past.tournament is not None],
        "may_change": may_change,
        "may_judge": has_role(JUDGE),
        "undoable": last and {"number": last.number, "sentence": entry_text(last, state, here)},
        "now": round(time.time()),
        "notice": notice(state, here),
        "fault": fault_sentence(fault) if fault is not None else "",
        "said": here.plural("tournament.players.entered", int(entered))
        if entered.isdecimal() and len(entered) < 6
        else "",
    }
    body = render_template(f"hall/tournament_{template or tab}.html", **common | found)
    return body if fault is None else (body, 422)


def find_round(number: int) -> TournamentRound:
    """Return a round; answer 404 if there is none."""
    found = hall().state.rounds.get(number)
    if found is None:
        raise NotFound
    return found
