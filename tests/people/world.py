"""A table where time is handed on: real pages, pins, referee, camera's service and rules, faster than life.

People of `companion.people` play here. The companion gets pins that bounce, pictures of a rendered table, and HTTP.
"""

from __future__ import annotations

import random
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as Late
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import numpy as np
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.engine import Event, Seat
from companion.games import SEEN
from companion.messages import MILLISECOND, SECOND, CardLaid, Health, Message, Sighted
from companion.onlooker import Onlooker
from companion.people.acts import HIDDEN, Moved
from companion.people.world import Shown
from companion.table import Table
from hardware.buttons import Buttons
from hardware.pins import open_pins
from hardware.simulated import Copper, Faults
from hardware.wiring import DEFAULT
from tests.web.visitors import COMPILED, JOURNAL, Room, Visitor, said
from vision.cameras.rendered import RenderedCamera
from vision.cards import design, faces
from vision.deck import Deck, enrol
from vision.image import Image
from vision.mat import Mat, make_mat
from vision.recogniser import Recogniser
from vision.rendered import RenderedTable
from vision.service import PACE, Service
from vision.settings import Settings
from vision.table import TableReader
from web.app import create_app

CARD = (63.0, 88.0)
SIZES = {2: (2304, 1296), 3: (2304, 1296), 4: (3072, 1728), 5: (3840, 2160), 6: (4608, 2592)}
"""Pixels of a picture by players: a larger mat takes more of them until values can be read."""
BOUNCING = Faults(bounce=4, bounce_ms=6, late_ms=20, seed=3)
"""Contacts that bounce for 6 ms, and edges that arrive up to 20 ms late."""
FINGER = 120 * MILLISECOND
"""A finger stays on its button for so long."""
CALM = 3
"""After so many glances at a table at rest, all of it read, nothing more will come until a hand moves."""
GLANCES = 400
"""A hand that is not away after so many glances never will be."""


@cache
def our_deck(game: str) -> Deck:
    """Return our own deck of a game, enrolled from one drawn picture of each card."""
    deck, _ = enrol("ours", {card: (picture,) for card, picture in faces(game).items()})
    return deck


@cache
def recogniser(game: str) -> Recogniser:
    """Return who recognises its cards."""
    return Recogniser(our_deck(game), 1)


class Lens(RenderedCamera):
    """A camera over a rendered table, that a hand can be held before."""

    covered = False

    def glance(self) -> Image:
        """Return the next glance, black while the lens is covered."""
        found = super().glance()
        return np.zeros_like(found) if self.covered else found

    def still(self) -> tuple[Image, int]:
        """Return the full picture."""
        picture, at = super().still()
        return (np.zeros_like(picture) if self.covered else picture), at


class Line:
    """The camera's end of a bus that has no way to go."""

    def __init__(self, heard: Any) -> None:
        self.heard = heard
        self.last: Health | None = None

    def send(self, message: Message) -> bool:
        """Hand what was seen to whoever looks."""
        if isinstance(message, Sighted):
            self.heard(message)
        elif isinstance(message, Health):
            self.last = message
        return True

    def close(self) -> None:
        """Leave."""


class Page:
    """One tablet's page: it keeps the token that its forms need."""

    def __init__(self, client: FlaskClient, address: str) -> None:
        self.visitor = Visitor(client)
        self.address = address
        self._csrf = ""

    def now(self) -> Shown:
        """Return what it shows."""
        answer = self.visitor.get(self.address + "now.json")
        assert answer.status_code == 200, answer.text
        return msgspec.json.decode(answer.data, type=Shown)

    def post(self, action: str, data: Any) -> TestResponse:
        """Send what its script sends."""
        self._csrf = self._csrf or self.visitor.token(self.address)
        headers = self.visitor.headers | {"HX-Request": "true", "X-CSRF": self._csrf}
        kind = {"json": data} if action == "propose" else {"data": data}
        return self.visitor.client.post(self.address + action, headers=headers, **kind)  # type: ignore[arg-type]


