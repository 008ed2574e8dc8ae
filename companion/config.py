"""The settings: one TOML file, in the data folder or where `COMPANION_CONFIG` says.

A mistake never stops the companion. It closes the table of settings that contains it, or all tables if the file cannot
be read. Defaults never replace a closed table. The functions at the end check one table and report every mistake in the
same way: as a finding, in every language.
"""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path

import msgspec

from companion.files.untrusted import Unreadable, parse_toml, read_bytes
from companion.findings import Finding, Value, bad, finding_text, look, sentences, without_duplicates
from companion.i18n import LANGUAGES

NAME = "companion.toml"
"""The file's name in the data folder."""
BUS = "bus"
"""The only key allowed outside any table: short for a table of that name with only a `url`."""
TABLES: dict[str, tuple[str, ...]] = {
    "wiring": ("seats", "host", "buzzer", "bounce_ms", "noise_ms", "hold_ms", "stuck_s"),
    "radio": ("broker", "port", "user", "password_file", "buttons"),
    "web": ("names", "address"),
    "camera": ("source", "deck", "card", "players", "rotate", "focus", "game", "sensor", "difficulty", "mains"),
    "presses": ("open_grace_ms", "same_moment_ms", "count_gap_ms", "slow_count_gap_ms", "double_tap_ms", "ending_ms"),
    BUS: ("url", "user", "password_file", "ca_file"),
    "hall": ("database",),
}
"""Every table and its keys."""
MEANT = {"buttons": "wiring", "pins": "wiring", "gpio": "wiring", "broker": BUS, "mqtt": BUS}
"""Names that people may use for another table, apart from misspellings."""
VARIABLE = "COMPANION_CONFIG"
"""The environment variable for the path of the file, such as /etc/companion/companion.toml."""
LARGEST = 64 * 1024
"""Maximum size of the file in bytes."""
SECRETS = ("password_file",)
"""Keys whose value is never shown: it may be the password itself by mistake."""
LARGEST_SECRET = 4096
"""Maximum size of a password file in bytes."""
MISTAKE_PLACE = re.compile(r"\(at line (\d+), column (\d+)\)$")
"""tomllib's form of a mistake's place; at the end of the document it gives no line."""
TWICE = ("overwrite", "twice", "Duplicate", "redefine", "mutate")
UNCLOSED = ("Unclosed", "Unterminated", "Expected ']'", "end of document")

Table = Mapping[str, object]
"""A table of settings as parsed from TOML."""


class ConfigError(ValueError):
    """Unusable settings. `finding` gives place and reason in every language, the message in English."""

    def __init__(self, finding: Finding) -> None:
        self.finding = finding
        what, how, _ = finding_text(finding, sentences(LANGUAGES[0]))
        super().__init__(f"{what}: {how.rstrip('.')}." if what else f"{how.rstrip('.')}.")


class SettingLocation(msgspec.Struct, frozen=True):
    """The location of a table: its name, the file, the file's text (empty without a file), and a part."""

    table: str
    file: str = ""
    text: str = ""
    part: str = ""
    """A key of `check.word`, such as `seat:2`; the part belongs to the setting `parts`."""
    parts: str = ""

    def words(self, key: str = "") -> list[str]:
        """Return the location as words of a finding: the file, the line if known, the table."""
        line = line_of(self.text, self.table, self.parts or key)
        file = [f"file:{self.file}"] if self.file else []
        return [*file, *([f"line:{line}"] if line else []), f"table:{self.table}", *([self.part] if self.part else [])]

    def wrong(self, state: str, key: str = "", /, **fields: Value) -> ConfigError:
        """Return the error for a mistake in this table, at `key`."""
        fields = {"key": key, **fields} if key else fields
        if key in SECRETS and "value" in fields:
            fields["value"] = "…"
        return ConfigError(bad(f"settings.{self.table}", state, place=self.words(key), **fields))

    def inside(self, part: str, parts: str) -> SettingLocation:
        """Return the location of a part of this table, below the key `parts`."""
        return msgspec.structs.replace(self, part=part, parts=parts)


