"""What must be true of a journal after a fault: all that was acknowledged, nothing torn, and it can be played on."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from companion.engine import state_hash
from companion.journal.journal import Journal, JournalError, Record
from companion.match.match import Match, MatchError


class Said(NamedTuple):
    """What a table acknowledged: a match, its last record, the hash of its state."""

    match: str
    seq: int
    hash: str


def lines(data: bytes) -> list[Said]:
    """Return the acknowledgements in a stream; what was cut off in the middle of a line does not count."""
    found = [line.split() for line in data.decode().split("\n")[:-1]]
    return [Said(match, int(seq), hashed) for match, seq, hashed in found if match not in ("-", "no")]


def wrong(path: Path, said: list[Said]) -> str:
    """Return what is wrong with a journal after these acknowledgements, or nothing: `lost`, `torn`, `other`.

    The last acknowledgement of each match is looked up: its record must be there and lead to the very same state.
    """
    last = {each.match: each for each in sorted(said, key=lambda each: each.seq)}
    with Journal(path) as journal:
        for each in last.values():
            try:
                match = Match.open(journal, each.match)
            except (JournalError, MatchError) as error:
                return f"lost: {error}"
            if match.seq < each.seq:
                return f"lost: match {each.match} ends at {match.seq}, acknowledged was {each.seq}"
            if state_hash(match.line.ends[each.seq].entry.after) != each.hash:
                return f"other: match {each.match} stands elsewhere at record {each.seq}"
        return f"torn: {journal.findings[0]}" if journal.findings else ""


def everything(path: Path) -> dict[str, tuple[Record, ...]]:
    """Return all records of all matches."""
    with Journal(path, read_only=True) as journal:
        return {summary.id: journal.records(summary.id) for summary in journal.matches()}
