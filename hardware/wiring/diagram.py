"""Draws the wiring as an A4 page in SVG: the 40-pin header as it lies on the board, and the part on each pin.

Seats have shapes and numbers besides their colours.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.engine import COLOURS, SHAPES
from hardware.wiring import symbols as draw
from hardware.wiring.currents import BASE_OHMS, LAMP_OHMS, calculation
from hardware.wiring.header import GROUND, HEADER, place
from hardware.wiring.symbols import FAINT, FONT, INK, MUTED, PAPER, Point, words
from hardware.wiring.wiring import PinUse, Wiring, uses

WIDTH, HEIGHT = 1050, 1485
"""The width and height of the page, at five units per millimetre."""
MIDDLE, TOP, PITCH = WIDTH / 2, 285, 40
"""The header: its centre line, its first row, and the distance between rows."""
GAP = 55
"""The minimum distance between parts."""
FIRST, LAST = 262, 1062
"""The vertical range for the parts."""
CHIP, FAN, BADGE = 146, 206, 222
"""Distances from the centre: to the end of a pin's label, to the end of the slanting wires, and to a seat's sign."""
RAIL = 462
"""The distance of the ground rails from the centre."""
BOXES = 1112
"""The top of the boxes at the bottom."""
SEAT_COLOURS = {"red": "#b5121b", "blue": "#1d5fae", "green": "#2f9e6e", "yellow": "#f2c230", "purple": "#7f3f98",
                "black": "#1c1c1e"}  # fmt: skip
"""The colours of the pages, for the seats that can be wired."""
DARK_INK = ("yellow",)
"""The colours on which white text is illegible."""


class DiagramRow(msgspec.Struct, frozen=True):
    """A pin in use and its part, or the ground rail of its side (None)."""

    place: int
    use: PinUse | None = None

    @property
    def way(self) -> int:
        """1 if the pin is in the right row (even places), -1 in the left one."""
        return 1 if self.place % 2 == 0 else -1

    @property
    def pin_y(self) -> float:
        """The height of the pin."""
        return TOP + (self.place - 1) // 2 * PITCH

    @property
    def colour(self) -> str:
        """The colour of the wire."""
        seat = self.use.seat if self.use else None
        return INK if seat is None else SEAT_COLOURS[COLOURS[seat]]


def rows(wiring: Wiring, way: int) -> list[DiagramRow]:
    """Return the rows of one side from the top; the ground pin comes first or last, so that no wires cross."""
    found = [DiagramRow(place(use.pin), use) for use in uses(wiring)]
    found = sorted((row for row in found if row.way == way), key=lambda row: row.place)
    if not found:
        return []
    side = [n for n, name in enumerate(HEADER, 1) if name == GROUND and n % 2 == found[0].place % 2]
    return [DiagramRow(side[0]), *found] if way > 0 else [*found, DiagramRow(side[-1])]


def spread(wanted: Sequence[float]) -> list[float]:
    """Return heights as close to the desired ones (in ascending order) as the minimum gap allows."""
    blocks: list[list[float]] = []
    for n, height in enumerate(wanted):
        blocks.append([height - n * GAP])
        while len(blocks) > 1 and _mean(blocks[-2]) > _mean(blocks[-1]):
            blocks[-2:] = [blocks[-2] + blocks[-1]]
    flat = [_mean(block) for block in blocks for _ in block]
    most = LAST - (len(flat) - 1) * GAP
    return [min(max(height, FIRST), most) + n * GAP for n, height in enumerate(flat)]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def picture(wiring: Wiring) -> str:
    """Return the wiring as the text of an SVG image."""
    parts = [_title(wiring), _board(), _header(wiring)]
    for way in (-1, 1):
        parts += _side(rows(wiring, way), way)
    parts += [_buzzer_box(wiring), _lamp_box(), _current_box(wiring)]
    frame = f'width="210mm" height="297mm" viewBox="0 0 {WIDTH} {HEIGHT}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {frame} font-family="{FONT}" '
        'stroke-linecap="round" stroke-linejoin="round" role="img" aria-labelledby="title">\n'
        '<title id="title">Wiring of buttons, lamps and buzzer on the 40-pin header</title>\n'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{PAPER}"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _title(wiring: Wiring) -> str:
    lamps = sum(seat.lamp is not None for seat in wiring.seats)
    found = [f"{len(wiring.seats)} seats", "1 lamp" if lamps == 1 else f"{lamps} lamps"]
    found += ["host's button"] * (wiring.host is not None) + ["buzzer"] * (wiring.buzzer is not None)
    return (
        words((60, 84), "Buttons, lamps and buzzer", 44, bold=True)
        + words((60, 122), "on the 40-pin header of a Raspberry Pi: " + ", ".join(found), 20, MUTED)
        + words((60, 172), "A button closes to ground. A lamp is lit by 3.3 V from its pin, through its resistor.", 20)
        + words((60, 200), "Switch the Raspberry Pi off while you solder. Never let 5 V touch a GPIO.", 20, bold=True)
    )


def _board() -> str:
    """Draw the board's outline: sockets at the bottom, the header at its right edge, pin 1 at its top left."""
    x, y, w, h = 862, 44, 118, 170
    places = [(x + w - 17 + column * 9, y + 14 + row * 6.6) for row in range(20) for column in (0, 1)]
    pins = "".join(draw.circle(place, 2, INK, INK, 1) for place in places)
    sockets = "".join(draw.rect((x + 8 + n * 36, y + h - 28), (30, 36), "#e6e6e9", MUTED, 2) for n in range(3))
    return (
        draw.rect((x, y), (w, h), "#f4f4f6", MUTED, 9)
        + draw.rect((x + w - 24, y + 7), (23, 139), PAPER, MUTED, 2)
        + pins
        + sockets
        + draw.path([(x + 62, y + 14), (x + w - 30, y + 14)], width=2)
        + draw.path([(x + w - 36, y + 9), (x + w - 29, y + 14), (x + w - 36, y + 19)], width=2)
        + words((x + 56, y + 20), "pin 1", 17, anchor="end", bold=True)
        + words((x + 42, y + 84), "the board", 16, MUTED, "middle")
        + words((x + 42, y + 104), "as it lies", 16, MUTED, "middle")
        + "".join(words((x + 23 + n * 36, y + h - 5), "USB", 12, MUTED, "middle") for n in range(3))
    )


