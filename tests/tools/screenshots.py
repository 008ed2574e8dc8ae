"""Makes the pictures of the README: `python -m tests.tools.screenshots` plays a game and takes screenshots.

The cards are always the same, but the room's PIN and the date are not.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, ViewportSize

from companion.bots.bot import policy_of
from companion.engine import COLOURS, SHAPES, AnyGame, AnyState, Event, Player, Seat, Setup, State, apply, legal
from companion.games.express.events import CarLaid
from companion.games.express.rules import RULES as EXPRESS
from companion.games.game_of_trains.rules import RULES as GAME_OF_TRAINS
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.rules import RULES
from companion.games.take_a_train.table import Table
from companion.games.take_a_train.view import TableView
from companion.games.trains.events import FirstNamed, RailLaid
from companion.games.trains.rules import RULES as TRAINS
from companion.match.actor import Actor
from companion.table.table import Table as TableService
from tests.support.paths import ROOT
from tests.support.web.board_room import board_room
from tests.support.web.served import served
from tests.support.web.visitors import Room as Visitors
from tests.tools.palette import smaller
from tests.web.browser.conftest import missing
from tests.web.browser.devices import TABLET, Device, Server, chromium, started
from tests.web.browser.room import HOST_PIN, Room

PICTURES = ROOT / "docs" / "pictures"
PHONE = ViewportSize(width=390, height=844)
PEOPLE = ("Jane", "Bill", "Tom", "Céline")
GOOD = 400
"""The power of a locomotive worth a picture."""
SLOWLY = 1100
"""The milliseconds between two counts, at the pace of a real table."""
LAST = 3
"""The count that completes a sale."""
LAID = (
    ("coal-200", "market"), ("food-50", "market"), ("oil-200", "market"), ("steam-6", "auction"),
    ("steam-3", "seat.1.train.1"), ("food-100", "seat.1.train.1"), ("cattle-150", "seat.1.train.1"),
    ("diesel-2", "seat.2.train.1"), ("coal-100", "seat.2.train.1"), ("electric-1", "seat.3.train.1"),
)  # fmt: skip
"""The cards on the rendered table, and their places."""
TAUGHT = ("steam-1", "steam-2", "steam-3", "steam-4")
"""The enrolled cards, of which the last is the latest."""
LATE = 60_000
"""The milliseconds within which a service must start and read cards on a busy machine."""
TURNS, SEED = 19, 3
"""The turns of Game of Trains before its pictures are taken, and the seed."""
RECORDS = {"trains": 330, "express": 260}
"""The records of a game with dealt cards before its pictures are taken."""
LARGEST = 200_000
"""The maximum size of a picture in bytes."""


def moment(state: State[Table]) -> str:
    """Return the step for which the table waits."""
    return str(RULES.view(state, None).moment)


def auction(state: State[Table]) -> bool:
    """Return whether a powerful locomotive is about to be sold and several are owned."""
    if moment(state) != "opening" or sum(map(len, state.table.trains)) < len(PEOPLE):
        return False
    return power(RULES.view(state, None)) >= GOOD


def power(view: TableView) -> int:
    """Return the power of the locomotive on sale."""
    assert view.lot is not None
    return next(card.power for card in view.lot.cards if card.id == view.lot.nominated)


def wagons(state: State[Table]) -> bool:
    """Return whether a seat is to take a card and trains have grown."""
    longest = max((len(train.wagons) for trains in state.table.trains for train in trains), default=0)
    return moment(state) == "act" and longest > 2


def play(browser: Browser, server: Server, folder: Path) -> None:
    """Play a game, and take the pictures during it."""
    room = Room(browser, server, PEOPLE)
    room.begin(ev.StarterNamed(Seat(0)), ev.TokenDrawn("open"))
    room.hurry(auction)
    view = room.view
    opener, rival = view.awaited[0], Seat((view.awaited[0] + 1) % len(PEOPLE))
    room.say(ev.Opened(opener, power(view)))
    room.say(ev.Raised(rival, power(view) + 150))
    room.say(ev.Counted(rival, 1))
    room.agree()
    take(room.tablet.page, folder / "table.png")
    late = room.phones[(rival + 1) % len(PEOPLE)]
    room.tablet.page.wait_for_timeout(SLOWLY)
    room.phones[rival].press()
    room.until(lambda view: view.lot.count == LAST - 1)
    late.page.locator("[data-press]").wait_for()
    room.tablet.page.wait_for_timeout(SLOWLY)
    room.phones[rival].press()
    late.press()
    room.until(lambda view: view.moment != "calling")
    room.agree()
    room.tablet.page.locator("#region-verdict .too_late").first.wait_for()
    room.tablet.page.locator("[data-moment-stage]").wait_for(state="hidden")
    take(room.tablet.page, folder / "verdict.png")
    room.hurry(wagons)
    room.agree()
    phone = room.phones[room.view.awaited[0]].page
    phone.set_viewport_size(PHONE)
    take(phone, folder / "seat.png")
    take(room.host.page, folder / "host.png")
    room.hurry(lambda state: state.over, "blind", "preemption")
    room.agree()
    page = room.tablet.page
    page.set_viewport_size(ViewportSize(width=1024, height=768))
    page.locator("#region-people a.button:not(.quiet)").click()
    page.locator("svg.chart").wait_for()
    take(page, folder / "ending.png")


def look(browser: Browser, folder: Path) -> None:
    """Take the pictures of the camera's page and of enrolment, with the real service above a rendered table."""
    from tests.support.web.watched_room import laid, watching

    with tempfile.TemporaryDirectory(prefix="companion-") as name, watching(Path(name)) as (room, address, faces):
        device = Device(browser, TABLET)
        page = device.open(address + room.host + "camera")
        laid(room, LAID)
        page.locator("polygon.card").nth(len(LAID) - 1).wait_for(timeout=LATE)
        take(page, folder / "camera.png")
        page = device.open(address + room.host + "enrolment")
        page.locator("form:has([value=begin]) input[name=deck]").fill("Our box")
        page.locator("form:has([value=begin]) button").click()
        for card in TAUGHT:
            page.locator("details:has([type=file]) > summary").first.click()
            page.locator("[type=file]").set_input_files(faces(card))
            page.locator("form:has([value=photograph]) > button").click()
            page.locator(".taken").wait_for(timeout=LATE)
            if card != TAUGHT[-1]:
                page.locator(f".pick[value='{card}']").click()
                page.locator(".taken").wait_for(state="detached", timeout=LATE)
        take(page, folder / "teaching.png")
        device.context.close()


