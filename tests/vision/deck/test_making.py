"""Tests of making decks from photographs: card detection, families and reports of faults."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.support.vision.pictures import card, laid, photographed, table
from vision.deck.making import enrol
from vision.deck.quality import faults
from vision.enrolled_file import DeckError
from vision.image import CARD, Image


def test_a_deck_knows_its_cards_and_backs() -> None:
    """Names that begin with `back-` are backs, the others are cards, and both keep their order."""
    deck, _ = enrol("d", {"b": [card(1)], "a": [card(2)], "back-x": [card(3)]})
    assert (deck.cards, deck.backs) == (("b", "a"), ("back-x",))
    assert deck.picture("a").shape == (CARD[1], CARD[0], 3)
    assert [entry.face for entry in deck.entries] == ["up", "up", "down"]


def test_cards_of_one_artwork_are_a_family() -> None:
    """Cards that differ only in a printed value form a family, and other cards stay alone."""
    deck, report = enrol("d", {"coal-1": [card(4, "100")], "coal-2": [card(4, "200")], "ore": [card(5, "100")]})
    assert sorted(deck.families().values()) == [("coal-1", "coal-2"), ("ore",)]
    assert [(pair.first, pair.second, pair.one_art) for pair in report.pairs if pair.one_art] == [
        ("coal-1", "coal-2", True)
    ]


def test_the_same_picture_twice_is_said() -> None:
    """The report lists two names with the same picture."""
    _, report = enrol("d", {"a": [card(6)], "b": [card(6)], "c": [card(7)]})
    assert [(pair.first, pair.second) for pair in report.pairs if pair.margin <= 0] == [("a", "b")]
    assert [one.said for one in report.findings if one.key == "same"] == [
        "a and b have the same picture. Which of them is wrong?"
    ]


def test_one_card_alone_is_said() -> None:
    """A deck of one card is made with a warning about its limits."""
    _, report = enrol("d", {"a": [card(6)]})
    assert [one.key for one in report.findings] == ["single"]


def test_backs_are_no_cards() -> None:
    """A back is not confused with a card, and a deck of backs alone is refused."""
    _, report = enrol("d", {"a": [card(6)], "back-a": [card(7)]})
    assert [one.key for one in report.findings] == ["single"]
    with pytest.raises(DeckError, match="There are only backs"):
        enrol("d", {"a": [], "back-a": [card(7)], "back-b": [card(8)]})


@pytest.mark.parametrize(
    ("spoilt", "key"),
    [
        (lambda picture: picture[::3, ::3], "small"),
        (lambda picture: cv2.GaussianBlur(picture, (0, 0), 6), "blur"),
        (lambda picture: (picture * 0.12).astype(np.uint8), "dark"),
        (lambda picture: picture[:150], "cut"),
    ],
)
def test_poor_pictures_are_said(spoilt, key: str) -> None:  # type: ignore[no-untyped-def]
    """Small, blurred, dark and cropped pictures are reported."""
    _, report = enrol("d", {"a": [spoilt(card(6))], "b": [card(7)], "c": [card(8)]})
    assert key in [one.key for one in report.findings if one.card == "a"]


def lit(picture: Image, spread: float) -> Image:
    """Return a picture with a lamp's reflection of the given radius in pixels."""
    down, across = np.mgrid[: picture.shape[0], : picture.shape[1]]
    veil = 420 * np.exp(-((down - 180) ** 2 + (across - 120) ** 2) / (2 * spread**2))
    return np.asarray((picture + veil[:, :, None]).clip(0, 255), np.uint8)


def painted(seed: int, paper: int) -> Image:
    """Return a dark card with a white frame and white text of the given brightness."""
    drawn = (card(seed) * 0.6).astype(np.uint8)
    cv2.rectangle(drawn, (0, 0), (251, 351), (paper,) * 3, 24)
    cv2.rectangle(drawn, (60, 250), (190, 300), (paper,) * 3, -1)
    return np.asarray(drawn, np.uint8)


@pytest.mark.parametrize("spread", [22.0, 45.0])
def test_a_lamp_is_told_from_a_scans_white_paper(spread: float) -> None:
    """The overexposed frame and text of a flat scan are told from a lamp's reflection, which fades out."""
    scan = painted(6, 255)
    assert "glare" not in faults(scan)
    assert "glare" not in faults(cv2.GaussianBlur(scan, (0, 0), 1.2))
    noise = np.random.default_rng(1).integers(-3, 4, scan.shape)
    assert "glare" not in faults((scan * 0.985 + noise).clip(0, 255).astype(np.uint8))
    assert "glare" in faults(lit(painted(6, 225), spread))
    assert "glare" in faults(lit((card(7) * 0.5).astype(np.uint8), spread))


