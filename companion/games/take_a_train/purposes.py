"""The 18 purpose tokens: their conditions, prizes, and the right to claim them (R-70 to R-75)."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import NamedTuple

from msgspec.structs import replace

from companion.engine import Effect, Refusal, Seat
from companion.games.take_a_train import refusals
from companion.games.take_a_train.table import TRAINS, Table, Train, paid
from companion.mechanics.seating import with_value

PER_SEAT = 3
"""Purpose tokens drawn by each player (both rulebooks; R-10)."""


class Purpose(NamedTuple):
    """One token: its name in events, its printed prize in dollars, and a key for its condition."""

    id: str
    prize: int
    key: str


PURPOSES: tuple[Purpose, ...] = (
    Purpose("P-1", 1000, "two_fulfilled"),
    Purpose("P-2", 600, "special_taken"),
    Purpose("P-3", 800, "three_each"),
    Purpose("P-4", 300, "first_player"),
    Purpose("P-5", 1000, "last_player"),
    Purpose("P-6", 800, "ten_wagons"),
    Purpose("P-7", 1000, "four_food"),
    Purpose("P-8", 800, "four_cattle"),
    Purpose("P-9", 800, "three_coal"),
    Purpose("P-10", 600, "three_oil"),
    Purpose("P-11", 400, "two_luxury"),
    Purpose("P-12", 300, "two_passenger"),
    Purpose("P-13", 800, "three_diesel"),
    Purpose("P-14", 1500, "three_steam"),
    Purpose("P-15", 300, "three_electric"),
    Purpose("P-16", 600, "one_of_each"),
    Purpose("P-17", 600, "fastest"),
    Purpose("P-18", 1000, "slowest"),
)
"""All tokens with their printed prizes; both rulebooks agree (purpose tokens page; R-70)."""

BY_ID = {purpose.id: index for index, purpose in enumerate(PURPOSES)}
ALL = (1 << len(PURPOSES)) - 1

CARGO_GOALS: dict[str, tuple[int, str]] = {
    "food": (4, "P-7"),
    "cattle": (4, "P-8"),
    "coal": (3, "P-9"),
    "oil": (3, "P-10"),
    "luxury": (2, "P-11"),
    "passenger": (2, "P-12"),
}
"""The wagons of one type on one locomotive that a token requires (purpose tokens page)."""
WAGONS_EACH, WAGONS_TOGETHER = 3, 10
"""P-3 and P-6 (purpose tokens page)."""
DRIVE_GOALS = {"diesel": "P-13", "steam": "P-14", "electric": "P-15"}
SWAPS = {"steam_electric": ("P-14", "P-15"), "last_steam": ("P-5", "P-14"), "first_last": ("P-4", "P-5")}
"""The interpretations of the translator's note that two prizes should be swapped (R-71)."""


def bit(purpose: str) -> int:
    """Return a token's bit in the masks of the table."""
    return 1 << BY_ID[purpose]


def ids(mask: int) -> tuple[str, ...]:
    """Return the tokens of a mask by name, in their printed order."""
    return tuple(p.id for i, p in enumerate(PURPOSES) if mask >> i & 1)


def mask_of(purposes: tuple[str, ...]) -> int:
    """Return the mask of some tokens."""
    return sum({bit(p) for p in purposes})


def prize(table: Table, purpose: str) -> int:
    """Return the prize of a token under the option `purpose_swap` (R-71)."""
    pair = SWAPS.get(table.fixed.options.purpose_swap, ())
    if purpose in pair:
        purpose = pair[1 - pair.index(purpose)]
    return PURPOSES[BY_ID[purpose]].prize


# --- conditions -----------------------------------------------------------------------------------


def wagon_mask(table: Table, seat: int) -> int:
    """Return the wagon purposes (P-3, P-6 to P-12) whose condition a seat's trains meet now."""
    own = table.trains[seat]
    mask = together = 0
    least = WAGONS_EACH if len(own) == TRAINS else 0
    for train in own:
        size = len(train.wagons)
        together += size
        least = size if size < least else least
        if train.cargo is not None:
            need, purpose = CARGO_GOALS[train.cargo]
            if size >= need:
                mask |= bit(purpose)
    if least >= WAGONS_EACH:
        mask |= _THREE_EACH
    return mask | _TEN if together >= WAGONS_TOGETHER else mask


_TEN, _THREE_EACH = bit("P-6"), bit("P-3")


def drive_mask(trains: tuple[Train, ...]) -> int:
    """Return the drive purposes (P-13 to P-16) that three face-up locomotives meet."""
    if len(trains) < TRAINS or not all(t.face_up for t in trains):
        return 0
    drives = {t.drive for t in trains}
    if len(drives) == 1:
        return bit(DRIVE_GOALS[trains[0].drive])
    return bit("P-16") if len(drives) == TRAINS else 0


