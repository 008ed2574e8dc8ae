"""Tests that similar cards are told apart by their print at any strength and that foreign cards have no name."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.support.vision.pictures import SIZE, card, laid, photographed, table
from vision.deck.making import enrol
from vision.features.blocks import level_view
from vision.features.pixels import corners_of, homography, lab
from vision.image import Image
from vision.recognise import Recogniser
from vision.recognise.candidates import Candidate
from vision.recognise.card_thresholds import leaves_nothing, passes
from vision.recognise.hatching import (
    FINER,
    brightness,
    foreign_stripes,
    foreign_texture,
    shows_hatching,
    stripes,
    texture,
    typical_texture,
)
from vision.recognise.image_difference import Rivalry, rivalry
from vision.recognise.residue import find_veil, strengths
from vision.recognise.rival_cards import ink_nearness
from vision.recognise.scene import PictureScene
from vision.recognise.settling import half_turn
from vision.recognise.verification import Verdict

INK = {"red": (60, 60, 200), "green": (70, 140, 30)}


def symbol(colour: str, fill: str, count: int = 1, pale: float = 0.0, line: int = 2) -> Image:
    """Return a card with outlines that are empty, hatched or full.

    pale: the fraction by which the ink is bleached. line: the width of a hatching line in pixels, of nine.
    """
    width, height = SIZE
    drawn = np.full((height, width, 3), 236, np.uint8)
    ink = [round(channel + (236 - channel) * pale) for channel in INK[colour]]
    for at in range(count):
        middle = (width // 2, height // 2 + round((at - (count - 1) / 2) * 100))
        inside = np.zeros((height, width), np.uint8)
        cv2.ellipse(inside, middle, (66, 34), 0, 0, 360, 255, -1)
        if fill == "hatched":
            lines = np.zeros_like(inside)
            for at_line in range(line):
                lines[:, at_line::9] = 255
            drawn[(inside & lines) > 0] = ink
        if fill == "full":
            drawn[inside > 0] = ink
        cv2.ellipse(drawn, middle, (66, 34), 0, 0, 360, ink, 5, cv2.LINE_AA)
    return drawn


def broad(line: int) -> Image:
    """Return a card almost filled by three hatched outlines; line: the width of a line in pixels, of nine."""
    width, height = SIZE
    drawn = np.full((height, width, 3), 236, np.uint8)
    for at in (-1, 0, 1):
        inside, lines = np.zeros((height, width), np.uint8), np.zeros((height, width), np.uint8)
        cv2.ellipse(inside, (width // 2, height // 2 + 106 * at), (92, 44), 0, 0, 360, 255, -1)
        for at_line in range(line):
            lines[:, at_line::9] = 255
        drawn[(inside & lines) > 0] = INK["green"]
        cv2.ellipse(drawn, (width // 2, height // 2 + 106 * at), (92, 44), 0, 0, 360, INK["green"], 5, cv2.LINE_AA)
    return drawn


def deck(without: str = "") -> Recogniser:
    """Return a recogniser of twelve cards that differ in colour, filling and count, optionally without one of them."""
    cards = {f"{colour}-{fill}-{count}": [symbol(colour, fill, count)]
             for colour in INK for fill in ("empty", "hatched", "full") for count in (1, 2)}  # fmt: skip
    cards.pop(without, None)
    return Recogniser(enrol("alike", cards)[0], threads=1)


def named(reader: Recogniser, picture: Image) -> set[str]:
    """Return the names that the recogniser reads in a picture."""
    return {one.card for one in reader.read(picture) if one.card}


@pytest.fixture(scope="module")
def twelve() -> Recogniser:
    """Yield a recogniser of all twelve cards."""
    return deck()


@pytest.mark.parametrize("turned", [4, 176])
def test_hatching_is_told_from_an_empty_outline_however_pale(twelve: Recogniser, turned: float) -> None:
    """Small cards bleached by a third are told apart as hatched or empty, upright and upside down."""
    on = table(21)
    laid(on, symbol("red", "hatched", 1, 0.35), 180, 150, 100, turned)
    laid(on, symbol("red", "empty", 1, 0.35), 420, 150, 100, turned)
    laid(on, symbol("green", "hatched", 2, 0.35), 660, 150, 100, turned)
    assert named(twelve, photographed(on)) == {"red-hatched-1", "red-empty-1", "green-hatched-2"}


def test_hatching_may_be_seen_stronger(twelve: Recogniser) -> None:
    """Hatching lines half as wide again, as a camera with high contrast shows them, are still the same hatching."""
    on = table(21)
    laid(on, symbol("red", "hatched", line=3), 300, 260, 100, 4)
    assert named(twelve, photographed(on)) == {"red-hatched-1"}


def test_paper_beside_stronger_hatching_is_still_paper() -> None:
    """Lines twice as wide in three large outlines do not distort the level of the paper beside them."""
    reader = Recogniser(enrol("broad", {"broad": [broad(2)], "other": [symbol("green", "full")]})[0], threads=1)
    on = table(21)
    laid(on, broad(4), 300, 260, 160, 94)
    assert named(reader, photographed(on, light=1)) == {"broad"}


def test_a_card_is_asked_against_those_that_look_like_what_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong proposal is replaced by the right card, even if no rivals of the proposal are known."""
    reader = deck()
    monkeypatch.setattr(reader.bank, "rivals", lambda ref: [])
    on = table(21)
    wanted = laid(on, symbol("red", "hatched", 2), 300, 260, 150, 4)
    scene, ref = (
        PictureScene(photographed(on)),
        next(one for one in reader.bank.refs if reader.name(one) == "red-full-2"),
    )
    proposed = reader.judge(scene, Candidate(ref, homography(corners_of(ref.frame), wanted), 0.8, "outline"))
    found = reader.settle(scene, proposed)
    assert reader.name(reader.bank.refs[found.ref]) == "red-hatched-2"
    assert passes(found)


