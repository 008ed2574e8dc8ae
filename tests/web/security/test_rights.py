"""Test permissions: every kind of token on every route of the application.

A new route fails until it is listed here. A wrong token gets the same answer as an unknown one: there is no such page.
"""

from __future__ import annotations

import itertools
import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from companion.match.actor import Actor
from tests.support.web.visitors import Room, said
from web.app import STATIC
from web.security.access import Viewer, digest
from web.security.csrf import HEADERS, scope_mark
from web.words import words

EVERYBODY = {
    "joined.static", "shared.stream", "device.manifest", "device.worker", "device.offline",
    "start.page", "start.health", "start.preferences", "static", "setup.page", "setup.begin", "start.now", "start.code",
    "lobby_door.open_lobby", "lobby_door.close_left_lobby",
    "hall_door.entrance", "hall_door.join_before", "hall_door.cancel_before",
    "setup_collection.setup_page", "setup_collection.setup_save", "join.ask", "join.enter", "join.seats",
    "join.host", "join.host_enter", "join.tablet", "join.watch", "past.page", "past.game", "past.text", "past.resume",
    "report.as_csv", "report.as_picture", "report.as_json", "report.replay", "report.step", "report.records",
    "knock.knock", "knock.wait",
    *(f"{folder}.static" for folder in STATIC), "machine.machine", "demonstration.begin", "demonstration.waiting",
    "prints.page", "prints.deck", "prints.tokens", "prints.mat", "prints.board", "prints.cards", "prints.dividers",
    "prints.choose", "prints.coasters", "rules.page",
}  # fmt: skip
"""Routes without a token. PINs and forms protect them, as their own tests show."""
CAMERA = {"page", "calibrate", "picture", "live", "name", "places", "watch"}
BOX_BOARD = {"outline", "save"}
PHONE = {"page", "hand_in"}
CARD_TABLE = {"page", "act", "board", "laid_cards"}
CALLS = {"call", "withdraw"}
SEAT = {
    "page", "clock", "match", "consent", "correct", "draw", "hide", "press", "propose", "set_pin", "stream",
    "take_back",
}  # fmt: skip
LOBBY = {
    *(f"lobby.{name}" for name in ("page", "now", "code", "change_looks", "leave")),
    *(f"lobby_host.{name}" for name in ("add", "choose", "close", "last", "move", "remove", "start")),
}
"""Routes for tokens of the lobby, which `test_lobby` tests."""
RIGHTS = {
    "everybody": EVERYBODY,
    "lobby": LOBBY,
    "host": {
        *(f"host.{name}" for name in (
            "page", "amending", "amend", "amended", "ask", "bot", "clock", "draw", "free", "leave", "whole_log", "pace",
            "pause", "propose", "code", "redo", "knock", "match", "rename", "set_pin", "stream", "tablet", "undo",
        )),
        "pins_panel.page", "pins_panel.former", "pins_panel.drive",
        "check.page", "check.asking", "check.switch", "sight.answer",
        *(f"update.{name}" for name in ("page", "now", "bring", "leave")),
        "collection.page", "collection.save", "again.begin", "now_host.now", "now_host.recent",
        *(f"enrolment.{name}" for name in ("page", "act", "report", "tokens", "act_tokens", "tokens_report")),
        "decks.export", "decks.picture",
        *(f"camera.{name}" for name in CAMERA), *(f"box_board.{name}" for name in BOX_BOARD),
        *(f"phone_camera.{name}" for name in PHONE),
        *(f"card_table.{name}" for name in CARD_TABLE), "token_laying.lay",
        *(f"hall_link.{name}" for name in ("join", "cancel", "leave")), "advice_host.allow",
    },
    "tablet": {
        *(f"table.{name}" for name in ("page", "clock", "match", "draw", "hand", "take", "propose", "code", "stream")),
        *(f"table_camera.{name}" for name in CAMERA), *(f"table_box_board.{name}" for name in BOX_BOARD),
        *(f"table_phone_camera.{name}" for name in PHONE),
        *(f"table_card_table.{name}" for name in CARD_TABLE), "table_token_laying.lay",
        "sight_table.answer", "table_again.begin", "now_table.now", "now_table.recent",
        *(f"hall_table.{name}" for name in CALLS),
    },
    "watch": {"watch.match", "watch.page", "watch.clock", "watch.stream"},
    "seat": {
        *(f"seat.{name}" for name in SEAT), "sight_seat.answer", "now.now", "now.recent",
        *(f"hall_seat.{name}" for name in CALLS), "hall_result_seat.say", "advice.ask",
    },
    "handed": {
        *(f"handed.{name}" for name in SEAT), "sight_handed.answer", *(f"hall_handed.{name}" for name in CALLS),
        "hall_result_handed.say", "advice_handed.ask",
    },
}  # fmt: skip
"""Maps every endpoint to the kind of token that opens it."""
KIND_OF = {endpoint: kind for kind, endpoints in RIGHTS.items() for endpoint in endpoints}
OPEN = ("everybody", "lobby")
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
OPENED = {"host": "host.page", "tablet": "table.page", "watch": "watch.page", "seat": "seat.page",
          "handed": "handed.page"}  # fmt: skip
