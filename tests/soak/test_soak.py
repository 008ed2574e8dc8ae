"""Tests that random games of each kind pass the checks, and that batches of games are played once each."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from companion.engine import AnyState, Event
from companion.games import GAMES
from tests.soak import batches as soak
from tests.soak import games
from tests.soak.games import play_one

TRIES = 6
"""The games for each number of players: two for each kind of program."""
KINDS = [(name, players) for name, game in GAMES.items() for players in game.seats]


@pytest.mark.parametrize(("name", "players"), KINDS)
def test_everything_holds_in_random_games(name: str, players: int) -> None:
    """All checks hold in games with random options and decks and wandering programs."""
    assert all([play_one(name, players, seed) for seed in range(TRIES)])


def test_what_does_not_hold_is_told_with_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that fails a check is a fault of its batch with its seed, and the other games are played."""

    def hold(before: AnyState, event: Event, after: AnyState) -> None:
        assert not after.over or max(after.table.trains, key=len) != after.table.trains[0], "the first seat has most"

    batch = soak.Batch("rules", "twenty-tons", 2, 1, 10)
    assert soak.play_batch(batch).faults == ()
    monkeypatch.setattr(games, "invariants_of", lambda game: hold)
    found = soak.play_batch(batch)
    assert 0 < len(found.faults) < 10
    assert all("AssertionError: the first seat has most" in fault for fault in found.faults)


def test_an_interruption_loses_only_what_was_not_finished(tmp_path: Path) -> None:
    """Stored batches are not played again, half a line is ignored, and changed rules start again."""
    path, wanted = tmp_path / "soak.jsonl", [soak.Batch("now", "twenty-tons", n, 1, 5) for n in (2, 3, 4)]
    assert [batch.key for batch in soak.play_left(wanted[:1], path, 1)] == [wanted[0].key]
    path.write_bytes(path.read_bytes() + msgspec.json.encode(wanted[1])[:30])
    assert {batch.players for batch in soak.play_left(wanted, path, 1)} == {3, 4}
    assert list(soak.play_left(wanted, path, 1)) == []
    assert [batch.players for batch in soak.play_left([soak.Batch("new", "twenty-tons", 2, 1, 5)], path, 1)] == [2]
    assert sorted(batch.players for batch in soak.read_batches(path)) == [2, 2, 3, 4]


def test_rules_have_one_digest() -> None:
    """The same code has the same digest in another process."""
    assert soak.digest_rules() == soak.digest_rules()
    assert len({batch.key for batch in soak.all_batches("now", 250)}) == 3 * len(KINDS)
