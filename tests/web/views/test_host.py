"""Test the host's powers: undo with consent, redo, pause, corrections, counting money and bots."""

from __future__ import annotations

import pytest

from companion.games.take_a_train import events as ev
from companion.games.take_a_train.rules import RULES
from tests.support.web.visitors import Room, regions, said
from web.words import package, words


def banner_of(room: Room, page: str) -> str:
    """Return the content of the place above the sign, where questions appear."""
    return regions(room.anybody.read(page))["banner"]


def undo(room: Room, line: int) -> int:
    """Undo back to a line of the log as the host, and return the status code."""
    return room.anybody.tap(room.host, "undo", {"line": str(line)}).status_code


def test_undo_and_redo_where_nothing_was_turned_up(game: Room) -> None:
    """A move after which no card was turned up can be undone at once, and redone."""
    assert game.anybody.say(game.seats[0], "starter_named", seat=1).status_code == 204
    state = game.table.snapshot().state
    assert undo(game, 2) == 204
    assert game.table.snapshot().state != state
    assert game.anybody.tap(game.host, "redo").status_code == 204
    assert game.table.snapshot().state == state


def test_undo_past_something_turned_up_asks_every_seat(game: Room) -> None:
    """Every seat is asked on its own page; the last yes undoes the move, and a no ends the question."""
    game.begin()
    state = game.table.snapshot().state
    assert undo(game, 3) == 204
    assert game.table.snapshot().state == state
    for seat in game.seats:
        banner = banner_of(game, seat)
        assert words("en")("banner.undo_host") in banner and "banner mine" in banner
        assert words("en", package(RULES))("asked.undo_note") in banner
    assert game.anybody.tap(game.seats[0], "consent", {"yes": "1"}).status_code == 204
    names = [game.table.snapshot().setup.seated()[seat].name for seat in (1, 2)]  # type: ignore[union-attr]
    agreed, asking = banner_of(game, game.seats[0]), banner_of(game, game.host)
    assert words("en")("banner.agreed") in agreed and words("en")("banner.agree") not in agreed
    assert "<form" not in asking and all(name in banner for name in names for banner in (agreed, asking))
    assert game.anybody.tap(game.seats[0], "consent", {"yes": ""}).status_code == 204
    assert words("en")("banner.agree") in banner_of(game, game.seats[0])
    assert game.anybody.tap(game.seats[0], "consent", {"yes": "1"}).status_code == 204
    assert game.anybody.tap(game.seats[1], "consent", {"yes": "0"}).status_code == 204
    assert game.table.snapshot().undo is None and game.table.snapshot().state == state
    assert undo(game, 3) == 204
    for seat in game.seats:
        assert game.anybody.tap(seat, "consent", {"yes": "1"}).status_code == 204
    assert game.table.snapshot().state != state


def test_seats_that_nobody_has_object_to_nothing(game: Room) -> None:
    """A freed seat and a bot's seat are not asked."""
    game.begin()
    state = game.table.snapshot().state
    for seat in ("1", "2"):
        assert game.anybody.tap(game.host, "free", {"seat": seat}).status_code == 204
    assert undo(game, 3) == 204
    assert game.anybody.tap(game.seats[0], "consent", {"yes": "1"}).status_code == 204
    assert game.table.snapshot().state != state


@pytest.mark.parametrize("line", ["0", "99", "-1", "x", "", "²"])
def test_lines_that_are_not_there(game: Room, line: str) -> None:
    """A line that is not in the log is refused with a sentence."""
    answer = game.anybody.tap(game.host, "undo", {"line": line})
    assert (answer.status_code, said(answer)) == (422, words("en")("error.no_line"))


def test_a_pause_stops_everybody_but_the_host(game: Room) -> None:
    """During a pause the table accepts no move, and everybody can read the reason."""
    assert game.anybody.tap(game.host, "pause", {"on": "1"}).status_code == 204
    seat, host = banner_of(game, game.seats[0]), banner_of(game, game.host)
    assert words("en")("banner.paused") in seat and "<form" not in seat
    assert words("en")("host.go_on") in host
    answer = game.anybody.say(game.seats[0], "starter_named", seat=0)
    assert (answer.status_code, said(answer)) == (409, words("en")("refusal.R-00.paused"))
    assert game.anybody.tap(game.host, "pause", {"on": "0"}).status_code == 204
    assert game.anybody.say(game.seats[0], "starter_named", seat=0).status_code == 204


