"""Tests of places for tokens on the mat: complete, without overlaps, at their owner's edge, black unless readable."""

from __future__ import annotations

from itertools import combinations
from math import dist

import numpy as np
import numpy.typing as npt
import pytest

from companion.drawing import Fill
from companion.engine import Place, Seat, TokenPlace
from companion.games.take_a_train.layout import places
from companion.games.take_a_train.rules import RULES
from companion.i18n import LANGUAGES
from tests.support.vision.photographing import camera
from tests.support.vision.token_mats import CARD, token_mat
from vision.mat import Mat, TokenSlot, black_out, make_mat, visible
from vision.mat.camera_resolution import CAMERAS, NEEDED, picture_size, pixels_per_mm, token_line
from vision.mat.concessions import concessions
from vision.mat.detector import fit
from vision.mat.drawing import drawing, token_title, words
from vision.mat.leaving_out import fewer_tokens
from vision.mat.print_style import FAINT, INK, printed_whole
from vision.mat.printed_sheets import BADGE, NUMBER, free_corner, seat_slot
from vision.mat.tiling import CLEAR, PAPERS, TABLE
from vision.mat.token_bar import bar_blocks, printed_blocks
from vision.mat.token_sizes import COIN, LINES, STEP
from vision.mat.token_strip import BAR
from vision.simulate.camera_geometry import CameraAngles, camera_above

PICTURE = (1280, 960)
MONEY = "seat.1.money"


def box(points: npt.NDArray[np.float64]) -> tuple[float, ...]:
    """Return the bounding box of points as left, top, right and bottom."""
    return (*points.min(axis=0), *points.max(axis=0))


def apart(a: tuple[float, ...], b: tuple[float, ...], by: float) -> bool:
    """Return whether two boxes are at least the given number of millimetres apart."""
    return a[2] + by <= b[0] or b[2] + by <= a[0] or a[3] + by <= b[1] or b[3] + by <= a[1]


def slot_of(mat: Mat, place: str) -> TokenSlot:
    """Return an existing token slot."""
    found = mat.token_slot(place)
    assert found is not None
    return found


@pytest.mark.parametrize("paper", ["a4", "a3"])
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_every_place_is_there_and_nothing_overlaps(players: int, paper: str) -> None:
    """All places for tokens have room beside cards and markers, and the mat fits on a table."""
    mat = token_mat(players, paper)
    known = {(place.name, place.most, place.seat) for place in RULES.token_places(players)}
    assert {(slot.place, slot.most, slot.seat) for slot in mat.token_slots} == known
    assert {slot.place for slot in mat.slots} == {place.name for place in places(players)}
    tokens = [box(slot.corners()) for slot in mat.token_slots]
    cards = [box(mat.hull(slot)) for slot in mat.slots]
    markers = [box(marker.corners()) for marker in mat.markers]
    assert all(apart(a, b, 5.9) for a, b in combinations([*tokens, *cards], 2))
    assert all(apart(a, b, CLEAR - 1e-9) for a in tokens for b in markers)
    everything = np.array([*tokens, *cards, *markers])
    assert everything.min() >= -1e-9 and (everything[:, 2:] <= np.array(mat.size) + 1e-9).all()
    assert min(mat.size) <= min(TABLE) and max(mat.size) <= max(TABLE)


@pytest.mark.parametrize("players", [2, 6])
def test_money_lies_nearest_to_its_owner(players: int) -> None:
    """A seat's money lies nearer to its edge of the table than its cards, with its bar outermost."""
    mat = token_mat(players)
    for seat in range(players):
        money = slot_of(mat, f"seat.{seat + 1}.money")
        own = [slot for slot in mat.slots if slot.seat == seat]
        toward = 1 if money.turn == 0 else -1
        cards = max(toward * mat.hull(slot)[:, 1].max() if toward > 0 else -mat.hull(slot)[:, 1].min() for slot in own)
        ground, bar = toward * money.ground()[:, 1], toward * money.edge()[:, 1]
        assert {slot.turn for slot in own} == {money.turn}
        assert cards < ground.min() < ground.max() == bar.min() < bar.max() == ground.max() + BAR


@pytest.mark.parametrize("players", [2, 4, 6])
def test_fourteen_coins_find_room(players: int) -> None:
    """Each seat's place holds fourteen coins in two lines, each coin at least four fifths visible."""
    for slot in token_mat(players).token_slots:
        if slot.bar:
            wide, high = slot.size[0], slot.size[1] - slot.bar
            assert wide >= COIN + (slot.most / LINES - 1) * STEP and high >= LINES * COIN


