"""The camera's settings: the table [camera] of companion.toml, checked. It needs no OpenCV."""

from __future__ import annotations

from pathlib import Path

import msgspec

from companion import config
from companion.config import SettingLocation
from companion.games import FIRST, SEEN
from vision.card_size import LARGEST, SMALLEST, MatError, read_card

LEVELS = ("easy", "default", "hard")
CARD = (63.0, 88.0)
"""Millimetres of most cards of modern games."""


class CameraSettings(msgspec.Struct, frozen=True):
    """The table [camera] of companion.toml."""

    source: str = "auto"
    """`auto`, `none`, `phone`, `picamera2` (`picamera2:1`), `usb:N`, `file:PATH`, `folder:PATH` or `rendered`."""
    deck: str = ""
    """The deck in use; empty: the one that was used last, or the only one."""
    card: tuple[float, float] = CARD
    """Width and height of a card in millimetres."""
    players: int = 0
    """For how many the mat is; 0: its markers tell."""
    rotate: int = 0
    """Degrees clockwise by which pictures are turned for people: 0, 90, 180 or 270. Reading needs no turn."""
    focus: float = 0.0
    """The lens's position in dioptres (10 is 10 cm, 1 is 1 m); 0: it is found by itself, once."""
    game: str = FIRST
    """Whose places the mat has."""
    sensor: str = "full"
    """`full`: every pixel of the sensor; `half`: half as many along each side, for machines with little memory."""
    difficulty: str = "easy"
    """How hard a rendered table is to read: `easy`, `default` or `hard`."""
    mains: int = 0
    """Hertz with which the lamps are fed: 50 or 60; 0 (`auto`): found in pictures where they tell."""


def settings(folder: Path) -> CameraSettings:
    """Return the settings of a data folder; raise `ConfigError` with the file, the key and what was allowed."""
    return read_camera_settings(config.read(folder))


def read_camera_settings(found: config.Settings) -> CameraSettings:
    """Return the table [camera] as settings, the defaults where there is none; raise `ConfigError`."""
    return parse_settings(found.table("camera") or {}, found.place("camera"))


def parse_settings(table: config.Table, place: SettingLocation) -> CameraSettings:
    """Return a TOML table as settings; raise `ConfigError` for a mistake at a place."""
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
