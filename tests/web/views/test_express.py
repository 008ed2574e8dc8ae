"""Test the pages of Express: sides, trains and their points, where a card can go, and how a turn ends."""

from __future__ import annotations

import random
import re
from html import unescape
from typing import Any

import pytest
from msgspec.structs import replace

from companion.engine import Seat, legal
from companion.games.express import events as ev
from companion.games.express.rules import RULES
from companion.match.actor import Actor
from tests.games.express.build import after, begun, laid, lays
from tests.support.web import any_game
from tests.support.web.visitors import Room, regions
from web.words import package, words

LANGUAGES = ("en", "fr")
HANDS = {0: "hopper box_car wild light_crane steal_car", 1: "reefer reefer"}
TRAINS = {
    0: ("hopper hopper wild gondola", "mail_baggage coach coach +diesel", "reefer reefer caboose"),
    1: ("tank_car tank_car",),
}


def read(html: str) -> str:
    """Return the visible text of a page."""
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", html))).strip()


def lay_out(room: Room, monkeypatch: pytest.MonkeyPatch, **table: Any) -> None:
    """Put a hand in progress on the table, with Jane and Bill."""
    state = laid(**({"held": HANDS, "trains": TRAINS, "totals": (38, 71)} | table))
    monkeypatch.setattr(type(RULES), "begin", lambda *_: state)
    any_game.lay(room, RULES.name, 2)


def own(room: Room, seat: int = 0) -> dict[str, str]:
    """Return the regions of a seat's page."""
    return regions(room.anybody.get(room.seats[seat]).text)


@pytest.mark.parametrize("partners", ["usual", "alone"])
def test_pages_follow_the_sides_of_the_match(room: Room, partners: str) -> None:
    """Four people play in pairs, or alone if the options say so, and the list of games shows it too."""
    any_game.lay(room, RULES.name, 4, partners=partners)
    paired = partners == "usual"
    line = "Jane, Tom – Bill, Céline" if paired else "Jane, Bill, Tom, Céline"
    sides = re.findall(r'<article [^>]*aria-label="([^"]*)"', own(room, 1)["seats"])
    assert sides == (["Jane and Tom", "Bill and Céline"] if paired else ["Jane", "Bill", "Tom", "Céline"])
    assert ("with Tom" in read(room.anybody.follow("/join", {"room": room.pin}, "/join").text)) == paired
    assert line in read(room.visitor().get("/").text)
    assert line in read(room.anybody.get("/past/").text)


# --- the table ----------------------------------------------------------------------------------------


