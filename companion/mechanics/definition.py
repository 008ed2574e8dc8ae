"""A game as one value: its rules, and the parts that give it bots, pages, cards and reports.

An undeclared part is a feature that the game lacks. Parts are functions, imported on first use, so that a table loads
only the parts that it needs, and a broken import costs the game that feature alone.
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
"""A list of cards: the name of one shipped with the game, or its data; None for the default."""
Listing = tuple[tuple[str, tuple[str, ...], tuple[tuple[str, ...], ...]], ...]
"""Tables: title, columns, rows."""


class BotPolicy(Protocol):
    """A bot for one game. `choose` sees only what `look` returned for its seat."""

    def asked(self, state: AnyState, /) -> tuple[Seat, ...]:
        """Return the seats that may want to act now, most eager first."""
        ...

    def look(self, state: AnyState, seat: Seat, /) -> Any:
        """Return the seat's knowledge, built up from nothing."""
        ...

    def choose(self, known: Any, luck: Luck, /) -> Event | None:
        """Return the seat's choice, or None to wait."""
        ...

    def together(self, state: AnyState, luck: Luck, /) -> Event | None:
        """Return an event that all seats cause together by hand (fists), or None."""
        ...


class RankingPolicy(BotPolicy, Protocol):
    """A policy that can list its alternatives with reasons: its `choose` is the first of `ranked`."""

    def ranked(self, known: Any, luck: Luck, /) -> Sequence[Ranked]:
        """Return the seat's options, best first, from its own knowledge alone; nothing when it waits."""
        ...


class Bots(NamedTuple):
    """The strong bot, the simpler one, and the one that thinks longest; None stands for the strong one."""

    sensible: BotPolicy
    plain: BotPolicy | None = None
    winning: BotPolicy | None = None
    slips: float = 0.3
    """The probability that a learning bot does not choose its best option; lower in games with many decisions."""


class MatchOptions(NamedTuple):
    """A match's options, and further details for the set-up page.

    `sets` are starting selections, by option and name; `with_sets` the values of other options that a set proposes;
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
    """The number of each card in the box, by its name in layouts, and the special backs."""

    counts: Mapping[str, int]
    backs: Mapping[str, str] = {}


class DrawCards(Protocol):
    """A function that draws the cards of a list, in a language if they have texts."""

    def __call__(self, catalogue: CatalogueData = None, lang: str = "en", /) -> Design:
        """Return the cards."""
        ...


class DeckArt(NamedTuple):
    """The game's own cards for print, dividers of its piles, and sets of cards to print together."""

    design: DrawCards
    dividers: DrawCards | None = None
    sets: Mapping[str, tuple[str, ...]] = {}
    scenes: Callable[[], Mapping[str, Drawing]] | None = None
    """Returns each card's picture without its name, figures and text, all of one size: pages add those as text."""
    cover: str = ""
    """The card with the picture of the game's box."""


DrawTokens = Callable[[CatalogueData], tuple[TokenDesign, ...]]
"""Returns the tokens of a list for print."""


class Catalogues(NamedTuple):
    """The lists of cards that come with a game or that people own."""

    kind: type[Any]
    """The type of a list."""
    names: Sequence[str]
    """The lists shipped with the game; the first is the default."""
    shipped: Callable[[str], Any]
    """Returns a shipped list."""
    complaints: Callable[[Any], list[str]]
    """Returns missing and wrong entries, in words."""
    gaps: Callable[[Any], list[str]]
    """Returns entries still to be made, in words, although nothing is wrong."""
    listing: Callable[[Any], Listing]
    """Returns a list as tables."""


Titled = tuple[str, ...]
"""A value, its title, and perhaps a picture in the game's own sprite."""


class SheetRow(NamedTuple):
    """One line of an owner's list: its number as typed, the card's face ("": open), and whether it was compared.

    `kind` is the further choice in a game with kinds of rows.
    """

    number: str
    value: str
    checked: bool
    kind: str = ""


class SheetChoice(NamedTuple):
    """A possible face of a card: its value in the data, its words, and its picture in the game's own sprite."""

    value: str
    title: str
    picture: str = ""


