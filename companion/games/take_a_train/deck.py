"""The drawn cards of Take a Train: figures from the catalogue, colours and signs from the game's deck.toml."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

import msgspec

from companion.drawing import Design, DrawError, Drawing, Fill, Mark, Point, Stroke, arc, circle, rectangle, star, text
from companion.drawing.pictures.backs import BackLook, locomotive_back, wagon_back
from companion.drawing.pictures.frame import WIDTH, CardLook, bands, pips, plate, ribbon, tag, tickets, window
from companion.drawing.pictures.goods import place_picture
from companion.drawing.pictures.locomotives import LIVERIES, locomotive
from companion.drawing.pictures.scenery import LOW, TOP, mix, scene
from companion.drawing.pictures.wagons import wagon
from companion.games.take_a_train.catalogue import SPECIALS, UNIT, Loco, book_of, given, wagon_id
from companion.games.take_a_train.layout import BACKS
from companion.games.take_a_train.steps.wagons import BONUS
from companion.games.take_a_train.table import LIMIT, LONGER_LIMIT
from companion.mechanics.game_files import read_data

NIGHT = 9
"""The step of values from which a load arrives at night."""
FASTEST = 300
"""The end of a speedometer's dial, in km/h."""


class ValueLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A value's ribbon and its hour's sky."""

    ribbon: str
    sky: tuple[str, str, str]


class TakeATrainLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The game's deck.toml."""

    game: str
    size: tuple[float, float]
    ink: str
    paper: str
    kinds: dict[str, CardLook]
    values: tuple[ValueLook, ...]
    backs: dict[str, BackLook]


def deck_look() -> TakeATrainLook:
    """Return the look of the deck."""
    return msgspec.convert(read_data(__package__, "deck.toml"), TakeATrainLook)


def design(catalogue: str | dict[str, Any] | None = None, lang: str = "en") -> Design:
    """Return the deck of a catalogue: its name, or its data as read from a file. Raise `BadSetup` for invalid data, and
    `DrawError` for missing figures.
    """
    book = given(catalogue or "reconstruction")
    if not book.known:
        raise DrawError(
            "A deck can only be drawn when every figure of the catalogue is known, and some are not read yet."
        )
    look = deck_look()
    faces: dict[str, tuple[Mark, ...]] = {}
    for loco, rank in ranked(book.locomotives):
        faces[loco.id] = locomotive_face(loco, rank, look)
    for row in book.wagons:
        assert row.value is not None
        faces[wagon_id(row.type, row.value)] = wagon_face(row.type, row.value, look)
    faces |= {name: special_face(name, look) for name in SPECIALS}
    cards = book_of(book)
    counts = dict(Counter([*cards.locos, *cards.wagons]))
    backs = {name: BACKS[0] if name in cards.locos else BACKS[1] for name in faces}
    faces[BACKS[0]] = locomotive_back(look.backs["locomotive"])
    faces[BACKS[1]] = wagon_back(look.backs["wagon"])
    return Design(look.game, *look.size, faces, counts, backs)


def scenes() -> dict[str, Drawing]:
    """Return the picture on each card, without its figures."""
    book, look = given("reconstruction"), deck_look()
    marks: dict[str, tuple[Mark, ...]] = {}
    for loco, rank in ranked(book.locomotives):
        marks[loco.id] = locomotive_scene(loco, rank, look, Random(loco.id))
    for row in book.wagons:
        name = wagon_id(row.type, row.value or 0)
        marks[name] = wagon_scene(row.type, row.value or 0, look, Random(name))
    marks |= {name: burst(name, look, Random(name)) for name in SPECIALS}
    return {name: window(each, TOP, LOW - TOP) for name, each in marks.items()}


def ranked(locomotives: Iterable[Loco]) -> Iterator[tuple[Loco, int]]:
    """Yield each locomotive with its rank among those of its drive."""
    rank = Counter[str]()
    for loco in locomotives:
        rank[loco.drive] += 1
        yield loco, rank[loco.drive]


