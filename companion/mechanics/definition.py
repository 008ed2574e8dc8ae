"""What a game brings, as one value: its rules, and the parts that give it bots, pages, cards and reports.

A part that is not declared is a feature that the game does not have. Parts are functions: each is imported on first
use, so that a table loads only what it needs, and a part that cannot be imported costs the game that feature alone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import msgspec

from companion.drawing import Design, Drawing, TokenDesign
from companion.engine import AnyGame, AnyState, Effect, Event, JsonObject, Luck, Seat
from companion.i18n import Words
from companion.mechanics.moments import IncomePart, Moment, sales
from companion.mechanics.policy import Ranked
from companion.mechanics.report import Feat, ReportSection, ReportStep
from companion.mechanics.telling import AnyTeller, GameTeller

CatalogueData = str | JsonObject | None
"""A list of cards: one that comes with the game, by name, or its data; None: the usual one."""
Listing = tuple[tuple[str, tuple[str, ...], tuple[tuple[str, ...], ...]], ...]
"""Tables: title, columns, rows."""


class BotPolicy(Protocol):
    """How a program plays one game. `choose` sees only what its seat may know, as returned by `look`."""

    def asked(self, state: AnyState, /) -> tuple[Seat, ...]:
        """Return the seats that may want to act now, most eager first."""
        ...

    def look(self, state: AnyState, seat: Seat, /) -> Any:
        """Return what the seat may know, built up from nothing."""
        ...

    def choose(self, known: Any, luck: Luck, /) -> Event | None:
        """Return what the seat does, or None to wait."""
        ...

    def together(self, state: AnyState, luck: Luck, /) -> Event | None:
        """Return an event that all seats make together by hand (fists), or None."""
        ...


class RankingPolicy(BotPolicy, Protocol):
    """A policy that can say what else it thought of, and why: its `choose` is the first of `ranked`."""

    def ranked(self, known: Any, luck: Luck, /) -> Sequence[Ranked]:
        """Return what the seat may do, best first, from what it may know alone; nothing when it waits."""
        ...


class Bots(NamedTuple):
    """Who plays well, who plays more simply, and who thinks longest to win; None: as the one who plays well."""

    sensible: BotPolicy
    plain: BotPolicy | None = None
    winning: BotPolicy | None = None
    slips: float = 0.3
    """How often a bot that learns does not do what it holds to be best: less where a game has many decisions."""


class MatchOptions(NamedTuple):
    """A match's options, and what the set-up page knows of them besides their types.

    `sets` are picks to begin with, by option and name; `with_sets` the values of other options that a set proposes;
    `by_players` amounts by option and number of players; `presets` the values that an edition changes, by edition.
    """

    record: type[msgspec.Struct]
    sets: Mapping[str, Mapping[str, Sequence[object]]] = {}
    with_sets: Mapping[str, Mapping[str, Mapping[str, str]]] = {}
    by_players: Mapping[str, Mapping[int, int]] = {}
    presets: Mapping[str, JsonObject] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The options' names."""
        return self.record.__struct_fields__


class Cards(NamedTuple):
    """How many of each card are in the box, by its name in layouts, and the back of each that has one of its own."""

    counts: Mapping[str, int]
    backs: Mapping[str, str] = {}


class DrawCards(Protocol):
    """Draws cards by a list; a game whose cards bear words takes their language."""

    def __call__(self, catalogue: CatalogueData = None, lang: str = "en", /) -> Design:
        """Return the cards."""
        ...


class DeckArt(NamedTuple):
    """The game's own cards as they are printed, dividers of its piles, and sets of cards that are printed together."""

    design: DrawCards
    dividers: DrawCards | None = None
    sets: Mapping[str, tuple[str, ...]] = {}
    scenes: Callable[[], Mapping[str, Drawing]] | None = None
    """Returns the picture on each card without its name, figures and text, all of one size: pages say those."""
    cover: str = ""
    """The card whose picture is on the game's box."""


DrawTokens = Callable[[CatalogueData], tuple[TokenDesign, ...]]
"""Returns the tokens of a list as they are printed."""


