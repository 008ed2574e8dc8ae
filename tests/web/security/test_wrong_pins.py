"""Test that a wrong PIN is answered in its form, which shows the tries left and keeps everything except the PIN."""

from __future__ import annotations

import re

import pytest

from tests.support.web.visitors import HOST_PIN, Room, Visitor, said
from web.security.pin_limits import FREE_TRIES
from web.words import words

say = words("en")
LEFT = FREE_TRIES - 1


def stranger(room: Room) -> Visitor:
    """Return a browser that has not opened any page."""
    return room.visitor()


def wrong_of(room: Room) -> str:
    """Return a wrong PIN for the room."""
    return f"{(int(room.pin) + 1) % 10**6:06d}"


@pytest.mark.parametrize("path", ["/join", "/watch", "/tablet"])
def test_a_wrong_room_pin_is_asked_for_again(game: Room, path: str) -> None:
    """The form asks for the room's PIN again and keeps the chosen seat, but not the PIN."""
    answer = stranger(game).submit(path, {"room": wrong_of(game), "seat": "2", "pin": "1112"}, "/join")
    assert answer.status_code == 403
    assert said(answer) == f"{say('error.wrong_room')} {say.plural('pin.left', LEFT)}"
    assert 'action="/join"' in answer.text and 'name="chosen" value="2"' in answer.text
    assert wrong_of(game) not in answer.text and 'name="back" value="/join"' in answer.text


def test_a_wrong_seat_pin_keeps_the_seat(game: Room) -> None:
    """The page for joining keeps the chosen seat, and each wrong PIN costs one try until the person must wait."""
    phone, found = stranger(game), []
    for pin in ("9071", "9072", "9073"):
        answer = phone.submit("/join", {"room": game.pin, "seat": "1", "pin": pin}, "/join")
        assert answer.status_code == 403 and re.search(r'value="1" required checked', answer.text)
        found.append(said(answer))
    more = [say.plural("pin.left", 2), say.plural("pin.left", 1), say("pin.wait", seconds=5)]
    assert found == [f"{say('error.wrong_pin')} {each}" for each in more]
    answer = phone.submit("/join", {"room": game.pin, "seat": "1", "pin": "1111"}, "/join")
    assert answer.status_code == 429
    assert 'href="/join/seat?chosen=1"' in answer.text and game.pin not in answer.text and "1111" not in answer.text


def test_a_wrong_pin_on_the_shared_tablet_keeps_the_seat(game: Room) -> None:
    """The page for handing over keeps the seat, and after too many tries still leads back to it."""
    tablet = game.page("tablet")
    game.context.access.limits.clock = lambda: 0.0
    hand = stranger(game)
    for _ in range(FREE_TRIES):
        answer = hand.submit(f"{tablet}hand", {"seat": "1", "pin": "9071"}, f"{tablet}hand")
        assert answer.status_code == 403 and re.search(r'value="1" required checked', answer.text)
    assert said(answer) == f"{say('error.wrong_pin')} {say('pin.wait', seconds=5)}"
    answer = hand.submit(f"{tablet}hand", {"seat": "1", "pin": "9071"}, f"{tablet}hand")
    assert answer.status_code == 429 and 'href="hand?seat=1"' in answer.text


def test_a_wrong_host_pin_is_asked_for_again(game: Room) -> None:
    """The host's form stays open, even while the person must wait."""
    phone, codes = stranger(game), []
    for _ in range(FREE_TRIES + 1):
        answer = phone.submit("/host", {"pin": "9071"}, "/host")
        codes.append(answer.status_code)
        assert 'action="/host"' in answer.text and "9071" not in answer.text
    assert codes == [403] * FREE_TRIES + [429]
    assert said(answer) == say("error.wait", seconds=5)


def test_a_wrong_pin_for_a_past_game_is_asked_for_in_its_line(game: Room) -> None:
    """The list of games stays, with the sentence beside the game to resume."""
    match = game.table.snapshot().match_id
    game.begin()
    assert game.anybody.tap(game.host, "leave", {"sure": "1"}).status_code == 204
    phone = stranger(game)
    answer = phone.submit(f"/past/{match}/resume", {"pin": "9071"}, "/past/")
    assert answer.status_code == 403 and said(answer) == f"{say('error.wrong_pin')} {say.plural('pin.left', LEFT)}"
    assert f'action="/past/{match}/resume"' in answer.text and "9071" not in answer.text
    assert 'name="back" value="/past/"' in answer.text
    for _ in range(FREE_TRIES):
        answer = phone.submit(f"/past/{match}/resume", {"pin": "9071"}, "/past/")
    assert answer.status_code == 429 and f'action="/past/{match}/resume"' in answer.text
    known = game.anybody.submit(f"/past/{match}/resume", {"pin": HOST_PIN}, "/past/")
    assert known.status_code == 303


def test_a_known_device_is_told_its_own_tries(game: Room) -> None:
    """A device that has had the seat gets more tries for it."""
    answer = game.join(1, "9071")
    assert said(answer) == f"{say('error.wrong_pin')} {say.plural('pin.left', 9)}"
