"""A table in simulated time with real pages, pins, referee, camera service and rules, faster than life.

The people of `companion.demo` play here. The companion receives bouncing pins, pictures of a rendered table and HTTP.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import numpy as np
from flask.testing import FlaskClient
from msgspec.structs import replace
from werkzeug.test import TestResponse

from companion.demo.acts import HIDDEN, Face, MoveCard
from companion.demo.ground_truth import GroundTruth
from companion.demo.physical_table import PhysicalTable as Lain
from companion.demo.play_loop import PATIENCE, PlayLoop
from companion.demo.token_truth import SLIPS
from companion.demo_records import PageLogLine, PageState
from companion.devices.bus import find_address
from companion.engine import Event, Place, Player, Seat, tokens_seen
from companion.engine.layout import cell_places
from companion.games import SEEN
from companion.messages import MILLISECOND, SECOND, CardLaid, TokensLaid, TokensReadable
from companion.referee.pace import Pace
from companion.sight.observer import SightObserver
from companion.table.table import Table
from hardware.buttons import ButtonBoard
from hardware.pins.factory import open_pins
from hardware.pins.simulated import ContactSimulator, Faults
from hardware.wiring.wiring import DEFAULT
from tests.end_to_end.handed_registry import DARK, SEEING, Board, Line
from tests.support.faultless_camera import Told
from tests.support.vision.own_deck import own_deck, own_recogniser, own_tokens
from tests.support.web.visitors import JOURNAL, Room, Visitor, said
from vision.board.board_reader import usual_board
from vision.deck.deck import Deck
from vision.deck.deck_file import save
from vision.image import Image
from vision.mat import mat_of_game
from vision.mat.camera_resolution import picture_size
from vision.print.cards import design, faces
from vision.service.loop import PACE, CameraService, ServiceOptions
from vision.service.motion_gate import STILL
from vision.service.token_watch import MakeTokenPlaces
from vision.settings import CameraSettings
from vision.simulate.painted_tokens import DrawnTokens
from vision.simulate.rendered_camera import RenderedCamera
from vision.simulate.rendered_table import RenderedTable
from vision.slots import TableReader
from web.app import create_app
from web.plugins.card_table.pieces import named_by_colour, named_by_seat
from web.server import say_of_movement

BEGAN = 1000 * SECOND
"""The moment at which the evening begins, in ns."""
CARD = (63.0, 88.0)
SIZES = {2: (2304, 1296), 3: (2304, 1296), 4: (3072, 1728), 5: (3840, 2160), 6: (4608, 2592)}
"""The picture's size in pixels by number of players, because values on a larger mat need more pixels."""
WIDE = {("express", 2): (3584, 2016), ("express", 4): (3840, 2160)}
"""The same for games with larger mats or more tucked cards."""
BOUNCING = Faults(bounce=4, bounce_ms=6, late_ms=20, seed=3)
"""Contacts that bounce for 6 ms, with edges delivered up to 20 ms late."""
FINGER = 120 * MILLISECOND
"""The duration of a press in ns."""
CALM = STILL // PACE + 3
"""The number of glances at a fully read table at rest after which no news comes until a hand moves; for money taken
from a black place, the camera reports nothing until the table has rested for `STILL`."""
HAND = 0.4
"""Seconds that a hand takes to move a card where no camera reads it."""
AT_ONCE = 0.1
"""Seconds between the hands of people who lay tokens at the same time."""
GLANCES = 400
"""The number of glances after which a hand counts as stuck."""


class OccludedCamera(RenderedCamera):
    """A camera over a rendered table that can be covered."""

    covered = False

    @property
    def table(self) -> RenderedTable:
        """Return the table below it."""
        return self._table

    def glance(self) -> Image:
        """Return the next glance, black while the camera is covered."""
        found = super().glance()
        return np.zeros_like(found) if self.covered else found

    def still(self) -> tuple[Image, int]:
        """Return the full picture, black while the camera is covered."""
        picture, at = super().still()
        return (np.zeros_like(picture) if self.covered else picture), at


