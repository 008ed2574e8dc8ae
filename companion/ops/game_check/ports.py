"""What a check asks of pages and print. The composition root hands it a module of web and one of vision."""

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
    """What pages show of a game besides its views, completed by what the house has for all games."""

    entered: Collection[str]
    """Events that somebody besides a seat may enter."""
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
    """A page, or a region of one, as somebody reads it."""

    what: str
    """Which it is, as the beginning of a sentence."""
    html: str = ""
    template: str = ""
    """The path of its template, where there is one."""
    fault: Exception | None = None
    """Why it could not be drawn."""


class TrialTable(Protocol):
    """A table that nobody sees, at which one game is offered."""

    table: Table

    def start(self, setup: Setup) -> None:
        """Begin a match, with somebody on the first and on the last seat."""

    def regions(self, lang: str) -> Iterable[Drawn]:
        """Draw the regions of everybody's page as they are now, of two seats: one that acts if any, and another."""

    def pages(self, lang: str) -> Iterable[Drawn]:
        """Draw all whole pages that there are now: the set-up before a match, the report after it."""

    def unreadable(self) -> Iterable[tuple[str, str]]:
        """Yield each template of the game that cannot be read: its path in `templates`, and why."""


class PagePort(Protocol):
    """The pages."""

    def shown(self, game: AnyGame, /) -> ShownGame:
        """Return what pages show of a game."""

    def words(self, lang: str, package: str, /) -> Words:
        """Return the words of all pages and of the game in this package."""

    def help_pictures(self) -> Collection[str]:
        """Return the names of the pictures that explain moments."""

    def trial(self, game: AnyGame, /) -> AbstractContextManager[TrialTable]:
        """Give a table for a game; what it writes is deleted afterwards."""


class PrintPort(Protocol):
    """What is printed. Drawing raises a `DrawError` with a sentence where there is no room."""

    def words(self, lang: str, /) -> Words:
        """Return the words of all mats."""

    def labels(self, game: AnySeenGame, players: int, /) -> Mapping[str, Collection[str]]:
        """Return the label of each place, with the numbers that its words may fill in."""

    def draw_cards(self, game: AnyGame, lang: str, /) -> Design:
        """Return the deck, and draw the dividers of its piles if there are any."""

    def draw_mat(self, game: AnySeenGame, players: int, lang: str, /) -> None:
        """Draw the mat for so many players."""

    def draw_board(self, board: Board, number: int, words: Words, /) -> None:
        """Draw the board with this number of a game."""


class Ports(NamedTuple):
    """Where pages and print are found; None: OpenCV is missing, and nothing printed is examined."""

    pages: PagePort
    prints: PrintPort | None