def game_of_trains(browser: Browser, server: Server, folder: Path) -> None:
    """Play some turns of Game of Trains with real cards, and take the pictures of the table and of a phone."""
    room = Room(browser, server, PEOPLE)
    form = {"name": PEOPLE, "colour": COLOURS[: len(PEOPLE)], "shape": SHAPES[: len(PEOPLE)]}
    room.arrive(room.host.post("/setup", game=GAME_OF_TRAINS.name, deck="ours", pin=HOST_PIN, **form))
    for event in story(TURNS):
        room.host.send(event)
    view = GAME_OF_TRAINS.view(room.state, None)  # type: ignore[arg-type]
    phone = room.phones[view.awaited[0]].page
    phone.set_viewport_size(PHONE)
    card = next(card for card in view.pool if card.ability.startswith("swap"))
    phone.locator(f"[data-fold='use-{card.number}'] > summary").click()
    take(phone, folder / "game-of-trains-seat.png")
    watch = Device(browser, TABLET)
    watch.open(server.address)
    page = watch.open(watch.post("/watch", "/join", room=room.pin))
    page.locator(".pool-card").first.wait_for()
    take(page, folder / "game-of-trains-table.png")
    watch.context.close()


def dealt(browser: Browser, folder: Path, game: AnyGame, ready: Callable[[AnyState | None], bool], wanted: str) -> None:
    """Let programs play games with dealt cards to a good moment, and take pictures of table and phone."""
    while True:
        with (
            tempfile.TemporaryDirectory() as name,
            board_room(Path(name), len(PEOPLE), game) as room,
            served(room.app) as at,
        ):
            if becomes(ready, room.table, game):
                take_both(browser, folder, game, wanted, room, at)
                return