def _header(wiring: Wiring) -> str:
    used = {row.place: row for way in (-1, 1) for row in rows(wiring, way)}
    parts = [draw.rect((MIDDLE - 50, TOP - 26), (100, 19 * PITCH + 52), "#ececef", MUTED, 8)]
    for number, name in enumerate(HEADER, 1):
        way = 1 if number % 2 == 0 else -1
        x, y = MIDDLE + 23 * way, TOP + (number - 1) // 2 * PITCH
        parts.append(_pin(number, x, y, used.get(number)))
        row = used.get(number)
        if row is None:
            parts.append(words((MIDDLE + 64 * way, y + 6), _name(name), 16, MUTED, "end" if way < 0 else "start"))
            continue
        left = MIDDLE + (62 if way > 0 else -CHIP)
        parts.append(draw.wire([(x + 15 * way, y), (MIDDLE + 62 * way, y)], row.colour))
        parts.append(draw.rect((left, y - 15), (CHIP - 62, 30), PAPER, INK, 6))
        parts.append(words((left + (CHIP - 62) / 2, y + 6), _name(name), 17, anchor="middle", bold=True))
    if wiring.buzzer is not None:
        parts.append(words((MIDDLE + 93, TOP + 6), "to box A", 15, INK, bold=True))
    parts.append(words((MIDDLE - 64, TOP - 30), "pin 1", 18, anchor="end", bold=True))
    parts.append(draw.path([(MIDDLE - 60, TOP - 32), (MIDDLE - 36, TOP - 32), (MIDDLE - 28, TOP - 19)], width=2))
    return "".join(parts)


def _name(name: str) -> str:
    """Return a pin's name with a space before its number or unit."""
    return name.replace("GPIO", "GPIO ").replace("3V3", "3.3 V").replace("5V", "5 V")


