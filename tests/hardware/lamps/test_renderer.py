"""The renderer says what each lamp and the buzzer show at any moment."""

from __future__ import annotations

import pytest

from companion.messages import (
    HOST,
    MILLISECOND,
    SECOND,
    Count,
    Cue,
    Leading,
    Raise,
    Ready,
    Refused,
    Reveal,
    Sold,
    Stopped,
    Trouble,
    YourTurn,
)
from hardware.lamps.patterns import DANCES, DARK, ECHO, FAST, FLASH, LONG_TONE, REVEALED, SLOW, TONE
from hardware.lamps.renderer import LampRenderer

MS = MILLISECOND
NOW = 100 * SECOND
ALL, NONE = (True,) * 4, (False,) * 4
Lamps = tuple[bool, ...]


def only(*seats: int) -> Lamps:
    """Return the lamps' states with only these lit."""
    return tuple(seat in seats for seat in range(4))


def ns(seconds: float) -> int:
    """Return seconds as nanoseconds."""
    return round(seconds * SECOND)


def film(desk: LampRenderer, until: int, now: int = NOW) -> list[tuple[int, Lamps]]:
    """Return what the lamps show and when (ns from now), following the renderer's own deadlines."""
    seen = [(0, desk.lamps(now))]
    moment = desk.due(now)
    while moment is not None and moment <= until:
        lamps = desk.lamps(moment)
        if lamps != seen[-1][1]:
            seen.append((moment - now, lamps))
        moment = desk.due(moment)
    return seen


def showing(*cues: Cue, seats: int = 4) -> LampRenderer:
    """Return a renderer that has just received these cues."""
    desk = LampRenderer(seats)
    for cue in cues:
        desk.show(cue, NOW)
    return desk


def test_a_desk_that_was_told_nothing_is_dark_and_waits_for_nothing() -> None:
    """Without a cue the lamps are dark, the buzzer is silent, and no deadline is set."""
    desk = LampRenderer(4)
    assert (desk.lamps(NOW), desk.buzzer(NOW), desk.due(NOW)) == (NONE, False, None)


def test_your_turn_blinks_slowly_until_the_next() -> None:
    """The lamps of the seats whose turn it is blink together and begin lit."""
    desk = showing(YourTurn(seats=(1, 3)))
    slow = ns(SLOW)
    assert film(desk, NOW + 2 * slow) == [(0, only(1, 3)), (slow, NONE), (2 * slow, only(1, 3))]
    desk.show(YourTurn(seats=()), NOW + 3 * SECOND)
    assert (desk.lamps(NOW + 3 * SECOND), desk.due(NOW + 3 * SECOND)) == (NONE, None)


def test_the_leader_is_lit_while_the_others_blink() -> None:
    """The leader's lamp stays lit even when it is the leader's turn."""
    desk = showing(YourTurn(seats=(0, 1)), Leading(seat=0))
    assert [lamps for _, lamps in film(desk, NOW + SECOND)] == [only(0, 1), only(0), only(0, 1)]
    desk.show(Leading(seat=None), NOW + SECOND)
    assert desk.lamps(NOW + SECOND) == only(0, 1)


def test_a_blink_that_goes_on_is_not_begun_anew() -> None:
    """A further cue of the same kind does not restart the blinking."""
    desk = showing(YourTurn(seats=(0, 1)))
    desk.show(YourTurn(seats=(0, 2)), NOW + ns(SLOW) + 1)
    assert desk.lamps(NOW + ns(SLOW) + 1) == only(2)


def test_the_ready_are_lit_and_the_waited_for_blink() -> None:
    """Seats that are neither ready nor awaited are dark."""
    desk = showing(Ready(seats=(2,), waiting=(0,)))
    assert [lamps for _, lamps in film(desk, NOW + SECOND)] == [only(0, 2), only(2), only(0, 2)]


@pytest.mark.parametrize("what", ["paused", "buttons"])
def test_trouble_hides_what_stands_and_all_blink_twice(what: str) -> None:
    """The lamps show their former state again once the trouble is over."""
    desk = showing(Leading(seat=1), Trouble(what=what))
    flash, dark = ns(FLASH), ns(DARK)
    seen = film(desk, NOW + 3 * (flash + dark))
    assert seen == [(0, ALL), (flash, NONE), (flash + dark, ALL), (2 * flash + dark, NONE)]
    desk.show(Trouble(), NOW + 2 * SECOND)
    assert desk.lamps(NOW + 2 * SECOND) == only(1)


def test_two_flashes_the_buzzer_and_then_what_stood_before() -> None:
    """A lit lamp goes dark between the flashes of a count, so that the count can be seen."""
    desk = showing(Leading(seat=1), Count(number=2, seat=1))
    flash, dark = ns(FLASH), ns(DARK)
    assert film(desk, NOW + SECOND) == [
        (0, ALL),
        (flash, NONE),
        (flash + dark, ALL),
        (2 * flash + dark, NONE),
        (2 * flash + 2 * dark, only(1)),
    ]
    desk = showing(Count(number=2))
    assert [desk.buzzer(NOW + ns(t)) for t in (0, 2 * TONE - 0.001, 2 * TONE)] == [True, True, False]


def test_a_reveal_comes_at_its_moment_to_all_lamps_and_the_buzzer() -> None:
    """All lamps light up in the same nanosecond, and none before it."""
    desk = showing(Reveal(at=NOW + SECOND))
    assert desk.due(NOW) == NOW + SECOND
    assert (desk.lamps(NOW + SECOND - 1), desk.buzzer(NOW + SECOND - 1)) == (NONE, False)
    assert (desk.lamps(NOW + SECOND), desk.buzzer(NOW + SECOND)) == (ALL, True)
    assert film(desk, NOW + 5 * SECOND, NOW + SECOND) == [(0, ALL), (ns(REVEALED), NONE)]
    assert not desk.buzzer(NOW + SECOND + ns(REVEALED))
    assert LONG_TONE <= REVEALED