class Catalogues(NamedTuple):
    """The lists of cards that come with a game, or that people have of their own."""

    kind: type[Any]
    """The type of a list."""
    names: Sequence[str]
    """Those that come with the game; the first is shown unless another one is named."""
    shipped: Callable[[str], Any]
    """Returns a list that comes with the game."""
    complaints: Callable[[Any], list[str]]
    """Returns what is missing or wrong, in words."""
    gaps: Callable[[Any], list[str]]
    """Returns what nobody has entered yet, in words, although nothing is wrong."""
    listing: Callable[[Any], Listing]
    """Returns a list as tables."""


Titled = tuple[str, ...]
"""A value, its title, and perhaps a picture in the game's own sprite."""


class SheetRow(NamedTuple):
    """One line of an owner's list: its number as typed, what the card shows ("": open), whether it was compared.

    `kind` is what a game with kinds of rows says besides.
    """

    number: str
    value: str
    checked: bool
    kind: str = ""


class SheetChoice(NamedTuple):
    """What a card may show: as in the data, in words, and its picture in the game's own sprite."""

    value: str
    title: str
    picture: str = ""


class CollectionSheet(NamedTuple):
    """The owner's list as people fill it in. A row: number as typed, value, whether compared, and perhaps kind."""

    rows: Callable[[JsonObject | None], Sequence[tuple[Any, ...]]]
    """Returns the rows of a stored list; of None those of a box that nobody has entered yet."""
    suggest_rows: Callable[[Sequence[Any]], Sequence[tuple[Any, ...]]]
    """Returns the rows with suggestions where nobody has compared the card."""
    fill_list: Callable[[Sequence[Any], Sequence[Any], Words], tuple[JsonObject | None, list[str]]]
    """Returns the list that the rows make, or None and what is wrong, in words. Takes the rows of before first."""
    choices: Callable[[Words], Sequence[Titled]] = lambda words: ()
    """Returns what a card can show."""
    kinds: Callable[[Words], Sequence[Titled]] = lambda words: ()
    """Returns what a row's kind can be."""
    row_choices: Callable[[Words], Mapping[str, tuple[Sequence[Titled], Sequence[Titled]]]] = lambda words: {}
    """Returns by number a row's own kinds and choices, where rows differ; "" where it can stay open."""
    titles: Callable[[Words], Mapping[str, tuple[str, str]]] = lambda words: {}
    """Returns by number a card's name and a note, where the rows are given."""
    sections: Callable[[Words], Mapping[str, str]] = lambda words: {}
    """Returns the titles of the list's parts by their first rows' numbers: each can be confirmed at once."""
    proposals: Callable[[], Mapping[str, Mapping[str, str]]] = dict
    """Returns by number the kind that each value suggests."""


class GameStudy(Protocol):
    """What a balance collects of every event of many games."""

    def watch(self, before: AnyState, event: Event, after: AnyState, /) -> None:
        """Take in one event."""
        ...


class Criterion(NamedTuple):
    """One criterion of balance: what was asked, what was measured, the most that is allowed."""

    asked: str
    measured: float
    most: float

    @property
    def good(self) -> bool:
        """Whether the measured figure keeps within the limit."""
        return self.measured <= self.most


class Balance(NamedTuple):
    """What is measured of many games, and by which criteria nothing dominates."""

    columns: Mapping[str, Sequence[str]]
    """The columns printed of each table of figures."""
    study: Callable[[], GameStudy]
    figures: Callable[[Any], JsonObject]
    """Returns all figures of a study: those of `columns` as tables, `seats` and `game` as lines."""
    verdicts: Callable[[JsonObject], Sequence[Criterion]]
    """Returns the criteria with what was measured."""


class Report(NamedTuple):
    """Tables for a finished match's page, and what seats had or did that is worth counting over many matches."""

    sections: Callable[[Sequence[ReportStep]], Sequence[ReportSection]]
    feats: Callable[[Sequence[ReportStep]], Sequence[Feat]] = lambda steps: ()