def becomes(ready: Callable[[AnyState | None], bool], table: TableService, game: AnyGame) -> bool:
    """Let programs play until a later moment meets the condition; return False if the game ends first."""
    luck, mind = random.Random(SEED), policy_of(game, "sensible")
    while len(table.snapshot().entries) < RECORDS[game.name] or not ready(table.snapshot().state):
        state = table.snapshot().state
        if state is None or state.over:
            return False
        seat = next(iter(state.agenda[0].awaits(state.table)), None)
        event = None if seat is None else mind.choose(mind.look(state, seat), luck.random)
        if event is not None:
            table.propose(event, Actor.at_seat(seat or Seat(0)))
        elif not table.draw(Actor.TABLE).accepted:
            table.propose(FirstNamed(Seat(0)), Actor.TABLE)
    return True


def take_both(browser: Browser, folder: Path, game: AnyGame, wanted: str, room: Visitors, at: str) -> None:
    """Take the pictures of a table and of the phone on turn."""
    room.context.hub.refresh()
    state = room.table.snapshot().state
    assert state is not None
    turn = state.agenda[0].awaits(state.table)[0]
    for size, path, file in (
        (PHONE, room.seats[turn], f"{game.name}-seat.png"),
        (ViewportSize(width=1280, height=800), room.page("watch"), f"{game.name}-table.png"),
    ):
        device = Device(browser, size)
        page = device.open(at + path)
        page.locator(wanted).first.wait_for()
        take(page, folder / file)
        device.context.close()


def lays_rails(state: AnyState | None) -> bool:
    """Return whether a seat is to choose where its rails lie."""
    return state is not None and any(isinstance(event, RailLaid) for offer in legal(TRAINS, state) for event in offer)


def lays_cars(state: AnyState | None) -> bool:
    """Return whether a seat can add a car in a later hand while trains lie on both sides."""
    if state is None or not state.table.match.played or not all(state.table.trains):
        return False
    return any(isinstance(event, CarLaid) for offer in legal(EXPRESS, state) for event in offer)


def story(turns: int) -> list[Event]:
    """Return the first turns of a game that bots play with real cards, until a card of the pool swaps wagons."""
    setup = Setup(game=GAME_OF_TRAINS.name, players=tuple(map(Player, PEOPLE)), catalogue="reconstruction", deck="ours")
    state, luck, mind, found = (
        GAME_OF_TRAINS.begin(setup),
        random.Random(SEED),
        policy_of(GAME_OF_TRAINS, "sensible"),
        list[Event](),
    )
    while True:
        view = GAME_OF_TRAINS.view(state, None)
        swaps = any(card.ability.startswith("swap") for card in view.pool)
        turns -= view.moment == "act"
        if turns < 0 and view.moment == "act" and swaps and len(view.pool) > 2:
            return found
        offers = legal(GAME_OF_TRAINS, state)
        seat = view.awaited[0] if view.awaited and not view.chance else None
        thinks = seat is not None and view.moment != "choose"  # the cards drawn there are unknown
        event = mind.choose(mind.look(state, seat), luck.random) if thinks else None
        found.append(event or offers[0].pick(luck.random))
        state = apply(GAME_OF_TRAINS, state, found[-1])


def take(page: Page, path: Path, whole: bool = False) -> None:
    """Take a screenshot of a page's visible part or of the whole page, small enough for the repository."""
    if page.locator("[data-stage]").count():
        page.locator("[data-stage]").wait_for(state="hidden")
    page.evaluate("() => document.fonts.ready")
    page.evaluate("() => scrollTo(0, 0)")
    data = smaller(page.screenshot(full_page=whole))
    assert len(data) < LARGEST, (path, len(data))
    path.write_bytes(data)
    print(f"{path}: {len(data):,} bytes")


def main() -> None:
    """Make the pictures."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m tests.tools.screenshots")
    parser.add_argument("folder", nargs="?", type=Path, default=PICTURES, help="where to put them [docs/pictures]")
    folder: Path = parser.parse_args().folder
    why = missing()
    if why:
        raise SystemExit(why)
    folder.mkdir(parents=True, exist_ok=True)
    with started() as server, chromium() as browser:
        play(browser, server, folder)
        look(browser, folder)
    with started() as server, chromium() as browser:
        game_of_trains(browser, server, folder)
        dealt(browser, folder, TRAINS, lays_rails, ".board-map")
        dealt(browser, folder, EXPRESS, lays_cars, ".xp-train")


if __name__ == "__main__":
    main()
