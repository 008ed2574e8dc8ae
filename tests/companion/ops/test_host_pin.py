"""The hash of a host's PIN, with the same cost as on a real table."""

from __future__ import annotations

from companion.ops.host_pin import hash_pin, no_pin, pin_matches


def test_a_pin_fits_its_own_hash_alone() -> None:
    """Each hash of a PIN is different and matches only that PIN."""
    kept = [hash_pin("4711"), hash_pin("4711")]
    assert kept[0] != kept[1]
    assert [pin_matches(pin, each) for each in kept for pin in ("4711", "4712")] == [True, False] * 2


def test_the_hash_of_no_pin_looks_like_any_other_and_fits_none() -> None:
    """A placeholder hash has the form of a real one and matches no PIN."""
    real, none = hash_pin("4711"), [no_pin(), no_pin()]
    assert [[len(part) for part in each.split(":")] for each in none] == [[len(part) for part in real.split(":")]] * 2
    assert none[0] != none[1]
    assert not pin_matches("4711", none[0])