"""The page that shows that a token is valid."""


class RightsWorld:
    """A room with all its people, and with valid and invalid tokens of every kind."""

    def __init__(self, room: Room) -> None:
        self.room = room
        room.set_up(2)
        room.seats = [room.join(0).headers["Location"]]
        old = room.table.snapshot().match_id
        self.bad = {"of another match, the host's": last(room.host), "of another match, a seat's": last(room.seats[0])}
        room.table.leave()
        room.context.new_match()
        room.set_up()
        assert room.table.snapshot().match_id != old
        room.join_all()
        tablet = last(room.page("tablet"))
        other = last(room.page("tablet"))
        admit, match = room.context.access.admit, room.table.snapshot().match_id
        handed = admit(Viewer("seat", match, 1, digest(tablet)))
        gone = admit(Viewer("seat", match, 2, digest(tablet)))
        room.context.access.dismiss(gone, match)
        expired = last(room.join(2, "1112").headers["Location"])
        room.seats[2] = room.join(2, "1112").headers["Location"]  # a seat has one device, so the previous one has ended
        self.tablet = tablet
        self.tokens = {"host": last(room.host), "tablet": tablet, "watch": last(room.page("watch")), "handed": handed}
        self.tokens["tablet 2"] = other
        self.tokens |= {f"seat {n}": last(page) for n, page in enumerate(room.seats)}
        self.bad |= {"nobody's": "x" * 43, "empty": "-", "expired, a seat's": expired, "expired, handed": gone,
                     "a digest": digest(last(room.host))}  # fmt: skip
        self.rules = [rule for rule in room.app.url_map.iter_rules() if KIND_OF.get(rule.endpoint) not in OPEN]

    def path(self, rule: Rule, token: str, tablet: str = "") -> str:
        """Return a rule's address that contains a token."""
        values = {"token": token, "tablet": tablet or self.tablet, "name": "x.jpg", "match": "1"}
        built = self.room.app.url_map.bind("localhost").build(
            rule.endpoint,
            {name: values[name] for name in rule.arguments},
            method=next(iter(sorted(rule.methods or ()))),
        )
        return str(built)

    def csrf(self, token: str) -> str:
        """Return the form token that a page with this token would contain for this browser."""
        context, client = self.room.context, self.room.anybody.client
        cookie = client.get_cookie("visit")
        assert cookie is not None
        return str(context.forms.signer.dumps([cookie.value, scope_mark(token)]))

    def send(self, rule: Rule, token: str, tablet: str = "", method: str = "", **headers: str) -> TestResponse:
        """Request a rule's address as its own page does."""
        method = method or ("POST" if "POST" in (rule.methods or ()) else "GET")
        given = {"X-CSRF": self.csrf(token)} | headers
        path = self.path(rule, token, tablet)
        return self.room.anybody.client.open(path, method=method, headers=given, buffered=False)


def last(page: str) -> str:
    """Return the token of a page's address."""
    return page.strip("/").split("/")[-1]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RightsWorld]:
    """Yield one room for all tests, which must not change it."""
    with Room(tmp_path_factory.mktemp("rights")) as room:
        yield RightsWorld(room)