class Page:
    """The page of one tablet, with the token of its forms."""

    def __init__(self, client: FlaskClient, address: str) -> None:
        """Open the page, whose form token stays valid past restarts of the companion."""
        self.visitor = Visitor(client)
        self.address = address
        self._csrf = ""
        self._when: object = None
        self._now = PageState()
        self._log: tuple[object, tuple[PageLogLine, ...]] = (None, ())

    def now(self, when: object) -> PageState:
        """Return the page's state, fetched again if `when` changed."""
        if self._when != when:
            answer = self.visitor.get(self.address + "now.json")
            assert answer.status_code == 200, answer.text
            self._when, self._now = when, msgspec.json.decode(answer.data, type=PageState)
        return self._now

    def log(self, when: object) -> tuple[PageLogLine, ...]:
        """Return the last lines of its log, fetched again if `when` changed."""
        if self._log[0] != when:
            answer = self.visitor.get(self.address + "said.json").data
            self._log = (when, msgspec.json.decode(answer, type=tuple[PageLogLine, ...]))
        return self._log[1]

    def post(self, action: str, data: Any) -> TestResponse:
        """Send a request as the page's script does, and return the answer."""
        self._csrf = self._csrf or self.visitor.token(self.address)
        headers = self.visitor.headers | {"HX-Request": "true", "X-CSRF": self._csrf}
        kind = {"json": data} if action == "propose" else {"data": data}
        return self.visitor.client.post(self.address + action, headers=headers, **kind)  # type: ignore[arg-type]


