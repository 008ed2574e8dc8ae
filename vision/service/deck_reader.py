"""Read the table with the current deck, and decide whether a reading is news."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

import msgspec

from companion.games import GAMES, definition_of, drawn_for
from companion.mechanics.definition import nothing
from companion.messages import CellSighting, Sighted, Sighting
from vision.deck.deck import Deck
from vision.deck.stored_decks import DeckLibrary, RequestRefused
from vision.enrolled_file import DeckError
from vision.image import Image
from vision.mat import Mat, MatPose
from vision.service.place_locator import CameraTrouble
from vision.service.token_watch import NOTHING, MakeTokenPlaces, TokenReading

if TYPE_CHECKING:
    from vision.tokens.token_set import TokenFace

LOG = logging.getLogger(__name__)


class SeenTable(Protocol):
    """The result of a reading."""

    @property
    def sightings(self) -> Sequence[Sighting]: ...  # noqa: D102

    @property
    def covered(self) -> Sequence[str]: ...  # noqa: D102

    @property
    def pending(self) -> bool: ...  # noqa: D102


class Reader(Protocol):
    """Reads full pictures of one mat with one deck, with memory (`vision.slots.TableReader`)."""

    def read(self, picture: Image, pose: MatPose, at: int) -> SeenTable:
        """Return the reading of a picture, which is `pending` if another picture of the same table would add
        something."""
        ...

    def name(self, place: str, at: int, card: str | None) -> bool:
        """Set a card's name from a player, or clear it with None. Return False if no card lies there."""
        ...


MakeReader = Callable[[Deck], Callable[[Mat], Reader]]
"""A function from a deck, which may be slow, to a function that makes a reader for each mat."""


def make_table_reader(deck: Deck) -> Callable[[Mat], Reader]:
    """Return the function that makes real readers for a deck."""
    from vision.recognise import Recogniser
    from vision.slots import FreeReader, TableReader

    recogniser = Recogniser(deck)
    return lambda mat: (FreeReader if mat.outline else TableReader)(recogniser, mat)


FindTokens = Callable[[DeckLibrary, str], MakeTokenPlaces | None]
"""A function from a deck's name to one that makes readers of its tokens, or None if it has none. It may be slow."""


def find_tokens(decks: DeckLibrary, name: str) -> MakeTokenPlaces | None:
    """Return a function that makes readers of a deck's tokens: the enrolled ones, completed by drawn ones."""
    from vision.tokens.places import TokenPlaces
    from vision.tokens.token_set import TokenSet

    enrolled = _enrolled_faces(decks, name)
    known = {face.name for face in enrolled}
    faces = (*enrolled, *[face for face in _drawn_faces(name) if face.name not in known])
    if not faces:
        return None
    tokens = TokenSet(name, faces)
    return lambda mat: TokenPlaces(mat, tokens)


def _drawn_faces(name: str) -> tuple[TokenFace, ...]:
    from vision.tokens.drawn import drawn_tokens

    game = drawn_for(name)
    return drawn_tokens(game).faces if game and definition_of(GAMES[game]).tokens is not nothing else ()


def _enrolled_faces(decks: DeckLibrary, name: str) -> tuple[TokenFace, ...]:
    """Return the faces enrolled with a deck, or none if their file is damaged, so that cards are still read."""
    from vision.tokens.token_file import load_tokens

    path = decks.tokens_path(name)
    try:
        return load_tokens(path).faces if path.is_file() else ()
    except DeckError as error:
        LOG.warning("%s", error)
        return ()


class LoadedDeck(msgspec.Struct, frozen=True, eq=False):
    """A deck that is ready or, without `make`, the trouble with it."""

    name: str
    make: Callable[[Mat], Reader] | None
    trouble: CameraTrouble = CameraTrouble()
    make_tokens: MakeTokenPlaces | None = None
    """Makes readers of the deck's tokens, or None if it has none."""