def test_a_card_found_upside_down_is_turned() -> None:
    """A card found upside down is turned by its only asymmetric mark."""
    marked = symbol("red", "hatched")
    cv2.circle(marked, (40, 50), 14, INK["red"], -1, cv2.LINE_AA)
    reader = Recogniser(enrol("marked", {"marked": [marked], "other": [symbol("green", "full")]})[0], threads=1)
    on, ref = table(5), reader.bank.refs[0]
    wanted = laid(on, marked, 300, 260, 120, 15)
    scene = PictureScene(photographed(on))
    pose = homography(corners_of(ref.frame), wanted) @ half_turn(ref.frame)
    found = reader.refine(scene, reader.judge(scene, Candidate(ref, pose, 0.8, "outline")))
    assert float(np.abs(reader.corners(ref, found.pose) - wanted).max()) < 3


@pytest.mark.parametrize("missing", ["red-empty-1", "red-hatched-1", "green-full-2"])
def test_a_card_that_is_not_enrolled_is_not_taken_for_its_like(missing: str) -> None:
    """A card missing from the deck is not named as one of its lookalikes."""
    on = table(22)
    colour, fill, count = missing.split("-")
    laid(on, symbol(colour, fill, int(count)), 300, 260, 130, 7)
    assert named(deck(missing), photographed(on)) == set()


def test_glare_over_a_part_of_a_card_bleaches_its_ink(twelve: Recogniser) -> None:
    """A card is named even if glare weakens the ink on one side."""
    on = table(23)
    laid(on, symbol("green", "full", 2), 300, 260, 160, 90)
    veil = cv2.GaussianBlur(np.where(np.arange(on.shape[1]) > 330, 0.6, 0).astype(np.float32)[None], (0, 0), 18)
    lit = on + (235 - on.astype(np.float32)) * veil[:, :, None]
    assert named(twelve, photographed(lit.clip(0, 255).astype(np.uint8))) == {"green-full-2"}


def test_ink_may_be_weaker_only_where_a_veil_lies(twelve: Recogniser) -> None:
    """Weaker ink is accepted only in the half of a card that glare brightens by 9 in L."""
    ref = next(one for one in twelve.bank.refs if twelve.bank.card(one).name == "green-full-2")
    known, seen = twelve.flat_areas(ref), np.ones(ref.view.shape[:2], np.float32)
    light, weak = ref.view[:, :, 0] - 10, known.coarse.copy()
    weak[:, 64:] *= 0.5
    even, lit = find_veil(ref, known, light, seen), find_veil(ref, known, light + 9 * (np.arange(96) >= 64), seen)
    assert not even.any()
    assert (float(lit[:, :32].max()), float(lit[:, -16:].min())) == (0, 1)
    ones = np.ones(3, np.float32)
    assert (strengths(known, weak, ones, seen, even) == 1).all()
    ink = strengths(known, weak, ones, seen, lit)
    assert (ink[:, :32] == 1).all()
    assert float(ink[72, 80:].max()) < 0.7


def rivals(one: Image, two: Image) -> Rivalry:
    """Return the differences of two pictures of one size."""
    mine, its = lab(one), lab(two)
    found = rivalry(mine, its, level_view(mine), level_view(its))
    assert found is not None
    return found