def test_a_camera_takes_no_scans() -> None:
    """A camera over the table takes overexposure for a lamp's reflection, even with a sharp edge, as on a sleeve."""
    assert "glare" in faults(painted(6, 255), scanned=False)


def test_one_blank_picture_is_left_out() -> None:
    """A blank picture is left out of the deck and reported."""
    deck, report = enrol("d", {"a": [card(6), np.full((300, 200, 3), 200, np.uint8)], "b": [card(7)],
                               "c": [np.full((300, 200, 3), 200, np.uint8)]})  # fmt: skip
    assert [(one.name, len(one.shots)) for one in deck.entries] == [("a", 1), ("b", 1)]
    assert [(one.card, one.which) for one in report.findings if one.key == "blank"] == [("a", 1), ("c", 0)]


def test_nothing_is_made_of_nothing() -> None:
    """An empty list of pictures and a blank picture are refused with a sentence."""
    with pytest.raises(DeckError, match="no pictures"):
        enrol("d", {})
    with pytest.raises(DeckError, match="Picture 1 of a shows nothing"):
        enrol("d", {"a": [np.full((300, 200, 3), 200, np.uint8)]})


def test_cards_are_found_before_a_background() -> None:
    """If all pictures show a tilted card on a table, the deck keeps the straightened cards."""
    pictures = {}
    for seed in (8, 9, 10):
        on = table(seed, (480, 560))
        laid(on, card(seed), 240, 280, 250, turned=7)
        pictures[str(seed)] = [photographed(on, light=1.0)]
    deck, _ = enrol("d", pictures)
    for entry in deck.entries:
        width, height = entry.shots[0].size
        assert abs(width - 250) < 8 and abs(height - 349) < 8


def photographed_card(seed: int) -> Image:
    """Return a photograph of a card on a table."""
    on = table(seed, (480, 560))
    laid(on, card(seed), 240, 280, 250, turned=7)
    return photographed(on, light=1.0)


def test_a_photograph_without_an_edge_is_left_out_and_named() -> None:
    """Two photographs of five without a card's edge are left out and named."""
    bare = {seed: photographed(table(seed, (480, 560))) for seed in (20, 21)}
    pictures = {str(seed): [photographed_card(seed)] for seed in (8, 9, 10)}
    deck, report = enrol("d", pictures | {str(seed): [picture] for seed, picture in bare.items()})
    assert deck.cards == ("8", "9", "10")
    assert [(one.card, one.said.startswith(f"{one.card}, picture 1: no card's edge")) for one in report.findings] == [
        ("20", True), ("21", True)
    ]  # fmt: skip


def test_few_edges_make_photographs_of_all_pictures_of_their_size() -> None:
    """If two of five photographs show an edge, the others are left out, because they show a table."""
    pictures = {str(seed): [photographed_card(seed)] for seed in (8, 9)}
    deck, report = enrol("d", pictures | {str(seed): [table(seed, (480, 560))] for seed in (20, 21, 22)})
    assert deck.cards == ("8", "9") and [one.key for one in report.findings if one.key != "cut"] == ["edge"] * 3


def test_a_deck_without_any_edge_is_refused() -> None:
    """Photographs without any card's edge make no deck, unless the user declares them as whole cards."""
    bare = {name: [cv2.resize(table(seed, (960, 720)), (1920, 1440))] for name, seed in (("a", 1), ("b", 2))}
    with pytest.raises(DeckError, match="a, picture 1: no card's edge was found"):
        enrol("d", bare)
    assert enrol("d", bare, drawn=True)[0].cards == ("a", "b")


def test_a_card_in_a_dark_frame_is_cut_at_its_paper() -> None:
    """A card on dark paper is cut at its own edge, which is stronger than the paper's, and keeps its proportions."""
    pictures = {}
    for seed in (8, 9, 10):
        on = table(seed, (480, 560))
        laid(on, np.full((400, 300, 3), 20, np.uint8), 240, 280, 300, turned=7)
        laid(on, card(seed), 240, 280, 250, turned=7)
        pictures[str(seed)] = [photographed(on, light=1.0)]
    for entry in enrol("d", pictures)[0].entries:
        width, height = entry.shots[0].size
        assert abs(width - 250) < 8 and abs(height - 349) < 8
