"""Test that guessing PINs is slow for strangers and locks nobody out; the host can admit newcomers despite the
limits."""

from __future__ import annotations

import contextlib
import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.support.web.visitors import HOST_PIN, Room, Visitor, regions, said
from web.security.knocks import MOST_AT_ONE_ADDRESS, MOST_WAITING, PATIENCE, Knocks, TooManyKnocks
from web.security.pin_limits import (
    BUDGETS,
    EVENING,
    FIRST_WAIT,
    FORGET,
    FREE_TRIES,
    GRANTED_TRIES,
    KNOWN_TRIES,
    KNOWN_WAIT,
    LARGEST_CHANCE,
    LONGEST_WAIT,
    MOST_ADDRESSES,
    MOST_DOORS,
    MOST_GRANTS,
    SHARED_TRIES,
    Device,
    Door,
    Kind,
    Limits,
    TooMany,
)
from web.words import words

SEAT = Door("seat", "seat:1:1", "a" * 32)
ROOM = Door("room", "room:1", "b" * 32)
HOST = Door("host", "host:1", "c" * 32)


class Hand:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Return the time in seconds."""
        return self.now


def guess(limits: Limits, door: Door, device: Device, right: bool = False) -> bool:
    """Try a PIN."""
    return limits.attempt(door, device, lambda: right)


def at(room: Room, address: str, lang: str = "en") -> Visitor:
    """Return a browser with its own address."""
    found = room.visitor(lang)
    found.client.environ_base["REMOTE_ADDR"] = address
    return found


def wrong_of(room: Room) -> str:
    """Return a wrong PIN for the room."""
    return f"{(int(room.pin) + 1) % 10**6:06d}"


# --- the limits -----------------------------------------------------------------------------------


def test_an_address_waits_longer_and_longer_and_is_forgotten() -> None:
    """Each further wrong PIN doubles the wait up to five minutes; after a quarter of an hour all is forgotten."""
    clock = Hand()
    limits, device = Limits(clock), Device("10.0.0.1")
    for _ in range(FREE_TRIES):
        assert not guess(limits, ROOM, device)
    waits = []
    for _ in range(10):
        with pytest.raises(TooMany) as found:
            guess(limits, ROOM, device)
        waits.append(found.value.wait)
        clock.now += found.value.wait
        assert not guess(limits, ROOM, device)
    assert waits[:3] == [FIRST_WAIT, 2 * FIRST_WAIT, 4 * FIRST_WAIT] and waits[-1] == LONGEST_WAIT
    assert waits == sorted(waits)
    clock.now += FORGET
    for _ in range(FREE_TRIES):
        assert not guess(limits, ROOM, device)


def test_one_address_may_not_try_every_seat() -> None:
    """Wrong PINs of one address count together for all seats."""
    limits, device = Limits(Hand()), Device("10.0.0.1")
    for n in range(SHARED_TRIES):
        assert not guess(limits, Door("seat", f"seat:1:{n}"), device)
    with pytest.raises(TooMany):
        guess(limits, Door("seat", "seat:1:99"), device)
    assert guess(limits, Door("seat", "seat:1:99"), Device("10.0.0.2"), right=True)


@pytest.mark.parametrize("kind", ["room", "seat", "host"])
def test_a_pin_is_not_guessed_in_an_evening(kind: Kind) -> None:
    """If any number of addresses guess all evening, the chance of finding a PIN stays below one in a thousand."""
    clock = Hand()
    limits, door, made = Limits(clock), Door(kind, f"{kind}:1", "m" * 32), 0
    step = 60.0
    for minute in range(int(EVENING * 60) + 1):
        clock.now = minute * step
        for n in range(100):
            try:
                guess(limits, door, Device(f"10.{minute % 250}.{minute // 250}.{n}"))
            except TooMany:
                break
            made += 1
    chance = made / 10 ** BUDGETS[kind].digits
    assert 0 < made <= BUDGETS[kind].at_once + BUDGETS[kind].hourly * EVENING + BUDGETS[kind].first + 1
    assert chance < LARGEST_CHANCE
    assert BUDGETS[kind].chance() < LARGEST_CHANCE


def test_a_right_pin_costs_strangers_nothing() -> None:
    """Any number of newcomers with the right PIN get in one after another."""
    limits = Limits(Hand())
    for n in range(500):
        assert guess(limits, SEAT, Device(f"10.0.{n // 250}.{n % 250}"), right=True)


def test_a_known_device_is_not_slowed_down_by_strangers() -> None:
    """After strangers have used up all guesses, a device that has opened this door before still gets in."""
    clock = Hand()
    limits = Limits(clock)
    for n in range(BUDGETS["seat"].at_once):
        guess(limits, SEAT, Device(f"10.0.0.{n}"))
    with pytest.raises(TooMany):
        guess(limits, SEAT, Device("10.0.0.99"), right=True)
    known = Device("10.0.0.0", "visit", frozenset({SEAT.mark}))
    assert guess(limits, SEAT, known, right=True)
    for _ in range(KNOWN_TRIES):
        assert not guess(limits, SEAT, known)
    with pytest.raises(TooMany) as found:
        guess(limits, SEAT, known, right=True)
    assert found.value.wait == KNOWN_WAIT
    clock.now += KNOWN_WAIT
    assert guess(limits, SEAT, known, right=True)


def test_a_mark_is_good_at_its_own_door_alone() -> None:
    """A device that knows the room or a seat counts as a stranger elsewhere."""
    limits = Limits(Hand())
    insider = Device("10.0.0.1", "visit", frozenset({ROOM.mark, SEAT.mark}))
    for _ in range(FREE_TRIES):
        guess(limits, HOST, insider)
    with pytest.raises(TooMany):
        guess(limits, HOST, insider)


def test_guesses_made_at_once_do_not_slip_past_together() -> None:
    """A hundred simultaneous guesses from a hundred addresses have the same limit as successive ones."""
    limits = Limits(Hand())
    made: list[int] = []

    def one(n: int) -> None:
        try:
            limits.attempt(SEAT, Device(f"10.0.0.{n}"), lambda: bool(made.append(n)))
        except TooMany:
            return

    with ThreadPoolExecutor(32) as pool:
        list(pool.map(one, range(100)))
    assert len(made) == BUDGETS["seat"].at_once


def test_what_is_remembered_is_bounded() -> None:
    """Ten thousand addresses, doors and grants leave no more entries than the limits allow."""
    limits = Limits(Hand())
    for n in range(10_000):
        try:
            guess(limits, Door("room", f"room:{n}"), Device(f"10.{n // 2500}.{n % 250}.{n % 100}", f"v{n}"))
        except TooMany:
            continue
        limits.grant(SEAT, f"visit {n}")
    assert len(limits.wrong) <= MOST_ADDRESSES
    assert len(limits.spent) <= MOST_DOORS
    assert len(limits.granted) == MOST_GRANTS


def test_three_strangers_do_not_lock_out_the_host(game: Room) -> None:
    """After wrong host PINs from three addresses, the host still gets in at once, even from a new address."""
    for n in range(3):
        assert at(game, f"10.0.0.{n}").submit("/host", {"pin": "0000"}, "/host").status_code == 403
    for address in ("127.0.0.1", "10.0.0.9"):
        assert at(game, address).submit("/host", {"pin": HOST_PIN}, "/host").status_code == 303


def test_opening_an_address_tests_no_pin(game: Room) -> None:
    """Opening the address for joining tests no PIN, so that a picture on another site cannot guess."""
    phone = at(game, "10.0.0.5")
    for _ in range(11):
        answer = phone.get(f"/join?room={wrong_of(game)}", **{"Sec-Fetch-Site": "cross-site"})
        assert answer.status_code == 200 and "Bill" not in answer.text
    assert "Bill" not in phone.get(f"/join?room={game.pin}").text
    assert phone.follow("/join", {"room": game.pin}, "/join").status_code == 200
    assert game.context.access.limits.wrong == {} and game.context.knocks.waiting("1") == ()


def test_a_scanned_code_fills_the_form_and_one_tap_goes_on(game: Room) -> None:
    """The page behind a scanned code contains the room's PIN, and its button leads to the seats."""
    phone = at(game, "10.0.0.5")
    page = phone.get(f"/join?room={game.pin}")
    assert 'name="room" inputmode="numeric"' in page.text and f'value="{game.pin}"' in page.text
    seats = phone.follow("/join", {"room": game.pin}, "/join")
    assert "Bill" in seats.text and 'name="seat"' in seats.text
    for junk in ("1", "1234567", "'\"><script>", "１２３４５６"):
        shown = phone.client.get("/join", query_string={"room": junk}).text.split("<body")[1]
        assert 'class="pin" value' not in shown and "<script>" not in shown


