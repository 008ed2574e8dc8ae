"""Test what screen readers announce in whole games: each event and turn once, from one place."""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from companion.bots.bot import policy_of
from companion.engine import Seat, legal
from companion.games import GAMES
from companion.games.trains.events import FirstNamed
from companion.match.actor import Actor
from companion.messages import SECOND
from companion.table import take_back
from tests.support.web import any_game
from tests.support.web.served import served
from tests.support.web.visitors import Room, messages
from tests.web.browser.devices import PATIENCE, PHONE, TABLET, Device
from tests.web.browser.steps import go_on
from web.game_pages import OFFERED, pages_of
from web.live.channels import ChannelKey, Stream
from web.presenters.match_log import Teller
from web.words import package, words

pytestmark = [pytest.mark.browser, pytest.mark.slow]

HOUR = 3600 * SECOND
ENOUGH = 130
"""The number of steps to check, unless the log has not hidden an announced amount by then."""
WARNINGS = ("ui.one_more_pile", "ui.last_turn")
"""The maximum number of extra sentences near the end of a game."""
AGAIN = """name => {
  const region = document.getElementById(`region-${name}`);
  region.innerHTML = region.innerHTML;
  region.dispatchEvent(new CustomEvent("region:changed", { bubbles: true, detail: { name } }));
}"""
"""Redraws a region without changing it."""
LISTEN = """() => {
  const heard = window.__heard = [];
  const live = "[aria-live]:not([aria-live=off]), [role=status], [role=alert], [role=log]";
  const place = (node) => (node.nodeType === 1 ? node : node.parentElement)?.closest(live);
  new MutationObserver((changes) => {
    for (const each of new Set(changes.map((change) => place(change.target)).filter(Boolean))) {
      const inner = [...each.querySelectorAll("p")];
      const said = (inner.length ? inner : [each]).map((node) => node.textContent.trim());
      heard.push([each.dataset.announced !== undefined, said]);
    }
  }).observe(document, { childList: true, subtree: true, characterData: true });
}"""
"""Records the announcements of a page's live regions: each region's whole text, after any change."""
TAGS = re.compile(r"<[^>]*>")


class Sent(Stream):
    """A stream that keeps what the table sends to a page."""

    def __init__(self, key: ChannelKey) -> None:
        super().__init__(key, "listener/page")
        self.blocks: list[bytes] = []

    def put(self, message: bytes | None) -> None:
        """Store a message."""
        if message is not None:
            self.blocks.append(message)


class Listener:
    """A person who hears a page; `sent` keeps the table's messages to such a page."""

    def __init__(self, browser: Browser, room: Room, address: str, role: str, seat: int | None, lang: str) -> None:
        self.room, self.lang, self.seat = room, lang, seat
        self.key = ChannelKey(room.table.snapshot().match_id, role, seat, lang)  # type: ignore[arg-type]
        self.device = Device(browser, TABLET if seat is None else PHONE, locale=lang)
        path = room.page("tablet") if seat is None else room.seats[seat]
        self.page: Page = self.device.open(address + path)
        self.before = self.state()
        opened = room.context.hub.open(self.key, "listener/page", self.before.id, Sent(self.key))
        assert opened is not None
        self.sent = opened[0]
        self.follow()
        self.page.evaluate(LISTEN)

    def state(self):  # type: ignore[no-untyped-def]
        """Return the table's current version of the page."""
        found = self.room.context.hub.page(self.key)
        assert found is not None
        return found

    def follow(self) -> None:
        """Wait until the page is up to date."""
        self.page.wait_for_function(
            "shown => document.body.dataset.shown === shown", arg=self.state().id, timeout=PATIENCE
        )

    def heard(self) -> list[str]:
        """Return the announced sentences, and fail if a second place announced any."""
        found = self.page.evaluate("() => window.__heard")
        assert [said for announced, said in found if not announced] == []
        return [sentence for _, said in found for sentence in said]

    def signs(self) -> list[tuple[str, bool]]:
        """Return the successive sentences of the page's sign, and whether each one addresses this seat."""
        told = [{"status": self.before.regions["status"]}, *[each["regions"] for each in messages(self.sent.blocks)]]
        found: list[tuple[str, bool]] = []
        for regions in told:
            if "status" in regions:
                sign = re.search(r'<h1 class="say">(.*?)</h1>', regions["status"], re.DOTALL)
                assert sign is not None
                now = (plain(sign[1]), self.seat is not None and 'class="sign mine' in regions["status"])
                if found[-1:] != [now]:
                    found.append(now)
        return found

    def offers(self) -> list[str]:
        """Return the take-backs that the page offered, once per offer."""
        found: list[str] = []
        until = ""
        for each in messages(self.sent.blocks):
            if "takeback" in each["regions"]:
                now = re.search(r'data-until="(\d+)".*?<span[^>]*>(.*?)</span>', each["regions"]["takeback"], re.DOTALL)
                if now is not None and now[1] != until:
                    found.append(plain(now[2]))
                until = now[1] if now is not None else ""
        return found


