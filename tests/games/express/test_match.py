"""Test undo across hands, and a restart that restores the same state from the journal."""

from __future__ import annotations

import random
from pathlib import Path

from companion.engine import Setup, state_hash
from companion.games.express.bot import POLICY
from companion.games.express.rules import RULES
from companion.journal.journal import Journal
from companion.match.actor import Actor
from companion.match.match import Match
from tests.games.proofs import proves


@proves("R-28", "F-7")
def test_undo_goes_back_into_the_hand_before(tmp_path: Path) -> None:
    """Undoing a partnership match across a deal restores the exact earlier state."""
    luck = random.Random(3)
    with Journal(tmp_path / "journal.db") as journal:
        match = Match.begin(journal, Setup(RULES.name, ("Jane", "Bill", "Tom", "Ann")), seed="4")
        hashes = {match.seq: state_hash(match.state)}
        while not match.state.table.match.played or match.state.table.over or match.state.table.turns < 2:
            (seat, *_) = POLICY.asked(match.state)
            event = POLICY.choose(POLICY.look(match.state, seat), luck.random)
            assert event is not None
            assert match.propose(event, Actor.at_seat(seat)) is None
            hashes[match.seq] = state_hash(match.state)
        assert match.state.table.match.history and match.state.table.turns == 2
        back = max([seq for seq in hashes if seq < match.seq - 25])
        assert match.rewind(back, Actor.HOST) is None
        assert state_hash(match.state) == hashes[back]
        assert match.state.table.match.played == 0
        assert state_hash(Match.open(journal, match.id).state) == hashes[back]
