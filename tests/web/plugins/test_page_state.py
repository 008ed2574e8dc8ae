"""Test the JSON of a page's state: it contains what the page shows, and no secret."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from companion.games.take_a_train.steps import sealed_auctions
from tests.support.web.visitors import Room
from tests.web.security.test_secrecy import PLAYERS, UNIT, other_secrets, step
from web.plugins.demonstration.page_state import page_state, recent_log
from web.presenters.match_log import Teller
from web.presenters.sight import SightText
from web.security.access import Viewer


def test_other_peoples_secrets_change_no_byte(tmp_path: Path) -> None:
    """Throughout a game, other people's secrets do not change the JSON of the shared tablet, the host or a seat."""
    with Room(tmp_path) as room:
        room.set_up(PLAYERS)
        room.join_all()
        luck, teller, looked = random.Random(4), Teller(), 0
        while step(room, luck):
            if luck.random() > 0.15:
                continue
            snapshot = room.table.snapshot()
            viewers = [Viewer("table", snapshot.match_id), Viewer("host", snapshot.match_id)]
            viewers += [Viewer("seat", snapshot.match_id, seat) for seat in range(PLAYERS)]
            for viewer in viewers:
                other = other_secrets(snapshot, viewer.seat)
                assert page_state(snapshot, viewer, SightText()) == page_state(other, viewer, SightText())
                assert recent_log(snapshot, teller, viewer) == recent_log(other, Teller(), viewer)
                looked += 1
        assert looked > 100


def test_a_closed_fist_is_said_on_its_own_page_alone(tmp_path: Path) -> None:
    """Other pages' JSON says that a fist was closed, and does not change with its amount."""
    with Room(tmp_path) as room:
        room.set_up(PLAYERS)
        room.join_all()
        luck, tablet = random.Random(5), room.page("tablet")
        while True:
            assert step(room, luck)
            snapshot = room.table.snapshot()
            state = snapshot.state
            assert state is not None
            closed = state.agenda[0].amounts if isinstance(state.agenda[0], sealed_auctions.Fists) else ()
            mine = [seat for seat, amount in enumerate(closed) if amount is not None]
            if mine and None in closed and all(len(room.seats) > seat for seat in mine):
                break
        seat, other = mine[0], 1 - mine[0] if mine[0] < 2 else 0

        def said(page: str) -> list[dict[str, Any]]:
            return [each for each in json.loads(room.anybody.get(page + "said.json").data)
                    if each["event"]["event"] == "committed" and each["event"]["seat"] == seat]  # fmt: skip

        (public,) = said(tablet)
        assert public["event"] == {"event": "committed", "seat": seat} and said(room.seats[other]) == [public]
        (own,) = said(room.seats[seat])
        assert own["event"] == public["event"] | {"amount": closed[seat]} and own["number"] == public["number"]
        assert room.anybody.say(room.seats[seat], "committed", seat=seat, amount=closed[seat] + UNIT).status_code == 204
        assert said(tablet) == said(room.seats[other]) == [public]
        again = said(room.seats[seat])[-1]
        assert again["event"]["amount"] == closed[seat] + UNIT and again["quiet"]
        assert room.anybody.get(room.page("watch") + "said.json").status_code == 404


def test_each_page_says_its_own(tmp_path: Path) -> None:
    """The JSON of the shared tablet and the host has no seat's view, a seat's only its own, and a spectator has
    none."""
    with Room(tmp_path) as room:
        room.set_up()
        room.join_all()
        tablet = room.page("tablet")
        for page in (tablet, room.host):
            assert json.loads(room.anybody.get(page + "now.json").data)["own"] == {}
        told = json.loads(room.anybody.get(room.seats[1] + "now.json").data)
        assert list(told["own"]) == ["1"]
        assert told["own"]["1"]["cash"] == 5000
        assert told["view"] == json.loads(room.anybody.get(tablet + "now.json").data)["view"]
        assert room.anybody.get(room.page("watch") + "now.json").status_code == 404