def test_a_line_beside_its_like_does_not_tell_two_cards_apart() -> None:
    """A shared line one pixel apart does not distinguish two cards, but a dot on one of them does."""
    line, dotted = (np.full((144, 96, 3), 225, np.uint8) for _ in range(2))
    cv2.line(line, (60, 20), (60, 124), (60, 60, 200), 2, cv2.LINE_AA)
    cv2.line(dotted, (61, 20), (61, 124), (60, 60, 200), 2, cv2.LINE_AA)
    cv2.circle(dotted, (20, 70), 8, (60, 60, 200), -1, cv2.LINE_AA)
    found = rivals(line, dotted)
    assert found.differs[:, :40].any()
    assert not found.differs[:, 50:].any()


def test_a_stronger_line_does_not_tell_two_cards_apart() -> None:
    """A shared outline of different strength does not distinguish two cards, but a tint within it does."""
    empty, tinted = (np.full((144, 96, 3), 225, np.uint8) for _ in range(2))
    cv2.rectangle(tinted, (37, 40), (59, 104), (190, 190, 219), -1)
    cv2.rectangle(empty, (37, 40), (59, 104), (60, 60, 200), 2)
    cv2.rectangle(tinted, (37, 40), (59, 104), (105, 105, 206), 2)
    found = rivals(empty, tinted)
    assert found.differs[50:94, 43:54].all()
    assert not found.differs[:, :39].any()
    assert not found.differs[:, 58:].any()
    own, shared, other = found.ink
    assert own < 0.05 * other
    assert abs(shared) < 0.05 * other


def test_a_faint_line_on_one_card_alone_tells() -> None:
    """A thin pale line and a dot on one card both distinguish it from its lookalike."""
    bare, lined = (np.full((144, 96, 3), 225, np.uint8) for _ in range(2))
    for one in (bare, lined):
        cv2.rectangle(one, (10, 10), (86, 40), (60, 60, 200), 2)
    cv2.line(lined, (60, 60), (60, 124), (185, 185, 219), 1)
    cv2.circle(lined, (20, 90), 8, (60, 60, 200), -1, cv2.LINE_AA)
    found = rivals(bare, lined)
    assert found.differs[80:100, :40].any()
    assert found.differs[64:120, 60].all()


def test_weak_ink_is_nearer_to_ink_than_to_none() -> None:
    """Half of a card's ink supports the card, but half of the ink between two full cards supports neither."""
    assert ink_nearness(0.5, own=100, shared=0, other=0) > 0.25
    assert ink_nearness(0.1, own=100, shared=0, other=0) < -0.25
    assert abs(ink_nearness(0.5, own=100, shared=0, other=100)) < 1e-6


@pytest.mark.parametrize(("blocks", "rest", "named"), [(5.5, 0.2, True), (5.5, 0.35, False), (20, 0.35, True)])
def test_a_card_with_little_on_it_must_fit_closely(blocks: float, rest: float, named: bool) -> None:
    """A sparse card must match closely; on a card with many blocks the same remainder may be an inexact pose."""
    verdict = Verdict(0, np.eye(3), 1, 2, blocks, 0.8, 1, 0.8, how="outline", rest=rest, flat=0.7)
    assert passes(verdict)
    assert leaves_nothing(verdict) == named


@pytest.mark.parametrize(
    ("how", "flat", "rest", "named"),
    [("votes", 0.4, 0.36, True), ("votes", 0.4, 0.39, False), ("outline", 0.4, 0.39, True), ("votes", 0.1, 0.39, True)],
)
def test_pips_of_another_suit_are_no_pose_that_is_off(how: str, flat: float, rest: float, named: bool) -> None:
    """A sparse card matched by features has an exact pose, so its remainder counts as print, unlike that of others."""
    verdict = Verdict(0, np.eye(3), 1, 9, 30, 0.8, 1, 0.8, support=6, how=how, rest=rest, flat=flat)
    assert passes(verdict)
    assert leaves_nothing(verdict) == named


@pytest.mark.parametrize(("how", "named"), [("votes", True), ("outline", False)])
def test_an_outline_must_correlate_as_a_whole(how: str, named: bool) -> None:
    """Cards of one kind share the same blocks, so an outline must also correlate as a whole."""
    assert passes(Verdict(0, np.eye(3), 0.9, 8, 21, 0.57, 1, 0.5, how=how)) == named


def test_a_card_without_paper_shows_no_veil() -> None:
    """On a card painted all over, a brighter side is not taken for glare."""
    painted = Recogniser(enrol("painted", {"one": [card(3)], "two": [card(4)]})[0], threads=1)
    ref = painted.bank.refs[0]
    light = ref.view[:, :, 0] + 9 * (np.arange(96) >= 64)
    assert not find_veil(ref, painted.flat_areas(ref), light, np.ones(light.shape, np.float32)).any()