class Settings(msgspec.Struct, frozen=True):
    """The tables of a file, and those that could not be used."""

    file: str
    text: str = ""
    tables: Mapping[str, Table] = {}
    closed: Mapping[str, Finding] = {}
    """Why each closed table is closed, by name."""
    passed_over: tuple[Finding, ...] = ()
    """Mistakes that close no table."""

    def table(self, name: str) -> Table | None:
        """Return a table, or None if the file has none; raise `ConfigError` if it is closed."""
        if name in self.closed:
            raise ConfigError(self.closed[name])
        return self.tables.get(name)

    def place(self, name: str) -> SettingLocation:
        """Return the location of a table."""
        return SettingLocation(name, self.file, self.text)


def path_in(folder: Path) -> Path:
    """Return the path of a data folder's settings: `COMPANION_CONFIG`, else `companion.toml` in the folder."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else folder / NAME


def read(folder: Path) -> Settings:
    """Return the settings of a data folder, empty without a file, with any mistakes."""
    path = path_in(folder)
    try:
        return parse(read_bytes(path, LARGEST).decode("utf-8-sig"), str(path))
    except FileNotFoundError:
        return Settings(str(path))
    except Unreadable as error:
        fields: dict[str, Value] = {**error.fields}
        if "kind" in fields:
            fields["kind"] = [f"kind_{fields['kind']}"]
        return _all_closed(str(path), error.state, **fields)
    except OSError as error:
        return _all_closed(str(path), "refused", why=error.strerror or str(error))
    except UnicodeDecodeError as error:
        return _all_closed(str(path), "no_text", byte=error.start + 1)


def parse(text: str, file: str) -> Settings:
    """Return the settings in a text; mistakes name `file`."""
    try:
        found = parse_toml(text)
    except Unreadable as error:
        return _all_closed(file, error.state)
    except tomllib.TOMLDecodeError as error:
        return _not_toml(text, file, str(error))
    if isinstance(found.get(BUS), str):
        found[BUS] = {"url": found[BUS]}
    tables = {name: table for name in TABLES if isinstance(table := found.get(name), dict)}
    closed: dict[str, Finding] = {}
    over: list[Finding] = []
    for name, value in found.items():
        if name not in tables:
            _note_unknown(name, isinstance(value, dict), SettingLocation(name, file, text), tables, closed, over)
    return Settings(file, text, {name: tables[name] for name in tables if name not in closed}, closed, tuple(over))


def _note_unknown(
    name: str,
    is_table: bool,
    place: SettingLocation,
    tables: Mapping[str, Table],
    closed: dict[str, Finding],
    over: list[Finding],
) -> None:
    """Note an unknown table, or a key outside any table; close the tables that it may mean."""
    where, state = place.words()[:-1], "unknown" if is_table else "stray"
    fields: dict[str, Value] = {"place": where, "name": name[:40], "known": ", ".join(f"[{each}]" for each in TABLES)}
    owners = [] if is_table else [each for each, keys in TABLES.items() if name in keys]
    meant = [each for each in owners if name not in tables.get(each, {})]
    if not owners:
        meant = [each for each in _likely_tables(name) if each not in tables]
    for table in meant:
        closed.setdefault(table, bad(f"settings.{table}", f"{state}_closes", **fields))
    if not meant:
        over.append(look("settings.file", state, **fields))


def _likely_tables(name: str) -> list[str]:
    """Return the table that a misspelt name probably means, if any."""
    known = {**MEANT, **{table: table for table in TABLES}}
    return [known[near] for near in difflib.get_close_matches(name[:40].lower(), known, 1)]


def _not_toml(text: str, file: str, told: str) -> Settings:
    """Return closed settings for a text that is not TOML, at the place that tomllib reported."""
    at = MISTAKE_PLACE.search(told)
    line, column = (int(at[1]), int(at[2])) if at else (max(1, len(text.splitlines())), 1)
    twice = any(word in told for word in TWICE)
    state = "twice" if twice else "unclosed" if any(word in told for word in UNCLOSED) else "no_toml"
    return _all_closed(file, state, line=line, column=column)


def _all_closed(file: str, state: str, /, **fields: Value) -> Settings:
    line = fields.pop("line", 0)
    place = [f"file:{file}", *([f"line:{line}"] if line else [])]
    return Settings(file, closed=dict.fromkeys(TABLES, bad("settings.file", state, place=place, **fields)))


def line_of(text: str, table: str, key: str = "") -> int:
    """Return the line of a table's key, else that of the table; 0 if neither is found."""
    header, first = "", 0
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        opens = re.match(r"\[\[?\s*([^\[\]]+?)\s*\]", line)
        if opens:
            header = opens[1].replace(" ", "").replace('"', "")
        own = header == table or header.startswith(f"{table}.")
        if key and (
            (header == f"{table}.{key}")
            or (header == table and re.match(rf"[\"']?{re.escape(key)}[\"']?\s*[=.]", line))
        ):
            return number
        if not first and (
            (own and opens) or (not header and re.match(rf"[\"']?{re.escape(table)}[\"']?\s*[=.]", line))
        ):
            first = number
    return first