def test_trains_stand_there_with_their_points(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Trains have numbers, the locomotive first, cars in the order laid, the meaning of wilds, doublings and the danger
    to the last car.

    Text that only the stage shows on a locomotive is not compared.
    """
    lay_out(room, monkeypatch)
    trains = re.findall(r'<figure class="xp-train">(.*?)</figure>', own(room, 1)["seats"], re.S)
    on_stage = re.compile(r'<span class="xp-on-it" aria-hidden="true">.*?</span>', re.S)
    assert all(len(on_stage.findall(train)) == 1 for train in trains)
    assert [read(on_stage.sub("", train)) for train in trains] == [
        "1 Jane's train 1 Locomotive, face down Hopper ×2 Wild: leads over Gondola 8 points 4 cars in danger: Gondola",
        "2 Jane's train 2 Locomotive, face down Diesel Mail-Baggage Coach ×2 "
        "16 points 3 cars: 4 × 2 in order × 2 Diesel in danger: Coach",
        "3 Jane's train 3 Locomotive, face down Reefer ×2 Caboose as Reefer 4 points 3 cars last car is safe",
        "1 Bill's train 1 Locomotive, face down Tank Car ×2 0 points scores with one more car in danger: Tank Car",
    ]


def test_the_middle_and_the_way_to_the_target(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pile counts down, the disaster slot stays visible, and each hand's totals count towards 100 points."""
    lay_out(room, monkeypatch, slot="broken_car sleeper sleeper", pile=23)
    shown = own(room, 1)
    assert read(shown["play"]).partition(" Can Jane go out and end the hand?")[0] == (
        "On the table Pile 23 Discard 1 Box Car 1 point Disaster slot 3 Broken Car Sleeper 5 points ×2"
    )
    assert read(shown["totals"]) == (
        "First to 100 points Jane 38 Bill 71 Points after each hand Hand Jane Bill 1 38 +38 71 +71"
    )


@pytest.mark.parametrize(
    ("held", "trains", "steps", "sign"),
    [
        ("hopper box_car wild light_crane steal_car", (), (), "Lay cards if you like, then discard one."),
        ("steal_car steal_car broken_car", (), (), "Discard one card."),
        ("steal_car steal_car broken_car broken_car wreck derailment turntable turntable", (), (), "Discard one card."),
        ("hopper box_car steal_car", ("reefer reefer reefer",), ("hopper/box_car",), "take_one_back"),
        ("hopper box_car", ("reefer reefer reefer",), ("hopper/box_car",), "take_back"),
        ("hopper hopper hopper hopper box_car box_car box_car box_car", (), (), "Lay 2 more cards before you discard."),
    ],
)
def test_the_sign_says_how_the_turn_can_go_on(
    room: Room, monkeypatch: pytest.MonkeyPatch, held: str, trains: tuple[str, ...], steps: tuple[str, ...], sign: str
) -> None:
    """The sign asks neither for cards that cannot be laid nor for a discard that would be refused."""
    state = lays(laid({0: held, 1: "reefer"}, {0: trains}), *steps)
    monkeypatch.setattr(type(RULES), "begin", lambda *_: state)
    any_game.lay(room, RULES.name, 2)
    refusals = words("en", package(RULES)).section("refusal")
    said = {"take_one_back": refusals["R-26.take_one_back"], "take_back": refusals["R-17.take_back"]}.get(sign, sign)
    assert f" {said} " in f"{read(own(room)['status'])} "
    assert said not in read(own(room, 1)["status"])


# --- laying -------------------------------------------------------------------------------------------


def for_card(shown: dict[str, str], region: str, card: str) -> list[str]:
    """Return the texts that a region of a seat's page shows only while this card is selected."""
    number = re.search(rf'id="pick-(\d+)" value="{card}"', shown["holdings"])
    assert number is not None, card
    marked = rf'<(p|a|button|form|details|div) class="(?:[^"]* )?for-{number[1]}(?: [^"]*)?"[^>]*>(.*?)</\1>'
    return [read(text) for _, text in re.findall(marked, shown[region], re.S)]


def test_a_long_slot_shows_its_top_card(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long slot shows its top card and hides the others behind one tap."""
    lay_out(room, monkeypatch, slot="broken_car sleeper turntable turntable wreck")
    slot = re.search(r'<div class="xp-stack slot">.*?</details>', own(room)["play"], re.S)
    assert slot is not None
    top, rest = slot[0].split("<details", 1)
    assert read(top) == "Disaster slot 5 Wreck"
    assert read("<details" + rest) == "All that lies there Broken Car Sleeper 5 points Turntable ×2 Wreck"


def test_a_tapped_card_shows_where_it_goes_and_why_not(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each train accepts the tapped card or says why not: a car can begin a train, maintenance needs a train of its
    own, a disaster none."""
    lay_out(room, monkeypatch)
    shown = own(room)
    assert for_card(shown, "holdings", "hopper") == [
        "Hopper does not fit a train of Gondola.",
        "Hopper does not fit a train of Mail-Baggage.",
        "A caboose closes train 3.",
        "Hopper is the first car. Which card lies face down before it as the locomotive? "
        "Box Car Wild Light Crane Steal Car",
    ]
    assert for_card(shown, "holdings", "wild") == [
        "Lay it here +2 points",
        "Lay it here +12 points",
        "A caboose closes train 3.",
    ]
    assert for_card(shown, "holdings", "light_crane") == ["Lay Light Crane"]
    targets = ["Tap the train whose last car you take. Bill Train 1 0 points Tank Car"]
    assert for_card(shown, "holdings", "steal_car") == targets


def test_an_empty_hand_is_told_what_ends_the_turn(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sign and the actions say how many cards to take back, until the hand is large enough."""
    lay_out(room, monkeypatch, held={0: "hopper gondola"}, trains={0: ["hopper hopper", "gondola"]})
    jane, say = room.seats[0], room.anybody.say
    two = "You need a card to discard and one to keep: take back two that you laid this turn."
    one = "You cannot discard your last card without going out, and you cannot go out: take back one that you laid"
    for train, card in ((1, "hopper"), (2, "gondola")):
        assert say(jane, "car_laid", train=train, card=card).status_code == 204
    assert all(two in read(own(room)[region]) for region in ("status", "actions"))
    assert two not in read(own(room, 1)["status"])
    assert say(jane, "laid_taken_back", train=1, card="hopper").status_code == 204
    assert all(one in read(own(room)[region]) for region in ("status", "actions"))
    assert say(jane, "laid_taken_back", train=2, card="gondola").status_code == 204
    assert say(jane, "discarded", card="gondola").status_code == 204


def test_a_seat_lays_takes_back_and_ends_its_turn_once(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page's forms lay cards and take them back until the discard, which ends the turn."""
    lay_out(room, monkeypatch)
    jane = room.seats[0]
    assert room.anybody.say(jane, "car_laid", train=1, card="wild").status_code == 204
    assert "↩ Take back Wild" in read(own(room)["holdings"])
    assert room.anybody.say(jane, "laid_taken_back", train=1, card="wild").status_code == 204
    assert "Take back" not in read(own(room)["holdings"])
    assert room.anybody.say(jane, "train_begun", card="hopper", locomotive="box_car").status_code == 204
    assert read(own(room)["holdings"]).count("⇄ change") == 4
    assert for_card(own(room), "actions", "steal_car") == [
        "Tap the train whose last car you take.",
        "See the trains",
        "Discard Steal Car without effect",
        "Keep Steal Car",
    ]
    assert room.anybody.say(jane, "discarded", card="wild").status_code == 204
    events = [entry.event for entry in room.table.snapshot().entries]
    assert events[-1] == ev.Discarded(Seat(0), "wild")
    assert "pick-1" not in own(room)["holdings"]


def test_own_locomotives_are_seen_in_the_own_laying_phase_alone(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """After drawing, a seat sees its own locomotives with a swap for each; no other page shows a face."""
    lay_out(room, monkeypatch)
    faces = re.findall(r'<li class="loco open secret">(.*?)</li>', own(room)["holdings"], re.S)
    assert [read(face) for face in faces] == ["Box Car ⇄ change"] * 3
    shown = own(room)["holdings"]
    assert read(shown).count("your locomotive is Box Car. Which card of your hand takes its place?") == 3
    for page in (room.seats[1], room.host, room.page("watch")):
        assert not any("loco open" in text for text in regions(room.anybody.get(page).text).values())
    assert room.anybody.say(room.seats[0], "locomotive_exchanged", train=2, card="wild").status_code == 204
    faces = re.findall(r'<li class="loco open secret">(.*?)</li>', own(room)["holdings"], re.S)
    assert [read(face) for face in faces] == ["Box Car ⇄ change", "Wild ⇄ change", "Box Car ⇄ change"]
    lay_out(room, monkeypatch, phase="draw")
    assert "loco open" not in own(room)["holdings"]


# --- the end of a turn --------------------------------------------------------------------------------


def test_the_hand_limit_is_said_before_the_discard(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """With too many cards the page asks to lay more and offers no discard; otherwise it says how many cards remain."""
    lay_out(room, monkeypatch, held={0: "hopper box_car flat_car gondola reefer log_car stock_car"})
    shown = own(room)
    assert "Lay one more card before you discard." in read(shown["status"])
    assert "You would keep 6 cards, and 5 are allowed: lay more." in read(shown["actions"])
    assert "Discard" not in read(shown["actions"])
    assert room.anybody.say(room.seats[0], "train_begun", card="box_car", locomotive="hopper").status_code == 204
    shown = own(room)
    assert "If you discard now, you keep 4 cards. The most is 5." in read(shown["actions"])
    room.table.leave()
    lay_out(room, monkeypatch, held={0: "hopper box_car"})
    assert "If you discard now, you keep one card." in read(own(room)["actions"])


def test_the_list_of_going_out_says_what_is_missing(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each condition shows what is missing; if all four are met, the list is open and going out is offered."""
    lay_out(room, monkeypatch, held={0: "gondola box_car"}, trains={0: ("hopper hopper hopper hopper", "coach dome")})
    items = re.findall(r'<li class="(met)?">(.*?)</li>', own(room)["picks"], re.S)
    assert [(met, read(text)) for met, text in items] == [
        ("", "(a) a train of five cars and another one of four Longest trains: 4, 2"),
        ("", "(b) at least three cars in every train Too short: train 2"),
        ("", "(c) all cards laid, except the one to discard 1 card to lay"),
        ("met", "(d) a card to discard"),
    ]
    shared = regions(room.anybody.get(room.seats[1]).text)["play"]
    assert "Can Jane go out and end the hand?" in shared
    assert re.findall(r'<li class="(met)?">(.*?)</li>', shared, re.S) == items
    both = ("hopper hopper hopper hopper hopper", "gondola gondola gondola gondola")
    lay_out(room, monkeypatch, held={0: "box_car"}, trains={0: both})
    actions, picks = own(room)["actions"], own(room)["picks"]
    assert re.findall(r'<li class="(met)?">', picks) == ["met"] * 4
    assert "You can go out: discard your last card." in read(own(room)["status"])
    assert 'data-fold="going-out" open' in picks
    assert "Discard Box Car and go out" in read(actions) and "Tap the card" not in read(actions)


def test_the_first_turn_is_flagged(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page says that nobody can go out in the first turn, and does not list the missing conditions."""
    lay_out(room, monkeypatch, first=True)
    shown = own(room)
    assert "Jane's first turn: no going out, no disaster, no turntable" in read(shown["status"])
    assert "Can you go out" not in read(shown["actions"])


def test_a_question_to_the_partner_says_who_waits_for_whom(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """The asking seat can withdraw, the partner can answer, and everybody else reads for whose answer the table
    waits."""
    state = laid({0: "gondola", 2: "hopper"}, {0: ("hopper hopper hopper",)}, players=4)
    monkeypatch.setattr(type(RULES), "begin", lambda *_: state)
    any_game.lay(room, RULES.name, 4)
    jane, bill, tom, _ = room.seats
    assert room.anybody.say(jane, "partner_asked").status_code == 204
    said = [re.findall(r"<h1.*?</h1>", own(room, seat)["status"], re.S)[0] for seat in range(3)]
    assert [read(text) for text in said] == [
        *["Tom: may Jane go out?"] * 2,
        'Jane asks: "Partner, may I go out?"',
    ]
    assert [read(own(room, seat)["actions"]) for seat in range(3)] == [
        "Your move Withdraw the question",
        "",
        "Your move Yes No",
    ]
    assert room.anybody.say(bill, "partner_forbade").status_code == 409
    assert room.anybody.say(tom, "partner_forbade").status_code == 204
    assert "Your partner said no: you cannot go out this turn." in read(own(room)["picks"])


LACKING = re.compile(r"\b(ui|moment|card|choice|refusal|missing|pick)\.[a-zA-Z]")


# --- between hands, and before the first one -----------------------------------------------------------


def test_a_seat_sees_its_partners_hand_size_and_its_own_points(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """A seat's page shows the number of cards in the partner's hand and the points of their own trains so far."""
    state = laid({0: "hopper", 1: "reefer", 2: "coach coach"}, {0: ("hopper hopper hopper",)}, players=4)
    monkeypatch.setattr(type(RULES), "begin", lambda *_: state)
    any_game.lay(room, RULES.name, 4)
    assert "You play with Tom. Tom: 2 cards in hand" in read(own(room)["holdings"])
    assert "Your team's trains + 3 points on the table" in read(own(room)["holdings"])


def test_points_count_once_after_a_hand(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a hand its trains stay until the next deal, but their points are already in the totals."""
    trains = {0: ("hopper hopper hopper hopper hopper", "reefer reefer reefer reefer")}
    lay_out(room, monkeypatch, held={0: "gondola", 1: "reefer"}, trains=trains)
    assert "38 points + 17 points on the table" in read(own(room, 1)["seats"])
    assert room.table.propose(ev.WentOut(Seat(0), "gondola"), Actor.TABLE).accepted
    shown = own(room, 1)
    assert "65 points" in read(shown["seats"]) and "on the table" not in read(shown["seats"])
    assert "on the table" not in read(own(room)["holdings"])


def test_real_cards_drawn_for_the_deal_are_entered_by_name(room: Room) -> None:
    """The heading above the cards names the person who draws."""
    any_game.lay(room, RULES.name, 2, "ours")
    assert read(regions(room.anybody.get(room.host).text)["turnup"]).startswith(
        "Tap what was seen Jane Choose 1: Auto Carrier "
    )
    assert room.table.propose(ev.DealerCardDrawn(Seat(0), "hopper"), Actor.TABLE).accepted
    assert read(own(room)["turnup"]).startswith("Tap what was seen Choose 1: Auto Carrier ")


@pytest.mark.parametrize("first", [True, False])
def test_only_a_first_turn_is_a_misdeal(room: Room, monkeypatch: pytest.MonkeyPatch, first: bool) -> None:
    """Later in a game a player may keep real cards that cannot be laid if all agree, and the pages say so."""
    state = begun(2, "ours")
    for seat in (Seat(0), Seat(1)):
        state = after(state, ev.DealerCardDrawn(seat, ("hopper", "wild")[seat]))
    state = after(state, ev.PileDrawn(Seat(1)))
    state = replace(state, table=replace(state.table, started=(not first,) * 2))
    monkeypatch.setattr(type(RULES), "begin", lambda *_: state)
    any_game.lay(room, RULES.name, 2, "ours")
    called = "It is a misdeal" if first else "I cannot lay more: may I keep these cards?"
    assert called in read(own(room, 1)["actions"])
    assert room.table.propose(ev.MisdealCalled(Seat(1)), Actor.at_seat(1)).accepted
    asked = "Do you agree that it is a misdeal?" if first else "May Bill keep more cards this turn?"
    assert asked in read(own(room)["status"])


def test_nobody_is_told_to_take_a_discard_that_is_not_there(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the first discard the sign asks to draw from the pile."""
    lay_out(room, monkeypatch, phase="draw", discard="")
    assert "Draw two cards from the pile." in read(own(room)["status"])


@pytest.mark.parametrize("deck", ["dealt", "ours"])
def test_every_moment_has_its_pages_in_both_languages(room: Room, deck: str) -> None:
    """In a random match of four with partners, no viewer's page lacks a word."""
    any_game.lay(room, RULES.name, 4, deck)
    luck = random.Random(4)
    visitors = [room.visitor(lang) for lang in LANGUAGES]
    pages = (room.page("watch"), room.host, room.seats[0])
    for step in range(60):
        state = room.table.snapshot().state
        assert state is not None
        offers = legal(RULES, state)
        offer = offers[int(luck.random() * len(offers))]
        by = Actor.TABLE if offer.by is None else Actor.at_seat(offer.by)
        assert room.table.propose(offer.pick(luck.random), by).accepted
        for visitor in visitors if step % 6 == 0 else ():
            for page in pages:
                shown = regions(visitor.get(page).text)
                assert [name for name, text in shown.items() if LACKING.search(read(text))] == []


def test_set_up_asks_how_cars_count(room: Room) -> None:
    """The choice is open, says that sources disagree, and counts each car unless people choose otherwise."""
    asked = room.anybody.read(room.lobby(RULES.name))
    assert "Sources disagree." in asked
    chosen = re.search(
        r'<select[^>]*name="scoring".*?</select>|<input[^>]*name="scoring"[^>]*checked[^>]*>', asked, re.S
    )
    assert chosen is not None, asked[-3000:]
    assert re.search(r'value="sum"[^>]*(selected|checked)|checked[^>]*value="sum"', chosen[0])


def test_the_sign_announces_the_last_round(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every page counts down the turns of the last round, and a new match uses today's rulings."""
    lay_out(room, monkeypatch, held={0: "reefer", 1: "coach"}, trains={}, pile=0)
    setup = room.table.snapshot().setup
    assert setup is not None and setup.rulings == RULES.rulings
    assert "The pile is empty" not in read(own(room)["status"])
    assert room.anybody.say(room.seats[0], "discarded", card="reefer").status_code == 204
    for seat in (0, 1):
        assert "Last round: the hand ends if 2 more players lay nothing" in read(own(room, seat)["status"])
    for name, fields in (("discard_taken", {"card": "reefer"}), ("discarded", {"card": "reefer"})):
        assert room.anybody.say(room.seats[1], name, **fields).status_code == 204
    assert "the hand ends if one more player lays nothing" in read(own(room)["status"])
