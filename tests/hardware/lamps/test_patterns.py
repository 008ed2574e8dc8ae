"""Patterns: what an eight-year-old can tell apart across the table."""

from __future__ import annotations

from itertools import islice

import pytest

from companion.messages import Count, Raise, Refused, Reveal, Sold
from hardware.lamps.patterns import FOREVER, LOOKS, REVEALED, TONE, Pattern, double_blink, flashes, slow_blink, steady

CUES = (Count(), Reveal(), Raise(), Sold(), Refused())


def lit(pattern: Pattern) -> list[float]:
    """Return how long each lit frame is, in seconds."""
    return [seconds for seconds, on in islice(pattern, 100) if on]


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_count_flashes_as_often_and_sounds_longer_each_time(number: int) -> None:
    """One, two, three can be counted with the eyes, and told apart by ear."""
    look = LOOKS[Count]
    assert len(lit(look.lamps(Count(number=number)))) == number
    assert look.tone is not None
    assert lit(look.tone(Count(number=number))) == [TONE * 2 ** (number - 1)]
    assert look.everybody


def test_three_flashes_are_over_before_the_next_count() -> None:
    """Counts are a second apart."""
    assert sum(seconds for seconds, _ in flashes(3)) < 1


def test_a_reveal_lights_everybody_without_a_break() -> None:
    """All on together for a second and a half."""
    assert list(LOOKS[Reveal].lamps(Reveal())) == [(REVEALED, True)]
    assert LOOKS[Reveal].everybody


@pytest.mark.parametrize("cue", CUES)
def test_every_cue_of_the_moment_lights_up_and_ends(cue: Count) -> None:
    """Nothing momentary stays for ever, and a tone that was begun is ended."""
    look = LOOKS[type(cue)]
    for pattern in (look.lamps(cue), *([look.tone(cue)] if look.tone else [])):
        frames = list(islice(pattern, 1000))
        assert len(frames) < 1000
        assert any(on for _, on in frames) and all(seconds > 0 for seconds, _ in frames)


def test_what_stands_never_ends() -> None:
    """Steady, slow blink and double blink go on and on."""
    assert set(islice(steady(), 50)) == {(FOREVER, True)}
    for pattern in (slow_blink(), double_blink()):
        assert len(list(islice(pattern, 1000))) == 1000


def test_cues_are_told_apart_by_their_rhythm() -> None:
    """No two momentary looks of a single lamp are alike."""
    frames = [tuple(LOOKS[type(cue)].lamps(cue)) for cue in (*CUES, Count(number=2), Count(number=3))]
    alike = {(a, b) for a in range(len(frames)) for b in range(a) if frames[a] == frames[b]}
    assert alike == {(2, 0)}  # a raise and “one” flash alike: one at a single lamp, the other at all
