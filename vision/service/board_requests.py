"""Answer requests about a board set by hand, and convert points between the live picture and the camera's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from companion.devices.camera_requests.camera_request import Point
from companion.devices.camera_requests.table import BoardAnswer, OutlineBoard, SetBoard, TappedBoard
from vision.board.manual_board import ManualBoard
from vision.deck.stored_decks import RequestRefused
from vision.service.table_watch import TableWatch


def outline_board(watch: TableWatch, request: OutlineBoard) -> BoardAnswer:
    """Return the cells' outlines of a tapped board, or of the current one. Raise `RequestRefused` if it is invalid."""
    manual = watch.board.locator.manual if request.tapped is None else _manual(watch, request.tapped)
    return BoardAnswer() if manual is None else _answer(watch, manual)


def set_board(watch: TableWatch, request: SetBoard) -> BoardAnswer:
    """Store a tapped board, or forget the current one. Raise `RequestRefused` if it cannot be stored."""
    manual = None if request.tapped is None else _manual(watch, request.tapped)
    watch.board.locator.set_by_hand(manual, None if manual is None else watch.still())
    watch.look_again()
    return BoardAnswer() if manual is None else _answer(watch, manual)


def _manual(watch: TableWatch, tapped: TappedBoard) -> ManualBoard:
    size = watch.status.picture_size
    if size == (0, 0):
        raise RequestRefused("no_camera")
    corners, moved = watch.live.unrotate(tapped.corners), _through(watch.live.unrotate, tapped.moved)
    return watch.board.locator.check(tapped.board, corners, tapped.across, moved, size)


def _answer(watch: TableWatch, manual: ManualBoard) -> BoardAnswer:
    rotate = watch.live.rotate
    a, b, c, d = rotate(manual.corners)
    tapped = TappedBoard(manual.board, (a, b, c, d), manual.across, _through(rotate, manual.moved))
    cells = {name: tuple(rotate(outline)) for name, outline in watch.board.locator.outlines(manual).items()}
    return BoardAnswer(tapped, cells)


def _through(turn: Callable[[Sequence[Point]], list[Point]], points: Mapping[str, Point]) -> dict[str, Point]:
    """Return the named points transformed to another picture."""
    return dict(zip(points, turn(list(points.values())), strict=True))
