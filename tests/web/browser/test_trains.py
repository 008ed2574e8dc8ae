"""Play Trains on four phones with dealt cards: the hand, the supply, the map, choices of several cards, an outdated
page."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.engine import Event, legal, seat_of
from companion.games import game_words, teller_of
from companion.games.trains import events as ev
from companion.games.trains.bot import POLICY
from companion.games.trains.rules import RULES
from companion.games.trains.steps.effects import ApplyText
from companion.games.trains.table import Table, hand_of
from companion.match.actor import Actor
from companion.table.snapshot import TableAnswer
from tests.support.web import any_game
from tests.support.web.board_room import board_room, next_record, offered
from tests.support.web.served import served
from tests.support.web.visitors import Room
from tests.web.browser.devices import PATIENCE, TABLET, TAPS_APART, Device, wait_shown
from tests.web.browser.truth import unfit

pytestmark = pytest.mark.browser

SIZES = ((360, 740), (390, 844), (360, 640), (412, 915))
SAY = game_words(RULES, "en")
TAPPED = 48
"""The number of decisions by tap. Programs then play to the end, because drawing every page at every move takes
long."""
CHOICES = (
    "conductors_station", "information_central", "command_central", "garage", "signals", "mail_train", "switchback",
    "station_crew",
)  # fmt: skip
"""Cards for sale whose texts contain a choice."""

TAP_WHEN_CHANGED = """([x, y]) => addEventListener("region:changed", (event) => {
  if (event.detail.name !== "holdings" || window.tappedAgain) return;
  const tap = { bubbles: true, cancelable: true, clientX: x, clientY: y, detail: 2 };
  setTimeout(() => {
    window.tappedAgain = document.elementFromPoint(x, y);
    window.tappedAgain.dispatchEvent(new MouseEvent("click", tap));
  }, 20);
})"""
"""Taps a point again as soon as the page has changed."""


# --- taps -----------------------------------------------------------------------------------------


def tap(page: Page, event: Event, table: Table) -> None:
    """Carry out an event by touch."""
    actions = page.locator("#region-actions")
    match event:
        case ev.Played(_, card):
            page.locator(f'.hand button.play[data-card="{card}"]').first.click()
        case ev.Bought(_, card):
            page.locator(f'[data-buy="{card}"]').click()
        case ev.StartPlaced(_, cell) | ev.RailLaid(_, cell) | ev.StationBuilt(_, cell):
            tap_cell(page, cell)
        case ev.CardsDiscarded(_, cards):
            for card in cards:
                actions.locator(f'label:has(input[value="{card}"]:not(:checked))').first.click()
            actions.locator("[data-picked]").click()
        case ev.RevealedTaken(_, taken, back):
            actions.locator(f'label:has(input[name=card][value="{taken or ""}"])').click()
            for card in back:
                actions.locator(f'[data-stack] li:has(input[value="{card}"]:not(:disabled)) button').first.click()
            actions.locator("[data-picked]").click()
        case _:
            label = teller_of(RULES).choice(event, (), SAY, table)
            actions.get_by_role("button", name=label, exact=True).click()


def tap_cell(page: Page, cell: str) -> None:
    """Tap a lit cell of the map, and confirm its price if it has one."""
    page.locator(f'.board-map .cell.lit[data-cell="{cell}"] .ground').click()
    question = page.locator(f'.cell-question[data-question="{cell}"]')
    if question.count():
        question.locator("button.main").click()


# --- programs -------------------------------------------------------------------------------------


def decide(state: Any, luck: random.Random) -> Event | None:
    """Return a program's choice, or None if chance is next."""
    seat = next(iter(state.agenda[0].awaits(state.table)), None)
    return None if seat is None else POLICY.choose(POLICY.look(state, seat), luck.random)


def play(room: Room, luck: random.Random, choose: Callable[[Any, random.Random], Event | None] = decide) -> None:
    """Advance by one event without a tap."""
    event = choose(room.table.snapshot().state, luck)
    if event is not None:
        assert room.table.propose(event, Actor.at_seat(seat_of(event) or ev.Seat(0))).accepted, event
    elif not room.table.draw(Actor.TABLE).accepted:
        assert room.table.propose(ev.FirstNamed(ev.Seat(0)), Actor.TABLE).accepted


def eager(state: Any, luck: random.Random) -> Event | None:
    """Return a decision that plays every card and builds where possible."""
    events = [event for offer in legal(RULES, state) if not offer.chance for event in offer]
    for kind in (ev.RailLaid, ev.StationBuilt, ev.Played):
        if found := [event for event in events if isinstance(event, kind)]:
            return luck.choice(found)
    return decide(state, luck)


