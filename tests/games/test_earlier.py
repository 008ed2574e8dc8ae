"""Journals from before a ruling must still replay under the earlier ruling.

The games in `tests/games/<game>/earlier` were played by bots. Their headers name no rulings.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from companion.engine import Setup
from companion.files.untrusted import read_bytes
from companion.journal import database
from companion.journal.journal import Journal, Record
from companion.match.match import Match
from companion.match.notation import MAX_BYTES, TextError, read_text


class Earlier(NamedTuple):
    """A journal with its results and the ruling that was made later."""

    game: str
    name: str
    ruling: str
    events: int
    scores: tuple[int, ...]

    def lines(self) -> list[str]:
        """Return the lines of the journal, starting with the header."""
        path = Path(__file__).parent / self.game / "earlier" / f"{self.name}.jsonl"
        return read_bytes(path, MAX_BYTES).decode().splitlines()


JOURNALS = (
    Earlier("express", "hundred_turns", "idle_round", 386, (6, 22, 22, 12, 19, 31)),
    Earlier("express", "default_scoring", "sum_of_cars", 35, (59, 13)),
    Earlier("express", "lone_locomotive", "partner_on_turn", 598, (11, 62, 11, 62)),
    Earlier("trains", "all_then_more", "claims_bind", 54, (0, 2)),
)
"""`hundred_turns` stops a hand after a hundred turns, and `default_scoring` chooses no scoring. In
`lone_locomotive`, a skipped partner gets the locomotive. In `all_then_more`, a Freight Train returns Waste from a
real hand that had none for the Landfill."""


@pytest.fixture(params=JOURNALS, ids=[each.name for each in JOURNALS])
def earlier(request: pytest.FixtureRequest) -> Any:
    """Return each of the journals in turn."""
    return request.param


def test_an_earlier_journal_is_played_as_it_was(
    earlier: Earlier, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every event is accepted, with the same scores from the text and from a database."""
    monkeypatch.setattr(database, "SYNCHRONOUS", "OFF")
    header, *events = earlier.lines()
    line = read_text([header, *events])
    assert (len(line.nodes), line.game.scores(line.state)) == (earlier.events, earlier.scores)
    with Journal(tmp_path / "journal.db") as journal:
        match_id = journal.create(msgspec.json.decode(header, type=Setup))
        journal.append(match_id, [Record(seq, "", "table", 1, body) for seq, body in enumerate(events, 1)])
        match = Match.open(journal, match_id, check=True)
        assert (match.seq, match.game.scores(match.state)) == (earlier.events, earlier.scores)


def outcome(lines: list[str]) -> tuple[int, ...] | str:
    """Return the final scores of a journal, or the key of its refusal."""
    try:
        line = read_text(lines)
    except TextError as error:
        return error.refusal.key if error.refusal else "unreadable"
    return line.game.scores(line.state)


def test_the_ruling_would_change_it(earlier: Earlier) -> None:
    """Under the later ruling, the same journal is refused or ends with other scores."""
    header, *events = earlier.lines()
    today = msgspec.json.encode(msgspec.json.decode(header) | {"rulings": [earlier.ruling]}).decode()
    assert outcome([header, *events]) == earlier.scores
    assert outcome([today, *events]) not in (earlier.scores, "unknown_ruling", "unreadable")
