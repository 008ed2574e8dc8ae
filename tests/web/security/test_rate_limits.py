"""Test the limits on posts: a table of six never reaches them, and a loop has to wait."""

from __future__ import annotations

from tests.support.web.visitors import Room
from web.security.rate_limits import ADDRESS, PLAYER, Rate, Rates
from web.words import words


class Ticking:
    """A clock that a test moves."""

    now = 0.0

    def __call__(self) -> float:
        """Return the current time."""
        return self.now


def test_a_bucket_fills_again() -> None:
    """Each bucket allows a burst and then a rate per second, independently of others."""
    clock = Ticking()
    rates = Rates(Rate(3, 2), Rate(1, 1), clock)
    assert [rates.player("jane") for _ in range(4)] == [True, True, True, False]
    assert rates.player("bill")
    clock.now += 1
    assert [rates.player("jane") for _ in range(3)] == [True, True, False]


def test_six_fast_people_behind_one_address_are_never_refused() -> None:
    """Ten presses a second from each of six people for five minutes, and all joining at once, stay within the
    limits."""
    clock = Ticking()
    rates = Rates(PLAYER, ADDRESS, clock)
    for _ in range(3000):
        clock.now += 0.1
        assert all(rates.player(seat) and rates.player(seat) for seat in "abcdef")
    assert all(rates.address("10.0.0.1") for _ in range(60))


def test_a_stranger_who_sends_too_much_is_told_to_wait(game: Room) -> None:
    """A stranger above the limit is refused with a sentence, and players at the same address are not."""
    game.context.rates = Rates(PLAYER, Rate(5, 0), Ticking())
    answers = [game.anybody.submit("/join", {"room": "1"}, "/join") for _ in range(6)]
    assert answers[-1].status_code == 429
    assert words("en")("error.too_many") in answers[-1].text
    assert game.visitor("fr").submit("/watch", {"room": "1"}, "/join").text.count(words("fr")("error.too_many")) == 1
    game.begin()


def test_a_player_s_page_that_sends_too_much_is_told_to_wait(game: Room) -> None:
    """A seat in a loop is refused without effect, and other seats go on."""
    game.context.rates = Rates(Rate(3, 0), ADDRESS, Ticking())
    codes = [game.anybody.tap(game.seats[1], "press", {"contact": "closed"}).status_code for _ in range(4)]
    assert codes == [204, 204, 204, 429]
    assert game.anybody.say(game.seats[0], "starter_named", seat=0).status_code == 204
