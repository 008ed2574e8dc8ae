"""Cards on a rendered table with coasters, laid as people lay them without a mat, and seen in pixels."""

from __future__ import annotations

from companion.engine import Layout
from companion.messages import Sighted
from tests.support.laid_cards import GAME, Lying
from tests.support.vision.own_deck import own_recogniser
from vision.mat import MatDetector
from vision.mat.coasters import coaster_mat
from vision.print.cards import faces
from vision.simulate.laid_coasters import lay_coasters
from vision.simulate.rendered_table import RenderedTable
from vision.slots import FreeReader

CARD = (63.0, 88.0)
SIZE = (3840, 2160)
PICTURES = 6
"""So many pictures are taken of a table at rest, if the reader asks for them."""


class SeenOnCoasters(Lying):
    """What lies between coasters, as the whole way from picture to sighting tells it."""

    def __init__(self, players: int, seed: int, difficulty: str = "default") -> None:
        super().__init__(players, (0, 1, 2))
        places = GAME.places(players)
        self.mat = lay_coasters(places, players, CARD, seed)
        self.table = RenderedTable(self.mat, faces("take-a-train"), {}, difficulty, seed, SIZE)
        self.detector = MatDetector(lambda found: [coaster_mat(found, SIZE, CARD, places)])
        self.reader: FreeReader | None = None
        self.pictures = 0
        self.seen()  # people lay the coasters before the cards

    def seen(self) -> Sighted:
        """Return what is read in pictures of the table as it lies now."""
        self.table.set(Layout({place: self.spot(place) for place in self.places}), "back-locomotive")
        for taken in range(PICTURES):
            picture = self.table.picture()
            self.pictures += 1
            pose = self.detector.look(picture, self.pictures)
            assert pose is not None and self.detector.mat is not None, "the coasters were not found"
            if self.reader is None:
                self.reader = FreeReader(own_recogniser("take-a-train"), self.detector.mat)
            read = self.reader.read(picture, pose, self.pictures)
            if taken and not read.pending:
                break
        self.number += 1
        return Sighted(self.pictures, self.number, read.sightings, read.covered)