class Moments(NamedTuple):
    """What pages show of an event at once, and where points or money came from, which only a finished match tells."""

    moments: Callable[[Event, Sequence[Effect]], Iterable[Moment]] = lambda event, effects: sales(effects)
    sources: Callable[[AnyState, Event, AnyState], Iterable[IncomePart]] | None = None


CardGroup = tuple[str, str, str, tuple[tuple[str, str], ...]]
"""Cards to choose from: title, picture in the game's `sprite.svg`, look, and each card's name with its label."""
CellPlace = tuple[int, int, str]
"""A place that a field could have named: its value, its number as people count, the card there ("": none to see)."""


@dataclass(frozen=True, kw_only=True)
class PageParts:
    """What pages show besides the view, all of it public. None: as the house has it."""

    observes: Callable[[AnyState, Event], bool] | None = None
    """Whether everybody sees this event happen now with real cards, though its class does not say so."""
    from_hand: Collection[str] | None = None
    """Events that a tap on a card of the hand may mean; None: any that names the card."""
    option_groups: Mapping[str, tuple[str, ...]] | None = None
    """The options of the set-up page by group; `setup.group_<name>` is its title. `main` has none and comes first."""
    asked_first: Collection[str] | None = None
    """Options of `main` that are shown at once; all others are behind "more options"."""
    with_buttons: Mapping[str, str] = field(default_factory=dict)
    """Options for which the set-up page suggests another value where the table has buttons."""
    catalogues: Mapping[str, str] | None = None
    """The catalogue of each deck; decks without one are not offered."""
    catalogue: Callable[[str, JsonObject], str] | None = None
    """The catalogue of a deck and options, where these choose another one."""
    values: Callable[[AnyState], Mapping[str, object]] = lambda state: {}
    """Values for the templates besides the view, by name."""
    card_names: Callable[[AnyState], tuple[str, ...]] | None = None
    """The names of all cards that can turn up."""
    card_groups: Callable[[AnyState, Words], Sequence[CardGroup]] | None = None
    """All faces that a card can show, in groups for picking one by touch."""
    token_groups: Callable[[Words], Sequence[CardGroup]] | None = None
    """All faces of tokens, in groups for picking one by touch."""
    places: Callable[[AnyState, Event, str], Sequence[CellPlace]] = lambda before, event, name: ()
    """The places that a field of an event could have named; () for a field that names none."""
    hides: Callable[[AnyState, AnyState], bool] = lambda now, before: False
    """Whether the log no longer shows now the amounts of an event that found the table like `before`."""


PART_KINDS: Mapping[str, type[object]] = {
    "cards": Cards,
    "tell": GameTeller,
    "pages": PageParts,
    "moments": Moments,
    "report": Report,
    "bots": Bots,
    "deck": DeckArt,
    "tokens": Callable,  # type: ignore[dict-item]
    "catalogues": Catalogues,
    "sheet": CollectionSheet,
    "balance": Balance,
}
"""What the function of each part returns, for games that no type checker has seen."""


def nothing() -> None:
    """Load a part that the game does not have."""


@dataclass(frozen=True, kw_only=True)
class GameDefinition:
    """A game. Only its rules are required."""

    rules: AnyGame
    options: MatchOptions | None = None
    cards: Callable[[], Cards | None] = nothing
    tell: Callable[[], AnyTeller | None] = nothing
    pages: Callable[[], PageParts | None] = nothing
    moments: Callable[[], Moments | None] = nothing
    report: Callable[[], Report | None] = nothing
    bots: Callable[[], Bots | None] = nothing
    deck: Callable[[], DeckArt | None] = nothing
    tokens: Callable[[], DrawTokens | None] = nothing
    catalogues: Callable[[], Catalogues | None] = nothing
    sheet: Callable[[], CollectionSheet | None] = nothing
    balance: Callable[[], Balance | None] = nothing

    @property
    def name(self) -> str:
        """The name on the command line and in journals."""
        return self.rules.name

    @property
    def printable(self) -> bool:
        """Whether it draws its cards, or lists them."""
        return self.cards is not nothing or self.deck is not nothing
