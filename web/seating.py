"""Seats and their occupants: taken, freed and played by bots, and the host's questions to them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping

from companion.engine import Seat
from companion.journal.journal import JournalError
from companion.match.actor import Actor
from companion.match.history import SeatTaken
from companion.table.bot_seat import PACES, BotSeat, Pace
from companion.table.table import Snapshot, Table, TableAnswer
from web.presenters.match_log import players_of
from web.presenters.scene import Occupancy
from web.security.access import SEAT_PIN, Access, Write
from web.security.knocks import Knocks
from web.security.pin_limits import Device

PACE = "web.bots_pace"
"""The key of the stored pace of bots."""


class Seating:
    """The current match's seats. Any thread may call it; callers refresh the pages afterwards."""

    def __init__(self, table: Table, access: Access, knocks: Knocks) -> None:
        self.table = table
        self.access = access
        self.knocks = knocks
        self.bots: BotSeat | None = None
        self.questions: dict[int, str] = {}
        """The host's questions, by seat."""
        kept = access.store.read_value(PACE)
        self.pace: Pace = "at_once" if kept == b"at_once" else "calm"
        """The bots' pace at this table."""
        self._lock = threading.Lock()
        self._closing = threading.Event()

    def close(self) -> None:
        """Stop all bots."""
        self._closing.set()
        if self.bots is not None:
            self.bots.stop()

    def new_match(self) -> None:
        """Reset all seats for a new match."""
        with self._lock:
            self.questions = {}
        self.seat_bots()

    def occupancy(self, snapshot: Snapshot) -> Occupancy:
        """Return the occupants of all seats."""
        credentials = self.access.credentials(snapshot.match_id)
        count = len(players_of(snapshot))
        if credentials is None:
            return Occupancy((False,) * count)
        last = {body.seat: isinstance(body, SeatTaken) for _, body in snapshot.devices}
        return Occupancy(
            taken=tuple(seat in credentials.pins for seat in range(count)),
            freed=tuple(sorted(seat for seat, taken in last.items() if not taken)),
            retaken=tuple(sorted(seat for seat, taken in last.items() if taken)),
            bots=credentials.bots,
            pace=self.pace,
            phones=credentials.phones,
            tablet=credentials.tablet,
            asked=tuple(sorted(self.questions.items())),
            room=credentials.room,
            knocks=self.knocks.waiting(snapshot.match_id),
        )

    def ask(self, seat: int, question: str) -> None:
        """Ask a seat something on its own page; an empty question withdraws the last one."""
        with self._lock:
            others = {other: asked for other, asked in self.questions.items() if other != seat}
            self.questions = others | {seat: question} if question else others

    # --- people -----------------------------------------------------------------------------------

    def enter(self, match: str, seat: int, pin: str, device: Device) -> str:
        """Admit a person to a seat, a free one with a new PIN, else with its own; return an error's name or ""."""
        if not is_seat_pin(pin):
            return "pin_digits"
        credentials = self.access.credentials(match)
        if credentials is not None and seat not in credentials.pins and self._claim(match, seat, pin):
            self.seat_bots()  # the bot that played the seat leaves
        elif credentials is not None and credentials.pins.get(seat) == "":
            door = self.access.door("seat", match, seat)
            if not self.access.limits.take_grant(door, device.visit):
                return "no_pin"
            self.access.set_pin(match, seat, pin)
        elif not self.access.enter_seat(match, seat, pin, device):
            return "wrong_pin"
        return ""

    def _claim(self, match: str, seat: int, pin: str) -> bool:
        """Give a free seat its own PIN, and record in the same commit that a freed seat was taken again."""
        if not self.table.snapshot().freed_at(Seat(seat)):
            return self.access.claim(match, seat, pin)
        write = write_with_record(lambda values: self.table.take_seat(Seat(seat), values))
        return self.access.claim(match, seat, pin, write)

    def free(self, match: str, seat: int, by: Actor) -> None:
        """Take a seat away from its device, and record that in the same commit."""
        write = write_with_record(lambda values: self.table.free_seat(Seat(seat), by, values))
        self.access.free(match, seat, write)
        self.ask(seat, "")

    def consent_for_unused_seats(self) -> None:
        """Consent to an undo for all seats that are free or played by bots."""
        occupancy = self.occupancy(self.table.snapshot())
        for seat, taken in enumerate(occupancy.taken):
            undo = self.table.snapshot().undo
            if undo is not None and seat not in undo.agreed and (not taken or seat in occupancy.bots):
                self.table.consent(Seat(seat), True)

    # --- bots -------------------------------------------------------------------------------------

    def set_bot(self, seat: int, on: bool) -> None:
        """Let a bot play a seat from now on, or remove the bot."""
        self.access.play(self.table.snapshot().match_id, seat, on)
        self.seat_bots()

    def seat_bots(self) -> None:
        """Start and stop bots so that they play the seats given to them, also after a restart."""
        credentials = self.access.credentials(self.table.snapshot().match_id)
        wanted = frozenset(credentials.bots) if credentials else frozenset()
        with self._lock:
            if self.bots is None:
                if not wanted:
                    return
                self.bots = BotSeat(self.table, self._pause)
                self.bots.pace = self.pace
                self.bots.start()
            for seat in wanted - self.bots.seats:
                self.bots.sit(Seat(seat))
            for seat in self.bots.seats - wanted:
                self.bots.leave(Seat(seat))

    def set_pace(self, pace: str) -> bool:
        """Set the bots' pace and store it; return False for an unknown pace."""
        found = next((each for each in PACES if each == pace), None)
        if found is None:
            return False
        self.access.store.keep_all({PACE: found.encode()})
        with self._lock:
            self.pace = found
            if self.bots is not None:
                self.bots.pace = found
        return True

    def _pause(self, seconds: float) -> None:
        """Sleep, but return at once when the table closes."""
        self._closing.wait(seconds)


def is_seat_pin(pin: str) -> bool:
    """Whether this is a valid PIN for a seat."""
    return pin.isascii() and pin.isdigit() and len(pin) == SEAT_PIN


def write_with_record(record: Callable[[Mapping[str, bytes | None]], TableAnswer]) -> Write:
    """Return a function that writes credentials together with a record of the match; it raises `JournalError`."""

    def write(values: Mapping[str, bytes | None]) -> None:
        answer = record(values)
        if answer.refusal is not None:
            raise JournalError(str(answer.refusal.fields.get("why", "The match is not on the table any more.")))

    return write
