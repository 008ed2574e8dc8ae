"""The patterns of cues for lamps and the buzzer. Patterns are generators of frames; a frame is (seconds, on).

==========================  ==================================================  ==========================
cue                         lamps                                               buzzer
==========================  ==================================================  ==========================
your turn                   these seats blink slowly                            –
leading                     this seat is lit                                    –
ready                       the ready are lit, those waited for blink slowly    –
trouble                     all: two short blinks, a pause, again and again     –
host's button is held       all blink quickly, then are lit: let go now         –
switched off                all are dark                                        –
one, two, three             all: as many short flashes                          as much longer a tone
three, two, one to reveal   the same, and dark until the next                   the same
reveal                      all are lit together                                one long tone
raise                       this seat: one short flash                          –
sold                        the winner's lamp dances                            three short tones
refused                     this seat: three fast blinks                        two very short tones
echo (of a press, local)     this seat: the other way round for a moment         –
==========================  ==================================================  ==========================

The end of the machine hides all standing cues; trouble hides the other three; leading hides ready, and ready hides
your turn. Momentary cues (from “one” to “refused”) are shown over standing ones, the latest on top, and “echo” over
everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from companion.messages import Count, Cue, Raise, Refused, Reveal, Sold

Frame = tuple[float, bool]
Pattern = Iterator[Frame]

FOREVER = 3600.0
"""Seconds of one frame of a steadily lit lamp."""
SLOW = 0.5
"""Seconds on, and off, of a slow blink."""
QUICK = 0.15
"""Seconds on, and off, of a blink that means "go on"."""
ECHO = 0.12
"""Seconds of the echo of a press."""
FLASH, DARK = 0.12, 0.12
"""Seconds on and off of a counted flash: three flashes can still be counted, and take less than a second."""
FAST = 0.07
"""Seconds on, and off, of a fast blink."""
DANCE = (0.06, 0.06, 0.06, 0.06, 0.25, 0.1)
"""Seconds on, off, on, off, on, off of one step of the winner's dance."""
DANCES = 4
TONE = 0.1
"""Seconds of the tone for “one”; that for “two” is twice as long, that for “three” four times."""
EXPECTANT = 1.5
"""Seconds of darkness between the numbers before a reveal, so that a flash is visible even if all lamps were lit
before."""
REVEALED = 1.5
"""Seconds for which all lamps are lit together at the reveal."""
LONG_TONE = 1.0
BLIP = 0.03
"""Seconds of the shortest tone that people hear as one."""


def steady() -> Pattern:
    """Yield a steadily lit lamp."""
    while True:
        yield FOREVER, True


def slow_blink() -> Pattern:
    """Yield slow blinks."""
    while True:
        yield SLOW, True
        yield SLOW, False


def quick_blink() -> Pattern:
    """Yield quick blinks, for a button that must be held."""
    while True:
        yield QUICK, True
        yield QUICK, False


def dark() -> Pattern:
    """Yield darkness."""
    while True:
        yield FOREVER, False


def double_blink() -> Pattern:
    """Yield two short blinks and a pause, again and again."""
    while True:
        yield from flashes(2)
        yield 2 * SLOW, False


def flashes(number: int) -> Pattern:
    """Yield the given number of short flashes."""
    for _ in range(number):
        yield FLASH, True
        yield DARK, False


def fast_blinks() -> Pattern:
    """Yield three fast blinks, with darkness before and after to make them visible on a lit lamp too."""
    yield FAST, False
    for _ in range(3):
        yield FAST, True
        yield FAST, False


def dance() -> Pattern:
    """Yield four times two short flashes and a long one."""
    for _ in range(DANCES):
        for n, seconds in enumerate(DANCE):
            yield seconds, n % 2 == 0


def once(seconds: float) -> Pattern:
    """Yield one frame lit for the given time."""
    yield seconds, True


def tones(number: int, seconds: float) -> Pattern:
    """Yield the given number of tones, each followed by an equally long silence."""
    for _ in range(number):
        yield seconds, True
        yield seconds, False


class LampPattern(NamedTuple):
    """A momentary cue's pattern of lamps, its tone if any, and whether all lamps show it or only its seat's."""

    lamps: Callable[[Cue], Pattern]
    tone: Callable[[Cue], Pattern] | None = None
    everybody: bool = False


def number_of(cue: Cue) -> int:
    """Return the number that a cue counts, 1 to 3."""
    return cue.number if isinstance(cue, Count) else 1


def count_flashes(cue: Cue) -> Pattern:
    """Yield as many flashes as the number, with darkness after them before a reveal."""
    yield from flashes(number_of(cue))
    if isinstance(cue, Count) and cue.to == "reveal":
        yield EXPECTANT, False


LOOKS: dict[type[Cue], LampPattern] = {
    Count: LampPattern(count_flashes, lambda cue: once(TONE * 2 ** (number_of(cue) - 1)), True),
    Reveal: LampPattern(lambda cue: once(REVEALED), lambda cue: once(LONG_TONE), True),
    Raise: LampPattern(lambda cue: flashes(1)),
    Sold: LampPattern(lambda cue: dance(), lambda cue: tones(3, TONE)),
    Refused: LampPattern(lambda cue: fast_blinks(), lambda cue: tones(2, BLIP)),
}
"""The pattern of every momentary cue."""
