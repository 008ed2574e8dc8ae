"""Seals of secret bids, as pages show and phones check them. Amounts and nonces are included only after the opening."""

from __future__ import annotations

import msgspec

from companion.match.openings import closed_fists, lot_of, opened_bids
from companion.mechanics.seals import SealedAmount
from companion.table.snapshot import Snapshot
from web.game_pages import pages_of
from web.presenters.sealed_choices import last_entries, state_before

SYMBOLS = 4
"""The number of drawn symbols of a seal, one for each of its first hexadecimal digits. People compare the symbols;
phones compare the whole seal.
"""


class Seal(msgspec.Struct, frozen=True):
    """The seal of one seat's closed fist. `seal` and `device` are empty for a bid that no phone has sealed."""

    seat: int
    seal: str
    device: str

    @property
    def symbols(self) -> str:
        """The hexadecimal digits that are drawn as symbols."""
        return self.seal[:SYMBOLS]


class OpenedSeal(Seal, frozen=True):
    """The seal of an opened bid, with the values from which it was computed. `corrected`: the host amended the bid
    afterwards.
    """

    amount: int
    nonce: str
    corrected: bool


class OpenedLot(msgspec.Struct, frozen=True):
    """A lot whose fists were opened. `held` has the seats that were ready, each with the hash of the seals that its
    phone held.

    `missing` has the seats for which the host did not wait.
    """

    lot: str
    bids: tuple[OpenedSeal, ...]
    held: tuple[tuple[int, str], ...]
    missing: tuple[int, ...]

    @property
    def sealed(self) -> bool:
        """Whether any bid of the lot has a seal."""
        return any(bid.seal for bid in self.bids)


class Seals(msgspec.Struct, frozen=True):
    """The lot whose fists wait for the signal (`lot` is empty for none), and the last opened one.

    `event` is the name of the event that closes a fist; `closed` has the seals of the closed fists.
    """

    match: str
    lot: str = ""
    event: str = ""
    all_closed: bool = False
    closed: tuple[Seal, ...] = ()
    ready: tuple[int, ...] = ()
    opened: OpenedLot | None = None

    @property
    def data(self) -> str:
        """The seals as JSON, for the page's script."""
        return msgspec.json.encode(self).decode()

    @property
    def sealed(self) -> bool:
        """Whether any closed fist has a seal."""
        return any(bid.seal for bid in self.closed)


def seals_of(snapshot: Snapshot) -> Seals | None:
    """Return the seals that are public now; None if no bid can have one."""
    state = snapshot.state
    if state is None or not pages_of(snapshot.game).seals:
        return None
    now = closed_fists(snapshot.game, state, (entry.event for entry in reversed(snapshot.entries)))
    opened = last_opened(snapshot)
    if now is None:
        return None if opened is None else Seals(snapshot.match_id, opened=opened)
    closed = tuple([Seal(seat, bid.seal, bid.device) for seat, bid in sorted(now.bids.items())])
    return Seals(snapshot.match_id, now.lot, now.event, now.all_closed, closed, snapshot.ready, opened)


def last_opened(snapshot: Snapshot) -> OpenedLot | None:
    """Return the lot that the signal opened last, while its amounts are shown; None if none of its bids has a seal."""
    game, entries, now = snapshot.game, snapshot.entries, snapshot.state
    for at in last_entries(snapshot):
        lot = lot_of(before := state_before(snapshot, at))
        if lot is None:
            continue
        places = opened_bids(game, [entry.event for entry in reversed(entries[: at + 1])], entries[at].effects)
        if not places:
            continue
        assert now is not None
        found = [entries[at - place] for _, place in sorted(places.items())]
        if any(game.no_longer_shown(now, before, entry.event) for entry in found):
            return None
        bids = tuple([_opened(entry.event, entry.seq in snapshot.amended) for entry in found])
        held = _held(snapshot, lot)
        ready = {seat for seat, _ in held}
        missing = tuple([bid.seat for bid in bids if bid.seat not in ready]) if entries[at].by.role == "host" else ()
        opened = OpenedLot(lot, bids, tuple([each for each in held if each[1]]), missing)
        return opened if opened.sealed else None
    return None


def _opened(bid: object, corrected: bool) -> OpenedSeal:
    """Return an opened bid with its seal."""
    assert isinstance(bid, SealedAmount)
    return OpenedSeal(bid.seat, bid.seal, bid.device, bid.amount, bid.nonce, corrected)


def _held(snapshot: Snapshot, lot: str) -> tuple[tuple[int, str], ...]:
    """Return the seats that were ready for a lot's opening, each with the hash of the seals that its phone held, or
    "".
    """
    found = next((each for each in reversed(snapshot.verdicts) if (each.kind, each.lot) == ("reveal", lot)), None)
    return () if found is None else tuple([(mark.seat, mark.held or "") for mark in found.marks])