# --- checking one table -----------------------------------------------------------------------------

Check = Callable[[Settings], object]
"""Checks some tables of the settings; raises `ConfigError`."""


class Checker:
    """Checks all settings of a folder. `checks` returns the check of each table and is called on demand."""

    def __init__(self, checks: Callable[[], Mapping[str, Check]] = dict) -> None:
        self._checks = checks

    def left_out(self, folder: Path) -> tuple[Finding, ...]:
        """Return the unused settings of a folder with the reasons, each mistake once."""
        settings = read(folder)
        found = [*settings.closed.values(), *settings.passed_over]
        for check in self._checks().values() if settings.tables else ():
            try:
                check(settings)
            except ConfigError as error:
                found.append(error.finding)
        return tuple(without_duplicates(found))


def closed_tables(findings: Iterable[Finding]) -> set[str]:
    """Return the tables that mistakes closed."""
    keys = {each.key.partition(".")[2] for each in findings if each.grade == "bad"}
    return set(TABLES) if "file" in keys else keys


def check_keys(table: Table, allowed: Collection[str], place: SettingLocation) -> None:
    """Raise `ConfigError` if a table has an unknown key."""
    for key in table:
        if key not in allowed:
            raise place.wrong("unknown_key", key[:40], known=", ".join(allowed))


def read_whole(table: Table, key: str, place: SettingLocation, least: int, most: int, default: int) -> int:
    """Return an integer in a table, from `least` to `most`; raise `ConfigError` for anything else."""
    value = table.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise place.wrong("not_whole", key, value=format_value(value), least=least, most=most)
    return value


def read_text(table: Table, key: str, place: SettingLocation, default: str = "") -> str:
    """Return a text in a table; raise `ConfigError` for anything else."""
    value = table.get(key, default)
    if not isinstance(value, str):
        raise place.wrong("not_text", key, value=format_value(value))
    return value


def read_choice(table: Table, key: str, place: SettingLocation, allowed: Collection[str], default: str) -> str:
    """Return one of several texts; raise `ConfigError` for anything else."""
    value = read_text(table, key, place, default)
    if value not in allowed:
        raise place.wrong(
            "not_one_of", key, value=format_value(value), known=", ".join(format_value(each) for each in allowed)
        )
    return value


def read_path(text: str, place: SettingLocation, key: str) -> Path:
    """Return the path in a table; raise `ConfigError` for an invalid path or an unknown user."""
    try:
        if "\0" not in text:
            return Path(text).expanduser()
    except RuntimeError:
        pass
    raise place.wrong("no_path", key, value=format_value(text))


def read_secret(path: Path, place: SettingLocation) -> str:
    """Return the password in a file; if it cannot be read, raise a `ConfigError` that does not name the file."""
    try:
        return read_bytes(path, LARGEST_SECRET).decode("utf-8-sig").strip()
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and error.strerror:
            raise place.wrong("password", "password_file", why=error.strerror) from error
        raise place.wrong("password_no_text", "password_file") from error


def format_value(value: object) -> str:
    """Return a value as TOML would write it, shortened."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value[:40]}"'
    if isinstance(value, dict):
        return "{…}"
    if isinstance(value, int) and abs(value) >= 10**40:
        return f"{'-' if value < 0 else ''}{10**9}…"
    return "[…]" if isinstance(value, list) else str(value)[:40]
