"""The value of locomotives: the profit that three of them can be expected to make."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from companion.games.take_a_train.bot.known import Known
from companion.games.take_a_train.catalogue import CARGO, SPECIALS, Book, Loco, wagon_parts
from companion.games.take_a_train.purposes import BY_ID, DRIVE_GOALS, PURPOSES
from companion.games.take_a_train.table import Train

CARRIED = (3.6, 2.4, 1.3)
"""The average number of wagons behind the best, second and third locomotive in a round (fitted)."""
REPLACED = 0.6
"""The multiplier to which a replacement is equal: one of its wagons pays, once (fitted)."""
UNREAD_VALUE = 175.0
"""The average value of a wagon in a box whose values have not been read."""
DRIVE_OF = {purpose: drive for drive, purpose in DRIVE_GOALS.items()}
"""The number of locomotives with the same drive that a purpose asks for."""
PROMISE = (0.0, 0.15, 0.45, 1.0)
"""The share of a drive purpose's prize that one, two or three fitting locomotives are worth (estimated)."""
EXTREME_PROMISE = 0.6
"""The share of the prize for the fastest or slowest that the current record is worth while others may follow."""


@lru_cache(maxsize=16)
def composition(wagons: tuple[str, ...]) -> dict[str, tuple[int, float]]:
    """Return for each cargo the number of wagon cards in the deck and their total value."""
    found = {cargo: (0, 0.0) for cargo in CARGO}
    for card in wagons:
        if card not in SPECIALS:
            cargo, value = (card, UNREAD_VALUE) if card in CARGO else wagon_parts(card)
            count, total = found[cargo]
            found[cargo] = count + 1, total + value
    return found


@lru_cache(maxsize=16)
def average(wagons: tuple[str, ...]) -> float:
    """Return the average value of the deck's wagons."""
    found = composition(wagons).values()
    return sum(total for _, total in found) / sum(count for count, _ in found)


def profits(book: Book, multipliers: Iterable[float]) -> float:
    """Return the profit expected of some locomotives in one round, in dollars."""
    ranked = sorted(multipliers, reverse=True)
    return average(book.wagons) * sum(c * m for c, m in zip(CARRIED, ranked, strict=False))


def worth(known: Known, own: Sequence[Train], more: Sequence[Loco | None]) -> float:
    """Return the value of a seat's locomotives and some more (None: a replacement) to it, with purposes."""
    multipliers: list[float] = [t.multiplier if t.face_up else REPLACED for t in own]
    multipliers += [REPLACED if loco is None or loco.multiplier is None else loco.multiplier for loco in more]
    return profits(known.book, multipliers) + prizes(known, own, more)


def prizes(known: Known, own: Sequence[Train], more: Sequence[Loco | None]) -> float:
    """Return the value of these locomotives for the drive and speed purposes in hand (P-13 to P-18)."""
    if not known.purposes:
        return 0.0
    drives = [t.drive for t in own if t.face_up] + [loco.drive for loco in more if loco is not None]
    complete = len(drives) == len(own) + len(more)
    found = 0.0
    for purpose in known.purposes:
        prize = PURPOSES[BY_ID[purpose]].prize
        if purpose == "P-16":
            if complete and len(set(drives)) == len(drives):
                found += prize * PROMISE[len(drives)]
        elif purpose in ("P-17", "P-18"):
            speeds = [t.speed for t in own if t.face_up] + [x.speed or 0 for x in more if x is not None]
            if speeds and _extreme(known, speeds, purpose):
                found += prize * EXTREME_PROMISE
        elif complete and drives and set(drives) == {DRIVE_OF.get(purpose)}:
            found += prize * PROMISE[len(drives)]
    return found


def _extreme(known: Known, speeds: list[int], purpose: str) -> bool:
    """Return whether one of the speeds is among the fastest or slowest sixth of all locomotives."""
    every = sorted(loco.speed for loco in known.book.locos.values() if loco.speed is not None)
    quarter = max(1, len(every) // 6)
    return max(speeds) >= every[-quarter] if purpose == "P-17" else min(speeds) <= every[quarter - 1]


def free_locos(known: Known) -> list[Loco]:
    """Return the locomotives with known figures that nobody owns face up."""
    gone = {t.loco for own in known.trains for t in own if t.face_up}
    return [loco for loco in known.book.locos.values() if loco.known and loco.id not in gone]


def fill(known: Known, count: int, without: str = "") -> list[Loco | None]:
    """Return cards that a seat can buy cheaply for its last `count` places: the least wanted of the remaining ones.

    Nobody knows which cards are in play. The result is a little better than the worst card to be expected among
    `unsold`, because the other seats also leave some of those (fitted: half as many places as players).
    """
    if not count:
        return []
    left = [loco for loco in free_locos(known) if loco.id != without]
    if not left:
        return [None] * count
    unsold = max(1, known.unsold - bool(without))
    left.sort(key=lambda loco: ((loco.multiplier or 0), -(loco.power or 0)))
    at = max(0, round((len(left) + 1) / (unsold + 1)) - 1)
    cheap = left[min(at + known.players // 2, len(left) - 1)]
    return [cheap] * count


def limit_price(known: Known, card: str) -> float:
    """Return the price at which a card is worth as much as waiting for the least wanted one."""
    (last,) = fill(known, 1, card)
    rest = fill(known, known.missing - 1, card)
    spared = (last.power or 0) if last is not None else 0
    return worth(known, known.own, [known.loco(card), *rest]) - worth(known, known.own, [*rest, last]) + spared


def purse(known: Known) -> int:
    """Return the amount that a seat may spend now and still afford the cheapest locomotives that it lacks."""
    powers = sorted(loco.power or 0 for loco in free_locos(known))
    return known.cash - sum(powers[: known.missing - 1])
