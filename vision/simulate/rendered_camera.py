"""A rendered table as a camera. Cards and tokens are moved over the bus, as `PinDriven` moves simulated pins."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator

import msgspec

from companion.devices.camera_requests.table import LaidCard, RenderedTableAnswer
from companion.engine.layout import ON_BOARD
from companion.messages import CardLaid, TokensLaid
from vision.cameras.camera_protocol import GLANCE, glance_of
from vision.image import Image
from vision.simulate.lying_tokens import Arrangement
from vision.simulate.rendered_table import RenderedTable

FRAMES = 6
"""The number of glances that a hand takes to move one card."""
LOG = logging.getLogger(__name__)


class RenderedCamera:
    """Views a rendered table. Cells of its board count as places, such as `board.C4`.

    `lay` may be called from any thread, and the rest only from the service's loop.
    """

    live = False
    unfocused = False
    small_memory = False
    source = "rendered"

    def __init__(self, table: RenderedTable, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self._table, self._clock = table, clock
        width, height = table.size
        self._small = (GLANCE * 2, max(2, round(GLANCE * 2 * height / width)))
        self._waiting: list[CardLaid | TokensLaid] = []
        self._lock = threading.Lock()
        self._hand: Iterator[Image] = iter(())
        self._moving = False

    def prepare(self) -> None:
        """Prepare for pictures, because the first ones would otherwise take seconds."""
        self._table.prepare(self._small, self._table.size)

    def lay(self, laid: CardLaid | TokensLaid) -> None:
        """Move a card, a piece or tokens, with a hand."""
        with self._lock:
            self._waiting.append(laid)

    def read_table(self) -> RenderedTableAnswer:
        """Return the current table, without a card in the hand."""
        return RenderedTableAnswer((*self.lying(), *self.standing()), self.to_move(), self.places())

    def lying(self) -> tuple[LaidCard, ...]:
        """Return the cards, in order at each place."""
        cards = sorted(self._table.heap.all(), key=lambda each: (each.place, each.at))
        return tuple([msgspec.convert(each, LaidCard, from_attributes=True) for each in cards])

    def standing(self) -> tuple[LaidCard, ...]:
        """Return the pieces on the board, in the order of their cells."""
        table = self._table
        pieces = sorted([(ON_BOARD + each.piece.cell, table.piece_name(each.piece)) for each in table.pieces.all()])
        return tuple([LaidCard(cell, piece) for cell, piece in pieces])

    def places(self) -> tuple[str, ...]:
        """Return the names of the mat's places, and of the board's cells, such as `board.C4`."""
        board = self._table.board
        cells = () if board is None or board.mat.board is None else board.mat.board.cells
        slots = dict.fromkeys(slot.place for slot in self._table.mat.slots)
        return (*slots, *[ON_BOARD + cell.name for cell in cells])

    def to_move(self) -> int:
        """Return the number of pending moves of cards, pieces and tokens, including the one in progress."""
        with self._lock:
            return len(self._waiting) + self._moving

    def glance(self) -> Image:
        """Return the next glance, and advance a moving hand."""
        frame = next(self._hand, None)
        while frame is None:
            with self._lock:
                laid = self._waiting.pop(0) if self._waiting else None
            if laid is None:
                return glance_of(self._table.picture(self._small))
            self._hand = self._moves(laid)
            frame = next(self._hand, None)
        return glance_of(frame)

    def _moves(self, laid: CardLaid | TokensLaid) -> Iterator[Image]:
        self._moving = True
        try:
            if isinstance(laid, TokensLaid):
                how: Arrangement = "heap" if laid.heaped else "beside"
                yield from self._table.hand_tokens(laid.place, laid.tokens, how, FRAMES, self._small)
            elif (laid.place or laid.source).startswith(ON_BOARD):
                cell, source = laid.place.removeprefix(ON_BOARD), laid.source.removeprefix(ON_BOARD)
                yield from self._table.hand_piece(self._table.piece_named(laid.card, cell), source, FRAMES, self._small)
            else:
                yield from self._table.hand(laid.card, laid.place, laid.source, laid.face, FRAMES, self._small)
        except ValueError as error:  # no such card, token or place, or no room: a wrong move does no harm
            LOG.warning("%s", error)
        finally:
            self._moving = False

    def still(self) -> tuple[Image, int]:
        """Return the full picture."""
        at = self._clock()
        return self._table.picture(), at

    def lock(self) -> None:
        """Do nothing, because there is nothing to lock."""

    def close(self) -> None:
        """Do nothing, because there is nothing to close."""