def test_stopped_strikes_what_is_to_come_and_nothing_else() -> None:
    """Cancelling a countdown removes its remaining numbers and the one in sight, but no other cue."""
    desk = showing(Leading(seat=0), Count(number=1), *(Count(number=n, at=NOW + n * SECOND) for n in (2, 3)))
    desk.show(YourTurn(seats=(2,), at=NOW + 4 * SECOND), NOW)
    desk.show(Raise(seat=1), NOW)
    desk.show(Stopped(), NOW + 1)
    seen = film(desk, NOW + 4 * SECOND)
    assert [lamps for _, lamps in seen] == [only(0, 1), only(0), only(0, 2)]
    assert seen[-1][0] == 4 * SECOND


def test_before_a_reveal_all_is_dark_between_the_numbers() -> None:
    """Lamps of ready seats go dark during the countdown, so that everybody sees all lamps light up together."""
    ready, opens = Ready(seats=tuple(range(len(ALL)))), NOW + 3 * SECOND
    desk = showing(ready, *(Count(number=3 - n, at=NOW + n * SECOND, to="reveal") for n in range(3)), Reveal(at=opens))
    assert [desk.lamps(NOW + n * SECOND - MILLISECOND) for n in (1, 2, 3)] == [NONE, NONE, NONE]
    assert desk.lamps(opens) == ALL
    stopped = showing(ready, Count(number=3, to="reveal"))
    stopped.show(Stopped(), NOW + SECOND)
    assert stopped.lamps(NOW + SECOND) == ALL


def test_cues_of_the_future_come_in_the_order_of_their_moments() -> None:
    """Cues are shown in the order of their moments, not of their arrival."""
    desk = showing(Leading(seat=2, at=NOW + 2 * SECOND), Leading(seat=1, at=NOW + SECOND))
    assert film(desk, NOW + 3 * SECOND) == [(0, NONE), (SECOND, only(1)), (2 * SECOND, only(2))]


def test_a_cue_that_comes_too_late_is_shown_at_once() -> None:
    """A late cue is shown completely, from its beginning."""
    desk = showing(Raise(seat=3, at=NOW - SECOND))
    assert film(desk, NOW + SECOND) == [(0, only(3)), (ns(FLASH), NONE)]


def test_refused_blinks_three_times_at_that_seat_alone() -> None:
    """A refusal blinks fast, and can be seen on a lit lamp too."""
    desk = showing(Leading(seat=2), Refused(seat=2))
    lit = [at for at, lamps in film(desk, NOW + SECOND) if lamps == only(2)]
    assert lit == [ns(FAST), 3 * ns(FAST), 5 * ns(FAST), 7 * ns(FAST)]  # The fourth flash is the leader's own light


def test_the_winners_lamp_dances_and_comes_to_rest() -> None:
    """Only the winner's lamp dances."""
    seen = film(showing(Sold(seat=1)), NOW + 10 * SECOND)
    assert [lamps for _, lamps in seen] == [only(1), NONE] * (3 * DANCES)


def test_the_latest_moment_is_on_top() -> None:
    """A refusal replaces a count, and the count does not come back."""
    desk = showing(Count(number=1), Refused(seat=0))
    assert desk.lamps(NOW) == only(1, 2, 3)


def test_felt_is_shown_at_once_and_is_the_contrary_of_what_was_shown() -> None:
    """A press inverts the seat's lamp for a moment."""
    desk = showing(Leading(seat=1))
    desk.echo_press(0, NOW)
    desk.echo_press(1, NOW)
    assert film(desk, NOW + SECOND) == [(0, only(0)), (ns(ECHO), only(1))]


def test_felt_at_the_hosts_button_lights_nothing() -> None:
    """The host's button and seats that do not exist have no lamp."""
    desk = LampRenderer(4)
    for seat in (HOST, 4):
        desk.echo_press(seat, NOW)
    assert (desk.lamps(NOW), desk.due(NOW)) == (NONE, None)


@pytest.mark.parametrize("cue", [Sold(seat=5), Raise(seat=HOST), Leading(seat=9), YourTurn(seats=(7,))])
def test_a_seat_without_a_lamp_is_passed_over(cue: Cue) -> None:
    """A table that is wired for four seats skips the lamps of a fifth and sixth player."""
    assert showing(cue).lamps(NOW) == NONE


def test_the_next_change_is_always_ahead() -> None:
    """The next change is never in the past, so a loop that waits for it cannot spin."""
    desk = showing(YourTurn(seats=(0,)), Count(number=3), Sold(seat=1), Refused(seat=0), Reveal(at=NOW + SECOND))
    desk.echo_press(3, NOW)
    moment = NOW
    for _ in range(200):
        due = desk.due(moment)
        assert due is not None and due > moment
        moment = due


def test_seats_without_a_lamp_play_by_touch() -> None:
    """Of eight players at a table wired for six, the last two have no lamp, and the others' lamps are unaffected."""
    both = showing(
        YourTurn(seats=(5, 6, 7)),
        Ready(seats=(6,), waiting=(7,)),
        Leading(seat=7),
        Raise(seat=6),
        Refused(seat=7),
        seats=6,
    )
    six = showing(YourTurn(seats=(5,)), Ready(), Leading(), seats=6)
    assert [both.lamps(NOW + ns(after / 10)) for after in range(20)] == [
        six.lamps(NOW + ns(after / 10)) for after in range(20)
    ]
    both.echo_press(7, NOW)