class DeckReader:
    """Holds the current deck and the last reading. `load` may be called from any thread."""

    def __init__(
        self,
        decks: DeckLibrary,
        make_reader: MakeReader,
        game: str = "",
        coming: bool = False,
        find_tokens: FindTokens = find_tokens,
    ) -> None:
        """Create a reader without a deck.

        game: the game of the mat. coming: whether a deck is being made, so that its absence is no trouble.
        """
        self._decks, self._make_reader, self._game = decks, make_reader, game
        self._find_tokens = find_tokens
        self._loaded = LoadedDeck("", None, CameraTrouble() if coming else CameraTrouble("no_deck"))
        self._reader: tuple[Mat, Reader] | None = None
        self.last: Sighted | None = None
        """The last reading with this deck, or None."""
        self._number = 0

    @property
    def ready(self) -> bool:
        """Whether a deck is loaded."""
        return self._loaded.make is not None

    @property
    def deck(self) -> str:
        """The name of the current deck, or ""."""
        return self._loaded.name if self.ready else ""

    @property
    def trouble(self) -> CameraTrouble:
        """The trouble with the deck."""
        return self._loaded.trouble

    def load(self, name: str) -> LoadedDeck:
        """Load a stored deck, which is slow. Trouble with it is returned and not raised."""
        if not name:
            return LoadedDeck("", None, CameraTrouble("no_deck"))
        try:
            if not self._decks.path(name).is_file():
                return LoadedDeck(name, None, CameraTrouble("deck_missing", {"deck": name}))
            return LoadedDeck(
                name, self._make_reader(self._decks.open(name)), make_tokens=self._find_tokens(self._decks, name)
            )
        except (DeckError, RequestRefused, OSError) as error:
            LOG.warning("%s", error)
            return LoadedDeck(name, None, CameraTrouble("deck_broken", {"deck": name, "said": str(error)}))

    def use(self, loaded: LoadedDeck) -> None:
        """Switch to another deck."""
        self._loaded, self._reader, self.last = loaded, None, None

    def read(
        self,
        picture: Image,
        pose: MatPose,
        mat: Mat,
        at: int,
        cells: tuple[CellSighting, ...] = (),
        find_tokens: Callable[[], TokenReading] = lambda: NOTHING,
    ) -> tuple[Sighted | None, bool]:
        """Read a full picture. Return the reading if it is news, and whether another picture would add something.

        cells: the board's cells in the same picture. find_tokens: returns the reading of the places for tokens.
        """
        assert self._loaded.make is not None
        if self._reader is None or self._reader[0] != mat:
            self._reader = mat, self._loaded.make(mat)
        seen = self._reader[1].read(picture, pose, at)
        tokens = find_tokens()
        pending = seen.pending or tokens.pending
        return self._news(at, tuple(seen.sightings), tuple(seen.covered), cells, tokens), pending

    def read_board(self, cells: tuple[CellSighting, ...], places: Sequence[str], at: int) -> Sighted | None:
        """Return a reading of a board's cells where no cards can be read, if it is news. All `places` count as
        covered."""
        return self._news(at, (), tuple(places), cells)

    def _news(
        self,
        at: int,
        sightings: tuple[Sighting, ...],
        covered: tuple[str, ...],
        cells: tuple[CellSighting, ...],
        tokens: TokenReading = NOTHING,
    ) -> Sighted | None:
        """Store a reading, and return it if it differs from the last one."""
        self._number += 1
        before = self.last
        self.last = Sighted(
            at,
            self._number,
            sightings,
            covered,
            self._game,
            cells,
            tokens.tokens,
            tokens.places,
            tokens.open_hands,
            tokens.empty_places,
        )
        return self.last if before is None or news_of(before) != news_of(self.last) else None

    def name(self, place: str, at: int, card: str) -> bool:
        """Set a card's name from a player, or clear it with "". Return False if no card lies there."""
        if self._reader is None:
            raise RequestRefused("no_mat" if self.ready else "no_deck")
        return self._reader[1].name(place, at, card or None)


def news_of(sighted: Sighted) -> object:
    """Return the parts of a reading whose change is news: everything but exact corners and confidence."""
    cards = [(s.place, s.card, s.at, s.face, s.doubt, s.likeliest) for s in sighted.sightings]
    tokens = [(t.place, t.token, t.doubt) for t in sighted.tokens]
    places = sighted.token_places, sighted.open_hands, sighted.empty_places
    return cards, sighted.covered, sighted.cells, sorted(tokens, key=str), places
