"""A rendered table: pictures as a camera would take them, with the truth about every card.

table = RenderedTable(make_mat(places(3), (63, 88)), faces("take-a-train"), backs, seed=7)
table.set(layout(state)); table.picture(); table.truth()
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from random import Random
from typing import Literal
from zlib import crc32

import msgspec
import numpy as np

from companion.engine import Layout, Piece, Seat
from companion.messages import Sighting
from vision.image import Image
from vision.mat import Mat
from vision.piece_colours import PIECE_COLOURS
from vision.simulate.brush import Brush, bgr_of
from vision.simulate.camera_geometry import CameraGeometry, Points
from vision.simulate.clutter import outline, paint_thing, rectangle, scatter_things
from vision.simulate.coverage import visible_shares
from vision.simulate.difficulty import DEFAULT, DIFFICULTIES, Difficulty
from vision.simulate.gesture import Reach, home_of
from vision.simulate.hand_moves import HandMove, hand_steps
from vision.simulate.hands import paint_hand
from vision.simulate.laid_board import LaidBoard, board_itself, lay_beside, table_area
from vision.simulate.laid_coasters import FreeHeap
from vision.simulate.lying import Heap, LayingError, LyingCard
from vision.simulate.lying_tokens import Arrangement
from vision.simulate.painting import Faces, paint_gleam, paint_sleeve
from vision.simulate.rendered_scene import EmptyTable, RenderedScene, empty_table
from vision.simulate.standing import StandingPieces, cell_of
from vision.simulate.surfaces import TABLES, forget_mats
from vision.simulate.table_tokens import TableTokens
from vision.simulate.things import Thing, some_thing

SIZE = (1280, 720)
"""The default size of a picture in pixels."""


class RenderedPicture(msgspec.Struct, frozen=True):
    """The truth about one card in a picture."""

    sighting: Sighting
    share: float
    """The uncovered share of the card, from 0 to 1."""
    pixels: tuple[tuple[float, float], ...]
    """Its four corners in the picture, clockwise from its own top left."""


class RenderedTable:
    """A table under a camera, for one session. The same seed yields the same pictures."""

    def __init__(
        self,
        mat: Mat,
        pictures: Mapping[str, Image],
        backs: Mapping[str, str] | None = None,
        difficulty: Difficulty | str = DEFAULT,
        seed: int = 0,
        size: tuple[int, int] = SIZE,
        colours: Sequence[str] = (),
        board: Mat | None = None,
        empty: EmptyTable = empty_table,
    ) -> None:
        """Create a table.

        pictures: every card and back by name, without margins. backs: the name of each card's back. Without it, a card
        face down must be named by its back. colours: the names of the seats' colours. board: a board beside the mat,
        not needed for a mat that is a board. empty: draws or caches the empty table.
        """
        self.mat = mat
        self.size = size
        self.difficulty = DIFFICULTIES[difficulty] if isinstance(difficulty, str) else difficulty
        self.seed = seed
        self._empty = empty
        self._backs = dict(backs or {})
        self._names = frozenset(pictures)
        self.heap = (FreeHeap if mat.outline else Heap)(mat, self.difficulty, seed)
        self.board: LaidBoard | None = board_itself(mat) if mat.board is not None else None
        if board is not None:
            self.board = lay_beside(mat, board, self.difficulty, seed)
        self.area = table_area(mat, self.board)
        """The camera's view: left, top, right and bottom in millimetres."""
        self.pieces = StandingPieces(self.board, self.difficulty, seed)
        self.colours = tuple(colours or PIECE_COLOURS)
        luck = np.random.default_rng([seed, 5])
        ink = 1 + luck.uniform(*self.difficulty.ink, 3) * luck.choice((-1, 1), 3)
        gamma = float(luck.uniform(*self.difficulty.gamma))
        self._faces = Faces(pictures, gamma, (ink[0], ink[1], ink[2]))
        paints = [bgr_of(PIECE_COLOURS[name]) for name in self.colours]
        printed = self.board.mat.board if self.board is not None else None
        side, kinds = (printed.piece, dict(printed.neutral)) if printed is not None else (0.0, {})
        neutral = {kind: bgr_of(PIECE_COLOURS[colour]) for kind, colour in kinds.items()}
        self._brush = Brush(mat.card, self._faces, self.difficulty.cut, seed, paints, side, neutral)
        self.kind = TABLES[int(luck.integers(len(TABLES)))]
        beside = self.board.corners() if self.board is not None and board is not None else None
        self._clutter = scatter_things(mat, self.difficulty, seed, self.area, beside)
        self.tokens = TableTokens(mat, self.difficulty, seed, self._faces.inked)
        """The tokens. `tokens.use` sets their faces."""
        self._cache: dict[tuple[int, int], RenderedScene] = {}
        self._version, self._number = 0, 0
        self._hand: Reach | None = None
        self._carried: Piece | None = None
        self._covers: dict[str, tuple[Thing, Points]] = {}
        self._luck = Random(f"{seed} hands")

    # --- laying ---

    def lay(self, card: str, place: str, source: str = "", face: str = "up", at: int | None = None) -> None:
        """Move a card like a hand.

        source: its place, or "" for off the table. place: its destination, or "" for off the table. at: a position, or
        None for the first free one. Raise `LayingError` if there is no such card, place or room.
        """
        name = self._possible(card, place, source, face)
        if source:
            self.heap.take(self._find(card, source).card, source)
        if place:
            self.heap.lay(name, place, face, at)
        self._version += 1

    def set(self, layout: Layout, back: str = "") -> None:
        """Lay everything in a layout. Correct cards stay.

        back: the visible side of cards face down, by default the first of the deck's backs.
        """
        self.heap.set(layout, back or min([n for n in self._names if n.startswith("back-")], default=""))
        if self.board is not None:
            self.pieces.set(layout.pieces)
        self._version += 1

    def lay_tokens(self, place: str, tokens: Sequence[str], how: Arrangement = "beside") -> None:
        """Lay exactly these tokens at a place. An empty sequence clears it. Raise `LayingError` if that is impossible.

        how: applies to new tokens. Tokens that may stay are not moved.
        """
        self.tokens.lying.set(place, tokens, how)
        self._version += 1

    def clear(self) -> None:
        """Remove all cards, tokens and pieces."""
        self.heap.clear()
        self.tokens.lying.clear()
        self.pieces.set({})
        self._version += 1

    def cover(self, place: str, nth: int = 0) -> None:
        """Put a cup or a phone over a place's nth card. `clear_covers` removes all such objects."""
        luck = Random(f"{self.seed} cover {place}")
        thing = next(each for each in iter(lambda: some_thing(luck), None) if each.high > 1)
        middle = self.mat.corners(self.heap.slot(place), nth).mean(axis=0)
        self._covers[place] = (thing, rectangle(thing.size, luck.uniform(0, 360)) + middle)
        self._version += 1

    def clear_covers(self) -> None:
        """Remove all objects over places."""
        self._covers.clear()
        self._version += 1

    def _picture_name(self, card: str, face: str) -> str:
        if face == "up" or card.startswith("back-"):
            name = card
        else:
            name = self._backs.get(card, "")
        if name not in self._faces:
            raise LayingError(f"There is no picture of {card!r} lying face {face}.")
        return name

    def _possible(self, card: str, place: str, source: str, face: str) -> str:
        """Return the name of the visible side. Raise `LayingError` before anything has moved."""
        name = self._picture_name(card, face)
        moving = self._find(card, source).card if source else ""
        if place:
            self.heap.free(place, moving if source == place else "")
        return name

    # --- seeing ---

    def picture(self, size: tuple[int, int] | None = None) -> Image:
        """Return the next picture, BGR.

        size: another picture size of the same camera.
        """
        scene = self._scene(size or self.size)
        self._number += 1
        over = partial(self._paint_hand, self._hand) if self._hand is not None else None
        return scene.picture(self._version + self.tokens.version, self._number, self._paint, over)

    def prepare(self, *sizes: tuple[int, int]) -> None:
        """Prepare for pictures of these sizes, and free everything that further pictures do not need."""
        for size in sizes:
            self._scene(size)
        forget_mats()

    def view(self, size: tuple[int, int] | None = None) -> CameraGeometry:
        """Return the camera's view of the mat."""
        return self._scene(size or self.size).view

    def truth(self) -> tuple[Sighting, ...]:
        """Return every visible card at a place that the camera reads."""
        return tuple([shown.sighting for shown in self.showing() if shown.share > 0])

    def showing(self, size: tuple[int, int] | None = None) -> tuple[RenderedPicture, ...]:
        """Return all cards at places that the camera reads, with their visible shares and their corners in the
        picture."""
        view = self.view(size)
        covers = [outline(thing, corners) for thing, corners in self._covers.values()]
        shares = visible_shares(
            [self.heap.corners(lying) for lying in self.heap.all()], self.mat.size, covers, self._hand
        )
        made = []
        for nth, lying in enumerate(self.heap.all()):
            if self.heap.slot(lying.place).kind == "pile":
                continue
            corners = self.heap.corners(lying)
            known = lying.card in self._names
            sighting = Sighting(lying.place, lying.card if known else None, lying.at, _face(lying), 1.0,
                                "" if known else "unknown", (), _tuples(corners))  # fmt: skip
            made.append(RenderedPicture(sighting, shares[nth], _tuples(view.to_picture(corners))))
        return tuple(made)

    # --- hands ---

    def hand(
        self,
        card: str,
        place: str,
        source: str = "",
        face: str = "up",
        frames: int = 10,
        size: tuple[int, int] | None = None,
    ) -> Iterator[Image]:
        """Yield the pictures while a hand comes, takes or brings a card, lays it and leaves.

        The card is moved as by `lay`. `truth` describes each picture: a card in the hand lies nowhere.
        """
        moving = self._possible(card, place, source, face)
        stops = [self._target(place)] if place else []
        if source:
            stops.insert(0, self.heap.corners(self._find(card, source)).mean(axis=0))
        yield from self._move_hand(
            HandMove(
                stops,
                home_of(self._target(place or source), self.area),
                take=(lambda: self.heap.take(self._find(card, source).card, source)) if source else None,
                put=(lambda: self.heap.lay(moving, place, face)) if place else None,
                card=moving,
            ),
            frames,
            size,
        )

    def hand_piece(
        self, piece: Piece, source: str = "", frames: int = 10, size: tuple[int, int] | None = None
    ) -> Iterator[Image]:
        """Yield the pictures while a hand moves a piece to its cell.

        source: the cell from which it comes, or "" for off the table. A piece without a cell is taken off the table.
        """
        carried = msgspec.structs.replace(piece, cell=source)
        self.pieces.check(carried, piece.cell)
        stops = [self._middle(cell) for cell in (source, piece.cell) if cell]
        yield from self._move_hand(
            HandMove(
                stops,
                home_of(stops[-1], self.area),
                take=(lambda: self.pieces.take(carried)) if source else None,
                put=(lambda: self.pieces.let_go(piece)) if piece.cell else None,
                piece=piece,
            ),
            frames,
            size,
        )

    def hand_tokens(
        self,
        place: str,
        tokens: Sequence[str],
        how: Arrangement = "beside",
        frames: int = 10,
        size: tuple[int, int] | None = None,
    ) -> Iterator[Image]:
        """Yield the pictures while a hand lays tokens as by `lay_tokens`. The fist hides them until they lie."""
        self.tokens.lying.check(place, tokens)
        target = self.tokens.lying.slot(place).ground().mean(axis=0)

        def put() -> None:
            self.tokens.lying.set(place, tokens, how)

        yield from self._move_hand(HandMove([target], home_of(target, self.area), None, put), frames, size)

    def _move_hand(self, move: HandMove, frames: int, size: tuple[int, int] | None) -> Iterator[Image]:
        """Yield the pictures while a hand comes, goes from stop to stop, and leaves."""
        try:
            for step in hand_steps(move, self.mat.card, frames, self._luck):
                self._hand, self._carried = step.reach, step.carried
                self._version += step.changed
                yield self.picture(size)
        except LayingError:  # some of the tokens may already lie
            self._version += 1
            raise
        finally:
            self._hand = self._carried = None

    def piece_named(self, name: str, cell: str) -> Piece:
        """Return a piece by its kind and colour, such as `cube.red`, on a cell. Without a seat's colour it has no
        owner."""
        kind, _, colour = name.partition(".")
        seat = Seat(self.colours.index(colour)) if colour in self.colours else None
        return Piece(kind, seat, cell)

    def piece_name(self, piece: Piece) -> str:
        """Return a piece's kind and colour, such as `cube.red`."""
        return piece.kind if piece.owner is None else f"{piece.kind}.{self.colours[piece.owner]}"

    def _middle(self, cell: str) -> Points:
        found = cell_of(self.board, cell)
        assert self.board is not None
        at: Points = self.board.to_table(np.array([[found.x, found.y]]) + self.board.mat.board_at)[0]
        return at

    def _target(self, place: str) -> Points:
        slot = self.heap.slot(place)
        free = min(len(self.heap.at(place)), slot.most - 1)
        found: Points = self.mat.corners(slot, free).mean(axis=0)
        return found

    def _find(self, card: str, source: str) -> LyingCard:
        for name in (card, self._backs.get(card, card)):  # face up, else face down
            for lying in self.heap.at(source):
                if lying.card == name:
                    return lying
        raise LayingError(f"There is no {card} at {source}.")

    # --- painting ---

    def _scene(self, size: tuple[int, int]) -> RenderedScene:
        if size not in self._cache:
            self._cache[size] = RenderedScene(
                self.mat, self.board, self.difficulty, size, self.kind, self.seed, self._empty
            )
        return self._cache[size]

    def _paint(self, picture: Image, view: CameraGeometry) -> None:
        for thing, corners in self._clutter:
            paint_thing(picture, view, thing, corners)
        luck = np.random.default_rng([self.seed, 6])
        shining, sleeved = float(luck.uniform(*self.difficulty.glare)), luck.random() < self.difficulty.sleeves
        for lying in self.heap.all():
            corners = self.heap.corners(lying)
            self._brush.card(picture, view, lying.card, corners, 0.5)
            own = np.random.default_rng([self.seed, 7, crc32(f"{lying.place} {lying.at} {lying.card}".encode())])
            if sleeved:
                paint_sleeve(picture, view, corners)
            if own.random() < shining:
                paint_gleam(picture, view, corners, float(own.uniform(*self.difficulty.gleam)), own)
        for each in self.pieces.all():
            self._brush.piece(picture, view, each.piece, (each.x, each.y), each.turn, each.tone)
        self.tokens.paint(picture, view)
        for thing, corners in self._covers.values():
            paint_thing(picture, view, thing, corners)

    def _paint_hand(self, reach: Reach, picture: Image, view: CameraGeometry) -> None:
        if reach.corners is not None:
            self._brush.carried_card(picture, view, reach)
        paint_hand(picture, view, reach.hand, reach.moved)
        if self._carried is not None:
            self._brush.piece(picture, view, self._carried, (reach.hand.x, reach.hand.y), high=12.0)


def _face(lying: LyingCard) -> Literal["up", "down"]:
    return "down" if lying.face == "down" else "up"


def _tuples(points: Points) -> tuple[tuple[float, float], ...]:
    return tuple([(float(x), float(y)) for x, y in points])
