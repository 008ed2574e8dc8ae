"""Test the lines below the sign: whose turn it is and where, which bots think, and how fast they play."""

from __future__ import annotations

import re
from html import unescape

import pytest

from companion.engine import Seat
from companion.games.take_a_train import events as ev
from companion.match.actor import Actor
from tests.support.web.visitors import Room, regions, said
from web.words import words

say = words("en")
JANE, BILL, TOM = range(3)


def where(room: Room, page: str) -> list[str]:
    """Return the lines below the sign of a page."""
    html = regions(room.anybody.get(page).text)["where"]
    return [unescape(text) for text in re.findall(r'class="where[^>]*>(.*?)</', html)]


def test_shared_pages_say_on_whose_phone(game: Room) -> None:
    """Shared pages name the seat with a phone, and themselves where they have a control; phones say nothing."""
    assert game.anybody.say(game.seats[JANE], "starter_named", seat=JANE).status_code == 204
    assert where(game, game.page("tablet")) == [say("where.at_table"), say("where.phone_of_one", name="Jane")]
    assert where(game, game.host) == [say("where.here"), say("where.phone_one", name="Jane")]
    assert where(game, game.page("watch")) == [say("where.phone_of_one", name="Jane")]
    assert where(game, game.seats[JANE]) == []


def test_a_seat_without_a_phone_acts_on_the_tablet(room: Room) -> None:
    """The tablet leads a seat without a phone to its page, and the host reads where that seat acts."""
    room.set_up()
    tablet = room.page("tablet")
    for seat in range(3):
        form = {"seat": str(seat), "pin": f"111{seat}"}
        assert room.anybody.submit(f"{tablet}hand", form, f"{tablet}hand").status_code == 303
    assert room.table.propose(ev.StarterNamed(Seat(JANE)), Actor.TABLE).accepted
    html = regions(room.anybody.get(tablet).text)["where"]
    assert 'href="hand"' in html and unescape(say("where.with_pin", name="Jane")) in unescape(html)
    assert where(room, room.page("watch")) == [say("where.on_tablet", name="Jane")]
    assert where(room, room.host)[-1] == say("where.no_phone", name="Jane")


def test_the_hand_over_is_never_the_loudest_button(game: Room) -> None:
    """The link for handing the tablet over is never the main button."""
    html = game.anybody.get(game.page("tablet")).text
    for link in re.findall(r'<a [^>]*href="hand"[^>]*>', html):
        assert "main" not in link


def test_everybody_sees_which_bots_think(room: Room) -> None:
    """Every page says that a bot thinks while it is the bot's turn."""
    room.set_up()
    room.seats = [room.join(seat).headers["Location"] for seat in (JANE, BILL)]
    assert room.anybody.tap(room.host, "bot", {"seat": str(TOM), "on": "1"}).status_code == 204
    room.context.seating.close()
    assert room.table.propose(ev.StarterNamed(Seat(TOM)), Actor.TABLE).accepted
    room.context.hub.refresh()
    for page in (room.host, room.seats[BILL], room.page("watch")):
        assert say("where.thinking_one", name="Tom") in where(room, page)


def test_a_tie_names_who_decides_and_why(room: Room) -> None:
    """At a tie the sign names the player who began the lot, and says that this is the reason."""
    room.set_up(deck="ours")
    room.join_all()
    room.begin("blind")
    cards = ev.LocosRevealed(("steam-1", "steam-4", "diesel-1"))
    bids = [ev.Committed(Seat(seat), amount) for seat, amount in ((JANE, 250), (BILL, 400), (TOM, 400))]
    for event in (cards, ev.Nominated(Seat(JANE), "steam-4"), *bids):
        assert room.table.propose(event, Actor.at_seat(getattr(event, "seat", 0))).accepted
    tablet = room.page("tablet")
    sign = unescape(room.anybody.get(tablet).text)
    assert words("en", "companion.games.take_a_train")("moment.break_tie.other", name="Jane") in sign
    assert "began this lot" in sign and say("where.phone_of_one", name="Jane") in where(room, tablet)
    assert 'class="on-sign seat-red"' in sign


def test_the_host_sets_how_fast_bots_play(room: Room) -> None:
    """The control appears with the first bot, takes effect at once, and its value survives a restart."""
    room.set_up()
    assert 'name="pace"' not in room.anybody.get(room.host).text
    assert room.anybody.tap(room.host, "bot", {"seat": "1", "on": "1"}).status_code == 204
    assert re.search(r'value="calm" aria-pressed="true"', room.anybody.get(room.host).text)
    assert room.anybody.tap(room.host, "pace", {"pace": "at_once"}).status_code == 204
    assert room.context.seating.bots is not None and room.context.seating.bots.pace == "at_once"
    assert re.search(r'value="at_once" aria-pressed="true"', room.anybody.get(room.host).text)
    room.restart()
    assert room.context.seating.bots is not None and room.context.seating.bots.pace == "at_once"


@pytest.mark.parametrize("pace", ["", "faster", "at_once\0"])
def test_an_unknown_pace_changes_nothing(room: Room, pace: str) -> None:
    """An unknown pace is refused with a sentence."""
    room.set_up()
    answer = room.anybody.tap(room.host, "pace", {"pace": pace})
    assert answer.status_code == 422 and said(answer)
    assert room.context.seating.pace == "calm"