def _pin(number: int, x: float, y: float, row: DiagramRow | None) -> str:
    fill = row.colour if row else PAPER
    light = row is None or (row.use is not None and row.use.seat is not None and COLOURS[row.use.seat] in DARK_INK)
    ring = INK if row else FAINT
    pad = draw.rect((x - 15, y - 15), (30, 30), fill, INK, 3) if number == 1 else draw.circle((x, y), 15, fill, ring)
    return pad + words((x, y + 5.5), str(number), 16, (INK if row else MUTED) if light else PAPER, "middle", bool(row))


def _side(found: Sequence[DiagramRow], way: int) -> list[str]:
    """Draw everything on one row of the header."""
    if not found:
        return []
    heights = spread([row.pin_y for row in found])
    parts = [_part(row, y) for row, y in zip(found, heights, strict=True)]
    on_rail = [y for row, y in zip(found, heights, strict=True) if row.use is None or row.use.part != "buzzer"]
    rail = MIDDLE + RAIL * way
    foot = max(on_rail) + 18
    return [
        *parts,
        draw.path([(rail, min(on_rail)), (rail, foot)], INK, 6),
        *(draw.circle((rail, y), 6, INK) for y in on_rail),
        draw.ground(rail, foot),
    ]


def _part(row: DiagramRow, y: float) -> str:
    way = row.way

    def at(out: float) -> float:
        return MIDDLE + out * way

    outer = RAIL if row.use is None or row.use.part != "buzzer" else 372
    track: list[Point] = [(at(CHIP), row.pin_y), (at(CHIP + 8), row.pin_y), (at(FAN), y), (at(outer), y)]
    parts = [draw.wire(track, row.colour)]
    side = "end" if way < 0 else "start"
    if row.use is None:
        parts.append(words((at(FAN + 12), y - 9), "ground rail", 17, anchor=side, bold=True))
        return "".join(parts)
    parts.append(words((at(BADGE + 23), y - 9), _label(row.use), 16, anchor=side, bold=True))
    parts.append(words((at(BADGE + 23), y + 21), f"pin {row.place}", 16, MUTED, side))
    parts.append(_badge(row.use, at(BADGE), y))
    if row.use.part == "button":
        parts.append(draw.path([(at(388), y), (at(448), y)], PAPER, 8))
        parts.append(draw.switch(at(388), y, way))
    elif row.use.part == "lamp":
        parts.append(draw.resistor(at(352), y, way, f"{LAMP_OHMS} Ω"))
        parts.append(draw.lamp(at(413), y, way))
    else:
        parts.append(draw.rect((min(at(372), at(452)), y - 15), (80, 30), INK, INK, 6))
        parts.append(words((at(412), y + 6), "box A", 18, PAPER, "middle", True))
    return "".join(parts)


def _label(use: PinUse) -> str:
    if use.part == "buzzer":
        return "Buzzer"
    return "Host's button" if use.seat is None else f"Seat {use.seat + 1} {use.part}"


def _badge(use: PinUse, x: float, y: float) -> str:
    """Draw the sign of a seat (its shape, colour and number), of the host or of the buzzer."""
    if use.seat is None:
        letter = "B" if use.part == "buzzer" else "H"
        return draw.circle((x, y), 16, PAPER, INK, 3) + words((x, y + 6.5), letter, 18, anchor="middle", bold=True)
    colour = COLOURS[use.seat]
    ink = INK if colour in DARK_INK else PAPER
    down = 9.5 if SHAPES[use.seat] == "triangle" else 6.5
    seat = draw.shape(SHAPES[use.seat], x, y, 16, SEAT_COLOURS[colour])
    return seat + words((x, y + down), str(use.seat + 1), 18, ink, "middle", True)


# --- the boxes at the bottom ----------------------------------------------------------------------


def _box(x: float, w: float, letter: str, title: str) -> str:
    return (
        draw.rect((x, BOXES), (w, HEIGHT - BOXES - 30), PAPER, FAINT, 10)
        + draw.rect((x + 16, BOXES + 16), (30, 30), INK, INK, 6)
        + words((x + 31, BOXES + 38), letter, 20, PAPER, "middle", True)
        + words((x + 58, BOXES + 38), title, 20, bold=True)
    )


