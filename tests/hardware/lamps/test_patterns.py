"""An eight-year-old can tell the lamps' patterns apart across the table."""

from __future__ import annotations

from itertools import islice

import pytest

from companion.messages import Count, Raise, Refused, Reveal, Sold
from hardware.lamps.patterns import FOREVER, LOOKS, REVEALED, TONE, Pattern, double_blink, flashes, slow_blink, steady

CUES = (Count(), Reveal(), Raise(), Sold(), Refused())


def lit(pattern: Pattern) -> list[float]:
    """Return the duration of each lit frame in seconds."""
    return [seconds for seconds, on in islice(pattern, 100) if on]


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_count_flashes_as_often_and_sounds_longer_each_time(number: int) -> None:
    """Eyes and ears can tell the counts one, two and three apart."""
    look = LOOKS[Count]
    assert len(lit(look.lamps(Count(number=number)))) == number
    assert look.tone is not None
    assert lit(look.tone(Count(number=number))) == [TONE * 2 ** (number - 1)]
    assert look.everybody


def test_three_flashes_are_over_before_the_next_count() -> None:
    """Counts are one second apart, and the flashes of three fit between two of them."""
    assert sum(seconds for seconds, _ in flashes(3)) < 1


def test_a_reveal_lights_everybody_without_a_break() -> None:
    """A reveal keeps all lamps on for a second and a half."""
    assert list(LOOKS[Reveal].lamps(Reveal())) == [(REVEALED, True)]
    assert LOOKS[Reveal].everybody


@pytest.mark.parametrize("cue", CUES)
def test_every_cue_of_the_moment_lights_up_and_ends(cue: Count) -> None:
    """A pattern of the moment lights up, comes to an end, and ends its tone."""
    look = LOOKS[type(cue)]
    for pattern in (look.lamps(cue), *([look.tone(cue)] if look.tone else [])):
        frames = list(islice(pattern, 1000))
        assert len(frames) < 1000
        assert any(on for _, on in frames) and all(seconds > 0 for seconds, _ in frames)


def test_what_stands_never_ends() -> None:
    """Steady light, slow blink and double blink repeat without an end."""
    assert set(islice(steady(), 50)) == {(FOREVER, True)}
    for pattern in (slow_blink(), double_blink()):
        assert len(list(islice(pattern, 1000))) == 1000


def test_cues_are_told_apart_by_their_rhythm() -> None:
    """No two momentary patterns of a lamp are equal."""
    frames = [tuple(LOOKS[type(cue)].lamps(cue)) for cue in (*CUES, Count(number=2), Count(number=3))]
    alike = {(a, b) for a in range(len(frames)) for b in range(a) if frames[a] == frames[b]}
    assert alike == {(2, 0)}  # A raise and "one" flash alike: a raise flashes one lamp, "one" flashes all of them
