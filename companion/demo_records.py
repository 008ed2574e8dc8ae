"""Records exchanged between a demonstration's simulated people, the pages and the stage."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from companion.messages import CellSighting, Sighting

REPORT_PATH, KEY_HEADER = "/stage/people", "X-Stage-Key"
"""The stage's address for reports, and the header that holds the reporter's key."""
KEY_VARIABLE = "COMPANION_STAGE"
"""The environment variable for that key; the companion has a stage if it is set."""


class StageReport(msgspec.Struct, forbid_unknown_fields=True):
    """A report from the simulated people. `pages` are the addresses of the seats' pages, `table` that of the shared
    tablet's."""

    pages: tuple[str, ...] = ()
    table: str = ""
    host: str = ""
    doing: str = "coming"
    """The people's activity, one of `DOINGS`."""
    events: int = 0
    cards: int = 0
    """The number of moved cards."""
    questions: int = 0
    """The number of questions that the companion had to ask."""
    wrong: int = 0
    """The number of times that the companion differed from the real table."""


DOINGS = ("coming", "playing", "puzzled", "stopped", "over")
"""The activities of the simulated people: taking their seats; playing; waiting for a companion that differs from the
real table; stopped; the match is over."""


class StageWishes(msgspec.Struct, frozen=True):
    """The wishes of the stage's viewers."""

    speed: float = 1.0
    """The speed of play; 0 stops it."""
    taken: tuple[int, ...] = ()
    """The seats that persons play."""
    again: int = 0
    """The number of further matches asked for."""


# --- a page's state ----------------------------------------------------------------------------------

LEFT_OUT = ("table", "offers")
"""Parts of a seat's view to leave out: the public table is sent separately, and the offers follow from it."""


class PageChoice(msgspec.Struct, frozen=True):
    """One of several possible events in a question of the camera's. `mark` identifies it in a tap."""

    mark: str
    sentences: tuple[str, ...] = ()
    view: Any = None
    """The public table after this event."""


class PageMismatch(msgspec.Struct, frozen=True):
    """A place with something misplaced or misread. `cards` should not lie there; `right` is the correction by one
    tap."""

    place: str
    sentence: str = ""
    cards: tuple[str, ...] = ()
    right: str = ""


class PageNotice(msgspec.Struct, frozen=True):
    """A message to the players about tokens on the table, with a request if they have to act."""

    key: str
    seat: int | None = None
    amount: int = 0
    sentence: str = ""


class PageClaim(msgspec.Struct, frozen=True):
    """The claim that a seat's tokens suggest. `mark` identifies it in a tap on that seat's own tablet."""

    mark: str
    seat: int | None = None
    sentence: str = ""


class PageState(msgspec.Struct, frozen=True):
    """The present state of the shared tablet and the seats' own tablets."""

    view: Any = None
    """The public table; None: there is no match."""
    own: Mapping[int, object] = {}
    """The private part of each requested seat's tablet, by seat."""
    choices: tuple[PageChoice, ...] = ()
    odd: tuple[PageMismatch, ...] = ()
    notices: tuple[PageNotice, ...] = ()
    claims: tuple[PageClaim, ...] = ()
    unread: dict[str, tuple[str, ...]] = {}
    """The cards that the camera can name at each place that also has cards it cannot. Covered places are included,
    without cards."""
    waits: bool = False
    """Whether sightings are ignored until the cards match the rules."""
    paused: bool = False
    ready: tuple[int, ...] = ()
    """Seats that are ready for the fists to open."""
    over: bool = False
    looking: str = ""
    """The state of the camera; empty if there is none, or if it is unknown."""
    reading: int = 0
    """The number of the camera's latest reading."""
    pins: dict[int, int] = {}
    """The pin of each seat's simulated button; only on the host's page, which has the pins panel."""
    back: str = ""
    """The name for any face-down card on a rendered table; only on the host's page."""


class PageLogLine(msgspec.Struct, frozen=True):
    """A recent event in a tablet's log."""

    number: int
    """Its number among the public events, from 1."""
    event: dict[str, object]
    """The event's fields, without those that this tablet must not show."""
    quiet: bool = False
    """Whether only its own seat knows of it; it then followed the public event with this number."""


def find_unread(
    sightings: Iterable[Sighting], covered: Iterable[str] = (), cells: Iterable[CellSighting] = ()
) -> dict[str, tuple[str, ...]]:
    """Return, for each place with an unnamed face-up card, the named cards there.

    A covered place has none, although its cards are remembered. Neither has an uncertain cell (`board.C4`).
    """
    named: dict[str, tuple[str, ...]] = {}
    places = set()
    for each in sightings:
        if each.face == "up" and each.card is not None:
            named[each.place] = (*named.get(each.place, ()), each.card)
        elif each.face == "up":
            places.add(each.place)
    unsure = [f"board.{each.cell}" for each in cells if each.choices]
    return {place: named.get(place, ()) for place in sorted(places)} | dict.fromkeys((*covered, *unsure), ())


def public_fields(view: object) -> Any:
    """Return a public view as plain data."""
    return msgspec.to_builtins(view, str_keys=True)


def own_fields(view: msgspec.Struct) -> dict[str, object]:
    """Return the parts of a seat's own view that are not in the public one, as plain data."""
    shown = {name: value for name, value in msgspec.structs.asdict(view).items() if name not in LEFT_OUT}
    return {name: msgspec.to_builtins(value, str_keys=True) for name, value in shown.items()}
