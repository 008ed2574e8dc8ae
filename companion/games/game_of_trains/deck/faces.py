"""The drawn cards of Game of Trains: numbers and abilities from the catalogue, colours from the game's deck.toml.

A padlock is tucked under the wagon that it guards. A tucked card shows its upper quarter (22 mm) beyond the upper edge
of the card on top of it, as wagons do in Take a Train; the mat and the camera rely on that. Therefore the upper quarter
of a wagon shows both its number and its ability; the lower quarter repeats them upside down, for people on the opposite
side.
"""

from __future__ import annotations

from random import Random

import msgspec

from companion.drawing import Design, DrawError, Drawing, Mark, text, text_width, transform
from companion.drawing.pictures.animals import animal, outline
from companion.drawing.pictures.backs import BackLook, turntable_back
from companion.drawing.pictures.brush import Marks, area, block, disc, line
from companion.drawing.pictures.frame import HEIGHT, OUT, WIDTH, strewn_bands, window
from companion.drawing.pictures.locomotives import steam
from companion.drawing.pictures.scenery import LOW, RAIL, TOP, mix
from companion.games.game_of_trains.catalogue import HOME, given, wagon_id
from companion.games.game_of_trains.deck.carriages import Livery, carriage
from companion.games.game_of_trains.deck.journey import hour, land, progress
from companion.games.game_of_trains.deck.signs import RED, rail, sign, wheels
from companion.mechanics.definition import CatalogueData
from companion.mechanics.game_files import read_data

LOCOMOTIVE, BACK = "locomotive", "back-wagon"
"""The locomotive and the only back: locomotives lie face up or in the box, so their backs hide nothing."""
LOCOMOTIVES = 4
"""Locomotives in the box (R-01)."""
DIGITS, SMALL = 11.5, 7.0
"""Height of a number's digits in millimetres, in the upper band and in the lower one."""
TICKET, SMALL_TICKET = 18.4, 13.4
"""Width of the number's ticket, above and below."""
PANEL = (32.4, 15.6)
"""Width and height of the panel for an ability's sign."""
SCENE = 40.5
"""Height of a card's picture on its own, in millimetres: the land without much of its sky."""
MASCOT = 4.5
"""Radius of the animal's head beside it, which helps to tell two tucked padlocks apart from a distance."""
EVENING = 0.79
"""The share of the journey from which numbers are light on a dark ticket."""
SECOND = 5
"""The distance of a wagon's second animal from its first in the list of animals."""
TURNS = str.maketrans("01689", "01986")


class AbilityLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An ability's colours, as in deck.toml."""

    band: str
    tone: str
    hue: str
    body: str
    trim: str


class GameOfTrainsLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The game's deck.toml."""

    game: str
    size: tuple[float, float]
    ink: str
    paper: str
    animals: tuple[str, ...]
    medals: tuple[str, ...]
    abilities: dict[str, AbilityLook]
    locomotive: AbilityLook
    back: BackLook


def deck_look() -> GameOfTrainsLook:
    """Return the look of the deck."""
    return msgspec.convert(read_data(HOME, "deck.toml"), GameOfTrainsLook)


def design(catalogue: CatalogueData = None, lang: str = "en") -> Design:
    """Return the deck of a catalogue: its name, or its data as read from a file. Raise `BadSetup` for invalid data, and
    `DrawError` for missing abilities.
    """
    book = given(catalogue or "reconstruction")
    if not book.known:
        raise DrawError("A deck can only be drawn when every wagon's ability is known, and some are not read yet.")
    look = deck_look()
    faces = {wagon_id(wagon.number): wagon_face(wagon.number, wagon.ability or "", look) for wagon in book.wagons}
    counts = dict.fromkeys(faces, 1) | {LOCOMOTIVE: LOCOMOTIVES}
    faces[LOCOMOTIVE] = locomotive_face(look)
    backs = dict.fromkeys(faces, BACK)
    faces[BACK] = turntable_back(look.back)
    return Design(look.game, *look.size, faces, counts, backs)