def test_six_players_keep_their_money_in_sight() -> None:
    """On A4, the camera module with most pixels resolves six seats with all places."""
    mat = token_mat(6)
    assert pixels_per_mm(mat, CAMERAS[0]) >= NEEDED
    assert token_line(mat) == (
        "Tokens need 2.5 px/mm, which have: Camera Module 3, Camera Module 2, USB 4K."
        " For a smaller camera leave their places out: --no-tokens."
    )
    assert token_line(make_mat(places(6), (63.0, 88.0), "a4", 6)) == ""


@pytest.mark.parametrize("players", [2, 4, 6])
def test_seats_and_sheets_are_numbered_apart_on_the_small_map(players: int) -> None:
    """Seat numbers on the small map avoid the joints and the sheets' numbers."""
    mat = token_mat(players)
    for seat in range(players):
        x, y = mat.hull(seat_slot(mat, seat)).mean(axis=0)
        assert all(dist((x, y), free_corner(mat, sheet)) >= BADGE + NUMBER for sheet in mat.sheets)
        rims = [(x - s.x, s.x + s.width - x, y - s.y, s.y + s.height - y) for s in mat.sheets]
        assert max(min(rim) for rim in rims) > BADGE


def test_sequence_goes_first_and_money_last() -> None:
    """If space is short, the sequence goes first, then the goals; money and the auction token stay longest."""
    whole = RULES.token_places(2)
    kinds = [[place.name for place in kept] for kept in fewer_tokens(whole)]
    money, purposes = ["seat.1.money", "seat.2.money"], ["seat.1.purpose", "seat.2.purpose"]
    assert kinds[0] == [place.name for place in whole]
    assert [sorted(kept) for kept in kinds[1:]] == [
        sorted(["auction.token", *money, *purposes]), ["auction.token", *money], [],
    ]  # fmt: skip
    assert list(fewer_tokens(())) == [()]


def test_what_is_left_out_is_typed() -> None:
    """Cards that fill the table leave no room for tokens, and the report lists the kinds to type in."""
    mat = token_mat(6, "a3", (72.0, 100.0))
    said = list(concessions(mat, places(6), tokens=RULES.token_places(6)))
    assert mat.token_slots == ()
    assert said[-1] == (
        "There is no room for places of tokens, which are typed instead: Auction token, Money, Goal, Sequence."
    )


def test_a_game_with_tokens_alone_in_its_strip_has_a_mat() -> None:
    """A strip with single token places and no money is a valid mat."""
    mat = make_mat(
        (Place("seat.1.front", "spread", 2, Seat(0)),), (63.0, 88.0), "a4", 1, (TokenPlace("seat.1.goal", 1, Seat(0)),)
    )
    goal, front = slot_of(mat, "seat.1.goal"), mat.slots[0]
    assert goal.bar == 0.0 and goal.y == mat.hull(front)[2][1] + 6.0


def test_bars_begin_and_end_dark_and_joints_cut_no_block_that_counts() -> None:
    """Blocks alternate along each bar, which begins and ends dark; blocks that a joint cuts are not compared."""
    mat = token_mat(2)
    money = slot_of(mat, MONEY)
    blocks = list(bar_blocks(money))
    assert [block.dark for block in blocks] == [nth % 2 == 0 for nth in range(len(blocks))] and blocks[-1].dark
    assert np.allclose(blocks[0].corners[[0, 3]], money.edge()[[0, 3]])
    assert np.allclose(blocks[-1].corners[[1, 2]], money.edge()[[1, 2]])
    printed = printed_blocks(mat, money)
    assert len(blocks) // 2 < len(printed) < len(blocks)
    assert all(printed_whole(mat, [(x, y) for x, y in block.corners.tolist()]) for block in printed)
    assert list(bar_blocks(slot_of(mat, "seat.1.purpose"))) == []


@pytest.mark.parametrize("bend", [-0.012, 0.012])
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_a_bent_lens_moves_no_edge_of_money(players: int, paper: str, bend: float) -> None:
    """Under lens distortion the money bars at the edge are located to less than half a block."""
    mat = token_mat(players, paper)
    wide, high = picture_size(mat.size)
    view = camera_above(mat.size, (wide, high), CameraAngles(8, 40, 3), 0.04, bend)
    luck = np.random.default_rng(players)
    seen = {marker.id: view.to_picture(marker.corners()) + luck.normal(0, 0.3, (4, 2)) for marker in mat.markers}
    pose = fit(seen, mat, (wide, high))
    assert pose is not None
    for slot in [slot for slot in mat.token_slots if slot.bar]:
        corners = np.vstack([block.corners for block in bar_blocks(slot)])
        off = np.linalg.norm(pose.project(corners) - view.to_picture(corners), axis=1).max() / pose.scale
        assert off < 1.6, (slot.place, off)


