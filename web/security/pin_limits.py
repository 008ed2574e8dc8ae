"""Limits on guessing PINs: per address, in total, and for known devices, each for the door that a PIN opens.

Strangers' wrong guesses slow down only strangers, so nobody can lock out the people at the table.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from math import ceil
from typing import Literal, NamedTuple

from web.security.client_network import client_network

Kind = Literal["room", "seat", "host"]
EVENING = 6.0
"""Hours over which to compute the chance of guessing a PIN."""
LARGEST_CHANCE = 1 / 1000
"""The largest allowed chance that strangers together guess one PIN in an evening."""


class Budget(NamedTuple):
    """Wrong guesses of all strangers together at one door: the burst, and the number per hour."""

    digits: int
    """The fewest digits of a PIN of this kind."""
    at_once: int
    hourly: float
    first: int = 0
    """Extra first guesses of new addresses: strangers need more addresses than that to hold up a newcomer."""

    def chance(self, hours: float = EVENING) -> float:
        """Return the chance that all guesses together find the PIN within these hours."""
        return (self.at_once + self.hourly * hours + self.first) / 10.0**self.digits


BUDGETS: dict[Kind, Budget] = {
    # Ten people with a few typing errors, and more first guesses than a home has addresses; 820 guesses an evening:
    # 0.082 %
    "room": Budget(6, 60, 60.0, first=400),
    "seat": Budget(4, 6, 0.5),  # a lost phone and a mistyped PIN or two; 9 guesses an evening: 0.09 % a seat
    "host": Budget(4, 6, 0.5),  # the same, for the shortest PIN that a host may choose
}
FREE_TRIES, SHARED_TRIES = 3, 10
"""Free wrong PINs per address: at one door, and at all doors (several people use a shared tablet)."""
FIRST_WAIT, LONGEST_WAIT = 5.0, 300.0
"""Seconds that an address waits after the next wrong PIN; doubles up to the maximum."""
KNOWN_TRIES, KNOWN_WAIT = 10, 5.0
"""Free wrong PINs of known devices at their own door, and the wait in seconds after each further one."""
GRANTED_TRIES = 5
"""Tries of a device that the host admitted to a seat with an exhausted budget."""
FORGET = 900.0
"""Seconds after the last wrong PIN until an address or a known device starts afresh."""
MOST_ADDRESSES, MOST_DOORS, MOST_GRANTS = 2048, 512, 32
"""The most entries to remember; the budgets hold even if an address is forgotten early."""


class TooMany(Exception):
    """Too many wrong PINs; `wait` is in seconds, `all_of_them` says whether all strangers' budget is used up."""

    def __init__(self, wait: float, kind: Kind = "seat", all_of_them: bool = False) -> None:
        super().__init__(f"wait {wait:.0f} s")
        self.wait = wait
        self.kind = kind
        self.all_of_them = all_of_them


class Device(NamedTuple):
    """A device that tries a PIN: its address, its browser's random name, and the marks of doors it opened before."""

    address: str
    visit: str = ""
    marks: frozenset[str] = frozenset()


class Door(NamedTuple):
    """A door that one PIN opens, such as a room or a seat. Devices that have opened it store `mark`; empty if there
    is no PIN yet.
    """

    kind: Kind
    name: str
    mark: str = ""


class Counter(NamedTuple):
    """Wrong PINs so far, and the time of the last one."""

    wrong: int
    last: float


