"""The drawn cards of Trains: figures from the catalogue, names and texts from the game's words, colours from deck.toml.

A card shows its cost in its left corner and its yield in the right one, its category by colour and sign, its effect in
words below its picture. Name and corners are repeated upside down at the lower end, for people on the opposite side.
"""

from __future__ import annotations

from random import Random

import msgspec

from companion.drawing import Clipped, Design, Drawing, Stroke, rectangle, text, text_width, transform
from companion.drawing.letters import balance_lines, break_lines
from companion.drawing.pictures.backs import BackLook, wagon_back
from companion.drawing.pictures.brush import Marks, area, block, disc
from companion.drawing.pictures.frame import HEIGHT, OUT, TICKET, WIDTH, strewn_bands, ticket, window
from companion.drawing.pictures.goods import place_picture, silhouette
from companion.drawing.pictures.scenery import LOW, RAIL, TOP, scene
from companion.games.trains.catalogue import BASIC, HOME, KINGDOM, Card, given, shown
from companion.games.trains.deck import sites, ways
from companion.games.trains.options import SETS as KINGDOMS
from companion.i18n import LANGUAGES, Words
from companion.mechanics.definition import CatalogueData
from companion.mechanics.game_files import read_data, words_of

BACK = "back-card"
SCENE = WIDTH / 2
"""Height of a card's picture on its own, in millimetres."""
GROUND = 49.0
"""Height of the ground in pictures, in millimetres from a card's upper edge."""
PANEL = (51.2, 15.0)
"""Upper edge and height of the panel with a card's text."""
LETTERS, LEAST = 2.9, 1.7
"""Maximum and minimum height of a text's capitals."""
LEADING = 1.7
"""Line spacing, in heights of capitals."""
TAB = 12.0
"""The extra height of a divider over a card."""
NAMES = 4.0
"""Maximum height of a name's capitals."""
SETS = {name: (*BASIC, *kinds) for name, kinds in KINGDOMS["kingdom"].items() if len(kinds) == KINGDOM}
"""Cards to print together: all cards of a game with a printed kingdom, if none of it is drawn."""


class CategoryLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Colours and sign of a category, as in deck.toml."""

    band: str
    tone: str
    edge: str
    sign: str


class TrainsLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The game's deck.toml."""

    game: str
    size: tuple[float, float]
    ink: str
    paper: str
    price: str
    skies: tuple[tuple[str, str, str], ...]
    night: int
    """The index of the first sky at night."""
    categories: dict[str, CategoryLook]
    back: BackLook


def design(catalogue: CatalogueData = None, lang: str = LANGUAGES[0]) -> Design:
    """Return the deck of a catalogue: its name, or its data as read from a file. An unknown cost is a "?".

    Raise `BadSetup` for invalid data.
    """
    book, look, words = book_look_and_words(catalogue, lang)
    faces = {card.id: face(card, nth, look, words) for nth, card in enumerate(book)}
    backs = dict.fromkeys(faces, BACK)
    faces[BACK] = wagon_back(look.back)
    return Design(look.game, *look.size, faces, {card.id: card.count for card in book}, backs)


def dividers(catalogue: CatalogueData = None, lang: str = LANGUAGES[0]) -> Design:
    """Return one divider for each pile of the box: a card with a tab above it for its cost and name."""
    book, look, words = book_look_and_words(catalogue, lang)
    whole = design(catalogue, lang).faces
    faces = {card.id: (*transform(whole[card.id], 0, TAB), *tab(card, words(f"card.{card.id}"), look)) for card in book}
    return Design(look.game, WIDTH, HEIGHT + TAB, faces, dict.fromkeys(faces, 1), dict.fromkeys(faces, BACK))


def book_look_and_words(catalogue: CatalogueData, lang: str) -> tuple[tuple[Card, ...], TrainsLook, Words]:
    """Return the cards of a catalogue, the look of the deck, and the game's words."""
    look = msgspec.convert(read_data(HOME, "deck.toml"), TrainsLook)
    return given(catalogue or "reconstruction").cards, look, words_of(HOME, lang)


def tab(card: Card, name: str, look: TrainsLook) -> Marks:
    """Return the tab above a divider."""
    size = min(NAMES, NAMES * (WIDTH - 17.0) / text_width(name, NAMES))
    return (
        block(-OUT, -OUT, WIDTH + 2 * OUT, TAB + OUT, look.categories[card.categories[0]].edge),
        disc(8.0, 6.2, 4.8, look.price),
        text(shown(card.cost), (8.0, 8.6), 4.8, look.ink, anchor="middle"),
        text(name, (15.0, 6.2 + size / 2), size, look.paper),
    )


def scenes() -> dict[str, Drawing]:
    """Return the picture on each card, without name, figures and text."""
    book, look, _ = book_look_and_words(None, LANGUAGES[0])
    return {card.id: window(scenery(card.id, nth, look), TOP, SCENE) for nth, card in enumerate(book)}


def picture(card: str) -> Marks:
    """Return the picture of a card at the height 0, with its middle at 0."""
    drawn: Marks = (vars(ways) | vars(sites))[card]()
    return drawn