def diamond(fill: str) -> Image:
    """Return a card with one small diamond, empty or hatched with fine pale lines."""
    width, height = SIZE
    drawn, shape = np.full((height, width, 3), 236, np.uint8), np.zeros((height, width), np.uint8)
    corners = np.array([[54, 176], [126, 140], [198, 176], [126, 212]])
    cv2.fillPoly(shape, [corners], 255)
    if fill == "hatched":
        lines = np.zeros_like(shape)
        lines[:, ::9] = 255
        drawn[(shape & lines) > 0] = INK["red"]
    cv2.polylines(drawn, [corners], True, INK["red"], 5, cv2.LINE_AA)
    return drawn


@pytest.mark.parametrize(("enrolled", "shown"), [("empty", "hatched"), ("hatched", "empty")])
@pytest.mark.parametrize("width", [70, 100, 150])
def test_a_hatching_alone_tells_a_card_that_is_not_enrolled(enrolled: str, shown: str, width: float) -> None:
    """A hatching of one hundredth of the card distinguishes an enrolled card from a foreign one."""
    others = {"full": [symbol("red", "full")], "green": [symbol("green", "empty")]}
    reader = Recogniser(enrol("diamonds", {enrolled: [diamond(enrolled)], **others}, drawn=True)[0], threads=1)
    on = table(24)
    laid(on, diamond(shown), 250, 260, width, 8)
    laid(on, diamond(enrolled), 650, 260, width, -8)
    found = [one for one in reader.read(photographed(on)) if one.card]
    assert [(one.card, one.corners[0][0] > 450) for one in found] == [(enrolled, True)]


def test_fine_print_on_a_flat_part_is_strange_unless_it_is_the_cards_own() -> None:
    """Fine lines count as foreign only where the card and the paper have none, and noise does not count."""
    size = (96, 132)
    part, paper = np.zeros((132, 96), np.bool_), np.zeros((132, 96), np.bool_)
    part[40:90, 30:66], paper[:30] = True, True
    bare = np.full((FINER * 132, FINER * 96, 3), 220, np.uint8)
    lined = bare.copy()
    lined[120:270, 90:198:4] = 150
    noisy = (lined + np.random.default_rng(3).normal(0, 12, lined.shape)).clip(0, 255).astype(np.uint8)
    own = float(np.median(texture(lined, size)[part]))

    def foreign(known: float, fine: Image) -> float:
        seen = texture(fine, size)
        return foreign_texture(part, typical_texture(paper, seen), known, seen)

    assert foreign(0.0, bare) < 0.1
    assert foreign(0.0, lined) > 2
    assert foreign(own, lined) < 1
    assert foreign(0.0, noisy[:, ::-1]) < foreign(0.0, lined)


@pytest.mark.parametrize(("apart", "foreign"), [(3, True), (9, True), (24, False)])
def test_a_pale_hatching_is_found_by_its_frequency(apart: int, foreign: bool) -> None:
    """Lines paler than noise are found by their frequency, and broad bands and noise alone are not."""
    part = np.zeros((132, 96), np.bool_)
    part[40:90, 30:66] = True
    noise = np.random.default_rng(5).normal(0, 6, (FINER * 132, FINER * 96, 3))
    wave = 4 * np.sin(2 * np.pi * np.arange(FINER * 96) / apart)
    bare, lined = ((220 + noise + more).clip(0, 255).astype(np.uint8) for more in (0, wave[None, :, None]))
    seen = [stripes(picture, part) for picture in (bare, lined)]
    assert [foreign_stripes(0.0, each, brightness(bare, ~part)) > 1 for each in seen] == [False, foreign]
    assert foreign_stripes(seen[1], seen[1], 220.0) < 1


@pytest.mark.parametrize(("own", "seen", "shows"), [(30, 6, True), (30, 3, False), (0.2, 6, False)])
def test_a_hatching_shows_if_both_pictures_have_its_wave(own: float, seen: float, shows: bool) -> None:
    """A wave as faint as noise is no hatching, and a wave on an empty symbol is not the card's own."""
    assert shows_hatching(own, seen, 250.0) == shows


@pytest.mark.parametrize(("count", "width"), [(1, 115), (2, 80), (3, 95)])
def test_a_hatching_of_thin_lines_is_not_taken_for_none(count: int, width: float) -> None:
    """A hatching with one line in nine pixels is not named as the enrolled empty card."""
    others = {"full": [symbol("red", "full")], "green": [symbol("green", "empty")]}
    reader = Recogniser(enrol("thin", {"empty": [symbol("red", "empty", count)], **others}, drawn=True)[0], threads=1)
    on = table(22)
    laid(on, symbol("red", "hatched", count, 0.35, 1), 250, 260, width, 7)
    laid(on, symbol("red", "empty", count, 0.35), 650, 260, width, 7)
    found = [one for one in reader.read(photographed(on)) if one.card]
    assert [(one.card, one.corners[0][0] > 450) for one in found] == [("empty", True)]
