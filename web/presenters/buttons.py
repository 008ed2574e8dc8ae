"""The current meaning of a button press, and the buttons' state: public records for templates."""

from __future__ import annotations

import msgspec

from companion.devices.registry import ButtonsStatus
from companion.engine import Confirming, Deciding, Raising, Unveiling
from companion.table.snapshot import Snapshot

COUNTS = ("one", "two", "three")


class PressState(msgspec.Struct, frozen=True):
    """The current meaning of a press. `kind`: `raising`, `unveiling`, `deciding`, `confirming`, or empty for none."""

    kind: str = ""
    leader: int = -1
    amount: int = 0
    """Dollars that a press bids (raising)."""
    leap: int = 0
    """Dollars that a hold bids above the price (raising); 0 if a hold bids no more than a press."""
    price: int = 0
    count: str = ""
    """The leader's next count: `one`, `two` or `three`; empty if the companion continues counting."""
    counted: int = 0
    """The count so far (raising)."""
    seats: tuple[int, ...] = ()
    """The seats that are meant: those that open their fists (unveiling), have their turn (deciding), or are asked
    (confirming).
    """
    closed: tuple[int, ...] = ()
    ready: tuple[int, ...] = ()
    double_tap: int = 0
    """Milliseconds within which a second tap on the same spot does not count (raising, unveiling)."""

    @property
    def all_closed(self) -> bool:
        """Whether all fists are closed and only the signal is missing."""
        return self.kind == "unveiling" and not set(self.seats) - set(self.closed)

    def waiting(self) -> tuple[int, ...]:
        """Return the seats with closed fists that are not ready yet, once all fists are closed."""
        if not self.all_closed:
            return ()
        return tuple([seat for seat in self.seats if seat not in self.ready])

    def may_press(self, seat: int) -> bool:
        """Whether a seat may press although the table does not await it: to bid more, or to report its fist ready."""
        return seat in self.waiting() or (self.kind == "raising" and seat != self.leader)


def press_state(snapshot: Snapshot) -> PressState:
    """Return the current meaning of a press."""
    match snapshot.timing:
        case Raising() as now:
            own = now.counting == "companion" and now.count > 0
            count = "" if own or now.count >= len(COUNTS) else COUNTS[now.count]
            leap = now.leap if now.leap > now.step else 0
            double_tap = snapshot.pace.double_tap_ms
            counted = min(now.count, len(COUNTS))
            return PressState(
                "raising", now.leader, now.price + now.step, leap, now.price, count, counted, double_tap=double_tap
            )
        case Unveiling() as now:
            return PressState(
                "unveiling",
                seats=now.seats,
                closed=now.closed,
                ready=snapshot.ready,
                double_tap=snapshot.pace.double_tap_ms,
            )
        case Deciding() as now:
            return PressState("deciding", seats=(now.seat,))
        case Confirming() as now:
            return PressState("confirming", seats=tuple([seat for seat, _ in now.events]))
    return PressState()


class ButtonsView(msgspec.Struct, frozen=True):
    """The buttons' state, without values that change at every press. `out`: seats (-1: the host) and their
    conditions.
    """

    expected: bool = False
    lost: bool = False
    kind: str = ""
    count: int = 0
    said: str = ""
    out: tuple[tuple[int, str], ...] = ()

    @property
    def simulated(self) -> bool:
        """Whether pins are simulated and can be driven from a page."""
        return self.kind == "simulated" and not self.lost


def buttons_view(buttons: ButtonsStatus | None, players: int) -> ButtonsView:
    """Return the state of the buttons for a number of players; None: there are no buttons."""
    if buttons is None:
        return ButtonsView()
    return ButtonsView(
        buttons.expected,
        buttons.lost,
        buttons.kind if buttons.alive else "",
        len({each.seat for each in buttons.buttons if each.seat >= 0}),
        " ".join(said for said in (buttons.bus, "" if buttons.lost else buttons.said) if said),
        () if buttons.lost else tuple(sorted((s, how) for s, how in buttons.out_of_play().items() if s < players)),
    )
