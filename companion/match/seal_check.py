"""Checks the seals of a match's bids again, from its records alone, lot by lot."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from companion.engine import Seat
from companion.match.history import History, HistoryNode, walk_back
from companion.match.openings import lot_of, opened_bids
from companion.mechanics.seals import SealedAmount, fits, is_sealed, set_of
from companion.referee.verdict import Judged


class CheckedLot(msgspec.Struct, frozen=True):
    """The result for a lot's seals; `seq` is the record that opened it.

    `undone`: the host undid this opening, so that it does not count. `apart`: a phone was ready with other seals than
    those of the opened bids.
    """

    seq: int
    lot: str
    checked: tuple[Seat, ...] = ()
    unsealed: tuple[Seat, ...] = ()
    corrected: tuple[Seat, ...] = ()
    misfit: tuple[Seat, ...] = ()
    apart: bool = False
    undone: bool = False

    @property
    def sound(self) -> bool:
        """Whether nothing in the lot contradicts a seal."""
        return not self.misfit and not self.apart


def check_seals(line: History, match_id: str) -> tuple[CheckedLot, ...]:
    """Return every opened lot with a sealed bid, in order, including those that the host undid."""
    standing = {node.entry.seq for node in line.nodes}
    former = [node for node in line.made if node is not None and node.entry.seq not in standing]
    found = [*_lots(line, line.nodes, match_id, False), *_lots(line, former, match_id, True)]
    return tuple(sorted(found, key=lambda each: each.seq))


def _lots(line: History, nodes: list[HistoryNode], match_id: str, undone: bool) -> Iterator[CheckedLot]:
    """Yield the lots that some entries opened."""
    for node in nodes:
        lot = lot_of(node.parent.entry.after) if node.parent is not None else None
        if lot is None:
            continue
        entries = [each.entry for each in walk_back(node)]
        places = opened_bids(line.game, [entry.event for entry in entries], node.entry.effects)
        bids = {seat: (entries[at].seq, entries[at].event) for seat, at in sorted(places.items())}
        sealed = {seat: (seq, bid) for seat, (seq, bid) in bids.items() if isinstance(bid, SealedAmount)}
        held = bool(_held(line, node.entry.seq, lot))
        if held or any(is_sealed(bid) or seq in line.amended for seq, bid in sealed.values()):
            yield _checked(line, node.entry.seq, (match_id, lot), sealed, undone)


def _checked(
    line: History, seq: int, where: tuple[str, str], bids: dict[int, tuple[int, SealedAmount]], undone: bool
) -> CheckedLot:
    """Return the result for the seals of one lot; `where` is the match and the lot."""
    found: dict[str, list[Seat]] = {"checked": [], "unsealed": [], "corrected": [], "misfit": []}
    for seat, (number, bid) in bids.items():
        if number in line.amended:
            kind = "corrected"
        elif not is_sealed(bid):
            kind = "unsealed"
        else:
            kind = "checked" if fits(*where, bid) else "misfit"
        found[kind].append(Seat(seat))
    whole = set_of(*where, {seat: bid.seal for seat, (_, bid) in bids.items()})
    apart = not found["corrected"] and any(held != whole for held in _held(line, seq, where[1]))
    checked, unsealed, corrected, misfit = (tuple(seats) for seats in found.values())
    return CheckedLot(seq, where[1], checked, unsealed, corrected, misfit, apart, undone)


def _held(line: History, seq: int, lot: str) -> list[str]:
    """Return the hashes of the seals that phones held when the record `seq` opened a lot."""
    body = line.bodies[seq + 1] if seq < line.seq else None
    if not isinstance(body, Judged) or (body.kind, body.lot) != ("reveal", lot):
        return []
    return [mark.held for mark in body.marks if mark.held]