# --- faces ----------------------------------------------------------------------------------------


def wagon_face(kind: str, value: int, look: TakeATrainLook) -> tuple[Mark, ...]:
    """Return a wagon: its value in the corners and large below, and shown by goods above, by its load and by its
    hour.
    """
    luck = Random(wagon_id(kind, value))
    own, steps = look.kinds[kind], value // UNIT
    hour = look.values[steps - 1]
    return (
        *wagon_scene(kind, value, look, luck),
        *bands(own, luck),
        *ribbon(hour.ribbon, steps, look.paper),
        *pips(own.goods, steps, look.paper, look.ink),
        *plate(str(value), look.ink, look.paper, look.ink),
        *tickets(str(value), str(value), own.goods, look.ink, look.paper, look.ink),
    )


def wagon_scene(kind: str, value: int, look: TakeATrainLook, luck: Random) -> tuple[Mark, ...]:
    """Return a wagon with its load, at its hour."""
    own, steps = look.kinds[kind], value // UNIT
    return (
        *scene(luck, look.values[steps - 1].sky, steps >= NIGHT),
        *wagon(kind, steps, own.body, own.trim, luck),
    )


def locomotive_face(loco: Loco, rank: int, look: TakeATrainLook) -> tuple[Mark, ...]:
    """Return a locomotive: power (its minimum price) and multiplier in the corners, a price tag, stars, a
    speedometer.
    """
    assert loco.power is not None and loco.speed is not None and loco.multiplier is not None
    luck = Random(loco.id)
    own = look.kinds[loco.drive]
    livery = LIVERIES[loco.drive][(rank - 1) % len(LIVERIES[loco.drive])]
    times = f"×{loco.multiplier}"
    return (
        *locomotive_scene(loco, rank, look, luck),
        *bands(own, luck),
        *ribbon(livery, loco.multiplier, look.paper),
        *_stars(loco.multiplier, livery, look),
        *_speedometer(loco.speed, livery, look),
        *tickets(str(loco.power), times, own.goods, look.ink, look.paper, livery),
        *tag(str(loco.power), 36.0 if loco.power < 1000 else 33.0, 27.6, look.ink, "#f7d774"),
    )


def locomotive_scene(loco: Loco, rank: int, look: TakeATrainLook, luck: Random) -> tuple[Mark, ...]:
    """Return a locomotive under its own sky."""
    hour = look.values[luck.randrange(len(look.values) - 2)]
    return (
        *scene(luck, hour.sky, False),
        *locomotive(loco.drive, rank, look.kinds[loco.drive].trim, luck),
    )


def _stars(count: int, edge: str, look: TakeATrainLook) -> tuple[Mark, ...]:
    """Return the multiplier in the middle of the upper band, with as many stars."""
    return (
        Fill((rectangle(17.9, 0.9, 27.2, 17.4, 3.7),), edge),
        Fill((rectangle(19.1, 2.1, 24.8, 15.0, 2.6),), "#f7d774"),
        text(f"×{count}", (WIDTH / 2, 11.4), 7.6, look.ink, anchor="middle"),
        *[Fill((star(WIDTH / 2 + (n - (count - 1) / 2) * 4.6, 14.5, 2.1, 0.9),), "#b3322b") for n in range(count)],
    )