# --- faces ----------------------------------------------------------------------------------------


def wagon_face(number: int, ability: str, look: GameOfTrainsLook) -> Marks:
    """Return a wagon with number and sign at the top and, upside down, at the bottom; its ability sets its form, its
    number the land.
    """
    own, beast = look.abilities[ability], look.animals[number % len(look.animals)]
    return (
        *wagon_scene(number, ability, look),
        *bands(own, beast, Random(f"bands {number}")),
        *way(progress(number), look),
        *ends(number, ability, beast, look),
    )


def wagon_scene(number: int, ability: str, look: GameOfTrainsLook) -> Marks:
    """Return a wagon in the land of its number."""
    own, first = look.abilities[ability], number % len(look.animals)
    beast, other = look.animals[first], look.animals[(first + SECOND) % len(look.animals)]
    livery = Livery(own.body, own.trim, beast, other)
    return (
        *land(number, Random(f"land {number}")),
        *carriage(ability, livery, Random(f"wagon {number}")),
    )


def scenes() -> dict[str, Drawing]:
    """Return the picture on each card, without number and ability. Each wagon is listed by both: a box may have another
    ability on a number than our deck, and must not get the wrong picture.
    """
    look, book = deck_look(), given("reconstruction")
    own = [(each.number, each.ability or "") for each in book.wagons]
    marks = {f"{wagon_id(number)}-{ability}": wagon_scene(number, ability, look) for number, ability in own}
    marks[LOCOMOTIVE] = locomotive_scene(look, Random(LOCOMOTIVE))
    return {name: window(each, LOW - SCENE, SCENE) for name, each in marks.items()}


def ends(number: int, ability: str, beast: str, look: GameOfTrainsLook) -> Marks:
    """Return the ends of a card: number, sign and animal, repeated upside down for people on the opposite side."""
    own, medal = look.abilities[ability], look.medals[number % len(look.medals)]
    place = (TICKET + WIDTH - 2 * MASCOT - 2.4) / 2
    upper = (
        *number_ticket(number, DIGITS, TICKET, look),
        *panel(ability, own, place, look),
        *mascot(beast, medal, WIDTH - MASCOT - 1.9, 9.4, look),
    )
    lower = (
        *number_ticket(number, SMALL, SMALL_TICKET, look),
        *panel(ability, own, place - (TICKET - SMALL_TICKET) / 2, look),
        *mascot(beast, medal, WIDTH - MASCOT - 3.0, 9.4, look),
    )
    return (*upper, *transform(lower, WIDTH, HEIGHT, 180))


def bands(own: AbilityLook, beast: str, luck: Random) -> Marks:
    """Return the upper and lower band with scattered heads, differently on each card."""
    return strewn_bands(outline, beast, own.band, own.tone, luck)


def way(share: float, look: GameOfTrainsLook) -> Marks:
    """Return the lines at the scene's edges; a dot on the upper one shows a number's progress on its journey."""
    marks: list[Mark] = []
    for y in (TOP - 1.0, LOW - 1.0):
        marks.append(block(-OUT, y - 0.4, WIDTH + 2 * OUT, 2.6, look.paper))
        marks.append(block(-OUT, y + 0.2, WIDTH + 2 * OUT, 1.4, look.ink))
    x, y = 4.0 + (WIDTH - 8.0) * share, TOP - 0.1
    return (*marks, disc(x, y, 1.9, look.paper), disc(x, y, 1.3, RED))