def test_a_forged_form_counts_as_no_guess(game: Room) -> None:
    """A form from another site, or one without the page's token, tests no PIN and counts for nobody."""
    phone = at(game, "10.0.0.5")
    for path in ("/join", "/watch", "/tablet", "/host"):
        for headers in ({"Origin": "http://evil.example"}, {}):
            answer = phone.client.post(path, data={"room": wrong_of(game), "pin": "0000"}, headers=headers)
            assert answer.status_code == 403
    assert game.context.access.limits.wrong == {}


def test_guessing_the_rooms_pin_from_many_addresses_is_slowed(game: Room) -> None:
    """Of 1,990 guesses from 199 addresses few are tested, everybody at the table goes on, and newcomers get in."""
    tested, wrong = 0, wrong_of(game)
    strangers = [at(game, f"10.0.0.{n}") for n in range(199)]
    tokens = [stranger.token("/join") for stranger in strangers]
    for _ in range(10):
        for stranger, token in zip(strangers, tokens, strict=True):
            tested += stranger.client.post("/join", data={"csrf": token, "room": wrong}).status_code == 403
    assert tested == BUDGETS["room"].at_once + len(strangers)
    assert game.join(1, "1111").status_code == 303  # the browser that has a seat
    newcomer = at(game, "10.0.1.1")
    assert newcomer.submit("/join", {"room": wrong}, "/join").status_code == 403
    assert newcomer.submit("/join", {"room": game.pin}, "/join").status_code == 429, "a second try is like theirs"
    assert at(game, "10.0.1.2").submit("/join", {"room": game.pin}, "/join").status_code == 303