def _speedometer(speed: int, edge: str, look: TakeATrainLook) -> tuple[Mark, ...]:
    """Return the speed in the middle of the lower band, below a dial with its needle."""
    x, y = WIDTH / 2, LOW + 11.0
    marks: list[Mark] = [
        Fill((rectangle(x - 13.2, LOW + 2.0, 26.4, 16.2, 3.2),), edge),
        Fill((rectangle(x - 12.5, LOW + 2.7, 25.0, 14.8, 2.6),), look.paper),
    ]

    def flat(radius: float, turn: float) -> Point:
        """Return a point on the dial, which is wider than high."""
        px, py = arc(x, y, radius, turn, turn + 0.1)[0]
        return px * 1.22 - x * 0.22, py * 0.82 + y * 0.18

    for n in range(11):
        ends = (flat(8.6 if n % 2 else 7.4, 180 + 18.0 * n), flat(9.6, 180 + 18.0 * n))
        marks.append(Stroke(ends, 0.6, "#b3322b" if n > 7 else look.ink))
    px, py = flat(8.4, 180 + 180 * min(speed, FASTEST) / FASTEST)
    return (
        *marks,
        Stroke(((x, y - 0.6), (px, py - 0.6)), 0.9, "#d24b3a"),
        Fill((circle(x, y - 0.6, 1.0),), look.ink),
        text(str(speed), (x - 3.6, LOW + 16.5), 5.2, look.ink, anchor="middle"),
        text("km/h", (x + 2.2, LOW + 16.5), 2.3, look.ink, 500),
    )


SPECIAL_LOOKS = {
    "bin": ("×", "#6c7683"),
    "longer": (f"{LIMIT}+{LONGER_LIMIT - LIMIT}", "#2e7d5b"),
    "multiplier": ("+1", "#c8302b"),
    "bonus": (f"+{BONUS}", "#d99a1c"),
    "twin": ("=2", "#2b59ab"),
}
"""The signs in the corners and below on a special card, and its colour: none reads as another upside down."""


def special_face(name: str, look: TakeATrainLook) -> tuple[Mark, ...]:
    """Return a special card: one large sign on a burst of rays, without a landscape."""
    luck, own, (sign, colour) = Random(name), look.kinds["special"], SPECIAL_LOOKS[name]
    middle = WIDTH / 2
    return (
        *burst(name, look, luck),
        *bands(CardLook(own.band, own.tone, name, own.body, own.trim), luck),
        *ribbon(colour, luck.randint(1, 3), look.ink),
        Fill((star(middle - 7.4, 9.5, 2.6, 1.5, 5),), colour),  # a row of stars marks the text
        Fill((star(middle, 7.5, 3.6, 1.5, 5),), look.ink),
        Fill((star(middle + 7.4, 9.5, 2.6, 1.5, 5),), colour),
        *plate(sign, look.ink, look.paper, colour, 9.0),
        *tickets(sign, sign, name, colour if name != "bonus" else look.ink, look.paper, colour),
    )


def burst(name: str, look: TakeATrainLook, luck: Random) -> tuple[Mark, ...]:
    """Return the large sign of a special card on its rays."""
    own, colour, middle = look.kinds["special"], SPECIAL_LOOKS[name][1], WIDTH / 2
    x, y = middle + luck.uniform(-2, 2), 44.5
    marks: list[Mark] = [Fill((rectangle(-3, 18, WIDTH + 6, 52),), mix(colour, "#ffffff", 0.62))]
    turn, rays = luck.uniform(0, 20), luck.randint(13, 17)
    for n in range(rays):
        a = turn + 360 * n / rays + luck.uniform(-4, 4)
        edge = [arc(x, y, 60, a + s, a + s + 0.1)[0] for s in (0, luck.uniform(8, 13))]
        marks.append(Fill(((((x, y)), *edge),), mix(colour, "#ffffff", 0.34)))
    for _ in range(40):
        at, size = (luck.uniform(-1, 64), luck.uniform(22, 66)), luck.uniform(0.4, 1.1)
        flake = star(*at, size, size * 0.4, luck.choice((4, 5, 6)))
        marks.append(Fill((flake,), luck.choice(("#ffffff", colour, own.trim))))
    marks += [
        Fill((circle(x + 0.8, y + 0.9, 19.2),), mix(colour, "#000000", 0.35)),
        Fill((circle(x, y, 19.2),), look.paper),
        Stroke(circle(x, y, 17.6), 0.9, colour, closed=True),
        *place_picture(name, x, y, 14.0),
    ]
    return tuple(marks)