class Evening(Room):
    """People's world (`companion.demo.http_world.HttpWorld`) with simulated time."""

    def __init__(
        self,
        folder: Path,
        players: int,
        seed: int = 1,
        game: str = "take-a-train",
        difficulty: str = "default",
        faults: Faults = BOUNCING,
        pixels: bool = True,
    ) -> None:
        """Create the table; without `pixels`, a perfect camera reports the true table instead of reading pictures."""
        super().__init__(folder)
        self.time = BEGAN
        self.players, self.game = players, game
        self.camera = None if not pixels else make_camera(game, players, difficulty, seed, self.clock)
        self.told = Told(places_of(game, players), token_places_of(game, players))
        self.pins = open_pins("simulated")
        self.copper = ContactSimulator(self.pins.factory, faults, clock=self.clock)
        self.blind = False
        """Whether a camera without pixels sees nothing."""
        self.hidden: frozenset[str] = frozenset()
        """The covered places."""
        self.dead = self.gone = False
        """Whether the services of the buttons and of the camera are gone."""
        self._calm = 0
        self._glance_at = 0
        self._people = ThreadPoolExecutor(1)
        self._plans: list[tuple[int, Callable[[], None]]] = []

    def clock(self) -> int:
        """Return the simulated time in ns."""
        return self.time

    # --- life -------------------------------------------------------------------------------------

    def open(self) -> None:
        """Open the pages, the observer and the buttons."""
        self.table = Table(self.folder / JOURNAL, self.clock, pace=Pace(ending_ms=0))
        self.observer = SightObserver(self.table, self.clock)
        self.board = Board(self.table, self.folder, self.clock)
        self.board.camera_link.listen_to_readings(self.observer.accept_reading)
        self.board.camera_link.listen(partial(say_of_movement, self.observer))
        self.app = create_app(
            self.table, self.folder / JOURNAL, testing=True, registry=self.board, observer=self.observer
        )
        self.anybody = Visitor(self.app.test_client())
        if self.dead:
            self.board.buttons_go()
        else:
            self._wire()
        if self.gone:
            self.board.camera_goes()
        else:
            self._serve()

    def _serve(self) -> None:
        """Open the camera's service."""
        if self.camera is None:
            self._say()
            return
        self._calm, camera, line = 0, self.camera, Line(self.board)
        known = CameraSettings(game=self.game, players=self.players, deck="ours", source="rendered")
        data = self.folder / "camera"
        (data / "decks").mkdir(parents=True, exist_ok=True)
        save(own_deck(self.game), data / "decks" / "ours.deck")
        with patch("vision.service.loop.join", lambda *_: line):
            self.service = CameraService(
                data,
                find_address(self.folder),
                self.folder,
                lambda: camera,
                ServiceOptions(known, self._reader, self._find_tokens, self.clock),
            )
        self.service._requests._worker.shutdown()  # wait until the deck is enrolled
        self.told.readable = frozenset()
        self.service._do_jobs(0)

    def _say(self) -> None:
        """Report the state and the readings of a camera without pixels."""
        if self.gone:
            return
        self.board.camera_comes(DARK if self.blind else SEEING)
        if not self.blind:
            self.told.readable = self._readable()
            found = self.told.seen(self.hidden)
            left = tuple([each for each in found.sightings if each.place not in self.hidden])
            covered = tuple(sorted(self.hidden))
            self.board.says(self.board.camera_end, replace(found, at=self.time, sightings=left, covered=covered))

    def _allow(self) -> None:
        """Let the camera read other places for tokens."""
        if self.camera is None:
            self._say()
        elif not self.gone:
            self.service._on_message(TokensReadable(places=tuple(sorted(self._readable()))))
            self.service._do_jobs(0)
            self._calm = 0
        self.told.readable = self._readable()

    def _readable(self) -> frozenset[str]:
        """Return the places for tokens that the camera may read."""
        cues = [cue for cue in self.table.cues.standing_cues() if isinstance(cue, TokensReadable)]
        return frozenset(cues[0].places) if cues else frozenset()

    def _reader(self, deck: Deck) -> Any:
        return lambda mat: TableReader(own_recogniser(self.game), mat)

    def _find_tokens(self, decks: object, name: str) -> MakeTokenPlaces | None:
        return own_tokens(self.game) if token_places_of(self.game, self.players) else None

    def close(self) -> None:
        """Close all parts."""
        self.board.close()
        if self.camera is not None and not self.gone:
            self.service.close()
        if not self.dead:
            self.buttons.close()
        self.observer.close()
        super().close()

    def sit_down(self, **options: str) -> None:
        """Set up a match with real cards, and let all players join by PIN beside a shared tablet."""
        self.set_up(self.players, game=self.game, deck="ours", **options)
        self.join_all()
        self.tablet = self.page("tablet")
        client = self.anybody.client
        self.pages = {Seat(seat): Page(client, address) for seat, address in enumerate(self.seats)}
        self.shared = Page(client, self.tablet)

    def _wire(self) -> None:
        """Start the buttons' service."""
        board = self.board
        self.buttons = ButtonBoard(
            DEFAULT, self.pins, on_press=lambda press: board.says(board.buttons_end, press), clock=self.clock
        )
        board.buttons_come()

    # --- mishaps ----------------------------------------------------------------------------------

    def later(self, seconds: float, do: Callable[[], None]) -> None:
        """Schedule a call after a delay."""
        self._plans.append((self.time + int(seconds * SECOND), do))

    def lose_buttons(self, seconds: float) -> None:
        """End the buttons' service and restart it after a delay; edges meanwhile are lost."""
        self.dead = True
        self.buttons.close()
        self.board.buttons_go()

        def back() -> None:
            self.dead = False
            self._wire()

        self.later(seconds, back)

    def lose_camera(self, seconds: float) -> None:
        """End the camera's service and restart it after a delay, without its memory."""
        self.gone = True
        if self.camera is not None:
            self.service.close()
        self.board.camera_goes()

        def back() -> None:
            self.gone = False
            self._serve()

        self.later(seconds, back)

    def cover(self, seconds: float) -> None:
        """Cover the camera for a duration."""
        self._blinded(True)
        self.later(seconds, lambda: self._blinded(False))

    def _blinded(self, blind: bool) -> None:
        self.blind = blind
        if self.camera is not None:
            self.camera.covered, self._calm = blind, 0
        else:
            self._say()

    def lean(self, place: str, seconds: float) -> None:
        """Cover a place for a duration, as a sleeve or a cup does."""
        self._leaned(place, self.hidden | {place})
        self.later(seconds, lambda: self._leaned(place, self.hidden - {place}))

    def _leaned(self, place: str, hidden: frozenset[str]) -> None:
        self.hidden = hidden
        if self.camera is None:
            self._say()
            return
        self._calm, table = 0, self.camera.table
        table.clear_covers()
        for each in hidden:
            for at in range(max(1, table.heap.slot(each).most)):
                table.cover(each, at)

    def kill(self) -> None:
        """Kill the companion and restart it, while tablets keep their pages and cookies.

        It finds the files as they were on the disk at that moment, without an orderly end.
        """
        left = {path: path.read_bytes() for path in self.folder.glob(f"{JOURNAL}*") if not path.name.endswith("-shm")}
        cookies = self.anybody.client._cookies
        self.close()
        for path in self.folder.glob(f"{JOURNAL}*"):
            path.unlink(missing_ok=True)
        for path, data in left.items():
            path.write_bytes(data)
        self.open()
        self.anybody.client._cookies = cookies
        for page in (*self.pages.values(), self.shared):
            page.visitor.client = self.anybody.client

    # --- time -------------------------------------------------------------------------------------

    def rest(self, seconds: float) -> None:
        """Advance the time, from deadline to deadline of contacts, buttons, referee and observer."""
        until = self.time + int(seconds * SECOND)
        while True:
            buttons = None if self.dead else self.buttons.due()
            dues = [self.copper.due(), buttons, self.table.referee.due(), self.observer.due(), until]
            if self.camera is not None and self._calm < CALM:
                dues.append(self._glance_at)
            dues += [at for at, _ in self._plans]
            self.time = max(self.time, min(due for due in dues if due is not None))
            self._pass()
            if self.time >= until:
                return

    def _pass(self) -> None:
        """Run all calls that are due."""
        due_now = [plan for plan in self._plans if plan[0] <= self.time]
        self._plans = [plan for plan in self._plans if plan not in due_now]
        for _, do in due_now:
            do()
        self.copper.play(self.time)
        if not self.dead:
            self.buttons.wait(self.time)
        if self.camera is not None and self._calm < CALM and self.time >= self._glance_at:
            self._glance(self.camera)
        if self.told.readable != self._readable():
            self._allow()
        due = self.observer.due()
        if self.observer._inbox or (due is not None and due <= self.time):
            self.observer.look()
        due = self.table.referee.due()
        if due is not None and due <= self.time:
            self.table.tick()
        if self.observer._inbox:
            self.observer.look()

    def _glance(self, camera: OccludedCamera) -> None:
        """Let the camera's service look once; without it, a hand still moves on."""
        self._glance_at = self.time + PACE
        if self.gone:
            camera.glance()
            busy = camera.to_move() > 0
        else:
            self.service._step()
            self.service._do_jobs(0)
            state = self.service.state
            busy = camera.to_move() > 0 or state.looking not in ("still", "blind") or self.service.watch.looks_left > 0
        self._calm = 0 if busy else self._calm + 1

    # --- people's actions -------------------------------------------------------------------------

    def press(self, seat: Seat) -> None:
        """Press a seat's button."""
        pin = DEFAULT.seats[seat].button
        self.copper.drive(pin, False, self.time + MILLISECOND)
        self.copper.drive(pin, True, self.time + MILLISECOND + FINGER)
        self.rest(2.5 * FINGER / SECOND)

    def move(self, moved: MoveCard) -> None:
        """Move a card by hand; raise an `OSError` if that is impossible or the hand does not come back."""
        self.told.do(moved)
        if self.camera is None:
            self.rest(HAND)
            return
        back = self._back(self.camera, moved.source or moved.place) if moved.card == HIDDEN else ""
        laid = CardLaid(back or moved.card, moved.place, moved.source, moved.face)
        self.camera.lay(named_by_colour(laid, self._seated()))
        self._calm = 0
        for _ in range(GLANCES):
            self.rest(PACE / SECOND)
            if not self.camera.to_move():
                lies = Counter([each.place for each in (*self.camera.standing(), *self.camera.lying())])
                for place in {moved.source, moved.place} - {""}:
                    if lies[place] != len(self.told.cards[place]):
                        raise OSError(f"{moved} was not done: {lies[place]} cards lie at {place}")
                return
        raise OSError("the hand never came back")

    def _back(self, camera: OccludedCamera, place: str) -> str:
        """Return the visible back of a card that lies or would lie face down at a place."""
        there = [lying.card for lying in camera.lying() if lying.place == place and lying.face == "down"]
        return there[0] if there else sorted(set(design(self.game).backs.values()))[0]

    def lay_tokens(self, place: str, tokens: Sequence[str], heaped: bool = False) -> None:
        """Lay exactly these tokens at a place."""
        self.told.tokens[place] = tuple(tokens)
        (self.told.heaped.add if heaped else self.told.heaped.discard)(place)
        if self.camera is not None:
            self.camera.lay(TokensLaid(place, tuple(tokens), heaped))
            self._calm = 0
        self.rest(AT_ONCE)

    def claim(self, seat: Seat, mark: str) -> None:
        """Confirm on a seat's own tablet the sum that its tokens suggest."""
        self._answered(self.pages[seat], "sight", {"do": "claim", "mark": mark})
        self.rest(PACE / SECOND)

    def settle(self) -> None:
        """Let the camera look until it has read the whole table."""
        if self.camera is None:
            self._say()
            self.rest(HAND)
            return
        for _ in range(GLANCES):
            self.rest(PACE / SECOND)
            if self._calm >= CALM:
                return

    def tap(self, seat: Seat | None, event: Event, *then: Event, seen: str = "") -> str:
        """Send an event from a tablet, wait for the verdict and return the refusal, if any. `seen`: the last state
        shown on the page."""
        page = self.shared if seat is None else self.pages[seat]
        data = msgspec.to_builtins(event) | ({"seen": seen} if seen else {})
        answer = self._answered(page, "propose", data)
        return "" if answer.status_code == 204 else said(answer)

    def _answered(self, page: Page, action: str, data: Any) -> TestResponse:
        """Send a request of a page's script, and let time pass only while the referee's verdict is pending."""
        asked = self._people.submit(page.post, action, data)
        while not asked.done():
            if any(each.ticket for each in self.table.referee._pending):
                self.rest(0.02)
            else:
                wait([asked], 0.001)
        return asked.result()

    def read_log(self, seat: Seat | None) -> tuple[PageLogLine, ...]:
        """Read the latest log lines on a tablet."""
        page = self.shared if seat is None else self.pages[seat]
        return page.log((self.app, self.table.snapshot().number))

    def read_cards(self) -> dict[str, list[tuple[str, Face]]]:
        """Return the cards at each place as the page shows them."""
        if self.camera is None:
            return {name: list(here) for name, here in self.told.cards.items()}
        found: dict[str, list[tuple[str, Face]]] = {}
        for each in (*self.camera.lying(), *named_by_seat(self.camera.standing(), self._seated())):
            found.setdefault(each.place, []).append((each.card, each.face))
        return found

    def _seated(self) -> tuple[Player, ...]:
        """Return the players."""
        setup = self.table.snapshot().setup
        assert setup is not None
        return setup.seated()

    def choose(self, mark: str) -> None:
        """Answer the camera's question."""
        self._answered(self.shared, "sight", {"do": "choose", "mark": mark})
        self.rest(PACE / SECOND)

    def amend(self, place: str) -> None:
        """Correct a misreading."""
        self._answered(self.shared, "sight", {"do": "right", "place": place})
        self.rest(PACE / SECOND)

    def look(self, seats: Collection[Seat] = ()) -> PageState:
        """Read the shared tablet and the tablets of some seats."""
        when = (self.app, self.table.snapshot().number, self.board.camera.state, self.board.camera_link.sighted)
        found = self.shared.now(when)
        pages = [self.pages[each].now(when) for each in seats]
        own = {seat: view for page in pages for seat, view in page.own.items()}
        return replace(found, own=own, claims=tuple([claim for page in pages for claim in page.claims]))