class Evening(Room):
    """People's world (`companion.people.world.World`), in which time passes when somebody lets it."""

    def __init__(
        self,
        folder: Path,
        players: int,
        seed: int = 1,
        game: str = "take-a-train",
        difficulty: str = "default",
        faults: Faults = BOUNCING,
    ) -> None:
        super().__init__(folder)
        self.time = 1000 * SECOND
        self.players, self.game = players, game
        self.mat: Mat = make_mat(SEEN[game].places(players), CARD, "a3", players)
        self.rendered = RenderedTable(self.mat, faces(game), design(game).backs, difficulty, seed, SIZES[players])
        self.lens = Lens(self.rendered, self.clock)
        self.pins = open_pins("simulated")
        self.copper = Copper(self.pins.factory, faults, clock=self.clock)
        self.dead = False
        """Whether the buttons' service is gone."""
        self._calm = 0
        self._glance_at = 0
        self._people = ThreadPoolExecutor(1)

    def clock(self) -> int:
        """Return the moment."""
        return self.time

    # --- life -------------------------------------------------------------------------------------

    def open(self) -> None:
        """Open the house, the eye and the buttons."""
        self.table = Table(self.folder / JOURNAL, self.clock)
        self.eye = Onlooker(self.table, self.clock)
        self.app = create_app(self.table, self.folder / JOURNAL, testing=True, onlooker=self.eye)
        self.app.jinja_env.bytecode_cache = COMPILED
        self.anybody = Visitor(self.app.test_client())
        self.buttons = Buttons(DEFAULT, self.pins, on_press=self.table.press, clock=self.clock)
        self.line = Line(self.eye.sighted)
        known = Settings(game=self.game, players=self.players, deck="ours", source="rendered")
        data = self.folder / "camera"
        (data / "decks").mkdir(parents=True, exist_ok=True)
        our_deck(self.game).save(data / "decks" / "ours.deck")
        with patch("vision.service.join", lambda *_: self.line):
            self.service = Service(
                data,
                None,
                self.folder,
                lambda: self.lens,
                known,
                self._reader,
                self.clock,  # type: ignore[arg-type]
            )
        loaded = self.service.reading.load("ours")
        self.service.use(loaded)
        self._calm = 0

    def _reader(self, deck: Deck) -> Any:
        return lambda mat: TableReader(recogniser(self.game), mat)

    def close(self) -> None:
        """Close everything."""
        self.service.close()
        self.buttons.close()
        self.eye.close()
        super().close()

    def sit_down(self, **options: str) -> None:
        """Set up a match with real cards, and let everybody join by PIN; the shared tablet lies on the table."""
        self.set_up(self.players, deck="ours", **options)
        self.join_all()
        self.tablet = self.page("tablet")
        self._open_pages()

    def _open_pages(self) -> None:
        client = self.anybody.client
        self.pages = {Seat(seat): Page(client, address) for seat, address in enumerate(self.seats)}
        self.shared = Page(client, self.tablet)

    def kill(self) -> None:
        """End the companion without warning and start it again; tablets keep their pages."""
        self.restart()
        self._open_pages()

    # --- time -------------------------------------------------------------------------------------

    def rest(self, seconds: float) -> None:
        """Let time go by, from deadline to deadline of copper, buttons, referee and eye."""
        until = self.time + int(seconds * SECOND)
        while True:
            dues = [self.copper.due(), self.buttons.due(), self.table.time.referee.due(), self.eye._watch.due(), until]
            if self._calm < CALM:
                dues.append(self._glance_at)
            self.time = max(self.time, min(due for due in dues if due is not None))
            self._pass()
            if self.time >= until:
                return

    def _pass(self) -> None:
        """Have all that is due done."""
        self.copper.play(self.time)
        if not self.dead:
            self.buttons.wait(self.time)
        if self._calm < CALM and self.time >= self._glance_at:
            self._glance()
        due = self.eye._watch.due()
        if self.eye._inbox or (due is not None and due <= self.time):
            self.eye.look()
        self.table.tick()
        if self.eye._inbox:
            self.eye.look()

    def _glance(self) -> None:
        """Have the camera's service look once."""
        self.service._step()
        self.service._do_errands(0)
        self._glance_at = self.time + PACE
        busy = self.lens.to_move() or self.service.state.looking != "still" or self.service._looks
        self._calm = 0 if busy else self._calm + 1

    # --- what people do ---------------------------------------------------------------------------

    def press(self, seat: Seat) -> None:
        """Press a seat's button."""
        pin = DEFAULT.seats[seat].button
        self.copper.drive(pin, False, self.time + MILLISECOND)
        self.copper.drive(pin, True, self.time + MILLISECOND + FINGER)
        self.rest(2.5 * FINGER / SECOND)

    def move(self, moved: Moved) -> None:
        """Have a hand move a card."""
        back = self._back(moved.source or moved.place) if moved.card == HIDDEN else ""
        self.lens.lay(CardLaid(back or moved.card, moved.place, moved.source, moved.face))
        self._calm = 0
        for _ in range(GLANCES):
            self.rest(PACE / SECOND)
            if not self.lens.to_move():
                return
        raise OSError("the hand never came back")

    def _back(self, place: str) -> str:
        """Return what shows of a card that lies face down at a place, or would."""
        there = [lying.card for lying in self.rendered.heap.at(place) if lying.face == "down"]
        return there[0] if there else sorted(set(design(self.game).backs.values()))[0]

    def settle(self) -> None:
        """Let the camera look until it has read all that lies there."""
        for _ in range(GLANCES):
            self.rest(PACE / SECOND)
            if self._calm >= CALM:
                return

    def tap(self, seat: Seat | None, event: Event, *then: Event) -> str:
        """Say an event on a tablet; what the referee judges takes its time."""
        page = self.shared if seat is None else self.pages[seat]
        data = msgspec.to_builtins(event)
        answer = self._answered(page, "propose", data)
        return "" if answer.status_code == 204 else said(answer)

    def _answered(self, page: Page, action: str, data: Any) -> TestResponse:
        asked = self._people.submit(page.post, action, data)
        while True:
            try:
                return asked.result(0.01)
            except Late:
                self.rest(0.02)

    def choose(self, mark: str) -> None:
        """Answer the camera's eye."""
        self._answered(self.shared, "sight", {"do": "choose", "mark": mark})
        self.rest(PACE / SECOND)

    def amend(self, place: str) -> None:
        """Put a misread right."""
        self._answered(self.shared, "sight", {"do": "right", "place": place})
        self.rest(PACE / SECOND)

    def look(self, seats: Collection[Seat] = ()) -> Shown:
        """Look at the shared tablet and at some seats' own."""
        found = self.shared.now()
        own = {seat: view for each in seats for seat, view in self.pages[each].now().own.items()}
        return msgspec.structs.replace(found, own=own)


def luck(seed: int) -> random.Random:
    """Return luck that is the same for a seed."""
    return random.Random(seed)