def test_first_guesses_of_addresses_are_few_too() -> None:
    """Only a limited number of addresses get an extra first guess, which right PINs do not use up and time does not
    return."""
    clock = Hand()
    limits, first = Limits(clock), BUDGETS["room"].first
    for n in range(first):
        assert guess(limits, ROOM, Device(f"10.1.{n // 250}.{n % 250}"), right=True)
    for n in range(first + BUDGETS["room"].at_once):
        assert not guess(limits, ROOM, Device(f"10.2.{n // 250}.{n % 250}"))
    with pytest.raises(TooMany):
        guess(limits, ROOM, Device("10.3.0.1"))
    clock.now = 3600.0
    made = 0
    with contextlib.suppress(TooMany):
        for n in range(999):
            guess(limits, ROOM, Device(f"10.4.{n // 250}.{n % 250}"))
            made += 1
    assert made == BUDGETS["room"].hourly


def test_strangers_do_not_keep_people_out_of_a_lobby(room: Room) -> None:
    """While half a network guesses PINs, the host and guests go on, and newcomers get in at once."""
    host = room.anybody.submit("/lobby", {"game": "express"}, "/").headers["Location"]
    lobby = room.context.lobby.waiting
    assert lobby is not None
    wrong = f"{(int(lobby.room) + 1) % 10**6:06d}"
    guest = at(room, "10.0.1.1")
    guest.submit("/join", {"room": lobby.room, "name": "Zoé"}, "/join")
    for n in range(120):
        stranger = at(room, f"10.0.0.{n}")
        stranger.submit("/join", {"room": wrong}, "/join")
        stranger.submit("/join", {"room": wrong}, "/join")
    assert stranger.submit("/tablet", {"room": wrong}, "/join").status_code == 429
    assert room.anybody.get(host).status_code == 200
    assert guest.submit("/watch", {}, "/join").status_code == 303
    new = at(room, "10.0.1.2").submit("/join", {"room": lobby.room, "name": "Tom"}, "/join")
    assert new.status_code == 303
    now = room.context.lobby.waiting
    assert now is not None and [each.name for each in now.people] == ["Zoé", "Tom"]


def test_a_seats_owner_is_not_locked_out(game: Room) -> None:
    """After strangers have used up a seat's guesses, its own phone and tablet open it, and other devices ask the
    host."""
    tablet = game.page("tablet")
    handed = game.anybody.submit(tablet + "hand", {"seat": "1", "pin": "1111"}, tablet)
    assert handed.status_code == 303
    for n in range(BUDGETS["seat"].at_once):
        assert game.join(1, "0000", at(game, f"10.0.0.{n}")).status_code == 403
    assert game.join(1, "1111", at(game, "10.0.0.99")).status_code == 429
    assert game.anybody.submit(tablet + "hand", {"seat": "1", "pin": "1111"}, tablet).status_code == 303
    assert game.join(1, "1111").status_code == 303
    assert game.join(2, "1112", at(game, "10.0.0.99")).status_code == 303