def fits(kind: str, name: str) -> bool:
    """Return whether a token of this name opens routes of this kind."""
    return name.split()[0] == kind


def test_every_route_has_its_place(world: RightsWorld) -> None:
    """Every route of the application is in the table of permissions, and every entry is a route."""
    there = {rule.endpoint for rule in world.room.app.url_map.iter_rules()}
    assert there - set(KIND_OF) == set() == set(KIND_OF) - there
    assert sum(map(len, RIGHTS.values())) == len(KIND_OF)


def test_nobody_gets_anything_but_their_own(world: RightsWorld) -> None:
    """A wrong token gets "no such page" on every route, and changes nothing."""
    count, refused = world.room.count, 0
    doors = world.room.table.read_value(f"web.doors.{world.room.table.snapshot().match_id}")
    for rule in world.rules:
        kind = KIND_OF[rule.endpoint]
        for name, token in itertools.chain(world.tokens.items(), world.bad.items()):
            if fits(kind, name):
                continue
            answer = world.send(rule, token)
            assert answer.status_code == 404, (rule.rule, name, answer.status_code)
            assert words("en")("error.gone") in said(answer), (rule.rule, name)
            refused += 1
    assert refused > 700
    snapshot = world.room.table.snapshot()
    assert (world.room.count, snapshot.paused) == (count, False)
    assert world.room.table.read_value(f"web.doors.{snapshot.match_id}") == doors
    assert world.room.context.shutdown.wish is None


def test_a_handed_seat_opens_on_its_own_tablet_alone(world: RightsWorld) -> None:
    """A handed-over seat opens only on its own tablet, and a seat's own token does not open on a tablet."""
    page = next(rule for rule in world.rules if rule.endpoint == "handed.page")
    handed = world.tokens["handed"]
    assert world.send(page, handed).status_code == 200
    for tablet in (world.tokens["tablet 2"], world.bad["nobody's"], world.tokens["host"], world.tokens["seat 1"]):
        assert world.send(page, handed, tablet).status_code == 404
    for n in range(3):
        assert world.send(page, world.tokens[f"seat {n}"]).status_code == 404


def test_the_tokens_that_fit_do_open(world: RightsWorld) -> None:
    """A right token opens its page, which names its viewer, so the comparison above can fail."""
    for name, token in world.tokens.items():
        kind = name.split()[0]
        rule = next(rule for rule in world.rules if rule.endpoint == OPENED[kind])
        assert world.send(rule, token).status_code == 200, name


def test_a_seat_acts_for_itself_alone(world: RightsWorld) -> None:
    """A seat's page cannot act for another seat, and other viewers cannot act for a seat."""
    room = world.room
    room.begin()
    for own, other in itertools.permutations(range(3), 2):
        for event, more in (("opened", {"price": "300"}), ("passed", {}), ("committed", {"amount": "300"}),
                            ("raised", {"to": "900"}), ("cash_corrected", {"to": "1"})):  # fmt: skip
            answer = room.anybody.say(room.seats[own], event, seat=other, **more)
            if answer.status_code == 204:
                entry = room.table.snapshot().entries[-1]
                assert (entry.by, entry.event.seat) == (Actor.at_seat(own), own)  # type: ignore[attr-defined]
            else:
                assert answer.status_code in (403, 409, 422), (own, other, event, answer.text)


# --- forms, methods, headers ----------------------------------------------------------------------


def posts(world: RightsWorld) -> Iterator[tuple[Rule, str]]:
    """Yield every route with side effects, and a token that opens it."""
    for rule in world.rules:
        if "POST" in (rule.methods or ()):
            kind = KIND_OF[rule.endpoint]
            yield rule, world.tokens["seat 0" if kind == "seat" else kind]


