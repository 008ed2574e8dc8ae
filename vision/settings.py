"""The camera's settings: the table [camera] of companion.toml, checked. Knows no camera and no picture."""

from __future__ import annotations

from pathlib import Path

import msgspec

from companion import config
from companion.config import ConfigError
from companion.games import SEEN
from vision.mat.mat import MatError, read_card

TABLE = "[camera]"
KEYS = ("source", "deck", "card", "players", "rotate", "focus", "game", "sensor", "difficulty")
LEVELS = ("easy", "default", "hard")
CARD = (63.0, 88.0)
"""Millimetres of most cards of modern games."""


class Settings(msgspec.Struct, frozen=True):
    """What [camera] says."""

    source: str = "auto"
    """`auto`, `none`, `picamera2` (`picamera2:1`), `usb:N`, `file:PATH`, `folder:PATH` or `rendered`."""
    deck: str = ""
    """The deck in use; empty: the one that was used last, or the only one."""
    card: tuple[float, float] = CARD
    """Width and height of a card in millimetres."""
    players: int = 0
    """For how many the mat is; 0: its markers tell."""
    rotate: int = 0
    """By how many degrees clockwise pictures are turned for people: 0, 90, 180 or 270. Reading needs none."""
    focus: float = 0.0
    """The lens's position in dioptres (10 is 10 cm, 1 is 1 m); 0: it is found by itself, once."""
    game: str = "take-a-train"
    """Whose places the mat has."""
    sensor: str = "full"
    """`full`: every pixel of the sensor; `half`: half as many along each side, for machines with little memory."""
    difficulty: str = "easy"
    """How hard a rendered table is to read: `easy`, `default` or `hard`."""


def settings(folder: Path) -> Settings:
    """Return the settings of a data folder; raise `ConfigError` with the file, the key and what was allowed."""
    return checked(config.read(folder).get("camera", {}), f"{config.path_in(folder)}, {TABLE}")


def checked(table: config.Table, where: str) -> Settings:
    """Return settings from a table of TOML; raise `ConfigError` naming the place as `where`."""
    config.only(table, KEYS, where)
    card = config.words(table, "card", where, f"{CARD[0]:g}x{CARD[1]:g}")
    try:
        size = read_card(card)
    except MatError as error:
        raise ConfigError(f"{where}: card: {error}") from None
    rotate = config.whole(table, "rotate", where, 0, 270, 0)
    if rotate % 90:
        raise ConfigError(f"{where}: rotate is {rotate}; it must be 0, 90, 180 or 270.")
    focus = table.get("focus", 0)
    if not isinstance(focus, int | float) or isinstance(focus, bool) or not 0 <= focus <= 32:
        raise ConfigError(f"{where}: focus is {config.told(focus)}; it must be a number of dioptres from 0 to 32.")
    sensor = config.words(table, "sensor", where, "full")
    if sensor not in ("full", "half"):
        raise ConfigError(f'{where}: sensor is {config.told(sensor)}; it must be "full" or "half".')
    difficulty = config.words(table, "difficulty", where, Settings().difficulty)
    if difficulty not in LEVELS:
        raise ConfigError(f"{where}: difficulty is {config.told(difficulty)}; it must be one of {', '.join(LEVELS)}.")
    game = config.words(table, "game", where, Settings().game)
    if game not in SEEN:
        raise ConfigError(f"{where}: game is {config.told(game)}; the camera can follow: {', '.join(SEEN)}.")
    return Settings(
        config.words(table, "source", where, "auto"),
        config.words(table, "deck", where),
        size,
        config.whole(table, "players", where, 0, 20, 0),
        rotate,
        float(focus),
        game,
        sensor,
        difficulty,
    )
