"""Whether the table takes a sealed bid, and a Ready from a phone that holds the seals."""

from __future__ import annotations

from collections.abc import Iterable

from companion.engine import Event, Refusal
from companion.match.match import Match
from companion.match.openings import ClosedFists, closed_fists
from companion.mechanics.seals import SealedAmount, fits, is_sealed


def seal_refusal(match: Match, events: Iterable[Event], frozen: bool) -> str:
    """Return the key of the reason against a bid: it does not fit its seal, or closed fists are `frozen`.

    Empty for a bid without a seal and for any other event.
    """
    for event in events:
        if not isinstance(event, SealedAmount):
            continue
        now = present_lot(match)
        if frozen and now is not None and event.seat in now.bids:
            return "bids_frozen"
        if is_sealed(event) and (now is None or not fits(match.id, now.lot, event)):
            return "seal_misfit"
    return ""


def held_refusal(match: Match, held: str) -> Refusal | None:
    """Return why a phone that holds these seals cannot be ready, or None; empty: the press says nothing of seals."""
    if not held:
        return None
    now = present_lot(match)
    same = now is not None and now.all_closed and now.set_hash(match.id) == held
    return None if same else Refusal("R-00", "seals_differ")


def present_lot(match: Match) -> ClosedFists | None:
    """Return the lot whose fists wait for the signal now, or None."""
    return closed_fists(match.game, match.state, (node.entry.event for node in reversed(match.line.nodes)))