class Limits:
    """Counts wrong PINs. Any thread may call it; `clock` gives monotonic seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.lock = threading.Lock()
        self.wrong: OrderedDict[str, Counter] = OrderedDict()
        self.spent: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self.granted: OrderedDict[tuple[str, str], int] = OrderedDict()

    def attempt(self, door: Door, device: Device, check: Callable[[], bool]) -> bool:
        """Return whether `check` accepts the PIN; raise `TooMany` without calling it if the device must wait.

        A guess counts before it is checked, and is uncounted if right, so that simultaneous guesses cannot slip past
        the limits together.
        """
        keys = self._count(door, device)
        right = False
        try:
            right = check()
        finally:
            if right:
                self._take_back(door, keys)
        return right

    def left(self, door: Door, device: Device) -> tuple[int, float]:
        """Return how many wrong PINs a device may still send before it must wait, and the wait after the last."""
        now = self.clock()
        with self.lock:
            granted = self.granted.get((device.visit, door_key(door)), 0)
            if granted:
                return granted, 0.0
            if door.mark and door.mark in device.marks:
                keys = {f"known:{door_key(door)}": KNOWN_TRIES}
            else:
                address = client_network(device.address)
                keys = {f"at:{address}:{door.name}": FREE_TRIES, f"address:{address}": SHARED_TRIES}
            left = [free - self._recent(key, now) for key, free in keys.items()]
            if "known:" not in next(iter(keys)) and not self._has_first(door, next(iter(keys))):
                left.append(BUDGETS[door.kind].at_once - ceil(self._spent(door, now)))
            return max(0, min(left)), max(0.0, max(self._until(key, now) - now for key in keys))

    def _recent(self, key: str, now: float) -> int:
        """Return the wrong PINs that still count under a name."""
        count, last = self.wrong.get(key, (0, now))
        return 0 if now - last >= FORGET else count

    def grant(self, door: Door, visit: str) -> None:
        """Let a device try a few times at a door, regardless of others' tries."""
        with self.lock:
            self.granted[visit, door_key(door)] = GRANTED_TRIES
            while len(self.granted) > MOST_GRANTS:
                self.granted.popitem(last=False)

    def take_grant(self, door: Door, visit: str) -> bool:
        """Return whether the host admitted a device at a door; if so, use up one of its tries."""
        with self.lock:
            return self.granted.pop((visit, door_key(door)), 0) > 0

    def _count(self, door: Door, device: Device) -> tuple[str, ...]:
        """Count a guess, and return the names under which it counts; raise `TooMany` if it is not allowed."""
        now = self.clock()
        with self.lock:
            if door.mark and door.mark in device.marks:
                keys: tuple[str, ...] = (f"known:{door_key(door)}",)
                self._wait(door, now, keys)
                return self._note_wrong(keys, now)
            grant = (device.visit, door_key(door))
            if self.granted.get(grant, 0) > 0:
                self.granted[grant] -= 1
                if not self.granted[grant]:
                    del self.granted[grant]
                return ()
            address = client_network(device.address)
            keys = (f"at:{address}:{door.name}", f"address:{address}")
            self._wait(door, now, keys)
            if self._has_first(door, keys[0]):
                first = first_key(door)
                self.spent[first] = (self.spent.get(first, (0.0, now))[0] + 1, now)
                self._bound_spent()
                return (*self._note_wrong(keys, now), first)
            self._spend(door, now)
            return self._note_wrong(keys, now)

    def _wait(self, door: Door, now: float, keys: tuple[str, ...]) -> None:
        wait = max(self._until(key, now) - now for key in keys)
        if wait > 0:
            raise TooMany(wait, door.kind)

    def _until(self, key: str, now: float) -> float:
        """Return the time of the next allowed guess under this name."""
        count, last = self.wrong.get(key, (0, now))
        if now - last >= FORGET:
            return now
        if key.startswith("known:"):
            return last + KNOWN_WAIT if count >= KNOWN_TRIES else now
        free = SHARED_TRIES if key.startswith("address:") else FREE_TRIES
        return last + min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** min(count - free, 10)) if count >= free else now

    def _note_wrong(self, keys: tuple[str, ...], now: float) -> tuple[str, ...]:
        for key in keys:
            count, last = self.wrong.pop(key, (0, now))
            self.wrong[key] = Counter(1 if now - last >= FORGET else count + 1, now)
        while len(self.wrong) > MOST_ADDRESSES:
            self.wrong.popitem(last=False)
        return keys

    def _has_first(self, door: Door, at_door: str) -> bool:
        """Whether a guess is the first of its address at a door, while strangers have first guesses left."""
        return at_door not in self.wrong and self.spent.get(first_key(door), (0.0, 0.0))[0] < BUDGETS[door.kind].first

    def _spend(self, door: Door, now: float) -> None:
        """Take one guess from strangers' budget at a door; raise `TooMany` if none is left."""
        budget, key = BUDGETS[door.kind], door_key(door)
        spent = self._spent(door, now)
        if spent + 1 > budget.at_once:
            raise TooMany((spent + 1 - budget.at_once) * 3600 / budget.hourly, door.kind, all_of_them=True)
        self.spent[key] = (spent + 1, now)
        self._bound_spent()

    def _bound_spent(self) -> None:
        """Forget the doors with the least used budgets if there are too many."""
        while len(self.spent) > MOST_DOORS:
            least = min(self.spent, key=lambda each: self.spent[each][0])
            del self.spent[least]

    def _spent(self, door: Door, now: float) -> float:
        """Return how much of a door's budget strangers have used."""
        spent, at = self.spent.get(door_key(door), (0.0, now))
        return max(0.0, spent - (now - at) / 3600 * BUDGETS[door.kind].hourly)

    def _take_back(self, door: Door, keys: tuple[str, ...]) -> None:
        """Uncount a right PIN: the address starts afresh, and strangers lose nothing."""
        with self.lock:
            first = first_key(door)
            for key in keys:
                found = self.wrong.get(key)
                if found is not None and found.wrong > 1 and key.startswith("address:"):
                    self.wrong[key] = Counter(found.wrong - 1, found.last)
                else:
                    self.wrong.pop(key, None)
            if any(key.startswith("at:") for key in keys):
                pool = first if first in keys else door_key(door)
                spent, at = self.spent.get(pool, (0.0, 0.0))
                self.spent[pool] = (max(0.0, spent - 1), at)


def door_key(door: Door) -> str:
    """Return the key for counting a door's guesses; it changes with the PIN."""
    return f"{door.name}:{door.mark}"


def first_key(door: Door) -> str:
    """Return the key for counting the first guesses of addresses at a door."""
    return f"first:{door_key(door)}"
