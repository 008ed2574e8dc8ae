"""Put an arrangement of places on sheets of paper with markers.

Sheets lie edge to edge and need no cutting. An outline across a printer's white margin merely has a small gap. Every
sheet has its own markers, so that a wrongly laid sheet is noticed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

from companion.engine import Place, TokenPlace
from vision.card_size import SMALLEST, MatError, checked_card
from vision.mat.arrangement import LONG, SHORT, arrangements
from vision.mat.block import Block
from vision.mat.leaving_out import fewer_piles, fewer_tokens
from vision.mat.mat import Marker, Mat, MatSheet, Points, card_corners, usable_places
from vision.mat.token_strip import LABEL

PAPERS: dict[str, tuple[float, float]] = {
    "a4": (210.0, 297.0), "a3": (297.0, 420.0), "a2": (420.0, 594.0), "letter": (215.9, 279.4),
}  # fmt: skip
"""Width and height in millimetres of the papers for mats (ISO 216, ANSI A)."""
RIM = 7.0
"""The white margin of a sheet in millimetres, because printers cannot reach the edges or may shift the page."""
TABLE = (1200.0, 800.0)
"""The largest mat in millimetres, which fits a usual table."""
SIDE = 18.0
"""The side of a marker in millimetres. It has 36 pixels even at 2 pixels per millimetre, too few to read any card."""
CLEAR = 4.0
"""The white margin around a marker in millimetres, more than one of its modules."""
PER_SHEET, FEWEST = 4, 2
"""The maximum and minimum number of markers on a sheet."""
AROUND = SIDE + CLEAR
"""Millimetres around an arrangement where markers may lie if there is no room inside."""
BLOCK = 50
"""Marker numbers reserved for each number of players, out of the dictionary's thousand."""
SPREAD = 0.2
"""The minimum spread of the markers, as a share of a mat's width and height. Collinear markers would not determine
the pose."""
FAR = 200.0
"""The maximum distance in millimetres between the outermost markers and the edges of a mat with bars. At 300 mm,
lens distortion moves a bar by 5 mm. Mats without bars keep their markers, because cards are searched for and old
prints must stay valid."""
RASTER = 2.0
"""The step in millimetres for finding free room."""
SENSOR = (16.0, 9.0)
"""The usual aspect ratio of a camera's picture. The mat that fills it best shows its cards largest."""
NEARLY = 0.9
"""The share of the best magnification above which arrangements compete by their number of sheets."""

Room: TypeAlias = dict[tuple[int, int], list[tuple[float, float]]]
"""By column and row of a sheet: the upper left corners of its markers in the arrangement's millimetres."""


class Tiling(msgspec.Struct, frozen=True):
    """Columns × rows of sheets under an arrangement that lies at an offset."""

    paper: tuple[float, float]
    columns: int
    rows: int
    offset: tuple[float, float]
    """The arrangement's upper left corner in millimetres from that of the first sheet."""


def make_mat(
    places: tuple[Place, ...],
    card: tuple[float, float],
    paper: str = "a4",
    players: int = 0,
    tokens: tuple[TokenPlace, ...] = (),
) -> Mat:
    """Return the mat of a game's places on a paper, or raise `MatError` with the size needed if it fits no usual table.

    The markers' numbers include `players`, so the mat itself shows its number of players. If not everything fits,
    outlines of piles are left out, first the common ones and then all, because no camera reads them. Next, places for
    tokens are left out (`vision.mat.concessions`).
    """
    if paper not in PAPERS:
        raise MatError(f"{paper!r} is not a known paper size: choose one of {', '.join(PAPERS)}.")
    found = _mat_or_refusal(usable_places(places), checked_card(card), paper, players, tokens)
    if isinstance(found, str):
        raise MatError(found)
    return found


@lru_cache(maxsize=64)
def _mat_or_refusal(
    places: tuple[Place, ...], card: tuple[float, float], paper: str, players: int, tokens: tuple[TokenPlace, ...]
) -> Mat | str:
    return _fitting_mat(places, card, paper, players, tokens) or _refusal(places, card)


def _fitting_mat(
    places: tuple[Place, ...], card: tuple[float, float], paper: str, players: int, tokens: tuple[TokenPlace, ...]
) -> Mat | None:
    """Return the mat of as many places as fit, or None if the cards that a camera reads do not fit."""
    blocks = (
        list(arrangements(kept, card, long, read))
        for read in fewer_tokens(tokens)
        for kept in fewer_piles(places)
        for long in (LONG, SHORT)
    )
    return next((mat for each in blocks if (mat := _best_mat(each, card, paper, players)) is not None), None)


