"""Measures the reading of pieces on rendered boards: cells right, wrong and asked about. `python -m tests.bench
board` prints the figures."""

from __future__ import annotations

import sys
import time
from collections import Counter
from random import Random
from typing import NamedTuple

from companion.engine import Board, Layout, Piece, Seat, by_cell, hex_board
from companion.engine.pieces import same_pieces
from companion.games.trains.rules import RULES as TRAINS
from tests.support.foreign_board import foreign_board, tapped
from tests.support.hex_rails import BOARD
from vision.board.manual_board import StoredBoard, bare_print, board_mat, board_pose, photograph
from vision.board.pieces import PieceReading, read_pieces
from vision.mat import Mat, find, make_board_mat
from vision.piece_colours import READABLE
from vision.simulate.difficulty import BENCHMARKS
from vision.simulate.rendered_table import RenderedTable

COLOURS = READABLE
LARGE = hex_board("large", ("x" * 10, "x" * 9) * 4, 36.0, kinds={"x": "field"})
"""A board with as many hexes as a large game's map: 42 × 32 cm with markers."""
MOST = 4
"""The most pieces on a cell."""


class BoardFigures(NamedTuple):
    """The reading of cells in one or several pictures."""

    right: int = 0
    wrong: int = 0
    asked: int = 0
    missed: int = 0
    """Cells asked about without the truth among the choices."""
    hidden: int = 0
    lost: int = 0
    """Cells of boards that were not found or whose pieces are too small."""

    def plus(self, other: BoardFigures) -> BoardFigures:
        """Return the sum of both."""
        return BoardFigures(*[a + b for a, b in zip(self, other, strict=True)])


def scattered(board: Board, luck: Random, players: int) -> tuple[Piece, ...]:
    """Return pieces on about half of the cells, up to four on one."""
    counts = (0, 0, 0, 1, 1, 2, 3, MOST)
    return tuple(
        [
            Piece("cube", Seat(luck.randrange(players)), cell.name)
            for cell in board.cells
            for _ in range(luck.choice(counts))
        ]
    )


def measured(mat: Mat, seed: int, difficulty: str, size: tuple[int, int], players: int) -> BoardFigures:
    """Return the figures of one rendered board."""
    assert mat.board is not None
    luck = Random(seed)
    colours = luck.sample(COLOURS, players)
    table = RenderedTable(mat, {}, difficulty=difficulty, seed=seed, size=size, colours=colours)
    table.set(Layout({}, pieces=by_cell(scattered(mat.board, luck, players))))
    picture, truth = table.picture(), table.pieces.truth()
    pose = find(picture, mat)
    reading = PieceReading(too_small=True) if pose is None else read_pieces(picture, pose, mat, colours)
    if reading.too_small:
        return BoardFigures(lost=len(truth))
    return judged(reading, truth)


def measured_foreign(board: Board, seed: int, difficulty: str, size: tuple[int, int], players: int) -> BoardFigures:
    """Return the figures of one rendered board of another edition, located by four taps."""
    luck = Random(seed)
    colours = luck.sample(COLOURS, players)
    table = RenderedTable(foreign_board(board, seed), {}, difficulty=difficulty, seed=seed, size=size, colours=colours)
    manual = tapped(table, "trains", board, seed)
    mat = board_mat(manual, board)
    pose = board_pose(manual, board, mat, size)
    bare = bare_print(StoredBoard(manual, photograph(manual, board, table.picture())), mat)
    table.set(Layout({}, pieces=by_cell(scattered(board, luck, players))))
    picture, truth = table.picture(), table.pieces.truth()
    reading = read_pieces(picture, pose, mat, colours, bare=bare)
    return BoardFigures(lost=len(truth)) if reading.too_small else judged(reading, truth)


def judged(reading: PieceReading, truth: dict[str, tuple[Piece, ...]]) -> BoardFigures:
    """Return the figures of a reading compared with the truth."""
    found: Counter[str] = Counter()
    for cell, pieces in truth.items():
        if cell in reading.unsure:
            found["asked"] += 1
            found["missed"] += not any(same_pieces(pieces, choice) for choice in reading.unsure[cell])
        elif cell not in reading.pieces:
            found["hidden"] += 1
        else:
            found["right" if same_pieces(pieces, reading.pieces[cell]) else "wrong"] += 1
    return BoardFigures(**found)


def main(argv: list[str] | None = None) -> None:
    """Print the figures for two boards at two picture sizes and each difficulty."""
    measure(int(argv[0]) if argv else 10)


def measure(boards: int, first: int = BENCHMARKS) -> None:
    """Print the figures of the given number of boards of each kind."""
    for name, board, size in (("24 hexes", BOARD, (1280, 720)), ("76 hexes", LARGE, (1920, 1080))):
        mat = make_board_mat(board)
        for difficulty in ("easy", "default", "hard"):
            started, total = time.perf_counter(), BoardFigures()
            for seed in range(first, first + boards):
                total = total.plus(measured(mat, seed, difficulty, size, 2 + seed % 3))
            print(f"{name}, {size[0]}×{size[1]}, {difficulty}: {said(total, started, boards)}")
    size = (2304, 1296)
    for difficulty in ("easy", "default", "hard"):
        started, total = time.perf_counter(), BoardFigures()
        for seed in range(first, first + boards):
            total = total.plus(measured_foreign(TRAINS.boards[seed % 2], seed, difficulty, size, 2 + seed % 3))
        print(f"another box's 76 hexes, {size[0]}×{size[1]}, {difficulty}: {said(total, started, boards)}")


def said(total: BoardFigures, started: float, boards: int) -> str:
    """Return the figures as a line."""
    cells = sum(total) - total.missed
    ms = 1000 * (time.perf_counter() - started) / boards
    return (
        f"{cells} cells, {total.right / cells:.2%} right, {total.wrong} wrong, {total.asked} asked ({total.missed}"
        f" without the truth among the choices), {total.hidden} hidden, {total.lost} lost; {ms:.0f} ms a board with its"
        " rendering"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