def _buzzer_box(wiring: Wiring) -> str:
    """Draw the buzzer behind its transistor."""
    x, y = 60, BOXES + 192
    if wiring.buzzer is None:
        return _box(x, 300, "A", "No buzzer is wired")
    pin = place(wiring.buzzer)
    return (
        _box(x, 300, "A", "The buzzer")
        + words((x + 18, y - 34), f"GPIO {wiring.buzzer}", 17, bold=True)
        + words((x + 18, y - 15), f"pin {pin}", 16, MUTED)
        + draw.path([(x + 18, y), (x + 170, y)], width=3)
        + draw.resistor(x + 72, y, 1, f"{BASE_OHMS // 1000} kΩ")
        + draw.transistor(x + 160, y)
        + draw.path([(x + 200, y - 45), (x + 200, y - 62)], width=3)
        + draw.rect((x + 162, y - 112), (76, 50), PAPER, INK, 25)
        + words((x + 200, y - 81), "buzzer", 16, anchor="middle")
        + words((x + 210, y - 46), "−", 20, bold=True)
        + words((x + 210, y - 116), "+", 20, bold=True)
        + draw.path([(x + 200, y - 112), (x + 200, y - 130), (x + 118, y - 130)], width=3)
        + words((x + 112, y - 124), "5 V, pin 2", 17, anchor="end", bold=True)
        + draw.ground(x + 200, y + 45)
        + words((x + 226, y + 60), "ground", 16, MUTED)
        + words((x + 18, y + 96), "Any small NPN transistor (2N3904,", 15, MUTED)
        + words((x + 18, y + 115), "BC547). The buzzer must be an active", 15, MUTED)
        + words((x + 18, y + 134), "one: it sounds by itself at 5 V.", 15, MUTED)
    )


def _lamp_box() -> str:
    """Draw the circuit for lamps that need 5 V or 12 V."""
    x, y = 375, BOXES + 152
    return (
        _box(x, 300, "B", "Lamps of 5 V or 12 V")
        + draw.rect((x + 98, y - 78), (92, 130), "#ececef", INK, 6)
        + words((x + 144, y - 54), "ULN2803", 17, anchor="middle", bold=True)
        + words((x + 106, y - 20), "in", 16, MUTED)
        + words((x + 182, y - 20), "out", 16, MUTED, "end")
        + words((x + 182, y + 16), "COM", 16, MUTED, "end")
        + words((x + 106, y + 42), "GND", 16, MUTED)
        + draw.path([(x + 18, y - 26), (x + 98, y - 26)], width=3)
        + words((x + 18, y - 36), "GPIO", 16, bold=True)
        + draw.path([(x + 190, y - 26), (x + 250, y - 26), (x + 250, y - 16)], width=3)
        + draw.circle((x + 250, y), 16)
        + draw.path([(x + 239, y - 11), (x + 261, y + 11)])
        + draw.path([(x + 239, y + 11), (x + 261, y - 11)])
        + draw.path([(x + 250, y + 16), (x + 250, y + 78)], width=3)
        + draw.path([(x + 190, y + 11), (x + 216, y + 11), (x + 216, y + 60), (x + 250, y + 60)], width=3)
        + draw.circle((x + 250, y + 60), 4, INK)
        + words((x + 240, y + 92), "+5 V or +12 V", 16, anchor="end", bold=True)
        + draw.path([(x + 98, y + 37), (x + 58, y + 37), (x + 58, y + 46)], width=3)
        + draw.ground(x + 58, y + 46)
        + words((x + 18, y + 124), "For arcade buttons with built-in lamps.", 15, MUTED)
        + words((x + 18, y + 143), "No resistor; the supply's ground and the", 15, MUTED)
        + words((x + 18, y + 162), "Raspberry Pi's ground are joined.", 15, MUTED)
        + words((x + 18, y + 181), "The button's contact stays as above.", 15, MUTED)
    )


def _current_box(wiring: Wiring) -> str:
    """Draw the lamps' current and the header's limits."""
    x, y = 690, BOXES + 72
    lines = [words((x + 18, y + n * 20), line, 15, INK if strong else MUTED, bold=strong)
             for n, (line, strong) in enumerate(calculation(wiring))]  # fmt: skip
    return _box(x, 300, "C", "Current") + "".join(lines)