def _best_mat(laid: Sequence[Block], card: tuple[float, float], paper: str, players: int) -> Mat | None:
    """Return the best mat of these arrangements, or None if none fits the table."""
    seats = len({slot.seat for slot in laid[0].slots if slot.seat is not None})
    blocks = [block for block in laid if _fits((block.width, block.height), seats)]
    found: dict[int, Mat] = {}
    best = 0.0
    for nth in sorted(range(len(blocks)), key=lambda nth: -_magnified(blocks[nth])):
        if _magnified(blocks[nth]) < NEARLY * best:
            break  # markers cannot make it smaller
        mats = [mat for mat in _on_paper(blocks[nth], card, paper, players) if _fits(mat.size, seats)]
        if mats:
            found[nth] = min(mats, key=_worth)
            best = max(best, magnification(found[nth].size))
    good = [found[nth] for nth in sorted(found) if magnification(found[nth].size) >= NEARLY * best]
    return min(good, key=_worth, default=None)


def _magnified(block: Block) -> float:
    return magnification((block.width, block.height))


def players_of(numbers: Iterable[int]) -> tuple[int, ...]:
    """Return the numbers of players of the mats with these marker numbers, the most frequent first."""
    counts = Counter(number // BLOCK for number in numbers)
    return tuple([players for players, _ in counts.most_common()])


def _fits(size: tuple[float, float], seats: int) -> bool:
    """Whether a mat fits on the table. Two players can sit at the table's short side, but not three."""
    width, height = size
    lying = width <= TABLE[0] and height <= TABLE[1]
    return lying or (seats <= 4 and width <= TABLE[1] and height <= TABLE[0])


def _refusal(places: tuple[Place, ...], card: tuple[float, float]) -> str:
    """Return the error for a mat that cannot be made, with the smallest table for it."""
    width, height = _least_table(places, card)
    if width <= TABLE[0] and height <= TABLE[1]:
        return "The outlines of this mat leave no room for markers on every sheet: take larger paper or smaller cards."
    return (
        f"This mat needs a table of {width / 10:.0f} × {height / 10:.0f} cm, and the largest that is made is"
        f" {TABLE[0] / 10:.0f} × {TABLE[1] / 10:.0f} cm: take smaller cards or fewer players."
    )


def suggest_mat(
    places: tuple[Place, ...],
    card: tuple[float, float],
    paper: str,
    players: int,
    tokens: tuple[TokenPlace, ...] = (),
) -> Mat | None:
    """Return a mat on other paper or for smaller cards, or None if neither can be made. It takes some seconds."""
    for other in PAPERS:
        if other != paper and (found := _fitting_mat(places, card, other, players, tokens)) is not None:
            return found
    for less in range(97, 40, -3):
        smaller = (float(int(card[0] * less / 100)), float(int(card[1] * less / 100)))
        if min(smaller) < SMALLEST:
            break
        if (found := _fitting_mat(places, smaller, paper, players, tokens)) is not None:
            return found
    return None


def _least_table(places: tuple[Place, ...], card: tuple[float, float]) -> tuple[float, float]:
    """Return the width and height of the smallest table for the arrangement closest to fitting."""
    sizes = [
        (block.width + 2 * AROUND, block.height + 2 * AROUND)
        for kept in fewer_piles(places)
        for block in arrangements(kept, card, SHORT)
    ]
    return min(sizes, key=lambda size: max(size[0] / TABLE[0], size[1] / TABLE[1]))


def magnification(size: tuple[float, float]) -> float:
    """Return the magnification of a mat that fills a picture: the share of the picture's short side per millimetre."""
    wide, high = SENSOR[0] / SENSOR[1], 1.0
    return max(min(wide / size[0], high / size[1]), min(high / size[0], wide / size[1]))


def _worth(mat: Mat) -> tuple[float, ...]:
    """Return a sort key, lower being better: the number of sheets, then the negative magnification."""
    return (len(mat.sheets), -magnification(mat.size))


def _on_paper(block: Block, card: tuple[float, float], paper: str, players: int) -> Iterator[Mat]:
    """Yield a mat for each orientation of the paper in which every sheet has room for enough markers."""
    width, height = PAPERS[paper]
    for held in ((width, height), (height, width)):
        columns, rows = _enough(block.width, held[0]), _enough(block.height, held[1])
        for more in ((0, 0), (0, 1), (1, 0)):
            best = _best_offset(block, card, held, columns + more[0], rows + more[1])
            if best is not None:
                yield _mat(block, card, paper, players, *best)
                break


def _enough(length: float, sheet: float) -> int:
    """Return the number of sheets for a length. Everything at the outer edges must be printed whole."""
    return max(1, int(np.ceil((length + 2 * RIM) / sheet)))


def _best_offset(
    block: Block, card: tuple[float, float], held: tuple[float, float], columns: int, rows: int
) -> tuple[Tiling, Room] | None:
    """Return the offset that leaves most room for markers on the sheets, and the markers' corners by sheet.

    Markers lie within the arrangement if possible. If they were collinear or all in the middle, they also lie around
    it.
    """
    for around in (False, True):
        best = _offset_with_markers(block, card, held, columns, rows, around)
        if best is not None and _are_spread(block, best[1]):
            return best
    return None


def _are_spread(block: Block, room: Room) -> bool:
    """Whether markers are spread widely enough, across and down, to determine the pose of the whole mat."""
    spots = np.array([spot for found in room.values() for spot in found])
    across, down = np.ptp(spots, axis=0)
    if across < SPREAD * block.width or down < SPREAD * block.height:
        return False
    beyond = (*spots.min(axis=0), *((block.width, block.height) - spots.max(axis=0) - SIDE))
    return max(beyond) <= FAR or not any(slot.bar for slot in block.token_slots)


def _offset_with_markers(
    block: Block, card: tuple[float, float], held: tuple[float, float], columns: int, rows: int, around: bool
) -> tuple[Tiling, Room] | None:
    """Return the best offset and its markers.

    around: whether markers may lie outside the arrangement.
    """
    best: tuple[int, Tiling, Room] | None = None
    taken = _occupied(block, card)
    most = max(FEWEST, min(PER_SHEET, BLOCK // (columns * rows)))
    for offset in _offsets(columns * held[0] - block.width, rows * held[1] - block.height):
        tiling = Tiling(held, columns, rows, offset)
        room = _markers(block, card, taken, tiling, most, around)
        fewest = min(len(spots) for spots in room.values())
        if fewest >= FEWEST and (best is None or fewest > best[0]):
            best = (fewest, tiling, room)
        if fewest >= most:
            break
    return None if best is None else best[1:]


def _offsets(across: float, down: float) -> Sequence[tuple[float, float]]:
    """Return the offsets to try for the remaining room, the centred one first."""

    def along(slack: float) -> list[float]:
        return [slack / 2] if slack <= 2 * RIM else [float(each) for each in np.linspace(RIM, slack - RIM, 7)]

    both = [(x, y) for x in along(across) for y in along(down)]
    return sorted(both, key=lambda at: abs(at[0] - across / 2) + abs(at[1] - down / 2))


def _markers(
    block: Block, card: tuple[float, float], taken: npt.NDArray[np.bool_], tiling: Tiling, most: int, around: bool
) -> Room:
    """Return the upper left corners of each needed sheet's markers, in the arrangement's millimetres.

    They lie within the arrangement if there is room, so that the camera need not see more. Otherwise, or with `around`,
    they may also lie close around it.
    """
    whole = (0.0, 0.0, block.width, block.height)
    wider = (-AROUND, -AROUND, block.width + AROUND, block.height + AROUND)
    found = {}
    for column in range(tiling.columns):
        for row in range(tiling.rows):
            left, top = column * tiling.paper[0] - tiling.offset[0], row * tiling.paper[1] - tiling.offset[1]
            sheet = (left, top, left + tiling.paper[0], top + tiling.paper[1])
            if not _covers(block, card, sheet):
                continue
            spots = [] if around else _spread_out(_free(taken, sheet, whole), most)
            if len(spots) < FEWEST:
                spots = _spread_out(_free(taken, sheet, wider), most)
            found[column, row] = spots
    return found


def _covers(block: Block, card: tuple[float, float], sheet: tuple[float, float, float, float]) -> bool:
    return any(
        right > sheet[0] and left < sheet[2] and bottom > sheet[1] and top < sheet[3]
        for left, top, right, bottom in _boxes(block, card)
    )


def _boxes(block: Block, card: tuple[float, float]) -> Iterator[tuple[float, float, float, float]]:
    """Yield left, top, right and bottom of the area of each slot's cards or tokens, including the names of tokens."""
    names = np.array([[0.0, -LABEL], [0.0, LABEL]])
    hulls = [np.vstack([slot.corners() + by for by in names]) for slot in block.token_slots]
    for slot in block.slots:
        last = slot.most - 1
        hulls.append(np.vstack([
            card_corners(card, slot.x, slot.y, slot.turn),
            card_corners(card, slot.x + last * slot.step[0], slot.y + last * slot.step[1], slot.turn),
        ]))  # fmt: skip
    for both in hulls:
        (left, top), (right, bottom) = both.min(axis=0), both.max(axis=0)
        yield float(left), float(top), float(right), float(bottom)


def _occupied(block: Block, card: tuple[float, float]) -> npt.NDArray[np.bool_]:
    """Return a raster over the arrangement and its surroundings of where a marker's upper left corner must not lie."""
    shape = (int((block.height + 2 * AROUND) / RASTER) + 1, int((block.width + 2 * AROUND) / RASTER) + 1)
    taken = np.zeros(shape, dtype=bool)
    for left, top, right, bottom in _boxes(block, card):
        # A marker with its upper left corner at x covers x … x + SIDE, and its white margin adds CLEAR on every side.
        x0, y0 = (int(np.floor((value - SIDE - CLEAR + AROUND) / RASTER)) + 1 for value in (left, top))
        x1, y1 = (int(np.ceil((value + CLEAR + AROUND) / RASTER)) for value in (right, bottom))
        taken[max(0, y0) : max(0, y1), max(0, x0) : max(0, x1)] = True
    return taken


def _free(
    taken: npt.NDArray[np.bool_],
    sheet: tuple[float, float, float, float],
    within: tuple[float, float, float, float],
) -> Points:
    """Return possible upper left corners of a marker that lies wholly on a sheet and within a box, n × 2."""
    left, top = max(sheet[0] + RIM, within[0]), max(sheet[1] + RIM, within[1])
    right, bottom = min(sheet[2] - RIM, within[2]) - SIDE, min(sheet[3] - RIM, within[3]) - SIDE
    x0, y0 = (max(0, int(np.ceil((value + AROUND) / RASTER))) for value in (left, top))
    x1, y1 = (int(np.floor((value + AROUND) / RASTER)) + 1 for value in (right, bottom))
    if x1 <= x0 or y1 <= y0:
        return np.zeros((0, 2))
    rows, columns = np.nonzero(~taken[y0:y1, x0:x1])
    found: Points = np.column_stack([columns + x0, rows + y0]).astype(np.float64)
    return found * RASTER - AROUND


def _spread_out(free: Points, most: int) -> list[tuple[float, float]]:
    """Return at most this many of the positions, spread widely and without overlapping margins."""
    if not len(free):
        return []
    chosen = [int(np.argmin(free.sum(axis=1)))]
    distance = np.abs(free - free[chosen[0]]).max(axis=1)
    reach = np.hypot(*(free - free[chosen[0]]).T)
    while len(chosen) < most:
        candidates = np.where(distance >= SIDE + CLEAR, reach, -1.0)
        nth = int(np.argmax(candidates))
        if candidates[nth] < 0:
            break
        chosen.append(nth)
        distance = np.minimum(distance, np.abs(free - free[nth]).max(axis=1))
        reach = np.minimum(reach, np.hypot(*(free - free[nth]).T))
    return [(float(x), float(y)) for x, y in free[chosen]]


def _mat(
    block: Block,
    card: tuple[float, float],
    paper: str,
    players: int,
    tiling: Tiling,
    room: Room,
) -> Mat:
    spots = [spot for found in room.values() for spot in found]
    left, top = min(0.0, *(x - CLEAR for x, _ in spots)), min(0.0, *(y - CLEAR for _, y in spots))
    right = max(block.width, *(x + SIDE + CLEAR for x, _ in spots))
    bottom = max(block.height, *(y + SIDE + CLEAR for _, y in spots))
    markers, sheets = list[Marker](), list[MatSheet]()
    first = players % (1000 // BLOCK) * BLOCK
    for number, (column, row) in enumerate(sorted(room, key=lambda at: (at[1], at[0])), 1):
        x, y = column * tiling.paper[0] - tiling.offset[0] - left, row * tiling.paper[1] - tiling.offset[1] - top
        sheets.append(MatSheet(number, x, y, *tiling.paper))
        for spot in room[column, row]:
            markers.append(Marker(first + len(markers), spot[0] - left, spot[1] - top, SIDE, number))
    moved = block.moved(-left, -top)
    return Mat(
        (right - left, bottom - top), card, moved.slots, tuple(markers), tuple(sheets), players, paper,
        token_slots=moved.token_slots,
    )  # fmt: skip
