"""Tests of a cache with a limit in bytes."""

from __future__ import annotations

from vision.recognise.lru_cache import LruCache


def kept(most: int) -> LruCache[str, bytes]:
    """Return a cache with the given limit in bytes."""
    return LruCache(most, len)


def test_what_is_kept_is_not_made_again() -> None:
    """A second request for a key computes nothing."""
    store, made = kept(10), []
    for _ in range(2):
        assert store.get("a", lambda: made.append(1) or b"abc") == b"abc"
    assert len(made) == 1


def test_what_was_not_asked_for_longest_is_forgotten_first() -> None:
    """Beyond the limit the least recently used value is dropped first."""
    store = kept(8)
    for name in "aba":
        store.get(name, lambda: b"abc")
    store.get("c", lambda: b"abc")
    assert store.taken == 6
    assert store.get("a", lambda: b"new") == b"abc"
    assert store.get("b", lambda: b"new") == b"new"


def test_what_is_larger_than_the_bound_is_kept_alone() -> None:
    """A single value is kept even if it exceeds the limit."""
    store = kept(2)
    store.get("a", lambda: b"abc")
    assert store.get("a", lambda: b"new") == b"abc"
    store.get("b", lambda: b"abcd")
    assert store.taken == 4
