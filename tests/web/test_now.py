"""What a page says of itself as JSON: what it shows, and nothing that lies behind anybody's screen."""

from __future__ import annotations

import json
import random
from pathlib import Path

from tests.web.test_secrecy import PLAYERS, other_secrets, step
from tests.web.visitors import Room
from web.access import Viewer
from web.now import seen
from web.sighting import SightSaid


def test_other_peoples_secrets_change_no_byte(tmp_path: Path) -> None:
    """Through a game, whatever lies behind other screens, shared tablet, host and each seat are told the same."""
    with Room(tmp_path) as room:
        room.set_up(PLAYERS)
        room.join_all()
        luck, looked = random.Random(4), 0
        while step(room, luck):
            if luck.random() > 0.15:
                continue
            snapshot = room.table.snapshot()
            viewers = [Viewer("table", snapshot.match_id), Viewer("host", snapshot.match_id)]
            viewers += [Viewer("seat", snapshot.match_id, seat) for seat in range(PLAYERS)]
            for viewer in viewers:
                other = other_secrets(snapshot, viewer.seat)
                assert seen(snapshot, viewer, SightSaid()) == seen(other, viewer, SightSaid())
                looked += 1
        assert looked > 100


def test_each_page_says_its_own(tmp_path: Path) -> None:
    """The shared tablet and the host have nobody's own view; a seat has its own alone; a spectator has none of it."""
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
