"""The camera's settings: the table [camera] of companion.toml, validated. Needs no OpenCV."""

from __future__ import annotations

from pathlib import Path

import msgspec

from companion import config
from companion.config import SettingLocation
from companion.games import FIRST, SEEN
from vision.card_size import LARGEST, SMALLEST, MatError, read_card

LEVELS = ("easy", "default", "hard")
CARD = (63.0, 88.0)
"""The size of most cards of modern games in millimetres."""


class CameraSettings(msgspec.Struct, frozen=True):
    """The table [camera] of companion.toml."""

    source: str = "auto"
    """`auto`, `none`, `phone`, `picamera2` (`picamera2:1`), `usb:N`, `file:PATH`, `folder:PATH` or `rendered`."""
    deck: str = ""
    """The deck to use, or "" for the last one used or the only one."""
    card: tuple[float, float] = CARD
    """Width and height of a card in millimetres."""
    players: int = 0
    """The number of players on the mat, or 0 to read it from the markers."""
    rotate: int = 0
    """Degrees clockwise by which displayed pictures are rotated: 0, 90, 180 or 270. Reading needs no rotation."""
    focus: float = 0.0
    """The lens position in dioptres (10 is 10 cm, 1 is 1 m), or 0 for autofocus, once."""
    game: str = FIRST
    """The game whose places are on the mat."""
    sensor: str = "full"
    """`full` for every pixel of the sensor, or `half` for half as many along each side, for machines with little
    memory."""
    difficulty: str = "easy"
    """The difficulty of a rendered table: `easy`, `default` or `hard`."""
    mains: int = 0
    """The mains frequency of the lamps in hertz: 50, 60, or 0 (`auto`) to find it from pictures where possible."""


def settings(folder: Path) -> CameraSettings:
    """Return the settings of a data folder. Raise `ConfigError` with the file, the key and the allowed values."""
    return read_camera_settings(config.read(folder))


def read_camera_settings(found: config.Settings) -> CameraSettings:
    """Return the table [camera] as settings, or the defaults without it. Raise `ConfigError` for a mistake."""
    return parse_settings(found.table("camera") or {}, found.place("camera"))


def parse_settings(table: config.Table, place: SettingLocation) -> CameraSettings:
    """Return a TOML table as settings. Raise `ConfigError` with the place of a mistake."""
    config.check_keys(table, config.TABLES["camera"], place)
    card = config.read_text(table, "card", place, f"{CARD[0]:g}x{CARD[1]:g}")
    try:
        size = read_card(card)
    except MatError:
        raise place.wrong("card", "card", value=config.format_value(card), least=SMALLEST, most=LARGEST) from None
    rotate = config.read_whole(table, "rotate", place, 0, 270, 0)
    if rotate % 90:
        raise place.wrong("rotate", "rotate", value=rotate)
    focus = table.get("focus", 0)
    if not isinstance(focus, int | float) or isinstance(focus, bool) or not 0 <= focus <= 32:
        raise place.wrong("focus", "focus", value=config.format_value(focus))
    mains = table.get("mains", "auto")
    if mains not in ("auto", 50, 60) or isinstance(mains, float):
        raise place.wrong("mains", "mains", value=config.format_value(mains))
    return CameraSettings(
        config.read_text(table, "source", place, "auto"),
        config.read_text(table, "deck", place),
        size,
        config.read_whole(table, "players", place, 0, 20, 0),
        rotate,
        float(focus),
        config.read_choice(table, "game", place, tuple(SEEN), CameraSettings().game),
        config.read_choice(table, "sensor", place, ("full", "half"), CameraSettings().sensor),
        config.read_choice(table, "difficulty", place, LEVELS, CameraSettings().difficulty),
        0 if mains == "auto" else int(mains),
    )
