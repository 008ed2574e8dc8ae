"""What people can do at a table and see on its pages, as a protocol."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

import msgspec

from companion.demo.acts import Face, MoveCard
from companion.engine import Event, Seat
from companion.wire import PageLogLine, PageState


class World(Protocol):
    """How people reach a companion: pins, cards, tablets. Failures on the way raise `OSError`."""

    def press(self, seat: Seat) -> None:
        """Press a seat's button and let it go."""
        ...

    def move(self, moved: MoveCard) -> None:
        """Move a card; return when the hand is away."""
        ...

    def lay_tokens(self, place: str, tokens: Sequence[str], heaped: bool = False) -> None:
        """Have hands lay exactly these tokens at a place; several places may be asked for before the hands are away.

        `heaped`: over one another.
        """
        ...

    def claim(self, seat: Seat, mark: str) -> None:
        """Tap on a seat's own tablet that it claims what its tokens suggest."""
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

    def read_log(self, seat: Seat | None) -> tuple[PageLogLine, ...]:
        """Read the latest log lines of a seat's tablet (None: the shared one)."""
        ...

    def read_cards(self) -> dict[str, list[tuple[str, Face]]]:
        """Return the cards on the table by place: by name if face up, otherwise by what is visible of them."""
        ...

    def rest(self, seconds: float) -> None:
        """Wait."""
        ...

    def settle(self) -> None:
        """Keep the hands away until the camera has looked at the table, or would have."""
        ...


def differences(shown: object, true: object, orderless: Collection[str] = (), name: str = "") -> tuple[str, ...]:
    """Return the paths of the fields in which two pieces of plain data differ.

    Lists named in `orderless` are compared in any order, such as a market's.
    """
    if isinstance(shown, dict) and isinstance(true, dict) and shown.keys() == true.keys():
        found = [differences(shown[key], true[key], orderless, f"{name}.{key}".strip(".")) for key in shown]
        return tuple([path for paths in found for path in paths])
    if isinstance(shown, list | tuple) and isinstance(true, list | tuple) and len(shown) == len(true):
        pairs = (shown, true)
        if name.rpartition(".")[2] in orderless:
            pairs = (sorted(shown, key=_rank), sorted(true, key=_rank))
        found = [differences(a, b, orderless, f"{name}.{at}") for at, (a, b) in enumerate(zip(*pairs, strict=True))]
        return tuple([path for paths in found for path in paths])
    return () if shown == true else (name or "all",)


def _rank(value: object) -> bytes:
    return msgspec.json.encode(value)
