"""What people can do at a table and see on its pages, as a protocol."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Protocol

import msgspec

from companion.demo.acts import Face, MoveCard
from companion.engine import Event, Seat
from companion.messages import Sighting

APART = ("table", "offers")
"""Parts of a seat's view to leave out: the public table is sent separately, and the offers follow from it."""


class PageChoice(msgspec.Struct, frozen=True):
    """One of several things that may have happened, as the camera's eye asks it. `mark` is what a tap on it says."""

    mark: str
    sentences: tuple[str, ...] = ()
    view: Any = None
    """The public table as it would be then."""


class PageMisfit(msgspec.Struct, frozen=True):
    """What does not fit at one place. `cards` should not lie there; `right` says what one tap would amend."""

    place: str
    sentence: str = ""
    cards: tuple[str, ...] = ()
    right: str = ""


class PageState(msgspec.Struct, frozen=True):
    """What everybody, and the own tablets, can see now."""

    view: Any = None
    """The public table; None: no match lies on it."""
    own: dict[int, Any] = {}
    """By seat, what its own tablet shows besides, where it was looked at."""
    choices: tuple[PageChoice, ...] = ()
    odd: tuple[PageMisfit, ...] = ()
    unread: dict[str, tuple[str, ...]] = {}
    """By place where a card lies that the camera cannot name: the cards there that it does name. What it takes for
    covered is such a place, too."""
    waits: bool = False
    """Nothing is taken by sight until the table lies as the rules say."""
    paused: bool = False
    ready: tuple[Seat, ...] = ()
    """Who is ready for the fists to open."""
    over: bool = False
    looking: str = ""
    """What the camera does; empty: there is none, or nobody says."""
    reading: int = 0
    """The number of the camera's last reading."""
    pins: dict[int, int] = {}
    """By seat, the pin of its simulated button; only the host's page, where its bench is, has them."""
    back: str = ""
    """What shows of a card that lies face down on a rendered table; only the host's page."""


class PageLogLine(msgspec.Struct, frozen=True):
    """One thing that happened lately, as a tablet's log says it."""

    number: int
    """Which it was of those that everybody could see, from 1."""
    event: dict[str, Any]
    """The event as it is said, without what this tablet must not say of it."""
    quiet: bool = False
    """Whether only its own seat knows of it: it came after the one with this number."""


class World(Protocol):
    """How people reach a companion: pins, cards, tablets. Failures on the way raise `OSError`."""

    def press(self, seat: Seat) -> None:
        """Press a seat's button and let it go."""
        ...

    def move(self, moved: MoveCard) -> None:
        """Move a card; return when the hand is away."""
        ...

    def tap(self, seat: Seat | None, event: Event, *then: Event) -> str:
        """Enter an event on a seat's tablet (None: the shared one); return why it was refused, or an empty text."""
        ...

    def choose(self, mark: str) -> None:
        """Answer a question of the camera's."""
        ...

    def amend(self, place: str) -> None:
        """Tap the correction of a misread place."""
        ...

    def look(self, seats: Collection[Seat] = ()) -> PageState:
        """Look at the shared tablet, and at some seats' own."""
        ...

    def said(self, seat: Seat | None) -> tuple[PageLogLine, ...]:
        """Read the latest log lines of a seat's tablet (None: the shared one)."""
        ...

    def lies(self) -> dict[str, list[tuple[str, Face]]]:
        """Return the cards on the table by place: by name if face up, otherwise by what is visible of them."""
        ...

    def rest(self, seconds: float) -> None:
        """Wait."""
        ...

    def settle(self) -> None:
        """Keep the hands away until the camera has looked at the table, or would have."""
        ...


def unread(sightings: Iterable[Sighting], covered: Iterable[str] = ()) -> dict[str, tuple[str, ...]]:
    """Return, for each place with an unnamed card face up, the named cards there.

    A covered place has none, even though its cards are remembered.
    """
    named: dict[str, tuple[str, ...]] = {}
    places = set()
    for each in sightings:
        if each.face == "up" and each.card is not None:
            named[each.place] = (*named.get(each.place, ()), each.card)
        elif each.face == "up":
            places.add(each.place)
    return {place: named.get(place, ()) for place in sorted(places)} | dict.fromkeys(covered, ())


def everybody(view: Any) -> Any:
    """Return a public view as plain data."""
    return msgspec.to_builtins(view, str_keys=True)


def own(view: Any) -> dict[str, Any]:
    """Return the parts of a seat's own view that are not in the public one, as plain data."""
    names = [name for name in view.__struct_fields__ if name not in APART]
    return {name: msgspec.to_builtins(getattr(view, name), str_keys=True) for name in names}


def differing(shown: Any, true: Any, orderless: Collection[str] = (), name: str = "") -> tuple[str, ...]:
    """Return the paths of the fields in which two pieces of plain data differ.

    Lists named in `orderless` are compared in any order, such as a market's.
    """
    if isinstance(shown, dict) and isinstance(true, dict) and shown.keys() == true.keys():
        found = [differing(shown[key], true[key], orderless, f"{name}.{key}".strip(".")) for key in shown]
        return tuple([path for paths in found for path in paths])
    if isinstance(shown, list | tuple) and isinstance(true, list | tuple) and len(shown) == len(true):
        pairs = (shown, true)
        if name.rpartition(".")[2] in orderless:
            pairs = (sorted(shown, key=_rank), sorted(true, key=_rank))
        found = [differing(a, b, orderless, f"{name}.{at}") for at, (a, b) in enumerate(zip(*pairs, strict=True))]
        return tuple([path for paths in found for path in paths])
    return () if shown == true else (name or "all",)


def _rank(value: Any) -> bytes:
    return msgspec.json.encode(value)