class CollectionSheet(NamedTuple):
    """The owner's list as a form. A row: number as typed, value, whether compared, and perhaps kind."""

    rows: Callable[[JsonObject | None], Sequence[tuple[Any, ...]]]
    """Returns the rows of a stored list; for None those of a new box."""
    suggest_rows: Callable[[Sequence[Any]], Sequence[tuple[Any, ...]]]
    """Returns the rows with suggestions for cards that nobody has compared."""
    fill_list: Callable[[Sequence[Any], Sequence[Any], Words], tuple[JsonObject | None, list[str]]]
    """Returns the list that the rows form, or None and the faults in words. Takes the previous rows first."""
    choices: Callable[[Words], Sequence[Titled]] = lambda words: ()
    """Returns the possible faces of a card."""
    kinds: Callable[[Words], Sequence[Titled]] = lambda words: ()
    """Returns the possible kinds of a row."""
    row_choices: Callable[[Words], Mapping[str, tuple[Sequence[Titled], Sequence[Titled]]]] = lambda words: {}
    """Returns by number a row's own kinds and choices, if rows differ; "" if it may stay open."""
    titles: Callable[[Words], Mapping[str, tuple[str, str]]] = lambda words: {}
    """Returns by number a card's name and a note, if the rows are fixed."""
    sections: Callable[[Words], Mapping[str, str]] = lambda words: {}
    """Returns the titles of the list's parts by their first rows' numbers; people can confirm each part at once."""
    proposals: Callable[[], Mapping[str, Mapping[str, str]]] = dict
    """Returns by number the kind that each value suggests."""


class GameStudy(Protocol):
    """The figures that a balance study collects from every event of many games."""

    def watch(self, before: AnyState, event: Event, after: AnyState, /) -> None:
        """Record one event."""
        ...


class Criterion(NamedTuple):
    """One criterion of balance: the question, the measured figure, the allowed maximum."""

    asked: str
    measured: float
    most: float

    @property
    def good(self) -> bool:
        """Whether the measured figure keeps within the limit."""
        return self.measured <= self.most


class Balance(NamedTuple):
    """The figures measured over many games, and the criteria by which nothing dominates."""

    columns: Mapping[str, Sequence[str]]
    """The printed columns of each table of figures."""
    study: Callable[[], GameStudy]
    figures: Callable[[Any], JsonObject]
    """Returns all figures of a study: those of `columns` as tables, `seats` and `game` as lines."""
    verdicts: Callable[[JsonObject], Sequence[Criterion]]
    """Returns the criteria with the measured figures."""


class Report(NamedTuple):
    """Tables for a finished match's page, and the seats' feats to count over many matches."""

    sections: Callable[[Sequence[ReportStep]], Sequence[ReportSection]]
    feats: Callable[[Sequence[ReportStep]], Sequence[Feat]] = lambda steps: ()


class Moments(NamedTuple):
    """The moments of an event for pages, and the sources of points or money, which only a finished match reveals."""

    moments: Callable[[Event, Sequence[Effect]], Iterable[Moment]] = lambda event, effects: sales(effects)
    sources: Callable[[AnyState, Event, AnyState], Iterable[IncomePart]] | None = None


CardGroup = tuple[str, str, str, tuple[tuple[str, str], ...]]
"""Cards to choose from: title, picture in the game's `sprite.svg`, look, and each card's name with its label."""
CellPlace = tuple[int, int, str]
"""A place that a field may name: its value, its number as people count, and the visible card there ("": none)."""


@dataclass(frozen=True, kw_only=True)
class PageParts:
    """What pages show besides the view, all of it public. None stands for the default."""

    observes: Callable[[AnyState, Event], bool] | None = None
    """Whether everybody sees this event happen now with real cards, though its class does not say so."""
    from_hand: Collection[str] | None = None
    """Events that a tap on a card of the hand may mean; None: any event that names the card."""
    option_groups: Mapping[str, tuple[str, ...]] | None = None
    """The options of the set-up page by group; `setup.group_<name>` is its title. `main` has none and comes first."""
    asked_first: Collection[str] | None = None
    """Options of `main` shown at once; the others are behind "more options"."""
    with_buttons: Mapping[str, str] = field(default_factory=dict)
    """Options for which the set-up page suggests another value if the table has buttons."""
    catalogues: Mapping[str, str] | None = None
    """The catalogue of each deck; decks without one are not offered."""
    catalogue: Callable[[str, JsonObject], str] | None = None
    """The catalogue for a deck and options, if the options select another one."""
    values: Callable[[AnyState], Mapping[str, object]] = lambda state: {}
    """Values for the templates besides the view, by name."""
    card_names: Callable[[AnyState], tuple[str, ...]] | None = None
    """The names of all cards that can turn up."""
    card_groups: Callable[[AnyState, Words], Sequence[CardGroup]] | None = None
    """All faces of cards, in groups for picking one by touch."""
    token_groups: Callable[[Words], Sequence[CardGroup]] | None = None
    """All faces of tokens, in groups for picking one by touch."""
    places: Callable[[AnyState, Event, str], Sequence[CellPlace]] = lambda before, event, name: ()
    """The places that a field of an event may name; () for a field that names none."""
    hides: Callable[[AnyState, AnyState], bool] = lambda now, before: False
    """Whether the log now hides the amounts of an event that happened in the state `before`."""


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
"""The return type of each part's function, for games that no type checker has seen."""


def nothing() -> None:
    """Stand for a part that the game lacks."""


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
        """Whether it has cards to print, drawn or listed."""
        return self.cards is not nothing or self.deck is not nothing
