"""Tables to fuzz (with a game, without one, on a stage or under a camera), and a watch on written data."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from companion.demo_records import KEY_HEADER, KEY_VARIABLE
from companion.devices.bus import BusClient, SocketAddress, join
from companion.devices.frames import replace_file
from companion.engine import Seat, legal
from companion.games.take_a_train import events as ev
from companion.match.actor import Actor
from companion.messages import Answered, Asked, Health, Message
from tests.fuzz.values import anything, text
from tests.support.web import any_game, game_of_trains
from tests.support.web.camera_double import STILL, Camera, Seeing, jpeg
from tests.support.web.visitors import JOURNAL
from tests.web.plugins.test_card_table import Drawn
from web.security.access import Viewer, digest
from web.security.csrf import scope_mark
from web.security.pin_limits import Limits

KEY = "the people's own key"
BUTTONS: dict[str, Any] = {
    "kind": "simulated",
    "buttons": [{"seat": seat, "pin": 17 + seat} for seat in (-1, 0, 1, 2)],
    "lamps": [{"seat": seat, "pin": 4 + seat, "on": seat == 1} for seat in (-1, 0, 1, 2)],
}
"""The health message of simulated buttons."""


class Liar(Drawn):
    """A camera's service above a rendered table whose answers are right, malformed or unexpected."""

    def __init__(self, path: Path, shelf: Path, luck: random.Random) -> None:
        self.luck = luck
        super().__init__(path, shelf)

    def heard(self, message: Message) -> None:
        """Answer the request."""
        if isinstance(message, Asked):
            try:
                answer = self.told(message)
            except Exception:  # the request names a missing deck or has invalid fields: refuse as the service does
                answer = Answered(message.number, False, "failed")
            self.client.send(answer)

    def told(self, asked: Asked) -> Answered:
        """Return an answer: a true one half of the time, otherwise an altered one or an odd refusal."""
        truth = getattr(self, f"_do_{asked.what}")(**asked.fields)
        if not isinstance(truth, dict):
            return Answered(asked.number, False, truth if isinstance(truth, str) else truth[0])
        turn = self.luck.random()
        if turn < 0.5:
            return Answered(asked.number, fields=truth)
        if turn < 0.6:
            return Answered(asked.number, False, text(self.luck)[:40], {"why": anything(self.luck)})
        return Answered(asked.number, fields={name: spoilt(value, self.luck) for name, value in truth.items()})


def spoilt(value: Any, luck: random.Random) -> Any:
    """Return a value with one part replaced by a random one."""
    if isinstance(value, dict) and value and luck.random() < 0.8:
        name = luck.choice(list(value))
        return value | {name: spoilt(value[name], luck)}
    if isinstance(value, list) and value and luck.random() < 0.8:
        at = luck.randrange(len(value))
        return [*value[:at], spoilt(value[at], luck), *value[at + 1 :]]
    return anything(luck)


ALONE = ("referee", "bot")
"""Actors that write on their own: their later records, and those of the dealer, do not result from the request."""


class Watch:
    """A watch that reports what was written to a journal since the last check."""

    def __init__(self, path: Path) -> None:
        self.db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        self.version = self.read("PRAGMA data_version")
        self.seen = self.state()

    def close(self) -> None:
        """Close the journal."""
        self.db.close()

    def read(self, query: str) -> list[Any]:
        """Return the rows of a query."""
        return self.db.execute(query).fetchall()

    def state(self) -> dict[str, Any]:
        """Return the journal's contents, at low cost."""
        matches = self.read("SELECT id, ended FROM matches")
        records = dict(self.read("SELECT match, max(seq) FROM records GROUP BY match"))
        return {"matches": matches, "records": records, "kept": dict(self.read("SELECT key, crc FROM kept"))}

    def written(self) -> list[str]:
        """Return additions and changes, except those of the referee and bots."""
        version = self.read("PRAGMA data_version")
        if version == self.version:
            return []
        was, now = self.seen, self.state()
        self.version, self.seen = version, now
        found = [] if was["matches"] == now["matches"] else [f"matches: {now['matches']}"]
        kept = {key for key in was["kept"] | now["kept"] if was["kept"].get(key) != now["kept"].get(key)}
        found += [f"kept: {key}" for key in sorted(kept)]
        for match, last in now["records"].items():
            query = f"SELECT by, body FROM records WHERE match = {match} AND seq > {was['records'].get(match, 0)}"
            found += [f"record of {by}: {body}" for by, body in by_others(self.read(query + " ORDER BY seq"))]
            assert last >= was["records"].get(match, 0), "records are gone"
        return found


