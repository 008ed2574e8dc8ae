"""Every form leads to a page that can be opened again, so that Back sends nothing a second time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

import web
from companion.hall import entries as e
from tests.support.web import any_game, tournaments
from tests.support.web.hall_pages import HallPages
from tests.support.web.updates import lay_machine, package_form
from tests.support.web.visitors import HOST_PIN, Room
from web.hall.tournament_facts import seating_mark
from web.plugins.demonstration.beside import Demonstration

TEMPLATES = Path(web.__file__).parent / "templates"
FORM = re.compile(r"<form\b(?:[^>{]|\{\{.*?\}\}|\{%.*?%\}|\{)*>")
ACTION = re.compile(r'action="((?:\{\{.*?\}\}|[^"])+)"')
BUTTON = re.compile(rf"form{ACTION.pattern}")
SCRIPTED = frozenset(
    {
        "advice", "again", "ask", "board", "bot", "calibrate", "call", "cancel", "consent", "correct", "draw", "drive",
        "free", "hide", "join", "knock", "laying", "leave", "name", "outline", "pace", "pause", "phone", "places",
        "press", "propose", "redo", "rename", "right", "sight", "takeback", "tokens", "undo", "watch", "withdraw",
    }
)  # fmt: skip
"""Requests of a live page's own script, by the last part of their address. Their answers are no pages."""
CAMERA = ("enrolment.act", "enrolment.act_tokens")
"""Forms that need a camera; their own tests check where they lead."""
NO_FORMS = ("setup.begin", "handed.set_pin")
"""A program sends one; the other is refused, because only a seat's own device sets its PIN."""
Walk = Callable[[Any], tuple[str, str, dict[str, Any]]]
"""Prepares a form: its page, its address, and its input."""


def posted(app: Flask) -> dict[str, str]:
    """Return every address that accepts posts, by endpoint."""
    return {rule.endpoint: rule.rule for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())}


def plain_forms(folder: str) -> set[str]:
    """Return the targets of plain forms in a folder's templates, with a star for filled-in parts."""
    found: set[str] = set()
    for file in (TEMPLATES / folder).glob("*.html") if folder else TEMPLATES.rglob("*.html"):
        if not folder and "hall" in file.relative_to(TEMPLATES).parts[:-1]:
            continue
        text = file.read_text(encoding="utf-8")
        forms = [each for each in FORM.findall(text) if 'method="post"' in each]
        found |= {action[1] for each in forms if (action := ACTION.search(each)) is not None}
        found |= set(BUTTON.findall(text))
    return {re.sub(r"\{\{.*?\}\}", "*", each).partition("#")[0] for each in found}


def fits(action: str, rule: str) -> bool:
    """Whether a form's address matches a rule; a relative one is below a live page, or the page of set-up."""
    pattern = re.escape(re.sub(r"<[^>]*>", "*", rule)).replace(r"\*", "[^/]+")
    where = (
        [action]
        if action.startswith("/")
        else [f"{page}{action}" for page in ("/h/*/", "/t/*/", "/l/*/", "/s/*/", "/setup/")]
    )
    return any(re.fullmatch(pattern, each) for each in where)


def line_to_amend(room: Room, *cards: str, **more: str) -> tuple[str, str, dict[str, Any]]:
    """Return the form for amending which locomotives turned up in another game; `cards` come after the first."""
    again(room)
    room.set_up(deck="ours")
    room.join_all()
    room.begin("pass")
    up = ["steam-1", "diesel-1", "electric-1"]
    assert room.anybody.say(room.page("tablet"), "locos_revealed", cards=up).status_code == 204
    form = {"line": "3", "cards": ["steam-2", *(cards or up[1:])]}
    return f"{room.host}amend?line=3", f"{room.host}amend", form | more


def box(room: Room, path: str) -> tuple[str, str, dict[str, Any]]:
    """Return the filled-in list of the cards in a box."""
    form = {"number": [str(n) for n in range(1, 40)], "value": ["3/0"] * 39, "game": "trains"}
    return path, path, form


