"""The drawn cards of Express: values and counts from the profile, words from the game's, colours from deck.toml.

Cars of a train are tucked behind one another, so that the upper quarter of a card shows. Therefore value and sign are
in all four corners, name and group in both bands. Colour, stripe pattern and corner shape mark the group.
"""

from __future__ import annotations

from random import Random

import msgspec

from companion.drawing import (
    Clipped,
    Design,
    DrawError,
    Drawing,
    Fill,
    Mark,
    Stroke,
    circle,
    rectangle,
    text,
    text_width,
    transform,
)
from companion.drawing.letters import balance_lines, break_lines
from companion.drawing.pictures.frame import HEIGHT, OUT, WIDTH, strewn_bands, window
from companion.drawing.pictures.scenery import LOW, RAIL, TOP, scene
from companion.games.express.deck import frame
from companion.games.express.deck.back import back
from companion.games.express.deck.cars import CARS
from companion.games.express.deck.signs import SIGNS, place_sign, sign_shadow
from companion.games.express.deck.works import WORKS
from companion.games.express.profile import Card, Profile, given, shipped
from companion.i18n import LANGUAGES, Words
from companion.mechanics.definition import CatalogueData, DeckArt
from companion.mechanics.game_files import read_data, words_of
from companion.mechanics.telling import capital

HOME = __package__.rpartition(".")[0]
"""The game's package."""
BACK = "back-card"
GROUND, SMALLER = 51.4, 0.9
"""Cards with a text: height of the rail, in millimetres from the upper edge, and scale of the picture."""
PANEL = (54.2, 11.2)
"""Upper edge and height of the panel with a card's text."""
NAMES, LETTERS, LEAST, SMALL = 4.2, 2.9, 1.7, 1.35
"""Heights of capitals: maximum for a name and for a text, minimum for both, and size of the note."""
LEADING = 1.65
"""Line spacing, in heights of capitals."""


class CardLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The colours of a card's picture and the sky behind it, as in deck.toml."""

    body: str
    trim: str
    sky: int


class ExpressLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The game's deck.toml."""

    game: str
    size: tuple[float, float]
    ink: str
    paper: str
    skies: tuple[tuple[str, str, str], ...]
    nights: tuple[int, ...]
    """The skies by night."""
    groups: dict[str, frame.GroupLook]
    kinds: dict[str, CardLook]
    back: frame.BackLook


def deck_look() -> ExpressLook:
    """Return the look of the deck."""
    return msgspec.convert(read_data(HOME, "deck.toml"), ExpressLook)


def design(catalogue: CatalogueData = None, lang: str = LANGUAGES[0]) -> Design:
    """Return the deck of a profile: a shipped one's name, or an owner's data. An unknown value is a question mark.

    Raise `DrawError` if a count is unknown or a card has no picture, `BadSetup` if the data is not a profile.
    """
    profile, look = named(catalogue), deck_look()
    require_drawable(profile)
    words = words_of(HOME, lang)
    whose = words(f"fact.figures.{'owner' if isinstance(catalogue, dict) else profile.name}")
    last = max(card.order for card in profile.cards)
    faces = {card.id: (*face(card, last, look, words), *note(whose, look)) for card in profile.cards}
    backs = dict.fromkeys(faces, BACK)
    faces[BACK] = back(look.back)
    return Design(look.game, *look.size, faces, {card.id: card.count or 0 for card in profile.cards}, backs)


def named(catalogue: CatalogueData) -> Profile:
    """Return a shipped profile by its name, or the one built from data."""
    if isinstance(catalogue, dict):
        return given(catalogue, "owner")
    try:
        return shipped(catalogue or "ours")
    except KeyError:
        known = "there are ours and reconstruction"
        raise DrawError(f"There are no figures of Express called {catalogue!r}: {known}.") from None


def require_drawable(profile: Profile) -> None:
    """Raise `DrawError` that names every card with an unknown count or without a picture."""
    unknown = [card.id for card in profile.cards if card.count is None]
    if unknown:
        raise DrawError(f"How many there are of these cards is not known: {', '.join(unknown)}.")
    strange = [each for card in profile.cards for each in (card.id, card.counters) if each and each not in SIGNS]
    if strange:
        raise DrawError(f"There is no picture of these cards: {', '.join(strange)}.")


def picture(card: str, look: ExpressLook) -> tuple[Mark, ...]:
    """Return the picture of a card, on the rail at the height 0 with its middle at 0."""
    own = look.kinds[card]
    return (CARS | WORKS)[card](own.body, own.trim, Random(f"picture {card}"))


def face(card: Card, last: int, look: ExpressLook, words: Words) -> tuple[Mark, ...]:
    """Return a card without the note on figures. `last`: the place of the last passenger car in a whole train."""
    own = look.groups[card.group]
    said = text_of(card, words)
    return (
        *(scenery(card.id, GROUND, SMALLER, look) if said else scenery(card.id, RAIL, 1.0, look)),
        *(panel(said, look) if said else ()),
        *strewn_bands(sign_shadow, card.id, own.band, own.tone, Random(f"bands {card.id}")),
        *frame.stripes(own, look.paper),
        *frame.corner_tickets(card, own, look.ink, look.paper),
        *name_plates(card, words(f"card.{card.id}"), last, own, look),
    )


def scenes() -> dict[str, Drawing]:
    """Return the picture on each card, without name, figures and text."""
    look = deck_look()
    return {card.id: window(scenery(card.id, RAIL, 1.0, look), TOP, LOW - TOP) for card in named(None).cards}