def number_ticket(number: int, size: float, wide: float, look: GameOfTrainsLook) -> Marks:
    """Return the number in the upper left corner, in the colour of its hour, with a bar below if it reads as another
    number upside down.
    """
    words, high, share = str(number), size + 7.4, progress(number)
    fitting = min(size, size * (wide - 3.4) / text_width(words, size))
    middle, foot = (wide - 0.7) / 2, 3.4 + size
    across = text_width(words, fitting) - 0.8
    sky, late = hour(share), share >= EVENING
    ground, ink = (sky[0], look.paper) if late else (mix(sky[1], look.paper, 0.35), look.ink)
    return (
        block(-OUT, -OUT, wide + OUT, high + OUT, look.ink, 2.6),
        block(-OUT, -OUT, wide + OUT - 0.7, high + OUT - 0.7, ground, 2.2),
        text(words, (middle, foot - (size - fitting) / 2), fitting, ink, anchor="middle"),
        *([block(middle - across / 2, foot + 1.1, across, 1.0, ink, 0.4)] if turns(words) else []),
    )


def turns(words: str) -> bool:
    """Return whether a number reads as another one upside down, such as 6 or 68."""
    if not set(words) <= set("01689") or words.endswith("0"):
        return False
    return words.translate(TURNS)[::-1] != words


def panel(ability: str, own: AbilityLook, middle: float, look: GameOfTrainsLook) -> Marks:
    """Return the sign of an ability in the upper band, on a panel around `middle`."""
    wide, high = PANEL
    signed = transform(sign(ability, own.hue, look.ink, look.paper), middle, 1.6 + high / 2 + 0.2, 0, wide / 38.6)
    return (*_board(middle - wide / 2, wide, high, look), *signed)


def mascot(beast: str, medal: str, x: float, y: float, look: GameOfTrainsLook) -> Marks:
    """Return the head of a card's animal on a medal."""
    ring, ground = disc(x, y, MASCOT + 0.9, look.ink), disc(x, y, MASCOT + 0.3, medal)
    return (ring, ground, *animal(beast, x, y, MASCOT - 0.5))


def _board(left: float, wide: float, high: float, look: GameOfTrainsLook) -> Marks:
    edge = block(left - 0.6, 1.0, wide + 1.2, high + 1.2, look.ink, 3.0)
    return edge, block(left, 1.6, wide, high, look.paper, 2.5)


def locomotive_face(look: GameOfTrainsLook) -> Marks:
    """Return the locomotive, without a number; its panels show the winning line, seven rising wagons."""
    own, luck = look.locomotive, Random(LOCOMOTIVE)
    wins = (*_board(4.0, 55.0, 16.0, look), *transform(rising(own.hue, look), WIDTH / 2, 10.2))
    return (
        *locomotive_scene(look, luck),
        *bands(own, "panda", luck),
        *way(0.0, look),
        *wins,
        *transform(wins, WIDTH, HEIGHT, 180),
    )


def locomotive_scene(look: GameOfTrainsLook, luck: Random) -> Marks:
    """Return the locomotive at the head of a train."""
    own = look.locomotive
    return (
        *land(20, luck),
        *steam(4, own.body, own.trim, luck),
        *animal("panda", 38.2, 43.6, 3.0),
        block(59.5, RAIL - 3.6, 8, 0.8, look.ink),
    )


def rising(hue: str, look: GameOfTrainsLook) -> Marks:
    """Return seven wagons, each higher than the one before it, with an arrow along them."""
    marks: list[Mark] = [rail(25.0, look.ink)]
    for n in range(7):
        x, high = -21.0 + 7.0 * n, 2.2 + 1.25 * n
        marks.append(block(x - 2.9, 5.0 - high, 5.8, high + 0.4, look.ink, 0.7))
        marks.append(block(x - 2.3, 5.6 - high, 4.6, high - 0.8, hue, 0.4))
        marks += wheels(x, 1.5, 5.6, 1.0, look.ink)
    arrow = line(1.1, RED, (-22.0, 0.2), (10.0, -6.2)), area(RED, (9.4, -8.2), (14.0, -7.0), (10.4, -4.0))
    return (*marks, *arrow)