def again(room: Room) -> None:
    """Take the game off the table: another one may be set up."""
    room.table.leave()
    room.context.new_match()


def resumed(room: Room) -> tuple[str, str, dict[str, Any]]:
    """Return the form that puts the unfinished game on the table again."""
    match = room.table.snapshot().match_id
    again(room)
    return "/past/", f"/past/{match}/resume", {"pin": HOST_PIN}


def in_lobby(room: Room, action: str, guest: str = "", **form: str) -> tuple[str, str, dict[str, Any]]:
    """Return a form of the lobby's host, or of a guest who has joined with the same browser."""
    again(room)
    page = room.lobby("trains", ["Jane", "Bill"])
    if guest:
        lobby = room.context.lobby.waiting
        assert lobby is not None
        page = room.anybody.submit("/join", {"room": lobby.room, "name": "Tom"}, "/join").headers["Location"]
    return page, f"{page}{action}", dict(form)


TABLE: dict[str, dict[str, Walk]] = {
    "join.enter": {
        "room": lambda room: ("/join", "/join", {"room": room.pin}),
        "room, with a seat in mind": lambda room: ("/join", "/join", {"room": room.pin, "chosen": "1"}),
        "seat": lambda room: ("/join", "/join", {"room": room.pin, "seat": "0", "pin": "1110"}),
    },
    "join.watch": {"": lambda room: ("/join", "/watch", {"room": room.pin})},
    "join.tablet": {"": lambda room: ("/join", "/tablet", {"room": room.pin})},
    "join.host_enter": {"": lambda room: ("/join", "/host", {"pin": HOST_PIN})},
    "knock.knock": {"": lambda room: ("/join", "/knock", {"seat": "1", "name": "Ann"})},
    "start.preferences": {"": lambda room: ("/", "/preferences", {"lang": "fr", "back": "/past/"})},
    "lobby_door.open_lobby": {"": lambda room: (again(room), ("/", "/lobby", {"game": "trains"}))[1]},
    "lobby_door.close_left_lobby": {"": lambda room: (again(room), ("/", "/lobby/close", {}))[1]},
    "lobby.change_looks": {"": lambda room: in_lobby(room, "looks", name="Ann", colour="black", face="cat", guest="1")},
    "lobby.leave": {"": lambda room: in_lobby(room, "quit", guest="1")},
    "lobby_host.close": {"": lambda room: in_lobby(room, "close")},
    "lobby_host.add": {"": lambda room: in_lobby(room, "add", name="Ann", device="tablet")},
    "lobby_host.move": {"": lambda room: in_lobby(room, "move", number="1", place="1")},
    "lobby_host.remove": {"": lambda room: in_lobby(room, "remove", number="1")},
    "lobby_host.last": {"": lambda room: in_lobby(room, "last")},
    "lobby_host.choose": {
        "kept": lambda room: in_lobby(room, "choices", deck="ours"),
        "drawn cards": lambda room: in_lobby(room, "choices", draw="kingdom"),
    },
    "lobby_host.start": {"": lambda room: in_lobby(room, "start", deck="dealt")},
    "seat.set_pin": {"": lambda room: (room.seats[0], f"{room.seats[0]}pin", {"pin": "4321"})},
    "host.set_pin": {"": lambda room: (room.host, f"{room.host}pin", {"pin": "975310"})},
    "setup_collection.setup_save": {"": lambda room: (again(room), box(room, "/setup/cards?game=trains"))[1]},
    "collection.save": {"": lambda room: (any_game.lay(room, "trains"), box(room, f"{room.host}cards"))[1]},
    "past.resume": {"": resumed},
    "host.tablet": {"": lambda room: (room.host, f"{room.host}tablet", {})},
    "host.undo": {"": lambda room: (f"{room.host}log", f"{room.host}undo", {"line": "1"})},
    "host.amend": {"tried": line_to_amend, "done": lambda room: line_to_amend(room, sure="1")},
    "table.take": {"": lambda room: (f"{room.page('tablet')}hand", "hand", {"seat": "0", "pin": "1110"})},
    "check.switch": {"": lambda room: (f"{room.host}power", f"{room.host}power", {"what": "restart"})},
    "update.leave": {"": lambda room: (f"{room.host}update", f"{room.host}update-leave", {})},
    "update.bring": {"": lambda room: (again(room), (f"{room.host}update", f"{room.host}update", package_form()))[1]},
    "demonstration.begin": {"": lambda room: ("/past/", "/demonstration/", {"game": "trains", "players": "3"})},
}
"""A valid form, or several, for each address of a table's pages that accepts plain forms."""


