"""The hall's setting for its database, which is otherwise a file in the hall's folder."""

from __future__ import annotations

import re

from companion import config
from companion.config import Settings

PORT = 8090
"""The default port of the hall's pages; tables that join try it first."""
TABLE, DATABASE = "hall", "database"
"""In the settings: `[hall]`, `database = "postgresql+psycopg://hall@db.local/hall"`."""
URL = re.compile(r"(?:sqlite|postgresql(?:\+[a-z0-9]+)?)://\S+")


def read_database(settings: Settings) -> str:
    """Return the address of a hall's database (empty: a file of our own); raise `ConfigError` for an invalid one."""
    table, place = settings.table(TABLE) or {}, settings.place(TABLE)
    config.check_keys(table, config.TABLES[TABLE], place)
    database = config.read_text(table, DATABASE, place)
    if database and not URL.fullmatch(database):
        raise place.wrong("no_database", DATABASE)
    return database
