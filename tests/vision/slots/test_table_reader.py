"""Tests of reading whole rendered tables as they change: no card gets a wrong name."""

from __future__ import annotations

import msgspec
import pytest

from companion.engine import Layout, Spot
from companion.games.take_a_train.layout import places
from tests.support.vision.own_deck import own_recogniser
from vision.mat import Mat, MatPose, find, make_mat
from vision.print.cards import design, faces
from vision.recognise import Recogniser
from vision.simulate.difficulty import DEFAULT
from vision.simulate.rendered_table import RenderedTable
from vision.slots import TableReader, TableReading
from vision.slots.tracks import FoundCard, Track

GAME = "take-a-train"
SIZE = (1560, 1100)
"""The picture's size, at some 1.8 pixels per millimetre: fast, and enough for this deck's large values."""
LAID = Layout({
    "market": Spot(("coal-150", "food-100", "twin")),
    "auction": Spot(("electric-2",)),
    "seat.1.train.1": Spot(("steam-4", "coal-100", "coal-250")),
    "seat.1.train.2": Spot(("oil-300",), 1),
    "seat.2.train.1": Spot(("diesel-6", "luxury-200", "luxury-350", "multiplier")),
})  # fmt: skip


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    """Yield a recogniser of our own deck."""
    return own_recogniser(GAME)


@pytest.fixture(scope="module")
def mat() -> Mat:
    """Return the mat for two."""
    return make_mat(places(2), (63.0, 88.0))


class Watched:
    """A rendered table and its reader."""

    def __init__(self, recogniser: Recogniser, mat: Mat, seed: int = 3, **harder: tuple[float, float]) -> None:
        difficulty = msgspec.structs.replace(DEFAULT, **harder)
        self.table = RenderedTable(mat, faces(GAME), design(GAME).backs, difficulty, seed, SIZE)
        pose = find(self.table.picture(), mat)
        assert pose is not None
        self.pose: MatPose = pose
        self.reader = TableReader(recogniser, mat)

    def look(self, pictures: int = 2) -> TableReading:
        """Read the given number of pictures and return the last reading."""
        for _ in range(pictures):
            seen = self.reader.read(self.table.picture(), self.pose, 0)
        return seen

    def right(self, seen: TableReading) -> bool:
        """Return whether the reported cards equal the true ones."""
        truth = {(one.place, one.at): (one.card, one.face) for one in self.table.truth()}
        return {(one.place, one.at): (one.card, one.face) for one in seen.sightings} == truth

    def wrong(self, seen: TableReading) -> list[str]:
        """Return the wrong names in the reading."""
        truth = {(one.place, one.at): one.card for one in self.table.truth()}
        return [one.card for one in seen.sightings if one.card and truth.get((one.place, one.at)) != one.card]


@pytest.fixture(scope="module")
def watched(recogniser: Recogniser, mat: Mat) -> Watched:
    """Return a table with these cards."""
    made = Watched(recogniser, mat)
    made.table.set(LAID)
    return made


def test_a_table_is_read_in_two_pictures(watched: Watched, recogniser: Recogniser, mat: Mat) -> None:
    """The first picture reports nothing, and the second reports whole, tucked and face-down cards."""
    watched.reader = TableReader(recogniser, mat)
    first = watched.look(1)
    assert (first.sightings, first.pending) == ((), True)
    assert watched.right(watched.look(1))


def test_a_cup_hides_and_takes_nothing_away(watched: Watched) -> None:
    """A place under a cup or phone is covered and keeps its card, and it is read again afterwards."""
    before = watched.look()
    watched.table.cover("market", 1)
    hidden = watched.look()
    watched.table.clear_covers()
    assert "market" in hidden.covered
    assert watched.right(before)
    assert watched.right(hidden)
    after = watched.look()
    assert watched.right(after)
    assert after.covered == ()


def test_a_card_goes_from_the_market_to_a_train(watched: Watched) -> None:
    """A bought card is reported in its train and no longer in the market, though only its edge is visible."""
    watched.look()
    watched.table.lay("food-100", "seat.2.train.2", "market")
    watched.table.lay("coal-150", "seat.1.train.1", "market")
    seen = watched.look()
    wrong = watched.wrong(seen)
    watched.table.set(LAID)
    assert not wrong
    rows = {(one.place, one.at): one.card for one in seen.sightings}
    assert rows[("seat.1.train.1", 3)] == "coal-150"
    assert rows[("seat.2.train.2", 0)] == "food-100"
    assert ("market", 0) not in rows
    assert ("market", 1) not in rows


def test_a_market_that_is_exchanged_at_once(watched: Watched) -> None:
    """When all market cards are exchanged at once, the new ones replace the old ones."""
    watched.look()
    watched.table.set(Layout({"market": Spot(("oil-150", "passenger-400", "cattle-200"))}))
    seen = watched.look(3)
    right = watched.right(seen)
    watched.table.set(LAID)
    assert right


def test_a_persons_word_stays_until_the_card_leaves(watched: Watched) -> None:
    """A name given by a person stays with the card until it leaves and does not pass to the next."""
    watched.look(4)
    assert watched.reader.name("market", 2, "bin")
    assert not watched.reader.name("market", 7, "bin")
    told = {one.at: one.card for one in watched.look().sightings if one.place == "market"}
    assert told[2] == "bin"
    watched.table.lay("twin", "", "market")
    assert all(one.at != 2 for one in watched.look(3).sightings if one.place == "market")
    watched.table.lay("twin", "market", at=2)
    told = {one.at: one.card for one in watched.look().sightings if one.place == "market"}
    assert told[2] == "twin"


def test_foreign_cards_are_no_cards_of_the_deck(recogniser: Recogniser, mat: Mat) -> None:
    """Cards of another game have no name in spreads and rows."""
    watched = Watched(recogniser, mat, 4)
    for number, place in enumerate(("market", "market", "seat.1.train.1"), 1):
        watched.table.lay(f"foreign-{number}", place)
    seen = watched.look(4)
    assert [one.card for one in seen.sightings if one.card is not None] == []


def test_careless_people_are_read(recogniser: Recogniser, mat: Mat) -> None:
    """Misaligned, turned and upside-down cards are named rightly or in doubt."""
    watched = Watched(recogniser, mat, 5, offset=(2.0, 6.0), turn=(2.0, 5.0), headlong=(0.4, 0.4))
    watched.table.set(LAID)
    seen = watched.look()
    assert not watched.wrong(seen)
    named = sum(one.card is not None for one in seen.sightings)
    assert named >= 0.7 * len(watched.table.truth())


def test_a_card_whose_end_was_taken_for_some_others_is_compared_with_all(recogniser: Recogniser, mat: Mat) -> None:
    """If a search of ends proposes wrong cards, a search of the whole deck names the right one."""
    made = Watched(recogniser, mat)
    made.table.set(Layout({"auction": Spot(("steam-5",))}))
    made.look()
    place = next(place for place in made.reader.places if place.tracks)
    found = FoundCard(place.tracks[0].corners, None, 0.0, "hidden", ("steam-7", "steam-6", "steam-3"))
    place.tracks = [Track(found)]
    assert made.right(made.look())