class Process(Demonstration):
    """A demonstration and a machine without side effects."""

    running = False  # type: ignore[assignment]

    def __init__(self) -> None:
        """Open nothing."""

    def up(self) -> bool:
        """Return False: it never comes."""
        return False

    def close(self) -> None:
        """Leave nothing behind."""

    def start(self, game: str, players: int) -> None:
        """Start nothing."""

    def go(self, what: str, by: str) -> bool:
        """Switch nothing off."""
        return True


@pytest.fixture
def begun(game: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Room:
    """A game after some events, on a machine that is never switched off or updated."""
    lay_machine(tmp_path, monkeypatch)
    game.begin()
    game.context.shutdown.go = Process().go  # type: ignore[method-assign]
    return game


def test_no_form_of_a_table_is_forgotten(room: Room) -> None:
    """Every post of a table's pages comes from a script or is covered here."""
    rules = posted(room.app)
    forms = plain_forms("")
    sent = {end for end, rule in rules.items() if any(fits(action, rule) for action in forms)}
    assert [action for action in forms if not any(fits(action, rule) for rule in rules.values())] == []
    assert sent == {*TABLE, *CAMERA}
    left = {end: rule for end, rule in rules.items() if end not in (*sent, *NO_FORMS)}
    assert {end: rule for end, rule in left.items() if rule.rpartition("/")[2] not in SCRIPTED} == {}


def leads_on(answer: TestResponse, read: Callable[[str], TestResponse], at: str, secrets: set[str]) -> None:
    """Check that an answer leads to a page that can be opened twice, at an address without a PIN."""
    assert answer.status_code == 303, answer.text
    where = answer.headers["Location"]
    where = where if where.startswith("/") else at[: at.rfind("/") + 1] + where.removeprefix("./")
    assert not [secret for secret in secrets if secret in where]
    assert [read(where).status_code for _ in range(2)] in ([200, 200], [303, 303]), where


@pytest.mark.parametrize(("end", "case"), [(end, case) for end, cases in TABLE.items() for case in cases])
def test_a_form_of_a_table_leads_on(begun: Room, end: str, case: str) -> None:
    """An accepted plain form leads to another page, which can be opened repeatedly."""
    begun.app.extensions["demonstration"] = Process() if end == "demonstration.begin" else None
    page, path, form = TABLE[end][case](begun)
    path = path if path.startswith("/") else page[: page.rfind("/") + 1] + path
    answer = begun.anybody.submit(path, form, page)
    leads_on(answer, begun.anybody.get, path, {begun.pin, HOST_PIN, "1110"})


def test_what_a_script_sends_leads_on_without_it(begun: Room) -> None:
    """A live page's form sent without its script leads back to that page, from any address."""
    for path, form in (("pause", {"on": "1"}), ("pause", {"on": "0"}), ("redo", {}), ("bot", {"seat": "0"})):
        answer = begun.anybody.submit(begun.host + path, form, begun.host)
        if answer.status_code < 400:
            assert (answer.status_code, answer.headers["Location"]) == (303, begun.host)


REFUSED: dict[str, Callable[[Room], tuple[str, dict[str, Any], list[str]]]] = {
    "room": lambda room: ("/join", {"room": "000000", "chosen": "2"}, ['name="chosen" value="2"']),
    "watch": lambda room: ("/watch", {"room": "000000"}, ['action="/join"']),
    "seat": lambda room: ("/join", {"room": room.pin, "seat": "1", "pin": "9999"}, ['value="1" required checked']),
    "host": lambda room: ("/host", {"pin": "9999"}, ['action="/host"']),
    "resume": lambda room: (resumed(room)[1], {"pin": "9999"}, ["/resume"]),
    "lobby": lambda room: (
        *in_lobby(room, "start", deck="ours", draw_kingdom="no", kingdom="moon")[1:],
        ["/rules/trains/"],
    ),
    "amend": lambda room: (*line_to_amend(room, "steam-2", "diesel-2")[1:], ['value="diesel-2" selected']),
}
"""Refused forms: their address, their input, and what must be shown again."""


@pytest.mark.parametrize("case", REFUSED)
def test_a_refused_form_comes_back(begun: Room, case: str) -> None:
    """The form keeps its input except PINs; its answer gets an address that can be opened."""
    path, form, kept = REFUSED[case](begun)
    page = path[: path.rfind("/") + 1] if path.startswith("/l/") else "/"
    answer = begun.anybody.submit(path, form, begun.host if path.startswith(begun.host) else page)
    assert answer.status_code in (403, 409, 422)
    assert [each for each in kept if each not in answer.text] == []
    assert "9999" not in answer.text and begun.pin not in answer.text
    found = re.search(r'<meta name="posted" content="([^"]+)">', answer.text)
    back = re.search(r'name="back" value="([^"]+)"', answer.text)
    assert found is not None and back is not None and back[1] == found[1]
    urls = begun.app.url_map.bind("")
    urls.match(found[1].partition("?")[0], "GET")


# --- a hall ---------------------------------------------------------------------------------------


def seated(pages: HallPages) -> None:
    """Plan a tournament and seat its first round."""
    tournaments.begin(pages, "Ann", "Ben", "Cleo", "Dan")
    tournaments.seat(pages, (1, 2), (3, 4))


def undone(pages: HallPages, path: str) -> tuple[str, dict[str, Any]]:
    """Return the second press that takes an entry back, with its page's consequences."""
    tournaments.begin(pages, "Ann")
    return path, tournaments.choices(pages.browser().get(f"{path}?entry={pages.hall.state.number}"))


def listed(pages: HallPages) -> tuple[str, dict[str, Any]]:
    """Return the second press that enters a list, with its page's preview."""
    tournaments.begin(pages, "Ann")
    return "/tournament/players", tournaments.choices(tournaments.look(pages.browser(), names="Ben"))


def swapped(pages: HallPages) -> tuple[str, dict[str, Any]]:
    """Return the form in which two players change places."""
    seated(pages)
    current = pages.hall.state.round
    assert current is not None
    return "/tournament/hand/swap", {"shown": seating_mark(current), "player": ["1", "3"]}


HALL: dict[str, Callable[[HallPages], tuple[str, dict[str, Any]]]] = {
    "doors.enter": lambda pages: ("/enter", {"password": "any", "next": "/judge"}),
    "doors.leave": lambda pages: ("/leave", {}),
    "doors.preferences": lambda pages: ("/preferences", {"lang": "fr", "back": "/judge"}),
    "judge.name": lambda pages: ("/judge/name", {"name": "Ann"}),
    "organiser.code": lambda pages: ("/organiser/code", {}),
    "organiser.make_codes": lambda pages: ("/organiser/codes", {"first": "1", "last": "3"}),
    "organiser.names": lambda pages: ("/organiser/names", {"how": "initials"}),
    "organiser.advice": lambda pages: ("/organiser/advice", {"allowed": "yes"}),
    "tournament.save_plan": lambda pages: (
        "/tournament/plan",
        {"name": "Open", "rounds": "3", "method": "swiss", "sizes": ["3", "4"], "preferred": "4"},
    ),
    "tournament.keep_apart": lambda pages: (
        tournaments.begin(pages, "Ann", "Ben"),
        ("/tournament/apart", {"one": "Ann", "other": "Ben"}),
    )[1],
    "tournament.close": lambda pages: (
        tournaments.begin(pages, "Ann"),
        ("/tournament/close", {"sure": "1", "also": "1"}),
    )[1],
    "tournament.hand.change": swapped,
    "phone.say_result": lambda pages: (
        seated(pages),
        ("/p/1/result", {"round": "1", "player": ["1", "2"], "place": ["1", "2"]}),
    )[1],
    "tournament.players.enter": listed,
    "tournament.players.change_player": lambda pages: (
        tournaments.begin(pages, "Ann"),
        ("/tournament/players/1/name", {"name": "Ben"}),
    )[1],
    "decisions.undo": lambda pages: undone(pages, "/organiser/undo"),
    "decisions.tournament_undo": lambda pages: undone(pages, "/tournament/undo"),
    "tournament.rounds.seat": lambda pages: (
        tournaments.begin(pages, "Ann", "Ben", "Cleo"),
        ("/tournament/seat", {"round": "1"}),
    )[1],
    "tournament.rounds.call_round": lambda pages: (
        seated(pages),
        ("/tournament/call", {"round": "1", "minutes": "5"}),
    )[1],
    "tournament.rounds.type_result": lambda pages: (
        seated(pages),
        ("/tournament/round/1/table/1", {"player": ["1", "2"], "place": ["1", "2"], "score": ["9", "3"]}),
    )[1],
    "tournament.rounds.seat_again": lambda pages: (
        seated(pages),
        pages.hall.record("organiser", e.RoundCalled(1, 5)),
        ("/tournament/seat-again", {"round": "1", "entry": str(pages.hall.state.number)}),
    )[2],
    "decisions.decide": lambda pages: (
        seated(pages),
        ("/tournament/result/drop", {"result": tournaments.reported(pages, "Ann", "Cleo", places=(1, 2))}),
    )[1],
    "tournament.rounds.presence": lambda pages: (
        seated(pages),
        ("/tournament/round/1/absent", {"player": "1", "table": "1", "sure": "1"}),
    )[1],
}
"""A valid form for each address of a hall's pages; those that only answer `back_to` are in `BY_BACK_TO`."""
BY_BACK_TO = {
    "judge.take", "judge.close", "judge.result", "judge.announce", "judge.add_minutes", "judge.judge_said",
    "organiser.admit", "organiser.refuse", "organiser.number", "organiser.remove", "organiser.forget",
    "organiser.make_code_again", "organiser.admit_numbered",
}  # fmt: skip
"""Forms of tables, calls, results and the desk, which answer like others on their pages; their own tests send them."""
TO_TABLES = {"doors.join"}
"""Posts from tables, not people."""


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[HallPages]:
    """A hall without passwords."""
    found = HallPages(tmp_path)
    yield found
    found.close()


def test_no_form_of_a_hall_is_forgotten(hall: HallPages) -> None:
    """Every address of a hall that accepts posts is known here, and every form's address is one of them."""
    rules = posted(hall.app)
    assert set(rules) == {*HALL, *BY_BACK_TO, *TO_TABLES}
    urls = hall.app.url_map.bind("")
    for action in plain_forms("hall") - {"*"}:
        urls.match(action.replace("players/*/*", "players/1/left").replace("*", "1"), "POST")


@pytest.mark.parametrize("end", HALL)
def test_a_form_of_a_hall_leads_on(hall: HallPages, end: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An accepted form leads to another page, which can be opened repeatedly."""
    monkeypatch.setattr(hall.context.access, "role_of", lambda password: "organiser")
    browser = hall.browser(secure=True)  # only there is an organiser's password accepted
    path, form = HALL[end](hall)
    answer = tournaments.send(browser, path, **form)
    leads_on(answer, browser.get, path, {"any"})


def test_a_refused_name_of_a_judge_comes_back(hall: HallPages) -> None:
    """The form shows the reason and its input, at the address of the judges' page."""
    answer = tournaments.send(hall.browser(), "/judge/name", name="Ann\u202eB")
    assert answer.status_code == 422 and 'name="name" value="Ann' in answer.text
    assert '<meta name="posted" content="/judge">' in answer.text
