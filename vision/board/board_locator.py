"""Locate a game's board from picture to picture, by its markers or as set by hand."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

import numpy as np

from companion.engine import Board
from companion.engine.board import plays_on_board
from companion.games import SEEN
from vision.board import manual_board as by_hand
from vision.board.board_print import BoardPrint, even_light
from vision.board.covers import PX
from vision.board.manual_board import ManualBoard, StoredBoard
from vision.board.nudge import nudge_of
from vision.deck.stored_decks import RequestRefused
from vision.image import Image
from vision.mat import PAPERS, Mat, MatDetector, MatError, MatPose, is_board_marker, make_board_mat, straighten
from vision.mat.pose import perspective

LOG = logging.getLogger(__name__)
NUDGED = 0.7
"""Millimetres of movement from which the corners of a board set by hand follow. Less is noise."""
MOST_OF_IT, ALIKE = 70, 8.0
"""The percentage of a known board's area that matches its picture, and the tolerance in CIE Lab. Pieces hide the
rest. On rendered boards the same board differed by up to 3.6, and others by 16 or more."""
COVERED = 2
"""The number of consecutive pictures without recognising a board set by hand after which it counts as moved or
covered."""


class BoardLocator:
    """Stores the pose of one game's board. Without a data folder, no board can be set by hand."""

    def __init__(self, game: str, data: Path | None = None) -> None:
        self.boards = boards_of(SEEN[game])
        self._game, self._data = game, data
        self._finder = MatDetector(self._candidates)
        self._stored = by_hand.load(data, game, self.boards) if data is not None and self.boards else None
        self.mat: Mat | None = None
        """The board as a mat."""
        self.pose: MatPose | None = None
        self.bare: BoardPrint | None = None
        """The appearance without pieces of a board set by hand."""
        self._unlike = 0
        """The number of consecutive pictures that did not show the board set by hand."""
        self.changes = 0
        """The number of times that another board, or the same one elsewhere, was found."""

    @property
    def manual(self) -> ManualBoard | None:
        """The board set by hand."""
        return None if self._stored is None else self._stored.manual

    @property
    def may_be_set(self) -> bool:
        """Whether a board can be set by hand now, because no board with markers is in sight."""
        return bool(self.boards) and not self._finder.in_sight

    @property
    def moved(self) -> bool:
        """Whether the board set by hand was moved or is covered."""
        return self._unlike >= COVERED

    def look(self, picture: Image, at: int) -> bool:
        """Locate the board in a full picture, and return whether its pose is known."""
        before = self._finder.bumped, self._finder.mat
        pose = self._finder.look(picture, at)
        self.changes += before != (self._finder.bumped, self._finder.mat)
        if pose is not None:
            self.mat, self.pose, self.bare, self._unlike = self._finder.mat, pose, None, 0
        elif self._stored is not None:
            self._use_stored(self._stored, (picture.shape[1], picture.shape[0]))
        else:
            self.mat = self.pose = self.bare = None
        return self.pose is not None

    def recognises(self, picture: Image) -> bool:
        """Return whether the board lies where `look` located it. Markers prove it, but one set by hand may have been
        nudged."""
        if self.bare is None or self.mat is None or self.pose is None or self._stored is None:
            return True
        nudge = nudge_of(self.bare.picture, straighten(picture, self.pose, PX, self.mat.size))
        self._unlike = self._unlike + 1 if nudge is None else 0
        if nudge is None:
            return False
        corners = self.mat.board_area()
        if np.abs(perspective(nudge, corners) - corners).max() > NUDGED:
            board = self._board(self._stored.manual.board)
            followed = StoredBoard(by_hand.nudged(self._stored.manual, board, nudge), self._stored.picture)
            try:
                self._store(followed)
            except OSError as error:  # a full disk: follow the board until the next start
                LOG.warning("the board that was nudged cannot be stored: %s", error)
                self._stored = followed
            self.pose = by_hand.board_pose(self._stored.manual, board, self.mat, self.pose.picture)
        return True

    def forget(self) -> None:
        """Search for markers from scratch."""
        self._finder.forget()

    # --- by hand ----------------------------------------------------------------------------------

    def set_by_hand(self, manual: ManualBoard | None, picture: Image | None) -> None:
        """Use a board set by hand, which this picture shows empty, or forget it (None).

        A board that was set before keeps its picture, because there may be pieces on it. Raise `RequestRefused` with
        `board_seen` while a board with markers is in sight.
        """
        if manual is not None and not self.may_be_set:
            raise RequestRefused("board_seen")
        self._finder.forget()
        if manual is not None and picture is not None:
            known, board = self._known(manual, picture), self._board(manual.board)
            self._store(known or StoredBoard(manual, by_hand.photograph(manual, board, picture)))
        else:
            self._stored = None
            if self._data is not None:
                by_hand.delete(self._data)
        self.mat = self.pose = self.bare = None
        self._unlike = 0
        self.changes += 1

    def _known(self, manual: ManualBoard, picture: Image) -> StoredBoard | None:
        """Return the board with the stored picture if this one shows the same board, possibly with pieces."""
        before = self._stored
        if before is None or not by_hand.same_size(manual, before.manual):
            return None
        if by_hand.same_corners(manual, before.manual):
            return StoredBoard(manual, before.picture)
        board, size = self._board(manual.board), (picture.shape[1], picture.shape[0])
        mat = by_hand.board_mat(manual, board)
        bare = by_hand.bare_print(before, mat)
        nudge = nudge_of(bare.picture, straighten(picture, by_hand.board_pose(manual, board, mat, size), PX, mat.size))
        if nudge is None:
            return None
        found = by_hand.nudged(manual, board, nudge)
        seen = straighten(picture, by_hand.board_pose(found, board, mat, size), PX, mat.size)
        unlike = np.linalg.norm(even_light(seen, bare) - bare.lab, axis=2)
        return StoredBoard(found, before.picture) if np.percentile(unlike, MOST_OF_IT) < ALIKE else None

    def check(self, board: str, corners: object, across: float, moved: object, size: tuple[int, int]) -> ManualBoard:
        """Return the board tapped in pictures of this size. Raise `RequestRefused` if it is invalid."""
        if board not in {each.name for each in self.boards}:
            raise RequestRefused("bad_board")
        return by_hand.check_board(self._game, self._board(board), size, corners, across, moved)

    def outlines(self, manual: ManualBoard) -> dict[str, tuple[tuple[float, float], ...]]:
        """Return the outlines of a board's cells as fractions of the picture, by name."""
        return by_hand.outlines(manual, self._board(manual.board))

    def _board(self, name: str) -> Board:
        return next(board for board in self.boards if board.name == name)

    def _store(self, stored: StoredBoard) -> None:
        if self._data is not None:
            by_hand.store(self._data, stored)
        self._stored = stored

    def _use_stored(self, stored: StoredBoard, size: tuple[int, int]) -> None:
        if self.pose is not None and self.pose.picture == size and self.bare is not None:
            return
        board = self._board(stored.manual.board)
        self.mat = by_hand.board_mat(stored.manual, board)
        self.pose = by_hand.board_pose(stored.manual, board, self.mat, size)
        self.bare = by_hand.bare_print(stored, self.mat)
        self.changes += 1

    def _candidates(self, numbers: Collection[int]) -> Iterable[Mat]:
        return board_mats(self.boards) if any(map(is_board_marker, numbers)) else ()


def boards_of(game: object) -> tuple[Board, ...]:
    """Return a game's boards."""
    return game.boards if plays_on_board(game) else ()


def board_mats(boards: Sequence[Board]) -> Iterable[Mat]:
    """Yield the mats of a game's boards on each paper, except for boards too large for a table."""
    for number, board in enumerate(boards):
        for paper in PAPERS:
            try:
                yield make_board_mat(board, number, paper)
            except MatError:
                continue