def shop(state: Any, luck: random.Random) -> Event | None:
    """Return a decision that buys and uses every card with a choice."""
    events = [event for offer in legal(RULES, state) if not offer.chance for event in (offer.pick(luck.random), *offer)]
    wished = [each for each in events if isinstance(each, ev.Bought) and each.card in CHOICES]
    played = [each for each in events if isinstance(each, ev.Played)]
    return luck.choice(played or wished) if played or wished else decide(state, luck)


def until(room: Room, luck: random.Random, wanted: Callable[[Any], bool]) -> Any:
    """Play without taps until a condition holds, and return the state."""
    state: Any = room.table.snapshot().state
    while not wanted(state):
        play(room, luck, shop)
        state = room.table.snapshot().state
        assert state.agenda, "the game ended before"
    room.context.hub.refresh()
    return state


# --- the tests ------------------------------------------------------------------------------------


def test_four_phones_play_a_game(browser: Browser, tmp_path: Path) -> None:
    """Players tap cards, piles and cells, and at the end all pages have the same map and ranking."""
    luck = random.Random(4)
    with board_room(tmp_path, 4, RULES) as room, served(room.app) as address:
        phones = [Device(browser, {"width": width, "height": height}) for width, height in SIZES]
        devices = [*phones, Device(browser, TABLET)]
        for device, page in zip(devices, (*room.seats, room.page("watch")), strict=True):
            device.open(address + page)
        done: list[Event] = []
        play(room, luck)
        while len(done) < TAPPED:
            snapshot = room.table.snapshot()
            event = eager(snapshot.state, luck)
            if event is not None:
                seat = seat_of(event)
                assert seat is not None and snapshot.state is not None
                wait_shown(phones[seat].page, room, seat)
                tap(phones[seat].page, event, snapshot.state.table)
                done.append(event)
            snapshot = next_record(room, snapshot, PATIENCE / 1000)
        assert [e.event for e in snapshot.entries if e.by in [Actor.at_seat(ev.Seat(s)) for s in range(4)]] == done
        assert {type(event) for event in done} >= {ev.StartPlaced, ev.Played, ev.Bought, ev.RailLaid, ev.Ended}
        for device in devices:
            assert unfit(device.page, touch=device in phones) == []
            device.open("about:blank")
        while not room.table.snapshot().over:
            play(room, luck)
        room.context.hub.refresh()
        state: Any = room.table.snapshot().state
        pieces = sum(map(len, state.table.rails)) + sum(state.table.stations.values())
        for device, page in zip(devices, (*room.seats, room.page("watch")), strict=True):
            device.open(address + page)
            expect(device.page.locator("#region-ending .first .name")).to_have_count(len(RULES.winners(state)))
            expect(device.page.locator(".board-map .piece")).to_have_count(pieces)
            assert device.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert device.complaints == []


def waits_for(card: str, hand: int = 0) -> Callable[[Any], bool]:
    """Return whether a state waits for a card's text, or for a step of this name, with cards in hand."""

    def waits(state: Any) -> bool:
        head = state.agenda[0]
        found = head.card == card if isinstance(head, ApplyText) else type(head).__name__ == card
        return found and state.table.zones.count(hand_of(state.table.turn)) >= hand

    return waits


def has_cards_to_play(state: Any) -> bool:
    """Return whether the acting seat has several cards to play, so that the next one takes the place of a played
    one."""
    hand = state.table.zones.named(hand_of(state.table.turn))
    return type(state.agenda[0]).__name__ == "Act" and len(hand) >= 4


def tap_through(room: Room, phone: Device, event: Event) -> None:
    """Carry out an event by touch, and check that it is recorded."""
    before = room.table.snapshot()
    assert before.state is not None
    tap(phone.page, event, before.state.table)
    after = next_record(room, before, PATIENCE / 1000)
    assert event in [entry.event for entry in after.entries if entry.seq > before.seq]