def test_no_form_is_heard_without_its_own_token(world: RightsWorld) -> None:
    """On every route a missing form token, another page's, another browser's and a cross-site one are refused."""
    room, count = world.room, world.room.count
    stranger = room.visitor()
    stranger.get("/")
    cookie = stranger.client.get_cookie("visit")
    assert cookie is not None
    for rule, token in posts(world):
        others = str(room.context.forms.signer.dumps([cookie.value, scope_mark(token)]))
        wrong: tuple[dict[str, Any], ...] = (
            {"X-CSRF": ""}, {"X-CSRF": "x"}, {"X-CSRF": world.csrf("")}, {"X-CSRF": world.csrf("x" * 43)},
            {"X-CSRF": others}, {"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"},
        )  # fmt: skip
        for headers in wrong:
            answer = world.send(rule, token, **headers)
            assert answer.status_code == 403, (rule.rule, headers, answer.status_code)
    assert room.count == count and room.context.shutdown.wish is None


def test_only_the_methods_that_a_route_has_are_answered(world: RightsWorld) -> None:
    """A route answers only its own methods, and others have no effect and reveal nothing."""
    count = world.room.count
    for rule in world.room.app.url_map.iter_rules():
        kind = KIND_OF[rule.endpoint]
        token = world.tokens.get("seat 0" if kind == "seat" else kind, "x")
        for method in METHODS:
            if method in (rule.methods or ()):
                continue
            values = {"token": token, "tablet": world.tablet, "name": "x.jpg", "match": "1", "filename": "img/icon.svg",
                      "game": "none", "players": "3", "paper": "a4", "board": "none", "cards": "none", "kind": "mat",
                      "lang": "en", "step": "0"}  # fmt: skip
            path = rule.rule
            for name in rule.arguments:
                path = re.sub(rf"<(?:\w+:)?{name}>", values[name], path)
            if any(path == other.rule and method in (other.methods or ()) for other in world.rules):
                continue
            shared = [r for r in world.room.app.url_map.iter_rules() if r.rule == rule.rule]
            if any(method in (each.methods or ()) for each in shared):
                continue
            answer = world.room.anybody.client.open(path, method=method, headers={"X-CSRF": world.csrf(token)})
            assert answer.status_code in (403, 404, 405), (method, rule.rule, answer.status_code)
    assert world.room.count == count


def test_every_answer_wears_its_headers(world: RightsWorld) -> None:
    """Pages, errors, pictures, texts and refusals have the headers, and browsers cache only static files."""
    room = world.room
    for rule in world.room.app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or "stream" in rule.endpoint:
            continue
        kind = KIND_OF[rule.endpoint]
        if kind in OPEN:
            path = rule.rule.replace("<path:filename>", "img/icon.svg").replace("<match>", "1")
            answer = room.anybody.get(path.replace("<token>", "x" * 43))
        else:
            answer = world.send(rule, world.tokens["seat 0" if kind == "seat" else kind], method="GET")
        assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS, rule.rule
        answer.close()
        if not rule.endpoint.endswith("static"):
            assert answer.headers["Cache-Control"] == "no-store", rule.rule


@pytest.mark.parametrize("path", ["/console", "/?__debugger__=yes&cmd=resource&f=style.css", "/debug", "/admin",
                                  "/?__debugger__=yes&cmd=printpin&s=x", "/static/../../app.py",
                                  "/static/%2e%2e/app.py", "/.env", "/static/"])  # fmt: skip
def test_there_is_no_debugger_and_no_way_out_of_the_static_files(room: Room, path: str) -> None:
    """Requests for a debugger or for a file outside the static folders get an ordinary page or none."""
    answer = room.anybody.get(path)
    assert room.app.debug is False
    assert "Werkzeug" not in answer.text and "Traceback" not in answer.text and "import" not in answer.text
    assert answer.status_code == 404 or path.startswith("/?")


def test_a_fault_of_ours_shows_no_more_than_a_sentence(
    world: RightsWorld, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """An internal error shows no traceback on the page and no token in the log."""

    def broken(*_: object) -> None:
        raise RuntimeError("hush")

    monkeypatch.setattr(world.room.context.hub, "page", broken)
    with caplog.at_level(logging.DEBUG):
        answer = world.room.anybody.get(world.room.host)
    assert answer.status_code == 500 and "hush" not in answer.text and "Traceback" not in answer.text
    assert words("en")("error.broken") in said(answer)
    assert "hush" in caplog.text and last(world.room.host) not in caplog.text