def plain(html: str) -> str:
    """Return the text of a piece of a page."""
    return " ".join(unescape(TAGS.sub("", html)).split())


def happened(room: Room, lang: str, after: int) -> list[str]:
    """Return the log's lines after the first ones, the oldest first."""
    lines = Teller().log(room.table.snapshot(), lang, 10_000)
    return [plain(" ".join(line.sentences)) for line in reversed(lines) if line.number > after]


def leaves_out(room: Room) -> bool:
    """Return whether the log hides amounts that it showed at first."""
    now = room.table.snapshot()
    assert now.state is not None
    return pages_of(now.game).hides(now.state, now.entries[0].after)


@contextmanager
def listening(browser: Browser, folder: Path, game: str) -> Iterator[tuple[Room, tuple[Listener, ...]]]:
    """Yield a table of a game, and listeners to Jane's page and to the shared tablet's page in French."""
    with Room(folder) as room, served(room.app) as address:
        any_game.lay(room, game)
        people = (
            Listener(browser, room, address, "seat", 0, "en"),
            Listener(browser, room, address, "table", None, "fr"),
        )
        yield room, people
        for each in people:
            assert each.device.complaints == []
            each.device.context.close()


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give everybody enough time to take a move back."""
    monkeypatch.setattr(take_back, "WINDOW", HOUR)


def in_order(some: list[str], heard: list[str]) -> bool:
    """Return whether some sentences were announced in this order, possibly with others in between."""
    rest = iter(heard)
    return all(each in rest for each in some)


@pytest.mark.parametrize("game", OFFERED)
def test_a_game_is_heard(browser: Browser, tmp_path: Path, game: str) -> None:
    """Every log line, every turn and every take-back offer is announced once and in order, and nothing else is."""
    with listening(browser, tmp_path, game) as (room, people):
        policies = [policy_of(GAMES[game], "sensible")] * 3
        luck = random.Random(5)
        numbers = [len(happened(room, each.lang, 0)) for each in people]
        steps = 0
        while (steps < ENOUGH or leaves_out(room)) and go_on(room, policies, luck):
            steps += 1
            room.context.hub.refresh()
            for each in people:
                each.follow()
        for each, number in zip(people, numbers, strict=True):
            say, signs = words(each.lang, package(GAMES[game])), each.signs()
            turns = sum(mine and not before for (_, before), (_, mine) in itertools.pairwise(signs))
            wanted = (
                happened(room, each.lang, number),
                [sign for sign, _ in signs[1:]],
                [say("sound.your_turn")] * turns,
                each.offers(),
            )
            heard = each.heard()
            assert [kind for kind in wanted if not in_order(kind, heard)] == []
            more = Counter(heard) - Counter(itertools.chain(*wanted))
            assert Counter(itertools.chain(*wanted)) - Counter(heard) == {}
            assert set(more.values()) <= {1} and set(more) <= {say(key) for key in WARNINGS}
            assert min(map(len, wanted[:2])) > 10
            assert each.seat is None or (turns > 3 and wanted[3])


def test_a_pause_and_what_is_taken_back_are_heard_once(browser: Browser, tmp_path: Path) -> None:
    """A pause, the sign after it, and a take-back are announced; redrawing or reconnecting announces nothing again."""
    with listening(browser, tmp_path, "trains") as (room, people):
        jane, tablet = people

        def do(done: object) -> None:
            """Apply an event and let everybody's page show it, twice."""
            assert done
            room.context.hub.refresh()
            for each in people:
                each.follow()
                each.page.evaluate("() => window.dispatchEvent(new Event('online'))")
                for name in ("status", "news", "banner"):
                    each.page.evaluate(AGAIN, name)

        do(room.table.propose(FirstNamed(Seat(0)), Actor.TABLE).accepted)
        begun = [jane.heard(), tablet.heard()]
        assert begun[0][-2:] == ["Your turn", "Tap a space for your first cube."] and begun[1][-1].startswith("Jane ")
        do(room.table.pause(Actor.HOST).accepted)
        do(room.table.unpause(Actor.HOST).accepted)
        snapshot = room.table.snapshot()
        assert snapshot.state is not None
        do(room.table.propose(next(iter(legal(snapshot.game, snapshot.state)[0])), Actor.at_seat(0)).accepted)
        do(room.table.take_back(Seat(0), None, snapshot.match_id).accepted)
        assert jane.heard()[len(begun[0]) :] == [
            *("The game is paused", "Take a break. The host continues the game on the host's page."),
            "Tap a space for your first cube.",
            *("Jane begins at A2.", "Undo Jane begins at A2.", "Bill places a first cube."),
            *("Jane took back: Jane begins at A2.", "Your turn", "Tap a space for your first cube."),
        ]
        assert [each for each in tablet.heard()[len(begun[1]) :] if "A2" in each] == [
            "Jane commence à A2.",
            "Jane a repris son coup : Jane commence à A2.",
        ]
