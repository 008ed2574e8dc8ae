"""Simulated pins: gpiozero's mock pins, with fingers that press as badly as real ones. Knows nothing of the service."""

from __future__ import annotations

import msgspec


class Faults(msgspec.Struct, frozen=True):
    """What is wrong with simulated buttons; nothing where all is 0."""

    bounce: int = 0
    """Further edges of every closing and opening."""
    bounce_ms: float = 4.0
    """How long a contact bounces."""
    jitter_ms: float = 0.0
    """Stamps are up to so much too late."""
    late_ms: float = 0.0
    """Edges are delivered up to so much too late; their stamps are right."""
    disorder: bool = False
    """Late edges may overtake one another."""
    noise_per_s: float = 0.0
    """Spikes of less than a millisecond on every button, in a second."""
    stuck: tuple[int, ...] = ()
    """BCM numbers of buttons that stay closed once they were pressed."""
    seed: int = 1
