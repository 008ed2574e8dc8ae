"""Reads the table with the deck in use, and tells whether a reading is news."""

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
    """Reads full pictures of one mat with one deck, and remembers (`vision.slots.TableReader`)."""

    def read(self, picture: Image, pose: MatPose, at: int) -> SeenTable:
        """Return what lies where; `pending`: another picture of the same table would say more."""
        ...

    def name(self, place: str, at: int, card: str | None) -> bool:
        """Take a person's word on a card (None: take it back); False where no card lies there."""
        ...


MakeReader = Callable[[Deck], Callable[[Mat], Reader]]
"""From a deck, which may take long, to a function that makes a reader for each mat."""


def make_table_reader(deck: Deck) -> Callable[[Mat], Reader]:
    """Return the function that makes real readers for a deck."""
    from vision.recognise import Recogniser
    from vision.slots import FreeReader, TableReader

    recogniser = Recogniser(deck)
    return lambda mat: (FreeReader if mat.outline else TableReader)(recogniser, mat)


FindTokens = Callable[[DeckLibrary, str], MakeTokenPlaces | None]
"""From a deck's name to what makes readers of its tokens; None where it has none. It may take long."""


def find_tokens(decks: DeckLibrary, name: str) -> MakeTokenPlaces | None:
    """Return what reads a deck's tokens: those that were enrolled with it, and of those we drew the others."""
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
    """Return the faces that were enrolled with a deck, none where their file is damaged: cards are still read."""
    from vision.tokens.token_file import load_tokens

    path = decks.tokens_path(name)
    try:
        return load_tokens(path).faces if path.is_file() else ()
    except DeckError as error:
        LOG.warning("%s", error)
        return ()


class LoadedDeck(msgspec.Struct, frozen=True, eq=False):
    """A deck that is ready, or (without `make`) what is wrong with it."""

    name: str
    make: Callable[[Mat], Reader] | None
    trouble: CameraTrouble = CameraTrouble()
    make_tokens: MakeTokenPlaces | None = None
    """Makes readers of the deck's tokens; None: it has none."""


class DeckReader:
    """Holds the deck in use and the last reading. `load` may be called from any thread."""

    def __init__(
        self,
        decks: DeckLibrary,
        make_reader: MakeReader,
        game: str = "",
        coming: bool = False,
        find_tokens: FindTokens = find_tokens,
    ) -> None:
        """`game`: the game of the mat. `coming`: a deck is being made, so its absence is no trouble."""
        self._decks, self._make_reader, self._game = decks, make_reader, game
        self._find_tokens = find_tokens
        self._loaded = LoadedDeck("", None, CameraTrouble() if coming else CameraTrouble("no_deck"))
        self._reader: tuple[Mat, Reader] | None = None
        self.last: Sighted | None = None
        """The last reading; None: nothing has been read with this deck."""
        self._number = 0

    @property
    def ready(self) -> bool:
        """Whether there is a deck to read with."""
        return self._loaded.make is not None

    @property
    def deck(self) -> str:
        """The name of the deck in use; empty: none."""
        return self._loaded.name if self.ready else ""

    @property
    def trouble(self) -> CameraTrouble:
        """What is wrong with the deck."""
        return self._loaded.trouble

    def load(self, name: str) -> LoadedDeck:
        """Load a stored deck, which takes long; what is wrong with it is returned, not raised."""
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
        """Read with another deck."""
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
        """Read a full picture; return the reading if it is news, and whether another picture would say more.

        `cells`: what stands on a board in the same picture; `find_tokens` returns what lies at places for tokens.
        """
        assert self._loaded.make is not None
        if self._reader is None or self._reader[0] != mat:
            self._reader = mat, self._loaded.make(mat)
        seen = self._reader[1].read(picture, pose, at)
        tokens = find_tokens()
        pending = seen.pending or tokens.pending
        return self._news(at, tuple(seen.sightings), tuple(seen.covered), cells, tokens), pending

    def read_board(self, cells: tuple[CellSighting, ...], places: Sequence[str], at: int) -> Sighted | None:
        """Return what stands on a board where no cards can be read, if it is news; nothing is said of `places`."""
        return self._news(at, (), tuple(places), cells)

    def _news(
        self,
        at: int,
        sightings: tuple[Sighting, ...],
        covered: tuple[str, ...],
        cells: tuple[CellSighting, ...],
        tokens: TokenReading = NOTHING,
    ) -> Sighted | None:
        """Keep a reading; return it if it differs from the last one."""
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
        """Take a person's word on a card (empty: take it back); False where no card lies there."""
        if self._reader is None:
            raise RequestRefused("no_mat" if self.ready else "no_deck")
        return self._reader[1].name(place, at, card or None)


def news_of(sighted: Sighted) -> object:
    """Return what a reading says, without exact corners and confidence: a change of it is news."""
    cards = [(s.place, s.card, s.at, s.face, s.doubt, s.likeliest) for s in sighted.sightings]
    tokens = [(t.place, t.token, t.doubt) for t in sighted.tokens]
    places = sighted.token_places, sighted.open_hands, sighted.empty_places
    return cards, sighted.covered, sighted.cells, sorted(tokens, key=str), places