def text_of(card: Card, words: Words) -> str:
    """Return the text on a card; none for a car, whose value, name and place in a train suffice."""
    if card.counters:
        return words("text.maintenance", card=capital(words(f"card.{card.counters}")))
    return words(f"text.{card.id}") if words.has(f"text.{card.id}") else ""


def scenery(card: str, ground: float, size: float, look: ExpressLook) -> tuple[Mark, ...]:
    """Return the landscape with a card's picture in it, its rail at a height."""
    at = look.kinds[card].sky
    land = transform(scene(Random(f"meadow {card}"), look.skies[at], at in look.nights), 0, ground - RAIL)
    below = Fill((rectangle(-OUT, ground + 5, WIDTH + 2 * OUT, LOW - ground),), "#8d8577")
    shown = rectangle(-OUT, TOP - 1, WIDTH + 2 * OUT, LOW - TOP + 2)
    sky = Fill((shown,), look.skies[at][0])
    return (Clipped(shown, (sky, below, *land, *transform(picture(card, look), WIDTH / 2, ground, scale=size))),)


def name_plates(card: Card, name: str, last: int, own: frame.GroupLook, look: ExpressLook) -> tuple[Mark, ...]:
    """Return a card's name between its corners, above and below; under it, a passenger car's place in a whole train, or
    the disaster that a maintenance card counters.
    """
    extra = order_of_cars(card.order, last, own, look) if card.order else counter(card) if card.counters else ()
    wide, high = WIDTH - 2 * frame.TICKET[0] - 1.6, 15.2
    room = high - 5.4 if extra else high
    size, lines = max([fit_name(name, step, wide - 2, room - 2) for step in (NAMES, LETTERS)])
    foot = 2.4 + (room + size * len(lines) + 1.2 * (len(lines) - 1)) / 2
    feet = [foot - (size + 1.2) * n for n in reversed(range(len(lines)))]
    left = (WIDTH - wide) / 2
    upper = (
        Fill((rectangle(left - 0.7, 1.7, wide + 1.4, high + 1.4, 3.0),), own.edge),
        Fill((rectangle(left, 2.4, wide, high, 2.4),), look.paper),
        *[text(line, (WIDTH / 2, y), size, look.ink, anchor="middle") for line, y in zip(lines, feet, strict=True)],
        *transform(extra, WIDTH / 2, 14.4),
    )
    return (*upper, *transform(upper, WIDTH, HEIGHT, 180))


def fit_name(name: str, letters: float, wide: float, high: float) -> tuple[float, list[str]]:
    """Return the greatest height of a name's capitals, and its lines, broken as for letters of a fixed height."""
    lines = break_lines(capital(name), letters, wide)
    widest = max([text_width(line, 1.0) for line in lines])
    return min(NAMES, wide / widest, (high - 1.2 * (len(lines) - 1)) / len(lines)), lines


def order_of_cars(place: int, last: int, own: frame.GroupLook, look: ExpressLook) -> tuple[Mark, ...]:
    """Return the cars of a whole train as numbered boxes, with the one at this place filled."""
    marks: list[Mark] = []
    for n in range(1, last + 1):
        x = (n - (last + 1) / 2) * 5.0
        box = rectangle(x - 2.1, -2.0, 4.2, 4.0, 0.7)
        marks += [Fill((box,), own.edge)] if n == place else [Stroke(box, 0.4, own.edge, closed=True)]
        marks.append(text(str(n), (x, 1.15), 2.3, look.paper if n == place else own.edge, anchor="middle"))
    return tuple(marks)


def counter(card: Card) -> tuple[Mark, ...]:
    """Return the sign of the disaster that a card counters, crossed out."""
    return (
        *place_sign(card.counters, 0, 0, 2.3),
        Stroke(circle(0, 0, 2.7), 0.6, "#c8302b", closed=True),
        Stroke(((-1.9, 1.9), (1.9, -1.9)), 0.6, "#c8302b"),
    )


def panel(said: str, look: ExpressLook) -> tuple[Mark, ...]:
    """Return a card's text on paper, as large as possible."""
    (top, high), wide, size = PANEL, WIDTH - 10.0, LETTERS
    while size > LEAST and len(break_lines(said, size, wide, 500)) * size * LEADING > high - 1.4:
        size -= 0.05
    lines = balance_lines(said, size, wide, 500)
    first = top + high / 2 - size * LEADING * (len(lines) - 1) / 2 + size / 2
    feet = [first + size * LEADING * n for n in range(len(lines))]
    ground = rectangle(3.2, top, WIDTH - 6.4, high, 1.8)
    return (
        Fill((ground,), look.paper),
        Stroke(ground, 0.4, look.ink, closed=True),
        *[text(line, (WIDTH / 2, foot), size, look.ink, 500, "middle") for line, foot in zip(lines, feet, strict=True)],
    )


def note(said: str, look: ExpressLook) -> tuple[Mark, ...]:
    """Return the source of the figures, in small letters in the lower stripe."""
    wide = text_width(said, SMALL, 500) + 3.0
    return (
        Fill((rectangle((WIDTH - wide) / 2, LOW - frame.STRIPE / 2 - 0.2, wide, frame.STRIPE + 0.4, 1.0),), look.paper),
        text(said, (WIDTH / 2, LOW + SMALL / 2), SMALL, look.ink, 500, "middle"),
    )


FAMILY = tuple([card.id for card in shipped("ours").cards if card.group not in shipped("ours").family_removes])
ART = DeckArt(design, sets={"family": FAMILY}, scenes=scenes, cover="caboose")