def test_choices_of_several_cards(browser: Browser, tmp_path: Path) -> None:
    """Cards are ticked and unticked before sending; revealed ones are tapped in an order, and one of them is
    removed."""
    luck = random.Random(5)
    with offered(RULES), Room(tmp_path) as room:
        any_game.lay(room, RULES.name, 2, kingdom=CHOICES)  # type: ignore[arg-type]
        with served(room.app) as address:
            phone = Device(browser, {"width": 360, "height": 740})
            state = until(room, luck, waits_for("conductors_station", hand=2))
            turn = state.table.turn
            hand = state.table.zones.named(hand_of(turn))
            phone.open(address + room.seats[turn])
            ticks = phone.page.locator("#region-actions .house-picks label")
            assert sorted(ticks.all_inner_texts()) == sorted(SAY(f"card.{card}") for card in hand)
            assert unfit(phone.page, touch=True) == []
            ticks.first.click()
            ticks.first.click()
            tap_through(room, phone, ev.CardsDiscarded(turn, tuple(sorted(hand)[1:])))
            state = until(room, luck, waits_for("TakeRevealed"))
            turn, shown = state.table.turn, state.table.zones.named("revealed")
            phone.open(address + room.seats[turn])
            assert unfit(phone.page, touch=True) == []
            tap_through(room, phone, ev.RevealedTaken(turn, shown[-1], shown[:-1]))
            assert phone.complaints == []


def test_a_purchase_from_an_old_page_is_refused_in_words(browser: Browser, tmp_path: Path) -> None:
    """A phone that missed a purchase still shows its coins; a tap on a pile reports the change and buys nothing."""
    luck = random.Random(6)
    with board_room(tmp_path, 2, RULES) as room, served(room.app) as address:

        def can_buy(now: Any) -> bool:
            return bool(now.table.acted) and now.table.coins in (3, 4) and type(now.agenda[0]).__name__ == "Act"

        turn = until(room, luck, can_buy).table.turn
        old = Device(browser, {"width": 360, "height": 740})
        old.wanted.append(r"status of 409|/stream")
        old.page.route("**/stream*", lambda route: None)  # this page's stream never starts
        old.open(address + room.seats[turn])
        expect(old.page.locator('[data-buy="lay_rails"]')).to_be_visible()
        assert room.table.propose(ev.Bought(turn, "lay_rails"), Actor.at_seat(turn)).accepted
        before = room.table.snapshot().seq
        old.page.locator('[data-buy="express_train"]').click()
        answer = old.page.locator("[data-answer]")
        expect(answer).to_contain_text(re.compile(r"buys Lay Rails|Express Train costs 3"))
        assert room.table.snapshot().seq == before and old.complaints == []


@pytest.mark.parametrize("answers_after", [0.0, 0.6])
def test_a_double_tap_plays_one_card(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answers_after: float
) -> None:
    """The second tap of a double tap does not play the card that has moved under the finger; a later tap does."""
    with board_room(tmp_path, 2, RULES) as room, served(room.app) as address:
        turn = until(room, random.Random(6), has_cards_to_play).table.turn
        propose = room.table.propose

        def propose_slowly(*given: Any, **named: Any) -> TableAnswer:
            time.sleep(answers_after)
            return propose(*given, **named)

        monkeypatch.setattr(room.table, "propose", propose_slowly)
        phone = Device(browser, {"width": 360, "height": 740})
        page = phone.open(address + room.seats[turn])
        card = page.locator(".hand button.play", has_text="Normal Train").first
        card.scroll_into_view_if_needed()
        box = card.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        before = room.table.snapshot()
        page.evaluate(TAP_WHEN_CHANGED, [x, y])
        page.mouse.click(x, y)
        once = next_record(room, before, PATIENCE / 1000)
        page.wait_for_function("() => window.tappedAgain", timeout=PATIENCE)
        assert page.evaluate("() => window.tappedAgain.matches('.hand button.play, .hand button.play *')")
        page.wait_for_timeout(500 + answers_after * 1000)
        assert room.table.snapshot().seq == once.seq
        page.mouse.click(x, y)
        next_record(room, once, PATIENCE / 1000)
        assert phone.complaints == []


def test_a_move_is_not_sent_again_before_the_page_has_heard_of_it(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page sends no second move before it shows the result of the first one, which the table would refuse."""
    with board_room(tmp_path, 2, RULES) as room, served(room.app) as address:
        turn = until(room, random.Random(6), has_cards_to_play).table.turn
        phone = Device(browser, {"width": 360, "height": 740})
        page = phone.open(address + room.seats[turn])
        sent: list[str] = []
        page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
        monkeypatch.setattr(room.context.hub, "refresh", lambda: None)
        card = page.locator(".hand button.play").first
        with page.expect_response(lambda answer: answer.request.method == "POST"):
            card.click()
        page.wait_for_timeout(TAPS_APART)
        card.click()
        page.wait_for_timeout(200)
        assert (len(sent), phone.complaints) == (1, [])
