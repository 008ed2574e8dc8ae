"""The settings of wireless buttons: the table [radio] of the settings file."""

from __future__ import annotations

from pathlib import Path

import msgspec

from companion import config
from companion.messages import HOST
from hardware.wiring.wiring import Wiring

PLACE = config.SettingLocation("radio")


class RadioSettings(msgspec.Struct, frozen=True):
    """The broker, and the topics of the wireless buttons by seat (`HOST`: the host's)."""

    topics: tuple[tuple[int, str], ...]
    broker: str = "127.0.0.1"
    port: int = 1883
    user: str = ""
    password: str = ""
    hold_ms: int = 700
    stuck_s: int = 20


def parse_radio(
    table: config.Table,
    folder: Path,
    seats: int,
    hold_ms: int = 700,
    stuck_s: int = 20,
    place: config.SettingLocation = PLACE,
) -> RadioSettings:
    """Return the settings of a table `[radio]`; raise `ConfigError` with one sentence for anything wrong in it."""
    config.check_keys(table, config.TABLES["radio"], place)
    named = table.get("buttons")
    if not isinstance(named, dict) or not named:
        raise place.wrong("radio_buttons", "buttons")
    topics = tuple((_seat(key, seats, place), _topic(named, key, place)) for key in named)
    doubled = {topic for _, topic in topics if [other for _, other in topics].count(topic) > 1}
    if doubled:
        raise place.wrong("topic_twice", "buttons", topic=config.format_value(min(doubled)))
    named_file = config.read_text(table, "password_file", place)
    return RadioSettings(
        topics,
        config.read_text(table, "broker", place, "127.0.0.1"),
        config.read_whole(table, "port", place, 1, 65535, 1883),
        config.read_text(table, "user", place),
        config.read_secret(folder / config.read_path(named_file, place, "password_file"), place) if named_file else "",
        hold_ms,
        stuck_s,
    )


def configured_radio(found: config.Settings, wiring: Wiring) -> RadioSettings | None:
    """Return the wireless buttons in the settings, or None; raise `ConfigError`.

    A relative path to the password file starts at the settings' folder.
    """
    table, place = found.table("radio"), found.place("radio")
    if table is None:
        return None
    beside = Path(found.file).parent
    return parse_radio(table, beside, len(wiring.seats), wiring.hold_ms, wiring.stuck_s, place)


def _seat(key: str, seats: int, place: config.SettingLocation) -> int:
    if key == "host":
        return HOST
    if key not in {str(number) for number in range(1, seats + 1)}:
        raise place.wrong("no_seat", "buttons", seat=key[:40], most=seats)
    return int(key) - 1


def _topic(table: config.Table, key: str, place: config.SettingLocation) -> str:
    topic = config.read_text(table, key, place)
    if not topic or topic.startswith("/") or topic.endswith("/") or set(topic) & set("+#\0") or len(topic) > 200:
        raise place.wrong("no_topic", "buttons", topic=config.format_value(topic), button=key)
    return topic