def test_a_seat_that_changed_hands_knows_its_old_device_no_more(game: Room) -> None:
    """The former device of a freed seat counts as a stranger there."""
    assert game.anybody.tap(game.host, "free", {"seat": "1"}).status_code == 204
    assert game.join(1, "5555", at(game, "10.0.0.7")).status_code == 303
    for n in range(BUDGETS["seat"].at_once):
        assert game.join(1, "0000", at(game, f"10.0.0.{n}")).status_code == 403
    assert game.join(1, "1111").status_code == 429


def test_the_host_beyond_the_bound_needs_a_known_device_or_the_shell(game: Room) -> None:
    """After strangers have used up the host's guesses, a known device gets in, and a new one is told what to do."""
    for n in range(BUDGETS["host"].at_once):
        assert at(game, f"10.0.0.{n}").submit("/host", {"pin": "0000"}, "/host").status_code == 403
    answer = at(game, "10.0.0.99").submit("/host", {"pin": HOST_PIN}, "/host")
    assert answer.status_code == 429
    assert said(answer) == words("en")("error.host_held", minutes=120)
    assert 'action="/knock"' not in answer.text
    assert game.anybody.submit("/host", {"pin": HOST_PIN}, "/host").status_code == 303


def test_a_page_that_is_open_makes_its_device_known(game: Room) -> None:
    """A browser with a seat's page keeps a mark for this seat in a cookie that scripts cannot read."""
    phone = at(game, "10.0.0.5")
    answer = phone.get(game.seats[1])
    cookie = next(c for c in answer.headers.getlist("Set-Cookie") if c.startswith("known="))
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
    for n in range(10, 10 + BUDGETS["seat"].at_once):
        game.join(1, "0000", at(game, f"10.0.0.{n}"))
    assert game.join(1, "1111", phone).status_code == 303
    assert "known=" not in "".join(phone.get("/").headers.getlist("Set-Cookie"))


def test_a_forged_mark_makes_nobody_known(game: Room) -> None:
    """Marks are made with a secret key, so that forged, long and odd cookies are ignored."""
    for forged in ("a" * 32, ".".join(["b" * 32] * 99), "ü" * 32, ".", "x" * 4000):
        stranger = at(game, "10.0.0.5")
        stranger.client.set_cookie("known", forged)
        game.join(1, "0000", stranger)
    assert game.join(1, "1111", stranger).status_code == 429


# --- admission by the host --------------------------------------------------------------------------


def use_up(room: Room, door: str) -> None:
    """Use up all guesses of strangers for the room or for seat 1."""
    budget = BUDGETS["room" if door == "room" else "seat"]
    for n in range(budget.at_once + budget.first):
        stranger = at(room, f"10.1.{n // 250}.{n % 250}")
        if door == "room":
            assert stranger.submit("/join", {"room": wrong_of(room)}, "/join").status_code == 403
        else:
            assert room.join(1, "0000", stranger).status_code == 403


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_host_lets_a_newcomer_in_with_one_tap(game: Room, lang: str) -> None:
    """The host's page shows the newcomer's device and address, and one tap admits it to the seats."""
    use_up(game, "room")
    say, newcomer = words(lang), at(game, "10.0.0.9", lang)
    held = newcomer.submit("/join", {"room": game.pin}, "/join")
    assert held.status_code == 429 and said(held) == say("error.held")
    phone = {"User-Agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X)"}
    assert newcomer.submit("/knock", {"name": "Zoé\u202e"}, **phone).status_code == 422
    assert newcomer.submit("/knock", {"name": " Zoé <b>"}, **phone).headers["Location"] == "/knock"
    waiting = newcomer.get("/knock").text
    number = re.search(r'class="pin">(\d+)', waiting)
    assert number is not None and 'http-equiv="refresh"' in waiting
    host = game.visitor(lang)
    shown = regions(host.get(game.host).text)["knocks"]
    assert "Zoé &lt;b&gt;" in shown and "10.0.0.9" in shown and say("knock.device_iphone") in shown
    assert f'value="{number.group(1)}"' in shown
    assert "Zoé" not in host.get(game.seats[0]).text
    assert host.tap(game.host, "knock", {"number": number.group(1), "on": "1"}).status_code == 204
    on = newcomer.get("/knock")
    assert on.headers["Location"] == "/join/seat"
    assert "Bill" in newcomer.get("/join/seat").text and "Bill" not in game.visitor().get("/join/seat").text
    assert "Zoé" not in host.get(game.host).text


