"""Cards on a rendered table, read in pixels: the table is drawn, photographed, found and read."""

from __future__ import annotations

from companion.engine import Layout
from companion.messages import Sighted
from tests.support.laid_cards import GAME, Lying
from tests.support.vision.own_deck import own_recogniser
from vision.mat import MatDetector, make_mat
from vision.print.cards import faces
from vision.simulate.rendered_table import RenderedTable
from vision.slots import TableReader

CARD = (63.0, 88.0)
PICTURES = 4
"""The maximum number of pictures of a table at rest, if the reader asks for them."""


class SeenInPixels(Lying):
    """The contents of the table, read the whole way from picture to sighting."""

    def __init__(
        self, players: int, order: tuple[int, int, int], difficulty: str, seed: int, size: tuple[int, int]
    ) -> None:
        super().__init__(players, order)
        self.mat = make_mat(GAME.places(players), CARD)
        self.table = RenderedTable(self.mat, faces("take-a-train"), {}, difficulty, seed, size)
        self.reader = TableReader(own_recogniser("take-a-train"), self.mat)
        self.detector = MatDetector((self.mat,))
        self.pictures = 0

    def seen(self) -> Sighted:
        """Return the reading from pictures of the present table."""
        self.table.set(Layout({place: self.spot(place) for place in self.places}), "back-locomotive")
        for taken in range(PICTURES):
            picture = self.table.picture()
            self.pictures += 1
            pose = self.detector.look(picture, self.pictures)
            assert pose is not None, "the mat was not found"
            read = self.reader.read(picture, pose, self.pictures)
            if taken and not read.pending:
                break
        self.number += 1
        return Sighted(self.pictures, self.number, read.sightings, read.covered)
