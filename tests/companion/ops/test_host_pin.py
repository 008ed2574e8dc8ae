"""The hash of a host's PIN, at the cost that it has on a real table."""

from __future__ import annotations

from companion.ops.host_pin import hash_pin, pin_matches


def test_a_pin_fits_its_own_hash_alone() -> None:
    """The same PIN has another hash each time, and each of them fits it and no other."""
    kept = [hash_pin("4711"), hash_pin("4711")]
    assert kept[0] != kept[1]
    assert [pin_matches(pin, each) for each in kept for pin in ("4711", "4712")] == [True, False] * 2
