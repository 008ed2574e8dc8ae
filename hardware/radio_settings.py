"""The settings of wireless buttons: the table [radio] of the settings file, checked."""

from __future__ import annotations

from pathlib import Path

import msgspec

from companion.config import ConfigError, Table, only, secret, told, whole, words
from companion.messages import HOST

TABLE = "[radio]"


class RadioSettings(msgspec.Struct, frozen=True):
    """The broker, and the topics of the wireless buttons by seat (`HOST`: the host's)."""

    topics: tuple[tuple[int, str], ...]
    broker: str = "127.0.0.1"
    port: int = 1883
    user: str = ""
    password: str = ""
    hold_ms: int = 700
    stuck_s: int = 20


def settings(
    table: Table, folder: Path, seats: int, hold_ms: int = 700, stuck_s: int = 20, where: str = TABLE
) -> RadioSettings:
    """Return what the table `[radio]` says; raise `ConfigError` with one sentence for anything wrong in it."""
    only(table, ("broker", "port", "user", "password_file", "buttons"), where)
    named = table.get("buttons")
    if not isinstance(named, dict) or not named:
        raise ConfigError(
            f'{where}: buttons must name a topic for each wireless button, such as 1 = "companion/seat-1".'
        )
    topics = tuple((_seat(key, seats, where), _topic(named, key, where)) for key in named)
    doubled = {topic for _, topic in topics if [other for _, other in topics].count(topic) > 1}
    if doubled:
        raise ConfigError(f"{where}: the topic {told(min(doubled))} is used twice; every button needs its own.")
    named_file = words(table, "password_file", where)
    return RadioSettings(
        topics,
        words(table, "broker", where, "127.0.0.1"),
        whole(table, "port", where, 1, 65535, 1883),
        words(table, "user", where),
        secret(folder / Path(named_file).expanduser(), where) if named_file else "",
        hold_ms,
        stuck_s,
    )


def _seat(key: str, seats: int, where: str) -> int:
    if key == "host":
        return HOST
    if not key.isascii() or not key.isdigit() or not 1 <= int(key) <= seats:
        raise ConfigError(f"{where}: there is no seat {key!r}; seats are 1 to {seats}, or host.")
    return int(key) - 1


def _topic(table: Table, key: str, where: str) -> str:
    topic = words(table, key, f"{where}, buttons")
    if not topic or topic.startswith("/") or topic.endswith("/") or set(topic) & set("+#\0") or len(topic) > 200:
        raise ConfigError(f"{where}: {told(topic)} is no topic for {key}; write one such as companion/seat-1.")
    return topic