def test_a_mat_printed_before_there_were_tokens_stays_valid() -> None:
    """A mat printed before tokens existed stays valid, with its markers in place and without bars."""
    mat = make_mat(places(4), CARD, "a3", 4)
    lines = sorted({marker.corners()[0, 1] for marker in mat.markers})
    assert mat.size == (436.0, 718.0) and (lines[0], lines[-1]) == (246.0, 454.0)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("players", "paper"), [(2, "a4"), (4, "a4"), (6, "a4"), (6, "a3")])
def test_names_stand_whole_on_one_sheet_and_outside_their_places(players: int, paper: str, lang: str) -> None:
    """Names stand whole on one sheet outside their places, whose ground stays plain paper."""
    mat = token_mat(players, paper)
    bare = make_mat(places(players), (63.0, 88.0), paper, players)
    marks = [mark for mark in drawing(mat, lang).marks if isinstance(mark, Fill) and mark.colour == FAINT]
    cards = len([mark for mark in drawing(bare, lang).marks if isinstance(mark, Fill) and mark.colour == FAINT])
    assert len(marks) >= cards + len(mat.token_slots)
    for mark in marks[cards:]:
        points = np.vstack([np.array(contour) for contour in mark.contours])
        assert printed_whole(mat, [(x, y) for x, y in points.tolist()])
        assert all(apart(box(points), box(slot.corners()), 0.3) for slot in mat.token_slots)
    assert any(isinstance(mark, Fill) and mark.colour == INK for mark in drawing(mat, lang).marks)
    named = [token_title(slot.place, words(lang)) for slot in mat.token_slots]
    assert named == [words(lang)("place." + slot.place.removeprefix(f"seat.{(slot.seat or 0) + 1}."))
                     for slot in mat.token_slots]  # fmt: skip


def middle(mat: Mat, place: str) -> tuple[int, int]:
    """Return the pixel at the centre of a place."""
    x, y = np.round(camera(mat, PICTURE).project(slot_of(mat, place).corners()).mean(axis=0)).astype(int)
    return int(y), int(x)


def test_places_for_tokens_are_black_unless_they_may_be_read() -> None:
    """A place for tokens is black unless it is readable, and its neighbours stay black."""
    mat = token_mat(2)
    pose, white = camera(mat, PICTURE), np.full((PICTURE[1], PICTURE[0], 3), 255, np.uint8)
    closed, opened = black_out(white, pose, mat), black_out(white, pose, mat, readable=frozenset({MONEY}))
    for slot in mat.token_slots:
        assert not closed[middle(mat, slot.place)].any()
        assert opened[middle(mat, slot.place)].any() == (slot.place == MONEY)
    for cards in mat.read():
        x, y = np.round(pose.project(mat.corners(cards)).mean(axis=0)).astype(int)
        assert closed[y, x].all() and opened[y, x].all()


def test_nothing_of_a_black_place_shows_around_it() -> None:
    """A closed place stays black even where the surroundings of a card overlap it."""
    mat = token_mat(6)
    pose = camera(mat, PICTURE)
    shown = visible(pose, mat) > 0
    y, x = np.nonzero(shown)
    on_mat = pose.locate(np.column_stack([x, y]).astype(np.float64))
    for slot in mat.token_slots:
        left, top, right, low = box(slot.corners())
        inside = (on_mat > (left, top)).all(axis=1) & (on_mat < (right, low)).all(axis=1)
        assert not inside.any()


def test_what_is_known_stays_visible_in_a_black_place() -> None:
    """A known open fist stays visible in a closed place, but the part of its area outside the place does not."""
    mat = token_mat(2)
    pose, money = camera(mat, PICTURE), slot_of(mat, MONEY)
    left, top, right, low = box(money.corners())
    half = ((left - 5, top), ((left + right) / 2, top), ((left + right) / 2, low + 30), (left - 5, low + 30))
    shown, without = visible(pose, mat, frozenset(), (half,)), visible(pose, mat)
    more = shown & ~without
    y, x = np.nonzero(more)
    on_mat = pose.locate(np.column_stack([x, y]).astype(np.float64))
    wide, high = (right - left) / 2, low - top
    assert on_mat.min(axis=0) == pytest.approx([left, top], abs=1.5)
    assert np.ptp(on_mat, axis=0) == pytest.approx([wide, high], abs=2.5)
    assert np.array_equal(visible(pose, mat, frozenset({MONEY}), (half,)), visible(pose, mat, frozenset({MONEY})))