def test_money_is_counted_by_its_seat_alone(game: Room) -> None:
    """The host asks a seat to count, and no other page shows the seat's answer."""
    assert game.anybody.tap(game.seats[1], "correct", {"to": "4250"}).status_code == 409
    assert game.anybody.tap(game.host, "ask", {"seat": "1"}).status_code == 204
    assert words("en")("asked.cash") in game.anybody.read(game.seats[1])
    for amount, code in (("4,225", 409), ("abc", 422), ("-50", 409), ("4250", 204)):
        assert game.anybody.tap(game.seats[1], "correct", {"to": amount}).status_code == code
    assert "4,250" in regions(game.anybody.get(game.seats[1]).text)["holdings"]
    assert words("en")("asked.cash") not in game.anybody.read(game.seats[1])
    for page in (game.host, game.seats[0], game.page("watch")):
        assert "4,250" not in game.anybody.get(page).text
    state = game.table.snapshot().state
    assert state is not None and state.table.cash == (5000, 4250, 5000)


def test_a_misread_card_is_put_right_once_it_was_said_what_changes(room: Room) -> None:
    """The page first shows the consequences and then makes the change; a seat's decision cannot be changed like
    this."""
    room.set_up(deck="ours")
    room.join_all()
    room.begin("pass")
    cards = ["steam-1", "diesel-1", "electric-1"]
    assert room.anybody.say(room.page("tablet"), "locos_revealed", cards=cards).status_code == 204
    assert room.anybody.say(room.seats[0], "nominated", card="diesel-1").status_code == 204
    html = room.anybody.get(room.host + "amend?line=3").text
    assert html.count('<select name="cards"') == 3
    form = {"line": "3", "cards": ["steam-2", "diesel-1", "electric-1"]}
    before = room.count
    asked = room.anybody.follow(room.host + "amend", form, room.host)
    assert asked.status_code == 200 and 'name="sure" value="1"' in asked.text
    assert room.count == before
    assert room.anybody.get(room.host + "amended").headers["Location"] == "./"
    done = room.anybody.follow(room.host + "amend", form | {"sure": "1"}, room.host)
    assert done.status_code == 200 and words("en")("host.amended") in done.text
    assert room.table.snapshot().entries[2].event == ev.LocosRevealed(("steam-2", "diesel-1", "electric-1"))
    misfit = room.anybody.submit(
        room.host + "amend", {"line": "3", "cards": ["steam-2", "steam-3", "electric-1"]}, room.host
    )
    assert misfit.status_code == 409 and "Jane" in said(misfit)
    assert room.anybody.get(room.host + "amend?line=4").status_code == 409


@pytest.mark.parametrize(
    "cards", [["no-such", "diesel-1", "electric-1"], ["steam-1"], ["steam-1", "steam-1", "diesel-1"], []]
)
def test_what_cannot_be_put_right_is_said(room: Room, cards: list[str]) -> None:
    """Cards that cannot have turned up change nothing."""
    room.set_up(deck="ours")
    room.join_all()
    room.begin("pass")
    right = ["steam-1", "diesel-1", "electric-1"]
    assert room.anybody.say(room.page("tablet"), "locos_revealed", cards=right).status_code == 204
    before = room.count
    answer = room.anybody.submit(room.host + "amend", {"line": "3", "cards": cards, "sure": "1"}, room.host)
    assert answer.status_code in (303, 409, 422)
    assert room.table.snapshot().entries[2].event == ev.LocosRevealed(tuple(right))
    assert answer.status_code != 303 or room.count == before + 1


def test_a_bot_plays_only_where_nobody_sits(game: Room) -> None:
    """A bot takes a freed seat, every page says so, and it leaves when a person takes the seat."""
    taken = game.anybody.tap(game.host, "bot", {"seat": "1", "on": "1"})
    assert (taken.status_code, said(taken)) == (409, words("en")("refused.seat_taken", name="Bill"))
    assert game.anybody.tap(game.host, "free", {"seat": "1"}).status_code == 204
    assert game.anybody.tap(game.host, "bot", {"seat": "1", "on": "1"}).status_code == 204
    assert words("en")("people.bot", name="Bill") in game.anybody.get(game.seats[0]).text
    assert game.context.seating.bots is not None and game.context.seating.bots.seats == {1}
    game.restart()
    assert game.context.seating.bots is not None and game.context.seating.bots.seats == {1}
    assert game.join(1, "7777", game.visitor()).status_code == 303
    assert game.context.seating.bots.seats == frozenset()


def test_the_hosts_page_has_no_seats_secrets(game: Room) -> None:
    """The host usually plays too, so the page contains no seat's cash, purposes or moves."""
    game.begin()
    assert {"holdings", "actions", "goals", "asked"} & set(regions(game.anybody.get(game.host).text)) == set()


def test_the_whole_log_reaches_back_to_the_first_line(game: Room) -> None:
    """The host can undo back to the first line, however long the log is."""
    game.begin()
    html = game.anybody.read(game.host + "log")
    for line in range(1, 4):
        assert f'name="line" value="{line}"' in html