def by_others(records: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the records of actors that need a request; the dealer's records belong to the one before them."""
    found, alone = [], False
    for by, body in records:
        alone = alone if by == "dealer" else by.partition(":")[0] in ALONE
        found += [] if alone else [(by, body)]
    return found


class World(Seeing):
    """A table with all services. `kind` names its game and surroundings."""

    def __init__(self, folder: Path, kind: str, luck: random.Random) -> None:
        super().__init__(folder)
        self.kind, self.luck = kind, luck
        self.tokens: dict[str, str] = {}
        self.buttons: BusClient | None = None

    def open(self) -> None:
        """Open the application and its journal."""
        super().open()
        self.watch = Watch(self.folder / JOURNAL)

    def close(self) -> None:
        """Close everything."""
        self.watch.close()
        if self.buttons is not None:
            self.buttons.close()
        super().close()

    def plug_in(self) -> None:
        """Connect a camera and simulated buttons to the bus."""
        path = Path(self.short.name) / "bus"
        camera = Liar(path, self.context.frames, random.Random(self.luck.random()))
        self.cameras.append(camera)
        self.buttons = join(SocketAddress(path), "buttons", self.answer)
        health = msgspec.convert(BUTTONS | {"service": "buttons", "at": 1}, Health)
        wait(lambda: self.buttons is not None and self.buttons.send(health))
        wait(lambda: self.board.buttons.alive and self.board.camera.alive)
        for name in ("a.jpg", "live.jpg", "export.deck"):
            replace_file(self.context.frames / name, jpeg())

    def answer(self, message: Message) -> None:
        """Answer as an idle buttons' service."""
        if isinstance(message, Asked) and self.buttons is not None:
            self.buttons.send(Answered(message.number, False, "unknown"))

    def renew(self) -> None:
        """Start a game again if there is none, and reset all tokens and guesses."""
        context, snapshot = self.context, self.table.snapshot()
        context.access.limits = Limits()
        if self.kind == "empty":
            if snapshot.match_id:
                self.table.leave()
                context.new_match()
            return
        if not snapshot.match_id or snapshot.over:
            self.lay()
        elif snapshot.paused:
            self.table.unpause(Actor.HOST)
        match = self.table.snapshot().match_id
        admit, tablet = context.access.admit, context.access.admit(Viewer("table", match))
        self.tokens = {"host": admit(Viewer("host", match)), "tablet": tablet, "watch": admit(Viewer("watch", match))}
        self.tokens["handed"] = admit(Viewer("seat", match, 1, digest(tablet)))
        for seat in range(len(self.table.snapshot().setup.seated())):  # type: ignore[union-attr]
            self.tokens[f"seat {seat}"] = admit(Viewer("seat", match, seat))
        if self.kind == "stage":
            pages = [f"/s/{token}/" for name, token in self.tokens.items() if name.startswith("seat")]
            told = {"pages": pages, "table": f"/t/{tablet}/", "host": f"/h/{self.tokens['host']}/", "doing": "playing"}
            self.anybody.client.post("/stage/people", data=msgspec.json.encode(told), headers={KEY_HEADER: KEY})
        context.hub.refresh()

    def lay(self) -> None:
        """Set up this world's game in the middle of play."""
        if self.kind == "trains":
            game_of_trains.opened(self, self.luck.choice(("ours", "box")))
        elif self.kind == "trains dealt":
            game_of_trains.lay(self)
        elif self.kind == "express":
            any_game.lay(self, "express", 4, self.luck.choice(("dealt", "ours")))
            self.play_on(self.luck.randrange(60))
        else:
            deck = "ours" if self.kind == "auction" else "dealt"
            self.set_up(3, deck=deck, edition=self.luck.choice(("en", "fr")))
            self.join_all()
            if deck == "ours":
                kind = self.luck.choice(("pass", "open", "blind", "preemption"))
                with suppress(AssertionError):
                    game_of_trains.say(self, ev.StarterNamed(Seat(0)), ev.TokenDrawn(kind))
                    game_of_trains.say(self, ev.LocosRevealed(("steam-1", "steam-4", "diesel-1")))

    def play_on(self, count: int) -> None:
        """Apply the given number of random legal events."""
        for _ in range(count):
            snapshot = self.table.snapshot()
            assert snapshot.game is not None and snapshot.state is not None
            offers = legal(snapshot.game, snapshot.state)
            if not offers:
                return
            self.table.propose(self.luck.choice(offers).pick(self.luck.random), Actor.HOST)

    def csrf(self, token: str) -> str:
        """Return the form token that a page with this token would give to each browser."""
        cookie = self.anybody.client.get_cookie("visit")
        if cookie is None:
            self.anybody.get("/health")
            self.anybody.get("/join")
            cookie = self.anybody.client.get_cookie("visit")
        assert cookie is not None
        return str(self.context.forms.signer.dumps([cookie.value, scope_mark(token)]))


def wait(right: Callable[[], bool], most: int = 2000) -> None:
    """Wait until a condition holds."""
    import threading

    pause = threading.Event()
    for _ in range(most):
        if right():
            return
        pause.wait(0.01)
    raise AssertionError("it did not become so")


KINDS = ("auction", "trains", "trains dealt", "express", "stage", "empty")
"""The worlds to fuzz."""
__all__ = ["KEY", "KEY_VARIABLE", "KINDS", "STILL", "Camera", "World", "wait"]