def face(card: Card, nth: int, look: TrainsLook, words: Words) -> Marks:
    """Return a card, with a sky by its place in the catalogue."""
    own = look.categories[card.categories[0]]
    said = printed_text(card.id, words)
    return (
        *scenery(card.id, nth, look),
        *bands(own, Random(f"bands {card.id}")),
        *(panel(said, look) if said else coins(card.value or 0, look)),
        *corners(card, own, look),
        *second_sign(card, look),
        *name_plates(words(f"card.{card.id}"), own, look),
    )


def printed_text(card: str, words: Words) -> str:
    """Return a card's text; if tables may rule differently (`ruled`), it says so, to suit every table."""
    said = words(f"text.{card}", normal=words("card.normal_train")) if words.has(f"text.{card}") else ""
    ruled = any(key.endswith(f".text.{card}") for key in words.section("ruled"))
    return words("printed.ruled", said=said) if ruled else said


def scenery(card: str, nth: int, look: TrainsLook) -> Marks:
    """Return the landscape with a card's picture in it."""
    at = nth % len(look.skies)
    land = transform(scene(Random(f"land {card}"), look.skies[at], at >= look.night), 0, GROUND - RAIL)
    below = block(-OUT, GROUND + 5, WIDTH + 2 * OUT, LOW - GROUND - 4, "#8d8577")
    part = rectangle(-OUT, TOP - 1, WIDTH + 2 * OUT, LOW - TOP + 2)
    return (Clipped(part, (below, *land, *transform(picture(card), WIDTH / 2, GROUND))),)


def bands(own: CategoryLook, luck: Random) -> Marks:
    """Return the upper and lower band with scattered signs, differently on each card."""
    lines = [block(-OUT, y, WIDTH + 2 * OUT, 1.2, own.edge) for y in (TOP - 0.6, LOW - 0.6)]
    return (*strewn_bands(silhouette, own.sign, own.band, own.tone, luck), *lines)


def corners(card: Card, own: CategoryLook, look: TrainsLook) -> Marks:
    """Return the cost in the left corners, and coins or points in the right ones."""
    gives, sign = (str(card.points), "star") if card.points else (shown(card.value), "bonus")
    upper = (
        *ticket(shown(card.cost), own.sign, look.ink, look.price, own.edge, False),
        *ticket(gives, sign, look.ink, look.paper, own.edge, True),
    )
    return (*upper, *transform(upper, WIDTH, HEIGHT, 180))


def name_plates(name: str, own: CategoryLook, look: TrainsLook) -> Marks:
    """Return a card's name between its tickets, above and below."""
    wide, high = WIDTH - 2 * TICKET[0] - 1.6, 13.4
    lines = break_lines(name, NAMES, wide - 2)
    size = min([NAMES, *[NAMES * (wide - 2) / text_width(line, NAMES) for line in lines]])
    size = min(size, (high - 2 - 1.2 * (len(lines) - 1)) / len(lines))
    foot = 3.0 + (high + size * len(lines) + 1.2 * (len(lines) - 1)) / 2
    feet = [foot - (size + 1.2) * n for n in reversed(range(len(lines)))]
    left = (WIDTH - wide) / 2
    upper = (
        block(left - 0.7, 2.3, wide + 1.4, high + 1.4, own.edge, 3.0),
        block(left, 3.0, wide, high, look.paper, 2.4),
        *[text(line, (WIDTH / 2, y), size, look.ink, anchor="middle") for line, y in zip(lines, feet, strict=True)],
    )
    return (*upper, *transform(upper, WIDTH, HEIGHT, 180))


def panel(said: str, look: TrainsLook) -> Marks:
    """Return a card's text on paper, as large as possible."""
    (top, high), wide, size = PANEL, WIDTH - 11.0, LETTERS
    while size > LEAST and len(break_lines(said, size, wide, 500)) * size * LEADING > high - 1.6:
        size -= 0.05
    lines = balance_lines(said, size, wide, 500)
    first, step = top + high / 2 - size * LEADING * (len(lines) - 1) / 2 + size / 2, size * LEADING
    places = [(WIDTH / 2, first + step * n) for n in range(len(lines))]
    return (*paper(look), *[text(*each, size, look.ink, 500, "middle") for each in zip(lines, places, strict=True)])


def coins(count: int, look: TrainsLook) -> Marks:
    """Return the coins of a Train without another effect."""
    middle = PANEL[0] + PANEL[1] / 2
    places = [WIDTH / 2 + (n - (count - 1) / 2) * 13.0 for n in range(count)]
    return (*paper(look), *[mark for x in places for mark in place_picture("bonus", x, middle, 5.6)])


def paper(look: TrainsLook) -> Marks:
    """Return the ground of a card's text."""
    plain = rectangle(3.5, PANEL[0], WIDTH - 7.0, PANEL[1], 1.8)
    return area(look.paper, *plain), Stroke(plain, 0.4, look.ink, closed=True)


def second_sign(card: Card, look: TrainsLook) -> Marks:
    """Return the sign of a card's second category, below its coins."""
    if len(card.categories) < 2:
        return ()
    own, at = look.categories[card.categories[1]], (WIDTH - 6.2, TOP + 5.6)
    return disc(*at, 4.6, own.edge), disc(*at, 4.0, own.band), *place_picture(own.sign, *at, 2.8)
