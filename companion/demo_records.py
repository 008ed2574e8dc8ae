"""Records exchanged between a demonstration's people, the pages and the stage."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from companion.messages import CellSighting, Sighting

REPORT_PATH, KEY_HEADER = "/stage/people", "X-Stage-Key"
"""The stage's address for reports, and the header that holds the reporter's key."""
KEY_VARIABLE = "COMPANION_STAGE"
"""The environment variable for that key; if it is set, the companion has a stage."""


class StageReport(msgspec.Struct, forbid_unknown_fields=True):
    """Report of the people. `pages` are the addresses of the seats' pages, `table` that of the shared tablet's."""

    pages: tuple[str, ...] = ()
    table: str = ""
    host: str = ""
    doing: str = "coming"
    """One of `DOINGS`."""
    events: int = 0
    cards: int = 0
    """How many cards were moved."""
    questions: int = 0
    """How many one-tap questions the companion had to ask."""
    wrong: int = 0
    """How often the companion showed something other than what lay there."""


DOINGS = ("coming", "playing", "puzzled", "stopped", "over")
"""What the people are doing: taking their seats; playing; waiting for a companion that differs from the real table;
stopped; the match is over."""


class StageWishes(msgspec.Struct, frozen=True):
    """Wishes of the viewers."""

    speed: float = 1.0
    """Speed of play; 0: stopped."""
    taken: tuple[int, ...] = ()
    """Seats that a person plays."""
    again: int = 0
    """The number of further matches asked for."""


# --- what a page shows -------------------------------------------------------------------------------

LEFT_OUT = ("table", "offers")
"""Parts of a seat's view to leave out: the public table is sent separately, and the offers follow from it."""


class PageChoice(msgspec.Struct, frozen=True):
    """One of several things that may have happened, in a question of the camera's. `mark` identifies it in a tap."""

    mark: str
    sentences: tuple[str, ...] = ()
    view: Any = None
    """The public table as it would be if this had happened."""


class PageMismatch(msgspec.Struct, frozen=True):
    """A misplaced or misread place. `cards` should not lie there; `right` describes what one tap corrects."""

    place: str
    sentence: str = ""
    cards: tuple[str, ...] = ()
    right: str = ""


class PageNotice(msgspec.Struct, frozen=True):
    """What people should know of the tokens on the table, or do with them."""

    key: str
    seat: int | None = None
    amount: int = 0
    sentence: str = ""


class PageClaim(msgspec.Struct, frozen=True):
    """What a seat's tokens suggest. `mark` identifies it in a tap on that seat's own tablet."""

    mark: str
    seat: int | None = None
    sentence: str = ""


class PageState(msgspec.Struct, frozen=True):
    """What the shared tablet and the seats' own tablets show now."""

    view: Any = None
    """The public table; None: there is no match."""
    own: Mapping[int, object] = {}
    """By seat, what only its own tablet shows, if that was looked at."""
    choices: tuple[PageChoice, ...] = ()
    odd: tuple[PageMismatch, ...] = ()
    notices: tuple[PageNotice, ...] = ()
    claims: tuple[PageClaim, ...] = ()
    unread: dict[str, tuple[str, ...]] = {}
    """For each place with a card that the camera cannot name, the cards there that it can. Covered places count as
    such, with no cards."""
    waits: bool = False
    """Whether sightings are ignored until the cards lie as the rules say."""
    paused: bool = False
    ready: tuple[int, ...] = ()
    """Seats that are ready for the fists to open."""
    over: bool = False
    looking: str = ""
    """The state of the camera; empty: there is none, or it is unknown."""
    reading: int = 0
    """The number of the camera's latest reading."""
    pins: dict[int, int] = {}
    """By seat, the pin of its simulated button; only on the host's page, which has the pins panel."""
    back: str = ""
    """The name for any card face down on a rendered table; only on the host's page."""


class PageLogLine(msgspec.Struct, frozen=True):
    """A recent event in a tablet's log."""

    number: int
    """Its number among the events that everybody could see, from 1."""
    event: dict[str, object]
    """The event's fields, without those that this tablet must not show."""
    quiet: bool = False
    """Whether only its own seat knows of it; it then came after the event with this number."""


def find_unread(
    sightings: Iterable[Sighting], covered: Iterable[str] = (), cells: Iterable[CellSighting] = ()
) -> dict[str, tuple[str, ...]]:
    """Return, for each place with an unnamed card face up, the named cards there.

    A covered place has none, even though its cards are remembered; nor has a cell that is not certain (`board.C4`).
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
