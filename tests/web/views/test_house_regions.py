"""Test the generic regions of a game without pages of its own: chance, the hand, partners and standing facts."""

from __future__ import annotations

import random
import re
from html import unescape

import pytest

from companion.engine import Choice, EventFacts, Offer, Seat, legal
from companion.games.examples.freight_whist.rules import RULES as FREIGHT_WHIST
from companion.games.examples.freight_whist.rules import CardPlayed
from companion.games.examples.goods_yard.rules import RULES as GOODS_YARD
from companion.games.examples.goods_yard.rules import SidingBegun, WagonSeen
from companion.games.examples.hill_and_harbour.rules import RULES as HILL_AND_HARBOUR
from companion.games.examples.twenty_tons.rules import RULES as TWENTY_TONS
from companion.games.examples.twenty_tons.steps import Ask, Table, Took, TurnUp, WagonTurned
from companion.match.actor import Actor
from tests.support.web import any_game
from tests.support.web.visitors import NAMES, Room, regions
from web.game_pages import OFFERED
from web.presenters.match_log import players_of


def test_a_person_sets_off_chance(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the companion deals, a chance moment that a person triggers has a button, until it is used."""
    monkeypatch.setattr(TurnUp, "triggered", True)
    any_game.lay(room, TWENTY_TONS.name)
    for page in (room.host, *room.seats):
        turnup = regions(room.anybody.get(page).text)["turnup"]
        assert re.findall(r'hx-post="(\w+)"', turnup) == ["draw"], page
        assert "Leave it to chance" in turnup
    assert room.anybody.tap(room.host, "draw").status_code == 204
    view = room.table.snapshot().view(None)
    assert (view.moment, view.table.wagon > 0) == ("ask", True)
    assert "hx-post" not in regions(room.anybody.get(room.host).text)["turnup"]


def test_a_moment_of_chance_that_nobody_triggers_has_no_button(room: Room) -> None:
    """With real cards people enter what turned up, so that nothing offers to draw."""
    any_game.lay(room, TWENTY_TONS.name, deck="ours")
    turnup = regions(room.anybody.get(room.host).text)["turnup"]
    assert set(re.findall(r'hx-post="(\w+)"', turnup)) == {"propose"}
    assert room.anybody.tap(room.host, "draw").status_code == 409
    for page in (room.host, *room.seats):
        assert "Turn up the next wagon." in read(regions(room.anybody.get(page).text)["status"])


def test_a_card_before_a_seat_does_not_read_as_its_hand(room: Room) -> None:
    """A card in front of a seat has its place's name beside it."""
    any_game.lay(room, GOODS_YARD.name, deck="ours")
    for card in ("wagon-1", "wagon-2", "wagon-3"):
        assert room.table.propose(SidingBegun(card), Actor.TABLE).accepted
    state = room.table.snapshot().state
    assert state is not None
    seat = state.agenda[0].awaits(state.table)[0]
    assert room.table.propose(WagonSeen(seat, "wagon-9"), Actor.at_seat(seat)).accepted
    room.context.hub.refresh()
    named = players_of(room.table.snapshot())[seat].name
    assert f"{named}'s wagon wagon 9" in unescape(read(regions(room.anybody.get(room.host).text)["seats"]))


def test_people_enter_chance_that_the_game_leaves_to_them(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is a button for each outcome beside the one that draws, although the companion deals."""
    monkeypatch.setattr(TurnUp, "triggered", True)
    monkeypatch.setattr(WagonTurned, "facts", EventFacts(entered=True))
    any_game.lay(room, TWENTY_TONS.name)
    turnup = regions(room.anybody.get(room.host).text)["turnup"]
    assert re.findall(r'hx-post="(\w+)"', turnup) == ["propose"] * 9 + ["draw"]
    assert room.anybody.tap(room.host, "propose", {"event": "wagon_turned", "wagon": "4"}).status_code == 204
    assert room.table.propose(Took(Seat(0)), Actor.at_seat(Seat(0))).accepted
    assert room.table.snapshot().entries[-2].event == WagonTurned(4)


@pytest.mark.parametrize("deck", ["dealt", "ours"])
def test_what_everybody_sees_of_a_seat_anybody_enters(room: Room, monkeypatch: pytest.MonkeyPatch, deck: str) -> None:
    """With real cards anybody can enter a seat's event that is offered as chance, but a choice belongs to its seat."""
    legal_choice = Ask.legal

    def legal_or_seen(self: Ask, table: Table) -> tuple[Offer, ...]:
        (offer,) = legal_choice(self, table)
        return (Choice(offer.by, tuple(offer), chance=deck == "ours"),)

    monkeypatch.setattr(Ask, "legal", legal_or_seen)
    any_game.lay(room, TWENTY_TONS.name, deck=deck)
    if deck == "ours":
        assert room.anybody.say(room.host, "wagon_turned", wagon=4).status_code == 204
    watch = room.anybody.tap(room.host, "tablet").headers["HX-Redirect"]
    for page, seat in ((room.seats[2], 0), (watch, 1), (room.host, 2)):
        before = room.count
        answer = room.anybody.say(page, "passed", seat=seat)
        assert answer.status_code == (204 if deck == "ours" else 409 if page == room.seats[2] else 422), page
        assert room.count == before + (deck == "ours")
    assert room.anybody.say(room.seats[1], "passed", seat=7).status_code in (409, 422)


# --- partners, the hand, standing facts ---------------------------------------------------------------


def lay_whist(room: Room, deck: str = "dealt") -> None:
    """Put Freight Whist on the table, with Jane and Tom against Bill and Céline."""
    any_game.lay(room, FREIGHT_WHIST.name, 4, deck)


def read(html: str) -> str:
    """Return the visible text of a page."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html)).strip()


def play_on(room: Room, luck: random.Random) -> bool:
    """Make any legal move, and return False at the end."""
    state = room.table.snapshot().state
    assert state is not None
    for offer in legal(FREIGHT_WHIST, state) if state.agenda else ():
        by = Actor.TABLE if offer.by is None else Actor.at_seat(offer.by)
        return room.table.propose(offer.pick(luck.random), by).accepted
    return False


def test_pages_say_who_plays_with_whom(room: Room) -> None:
    """The lobby, each seat's page and the table name the partners, and a game without partners shows none."""
    lay_whist(room)
    for page in (room.host, room.seats[1]):
        shown = regions(room.anybody.get(page).text)
        assert re.findall(r'class="seat team" aria-label="([^"]*)"', shown["seats"]) == [
            "Jane and Tom",
            "Bill and Céline",
        ]
        assert read(shown["totals"]) == "The teams Jane Tom 0 points Bill Céline 0 points"
    assert "You play with Céline." in read(regions(room.anybody.get(room.seats[1]).text)["holdings"])
    form = {"room": room.pin}
    assert "with Tom" in read(room.anybody.follow("/join", form, "/join").text)
    any_game.lay(room, TWENTY_TONS.name)
    for page in (room.host, room.seats[1]):
        shown = regions(room.anybody.get(page).text)
        assert "partners" not in shown["seats"] and read(shown["totals"]) == ""


def test_the_lobby_says_who_will_be_partners(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """The order of the seats determines the partners that the lobby names; a game without partners shows none."""
    for game, said in ((FREIGHT_WHIST, True), (TWENTY_TONS, False)):
        monkeypatch.setitem(OFFERED, game.name, game)
        page = read(room.anybody.get(room.lobby(game.name, NAMES[:4])).text)
        assert ("Teams: Jane + Tom Bill + Céline" in " ".join(page.split())) == said and ("Teams" in page) == said


def test_a_side_wins_together(room: Room) -> None:
    """The ending, the past match and the chart have one line for each side, with both partners' names."""
    lay_whist(room)
    luck = random.Random(2)
    while play_on(room, luck):
        pass
    snapshot = room.table.snapshot()
    assert snapshot.over and snapshot.state is not None
    first, second = (("Jane", "Tom"), ("Bill", "Céline"))
    if 1 in FREIGHT_WHIST.winners(snapshot.state):
        first, second = second, first
    best, least = sorted(snapshot.state.table.match.totals, reverse=True)
    rows = [f"1 {' '.join(first)} {best} points", f"2 {' '.join(second)} {least} point{'s' * (least != 1)}"]
    pages = {"ending": regions(room.anybody.get(room.seats[0]).text)["ending"]}
    pages["past"] = room.anybody.get(f"/past/{snapshot.match_id}/").text
    for name, html in pages.items():
        assert [read(row) for row in re.findall(r"<li\b[^>]*>(.*?)</li>", html, re.S)][:2] == rows, name
        assert f"{' and '.join(first)} win!" in read(html)
    curves = re.findall(r"<title>([^<]*)</title></polyline>", pages["past"])
    assert curves == ["Jane, Tom"] * 2 + ["Bill, Céline"] * 2
    assert "Jane, Tom – Bill, Céline" in read(room.anybody.get("/past/").text)


def test_the_hand_is_shown_once(room: Room) -> None:
    """Each card of the hand appears once: as a button if it can be played, otherwise as a card."""
    lay_whist(room)
    luck = random.Random(3)
    for _ in range(9):
        state = room.table.snapshot().state
        assert state is not None
        turn = state.agenda[0].awaits(state.table)[0]
        for seat in range(4):
            shown = regions(room.anybody.get(room.seats[seat]).text)
            own = FREIGHT_WHIST.view(state, Seat(seat)).own_cards
            assert re.findall(r'data-card="([^"]*)"', shown["holdings"]) == list(own)
            playable = set(state.table.playable) if seat == turn else set()
            buttons = re.findall(r'<button class="card-chip play" data-card="([^"]*)"', shown["holdings"])
            assert buttons == [card for card in own if card in playable]
            assert read(shown["actions"]) == ""
        assert play_on(room, luck)
    state = room.table.snapshot().state
    assert state is not None
    turn, card = state.table.turn, state.table.playable[0]
    form = {"event": "card_played", "card": card}
    assert room.anybody.tap(room.seats[turn], "propose", form).status_code == 204
    assert room.table.snapshot().entries[-1].event == CardPlayed(turn, card)


def test_a_trick_says_who_led_and_a_pile_how_many_tricks(room: Room) -> None:
    """The middle shows who played which card, the sign shows who led, and taken cards are counted in tricks."""
    lay_whist(room)
    luck, seen = random.Random(1), set[str]()
    while len(seen) < 2 and play_on(room, luck):
        state = room.table.snapshot().state
        assert state is not None
        shown = regions(room.anybody.get(room.host).text)
        if len(state.table.trick) == 1 and not seen:
            assert f"<li>{NAMES[state.table.leader]} led</li>" in shown["status"]
            seen.add("led")
        if seen and sum(state.table.tricks) == 1:
            assert "1 trick<" in shown["seats"] and "face down" not in shown["seats"]
            seen.add("taken")
    assert seen == {"led", "taken"}


@pytest.mark.parametrize("deck", ["dealt", "ours"])
def test_standing_facts_are_on_every_page(room: Room, deck: str) -> None:
    """Trumps, the dealer and each side's tricks are on the pages of the host, the seats and spectators."""
    lay_whist(room, deck)
    if deck == "ours":
        assert room.anybody.say(room.host, "trump_turned", card="coal-4").status_code == 204
    state = room.table.snapshot().state
    assert state is not None
    trumps = {"coal": "Coal is", "cattle": "Cattle are", "oil": "Oil is", "food": "Food is"}
    watch = room.anybody.tap(room.host, "tablet").headers["HX-Redirect"]
    for page in (room.host, watch, *room.seats):
        facts = re.search(r'<ul class="facts">(.*?)</ul>', regions(room.anybody.get(page).text)["status"])
        assert facts is not None and re.findall(r"<li>([^<]*)</li>", facts[1]) == [
            f"{trumps[state.table.turned.partition('-')[0]]} trumps",
            "Dealer: Jane",
            "Jane and Tom: 0 tricks",
            "Bill and Céline: 0 tricks",
        ]


def test_in_a_pause_no_card_and_no_cell_asks_for_a_tap(room: Room) -> None:
    """During a pause the hand and the map of the seat on turn are shown, but ask for no tap."""
    for game, players, region, asks in (
        (FREIGHT_WHIST, 4, "holdings", "tap one to play it"),
        (HILL_AND_HARBOUR, 3, "board", "Tap a highlighted space"),
    ):
        any_game.lay(room, game.name, players)
        state = room.table.snapshot().state
        assert state is not None
        (seat,) = state.agenda[0].awaits(state.table)
        asked = regions(room.anybody.get(room.seats[seat]).text)[region]
        assert asks in asked and "<button" in asked
        assert room.anybody.tap(room.host, "pause", {"on": "1"}).status_code == 204
        paused = regions(room.anybody.get(room.seats[seat]).text)[region]
        assert asks not in paused and 'name="event"' not in paused
        assert room.anybody.tap(room.host, "pause", {"on": "0"}).status_code == 204
        assert asks in regions(room.anybody.get(room.seats[seat]).text)[region]