def extreme_masks(table: Table) -> tuple[int, ...]:
    """Return for each seat P-17 and P-18: the fastest and the slowest face-up locomotive of all (R-72)."""
    speeds = [[t.speed for t in trains if t.face_up] for trains in table.trains]
    every = [speed for own in speeds for speed in own]
    if not every:
        return (0,) * len(speeds)
    masks = [0] * len(speeds)
    for extreme, purpose in ((max(every), "P-17"), (min(every), "P-18")):
        masks = [mask | bit(purpose) if extreme in own else mask for mask, own in zip(masks, speeds, strict=True)]
    return tuple(masks)


def order_masks(table: Table) -> tuple[int, ...]:
    """Return for each seat P-4 and P-5, once the sequence tokens are assigned (R-57)."""
    masks = [0] * table.fixed.players
    if table.order:
        masks[table.order[0]] |= bit("P-4")
        masks[table.order[-1]] |= bit("P-5")
    return tuple(masks)


def holds_now(table: Table, seat: int) -> int:
    """Return every purpose whose condition holds at this moment (`claim_window = "while_true"`)."""
    lasting = table.met[seat] & (bit("P-1") | bit("P-2"))
    mask = lasting | wagon_mask(table, seat) | drive_mask(table.trains[seat])
    if all(len(trains) == TRAINS for trains in table.trains):
        mask |= extreme_masks(table)[seat]
    return mask | order_masks(table)[seat]


# --- fulfilled conditions ----------------------------------------------------------------------------


def note(table: Table, more: tuple[int, ...]) -> Table:
    """Return the table with newly fulfilled purposes added, as a mask for each seat."""
    new = tuple([mask & ~old for mask, old in zip(more, table.met, strict=True)])
    if not any(new):
        return table
    fresh = table.fresh
    if table.fixed.options.claim_window == "immediate":
        fresh = tuple(map(or_, fresh or (0,) * len(new), new))
    return update_ripe(replace(table, met=tuple(map(or_, table.met, new)), fresh=fresh))


def note_one(table: Table, seat: int, mask: int) -> Table:
    """Return the table with one seat's newly fulfilled purposes added."""
    if not mask & ~table.met[seat]:
        return table
    return note(table, with_value((0,) * table.fixed.players, seat, mask))


def update_ripe(table: Table) -> Table:
    """Return the table with `ripe` updated: whether anybody could claim a purpose."""
    left = ~reduce(or_, table.claimed)
    ripe = any(met & held & left for met, held in zip(table.met, table.held, strict=True))
    return table if ripe == table.ripe else replace(table, ripe=ripe)


# --- claiming -------------------------------------------------------------------------------------


def claimable(table: Table, seat: int) -> int:
    """Return the mask of tokens that a seat could show now (R-72, R-73)."""
    mask = table.met[seat] & table.held[seat] & ~reduce(or_, table.claimed)
    if not mask or table.claimed[seat].bit_count() >= PER_SEAT:
        return 0
    window = table.fixed.options.claim_window
    if window == "while_true":
        return mask & holds_now(table, seat)
    if window == "immediate":
        return mask & table.fresh[seat] if table.fresh else 0
    return mask


def claim_refusal(table: Table, seat: Seat, purpose: str) -> Refusal | None:
    """Return why a claim is refused, for the claiming seat alone, or None (R-73)."""
    if purpose not in BY_ID:
        return refusals.NO_SUCH_PURPOSE.to(seat, purpose=purpose)
    mask = bit(purpose)
    if any(mask & c for c in table.claimed):
        return refusals.ALREADY_CLAIMED.to(seat, purpose=purpose)
    if not mask & table.held[seat] or table.claimed[seat].bit_count() >= PER_SEAT:
        return refusals.NOT_YOUR_TOKEN.to(seat, purpose=purpose)
    if not mask & claimable(table, seat):
        return refusals.PURPOSE_NOT_MET.to(seat, purpose=purpose)
    if table.fixed.options.bank_limit == "strict" and table.bank < prize(table, purpose):
        return refusals.BANK_EMPTY.to(seat)
    return None


def claim(table: Table, seat: Seat, purpose: str) -> tuple[Table, tuple[Effect, ...]]:
    """Return the table after a claim: the token is shown and gone, the prize paid (R-73, R-74)."""
    table, moves = paid(table, seat, prize(table, purpose), "purpose")
    mask = table.claimed[seat] | bit(purpose)
    table = replace(table, claimed=with_value(table.claimed, seat, mask), offered=())
    if mask.bit_count() == PER_SEAT - 1:
        table = note_one(table, seat, bit("P-1"))
    return update_ripe(table), moves
