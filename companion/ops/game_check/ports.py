"""The interfaces of pages and print for a check. The composition root passes a module of web and one of vision."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

from companion.drawing import Design
from companion.engine import AnyGame, AnyState, Deck, Event, Setup
from companion.engine.board import Board
from companion.engine.game import AnySeenGame
from companion.i18n import Words
from companion.table.table import Table

DECKS: tuple[Deck, ...] = ("dealt", "ours", "box")


class ShownGame(NamedTuple):
    """A game's pages besides its views, completed by the defaults for all games."""

    entered: Collection[str]
    """Events that somebody may enter without a seat."""
    amendable: Collection[str]
    from_hand: Collection[str]
    option_groups: Mapping[str, tuple[str, ...]]
    asked_first: Collection[str]
    without_control: Collection[str]
    """Options that no page can ask for."""
    catalogues: Mapping[str, str]
    """The catalogue of each deck with which the game can be played."""
    observes: Callable[[AnyState, Event], bool]


class Drawn(NamedTuple):
    """A page, or a region of one, as people read it."""

    what: str
    """The page's name, as the beginning of a sentence."""
    html: str = ""
    template: str = ""
    """The path of its template, if there is one."""
    fault: Exception | None = None
    """The reason why it could not be drawn."""


class TrialTable(Protocol):
    """A hidden table that offers one game."""

    table: Table

    def start(self, setup: Setup) -> None:
        """Begin a match with players on the first and the last seat."""

    def regions(self, lang: str) -> Iterable[Drawn]:
        """Draw the current regions of the public page and of two seats: one that acts, if any, and another."""

    def pages(self, lang: str) -> Iterable[Drawn]:
        """Draw all whole pages that exist now: the set-up before a match, the report after it."""

    def unreadable(self) -> Iterable[tuple[str, str]]:
        """Yield each unreadable template of the game: its path in `templates`, and the reason."""


class PagePort(Protocol):
    """The pages."""

    def shown(self, game: AnyGame, /) -> ShownGame:
        """Return a game's pages."""

    def words(self, lang: str, package: str, /) -> Words:
        """Return the words of all pages and of the game in this package."""

    def help_pictures(self) -> Collection[str]:
        """Return the names of the pictures that explain moments."""

    def trial(self, game: AnyGame, /) -> AbstractContextManager[TrialTable]:
        """Provide a table for a game; delete its files afterwards."""


class PrintPort(Protocol):
    """Printing. Drawing raises a `DrawError` with a sentence if there is no room."""

    def words(self, lang: str, /) -> Words:
        """Return the words of all mats."""

    def labels(self, game: AnySeenGame, players: int, /) -> Mapping[str, Collection[str]]:
        """Return the label of each place, with the number fields that its words may use."""

    def draw_cards(self, game: AnyGame, lang: str, /) -> Design:
        """Return the deck, and draw the dividers of its piles if there are any."""

    def draw_mat(self, game: AnySeenGame, players: int, lang: str, /) -> None:
        """Draw the mat for this many players."""

    def draw_board(self, board: Board, number: int, words: Words, /) -> None:
        """Draw the board with this number in a game."""


class Ports(NamedTuple):
    """The page and print interfaces. Without OpenCV the print interface is None and is not checked."""

    pages: PagePort
    prints: PrintPort | None
