"""Pieces on a rendered board, as the card table moves them: by seat on pages, by colour on the bus."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from companion.devices.camera_requests.table import LaidCard
from companion.engine import Board, Layout, Player, by_cell, piece_name
from companion.engine.event import Seat
from companion.engine.layout import ON_BOARD
from companion.engine.pieces import Piece
from companion.i18n import Words
from companion.messages import CardLaid
from web.presenters.board import BoardView, LitCell, drawn_board


def is_cell(place: str) -> bool:
    """Whether a place is a cell of the board, such as `board.C4`."""
    return place.startswith(ON_BOARD)


def named_by_seat(lying: Iterable[LaidCard], players: Sequence[Player]) -> tuple[LaidCard, ...]:
    """Return the board's layout with pieces named by seat: `cube.2` for `cube.blue`."""
    seats = {player.colour: f".{number}" for number, player in enumerate(players, 1)}

    def renamed(each: LaidCard) -> LaidCard:
        kind, dot, colour = each.card.partition(".")
        return msgspec.structs.replace(each, card=kind + seats.get(colour, dot + colour))

    return tuple([renamed(each) if is_cell(each.place) else each for each in lying])


def named_by_colour(moved: CardLaid, players: Sequence[Player]) -> CardLaid:
    """Return a move in the camera service's terms: `cube.blue` for `cube.2`."""
    if not is_cell(moved.place or moved.source):
        return moved
    piece = piece_of(moved.card, "", len(players))
    if piece is None or piece.owner is None:
        return moved
    return msgspec.structs.replace(moved, card=f"{piece.kind}.{players[piece.owner].colour}")


def piece_of(name: str, cell: str, players: int) -> Piece | None:
    """Return a piece by its name, such as `cube.2`; None if there is no such seat."""
    kind, dot, number = name.partition(".")
    if not dot:
        return Piece(kind, None, cell)
    if number.isdecimal() and 0 < int(number) <= players:
        return Piece(kind, Seat(int(number) - 1), cell)
    return None


def supply(board: Board, said: Layout, lying: Iterable[LaidCard], players: int) -> tuple[str, ...]:
    """Return one piece for each seat and each kind that the table or the board knows, to be brought from beside it."""
    standing = [each.card for each in lying if is_cell(each.place)]
    expected = [piece_name(piece) for pieces in said.pieces.values() for piece in pieces]
    seats = [f"cube.{number}" for number in range(1, players + 1)]
    kinds = [kind for kind, _ in board.neutral]
    known = dict.fromkeys([*seats, *sorted({*standing, *expected, *kinds})])
    return tuple(sorted(known, key=lambda name: "." not in name))


def rendered_map(board: Board, lying: Iterable[LaidCard], players: Sequence[Player], say: Words) -> BoardView:
    """Return the true state of the board, every cell of which can take a piece."""
    pieces = [
        piece
        for each in lying
        if is_cell(each.place)
        and (piece := piece_of(each.card, each.place.removeprefix(ON_BOARD), len(players))) is not None
    ]
    view = drawn_board(board, by_cell(pieces), players, say)
    lit = [LitCell(c.name, c.title, c.x, c.y, c.radius, "", False, ()) for c in view.cells]
    return msgspec.structs.replace(view, lit=tuple(lit))
