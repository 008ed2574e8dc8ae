"""Newcomers blocked by the limits on PINs, and the host's answers to them; kept in memory only."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from typing import Literal

import msgspec
from msgspec.structs import replace

from web.security.client_network import client_network
from web.security.pin_limits import Device

Sort = Literal["iphone", "ipad", "android", "computer", "other"]
"""Everyday names of kinds of devices."""
MOST_WAITING, MOST_AT_ONE_ADDRESS, MOST_KEPT = 6, 2, 32
"""The most newcomers waiting in total, waiting per address, and remembered."""
PATIENCE = 600.0
"""Seconds for which a question or an answer is valid. Until then a refused address may not ask again."""


class Knock(msgspec.Struct, frozen=True):
    """One newcomer: `seat` is the wanted seat (None: only the room), `number` is shown on both pages."""

    number: int
    match: str
    seat: int | None
    visit: str
    name: str
    sort: Sort
    address: str
    at: float
    back: str = ""
    """The address at which the newcomer continues; by default the page for joining."""
    answer: Literal["", "yes", "no"] = ""


class TooManyKnocks(Exception):
    """No newcomer may ask now; `refused`: because the host refused this one."""

    def __init__(self, refused: bool) -> None:
        super().__init__("refused" if refused else "full")
        self.refused = refused


class Knocks:
    """The newcomers at all matches. Any thread may call it; `clock` gives seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.lock = threading.Lock()
        self._all: tuple[Knock, ...] = ()

    def knock(self, match: str, seat: int | None, device: Device, name: str, sort: Sort, back: str = "") -> Knock:
        """Ask the host to admit a device; raise `TooManyKnocks`. A repeated question replaces the previous one."""
        with self.lock:
            known = self._fresh()
            address = client_network(device.address)
            if any(each.answer == "no" and client_network(each.address) == address for each in known):
                raise TooManyKnocks(refused=True)
            others = [each for each in known if each.visit != device.visit]
            waiting = [each for each in others if not each.answer]
            here = [each for each in waiting if client_network(each.address) == address]
            if len(waiting) >= MOST_WAITING or len(here) >= MOST_AT_ONE_ADDRESS:
                raise TooManyKnocks(refused=False)
            used = {each.number for each in others}
            number = secrets.choice([n for n in range(10, 100) if n not in used])
            found = Knock(number, match, seat, device.visit, name, sort, device.address, self.clock(), back)
            self._all = (*others, found)[-MOST_KEPT:]
            return found

    def waiting(self, match: str) -> tuple[Knock, ...]:
        """Return the waiting newcomers, the longest wait first."""
        with self.lock:
            return tuple([each for each in self._fresh() if each.match == match and not each.answer])

    def answer(self, match: str, number: int, yes: bool) -> Knock | None:
        """Admit or refuse a newcomer; return None for an unknown number."""
        with self.lock:
            now = self.clock()
            for at, each in enumerate(self._all):
                if (each.match, each.number, each.answer) == (match, number, "") and now - each.at < PATIENCE:
                    said = replace(each, answer="yes" if yes else "no", at=now)
                    self._all = (*self._all[:at], said, *self._all[at + 1 :])
                    return said
            return None

    def of(self, match: str, visit: str) -> Knock | None:
        """Return a browser's last question, with the answer."""
        with self.lock:
            return next((each for each in self._fresh() if each.match == match and visit and each.visit == visit), None)

    def _fresh(self) -> tuple[Knock, ...]:
        now = self.clock()
        self._all = tuple([each for each in self._all if now - each.at < PATIENCE])
        return self._all
