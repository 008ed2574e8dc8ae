"""The settings: one TOML file, in the data folder or where `COMPANION_CONFIG` says, read into plain tables.

Knows no table's meaning: whoever owns a table checks it with the functions below, so that every mistake is told in the
same way.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

NAME = "companion.toml"
"""The file's name in the data folder."""
BUS = "bus"
TABLES = ("wiring", "radio", "camera", "web", BUS)
"""Every table that somebody owns: one that nobody reads was misspelt."""
"""The only key that may stand outside any table: short for a table of that name with nothing but a `url`."""
ELSEWHERE = "COMPANION_CONFIG"
"""The environment's word for another file, such as /etc/companion/companion.toml."""

Table = Mapping[str, Any]
"""A table of settings as TOML gives it."""


class ConfigError(ValueError):
    """The settings cannot be used; the message names the file and the line or the key, and what was allowed."""


def path_in(folder: Path) -> Path:
    """Return where the settings of a data folder lie: `COMPANION_CONFIG`, else `companion.toml` in the folder."""
    named = os.environ.get(ELSEWHERE)
    return Path(named) if named else folder / NAME


def read(folder: Path) -> dict[str, Table]:
    """Return the tables of a data folder's settings, none where there is no file; raise `ConfigError` for a bad one."""
    path = path_in(folder)
    try:
        text = path.read_bytes().decode()
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is no text: byte {error.start} is not UTF-8.") from error
    return parsed(text, str(path))


def parsed(text: str, where: str) -> dict[str, Table]:
    """Return the tables of a text of settings; raise `ConfigError` with the place, naming the text as `where`."""
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{where} is not TOML: {error}.") from error
    if isinstance(found.get(BUS), str):
        found[BUS] = {"url": found[BUS]}
    for name, table in found.items():
        if name not in TABLES and isinstance(table, dict):
            known = ", ".join(f"[{each}]" for each in TABLES)
            raise ConfigError(f"{where}: the table [{name}] is not known; known are {known}.")
        if not isinstance(table, dict):
            raise ConfigError(f"{where}: {name!r} stands outside any table; put it below a line such as [wiring].")
    return found


def only(table: Table, allowed: Collection[str], where: str) -> None:
    """Raise `ConfigError` where a table has a key that is not known."""
    for key in table:
        if key not in allowed:
            raise ConfigError(f"{where}: {key!r} is not known here; known are {', '.join(allowed)}.")


def whole(table: Table, key: str, where: str, least: int, most: int, default: int) -> int:
    """Return a whole number of a table, from `least` to `most`; raise `ConfigError` for anything else."""
    value = table.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise ConfigError(f"{where}: {key} is {told(value)}; it must be a whole number from {least} to {most}.")
    return value


def words(table: Table, key: str, where: str, default: str = "") -> str:
    """Return a text of a table; raise `ConfigError` for anything else."""
    value = table.get(key, default)
    if not isinstance(value, str):
        raise ConfigError(f"{where}: {key} is {told(value)}; it must be a text in quotation marks.")
    return value


def secret(path: Path, where: str) -> str:
    """Return the password that stands in a file; raise `ConfigError` where it cannot be read."""
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is no text"
        raise ConfigError(f"{where}: the password cannot be read from {path}: {why}.") from error


def told(value: object) -> str:
    """Return a value as TOML would write it, in short."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value[:40]}"'
    if isinstance(value, dict):
        return "a table"
    return "a list" if isinstance(value, list) else str(value)