def make_camera(game: str, players: int, difficulty: str, seed: int, clock: Callable[[], int]) -> OccludedCamera:
    """Return a camera over a rendered table for the given number of players, with our own deck."""
    mat = mat_of_game(SEEN[game], players, CARD, "a3")
    board = usual_board(game, players, "a3")
    size = picture_size(mat.size) if mat.token_slots else WIDE.get((game, players), SIZES[players])
    table = RenderedTable(mat, faces(game), design(game).backs, difficulty, seed, size, board=board)
    if board is not None:
        left, top, right, low = table.area
        table.size = picture_size((right - left, low - top))
    if mat.token_slots:
        table.tokens.use(DrawnTokens(game))
    return OccludedCamera(table, clock)


def places_of(game: str, players: int) -> tuple[Place, ...]:
    """Return all places of a table and the cells of its board."""
    board = usual_board(game, players)
    return (*SEEN[game].places(players), *cell_places(board.board if board is not None else None))


def token_places_of(game: str, players: int) -> tuple[str, ...]:
    """Return the places for tokens of a table."""
    rules = SEEN[game]
    return tuple([place.name for place in rules.token_places(players)]) if tokens_seen(rules) else ()


def people(evening: Evening, seed: int, patience: float = PATIENCE, slips: float = SLIPS) -> PlayLoop:
    """Return people who play an evening's match; `slips`: the probability of mistakes with tokens."""
    setup = evening.table.snapshot().setup
    assert setup is not None
    game = SEEN[evening.game]
    truth, lying = GroundTruth(game, setup, seed, slips=slips), Lain(places_of(evening.game, evening.players))
    return PlayLoop(evening, truth, lying, patience)