def test_the_host_lets_a_new_phone_to_its_seat(game: Room) -> None:
    """After a seat's guesses are used up, the host's tap gives a device a few tries, but it still needs the PIN."""
    use_up(game, "seat")
    phone, count = at(game, "10.0.0.9"), game.count
    held = game.join(1, "1111", phone)
    assert held.status_code == 429 and 'name="seat" value="1"' in held.text
    phone.submit("/knock", {"seat": "1"})
    (found,) = game.context.knocks.waiting("1")
    assert found.seat == 1 and "Bill" in game.anybody.get(game.host).text
    game.anybody.tap(game.host, "knock", {"number": str(found.number), "on": "1"})
    assert phone.get("/knock").headers["Location"] == "/join/seat?chosen=1"
    assert [game.join(1, "0000", phone).status_code for _ in range(GRANTED_TRIES)] == [403] * GRANTED_TRIES
    assert game.join(1, "1111", phone).status_code == 429
    phone.submit("/knock", {"seat": "1"})
    (found,) = game.context.knocks.waiting("1")
    game.anybody.tap(game.host, "knock", {"number": str(found.number), "on": "1"})
    assert game.join(1, "1111", phone).status_code == 303
    assert game.count == count


def test_the_shared_tablet_is_let_through_too(game: Room) -> None:
    """The page for handing over the tablet offers the same request, and leads back to itself."""
    use_up(game, "seat")
    visitor = at(game, "10.0.0.9")
    tablet = visitor.submit("/tablet", {"room": game.pin}, "/join").headers["Location"]
    held = visitor.submit(tablet + "hand", {"seat": "1", "pin": "1111"}, tablet)
    token = tablet.strip("/").split("/")[1]
    assert held.status_code == 429 and f'name="tablet" value="{token}"' in held.text
    visitor.submit("/knock", {"seat": "1", "tablet": token})
    (found,) = game.context.knocks.waiting("1")
    game.anybody.tap(game.host, "knock", {"number": str(found.number), "on": "1"})
    assert visitor.get("/knock").headers["Location"] == f"{tablet}hand?seat=1"
    assert visitor.submit(tablet + "hand", {"seat": "1", "pin": "1111"}, tablet).status_code == 303


def test_who_is_refused_is_told_and_asks_no_more(game: Room) -> None:
    """A refusal holds for the whole address for a while, and an expired request gets the host a sentence."""
    stranger = at(game, "10.0.0.9")
    stranger.submit("/knock")
    (found,) = game.context.knocks.waiting("1")
    assert game.anybody.tap(game.host, "knock", {"number": str(found.number), "on": "0"}).status_code == 204
    assert said(stranger.get("/knock")) == words("en")("error.knock_refused")
    assert at(game, "10.0.0.9").submit("/knock").status_code == 429
    for number in (str(found.number), "99", "x", "", "9" * 99, "²"):
        answer = game.anybody.tap(game.host, "knock", {"number": number, "on": "1"})
        assert answer.status_code == 409 and said(answer) == words("en")("error.knock_over")
    assert game.visitor().get("/knock").headers["Location"] == "/join"


def test_the_hosts_list_is_bounded_and_forgets() -> None:
    """The host's list shows a few requests at most, two for each address, and they expire."""
    clock = Hand()
    knocks = Knocks(clock)
    for n in range(MOST_AT_ONE_ADDRESS):
        knocks.knock("1", None, Device("10.0.0.1", f"a{n}"), "", "other")
    with pytest.raises(TooManyKnocks):
        knocks.knock("1", None, Device("10.0.0.1", "another"), "", "other")
    for n in range(50):
        with contextlib.suppress(TooManyKnocks):
            knocks.knock("1", None, Device(f"10.0.1.{n}", f"b{n}"), "", "other")
    shown = knocks.waiting("1")
    assert len(shown) == MOST_WAITING and len({each.number for each in shown}) == MOST_WAITING
    assert knocks.waiting("2") == () and knocks.answer("2", shown[0].number, True) is None
    clock.now += PATIENCE
    assert knocks.waiting("1") == () and knocks.answer("1", shown[0].number, True) is None
