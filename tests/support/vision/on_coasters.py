"""Cards on a rendered table with coasters: people lay them without a mat, and a camera reads them in pixels."""

from __future__ import annotations

from collections.abc import Iterator

from companion.engine import Layout
from companion.games import SEEN
from companion.messages import Sighted
from tests.support.laid_cards import GAME, Lying
from tests.support.vision.own_deck import own_recogniser
from vision.mat import MatDetector
from vision.mat.coasters import coaster_mat
from vision.print.cards import design, faces
from vision.simulate.laid_coasters import lay_coasters
from vision.simulate.rendered_table import RenderedTable
from vision.slots import FreeReader

CARD = (63.0, 88.0)
SIZE = (4608, 2592)
"""The picture size of a Camera Module 3 in pixels."""
PICTURES = 6
"""The maximum number of pictures of a table at rest, if the reader asks for them."""


class CoasterTable:
    """A rendered table with coasters and its reader: people lay a layout, and the reader reads pictures of it."""

    def __init__(self, game: str, players: int, seed: int, difficulty: str = "default") -> None:
        places = SEEN[game].places(players)
        self.mat = lay_coasters(places, players, CARD, seed)
        self.table = RenderedTable(self.mat, faces(game), design(game).backs, difficulty, seed, SIZE)
        self.detector = MatDetector(lambda found: [coaster_mat(found, SIZE, CARD, places)])
        self.recogniser = own_recogniser(game)
        self.reader: FreeReader | None = None
        self.pictures = self.readings = 0
        self.wrong: list[str] = []
        """Cards that the reader has named wrongly."""
        self.read()  # people lay the coasters before the cards

    def lay(self, layout: Layout) -> Iterator[Sighted]:
        """Lay a layout; no hand pauses over the table."""
        self.table.set(layout)
        return iter(())

    def read(self) -> Sighted:
        """Return the reading from pictures of the present table."""
        for taken in range(PICTURES):
            picture = self.table.picture()
            self.pictures += 1
            pose = self.detector.look(picture, self.pictures)
            assert pose is not None and self.detector.mat is not None, "the coasters were not found"
            if self.reader is None:
                self.reader = FreeReader(self.recogniser, self.detector.mat)
            read = self.reader.read(picture, pose, self.pictures)
            if taken and not read.pending:
                break
        self.readings += 1
        lying = {one.card for one in self.table.truth()}
        self.wrong += [f"{one.place}: {one.card}" for one in read.sightings if one.card and one.card not in lying]
        return Sighted(self.pictures, self.readings, read.sightings, read.covered)


class SeenOnCoasters(Lying):
    """The contents of a Take a Train table with coasters, read the whole way from picture to sighting."""

    def __init__(self, players: int, seed: int, difficulty: str = "default") -> None:
        super().__init__(players, (0, 1, 2))
        self.table = CoasterTable(GAME.name, players, seed, difficulty)

    def seen(self, hidden: object = ()) -> Sighted:
        """Return the reading from pictures of the present table."""
        self.table.table.set(Layout({place: self.spot(place) for place in self.places}), "back-locomotive")
        return self.table.read()
