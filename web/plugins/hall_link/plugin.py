"""The plugin of the link to a hall."""

from __future__ import annotations

import logging
from importlib.util import find_spec
from pathlib import Path

from flask import Flask

from companion.devices.hall_link.table_hall import TableHall
from companion.devices.registry import DeviceRegistry
from companion.table.table import Table
from web.context import context_of
from web.plugin_registry import Mount, Plugin
from web.plugins.hall_link import hall_link_views
from web.plugins.hall_link.link import TableHallLink
from web.plugins.hall_link.shown import PublicLog

LOG = logging.getLogger(__name__)
PARTS = {
    "start.more": "hall_link/start.html",
    "setup.players": "hall_link/setup.html",
    "host.folds": "hall_link/host.html",
    "seat.own": "hall_link/seat.html",
    "side": "hall_link/side.html",
}
REGIONS = {"seat": ("hall", "hall_result"), "table": ("hall",), "host": ("hall_host",)}
PLACES = {"/t/<token>": "table", "/s/<token>": "seat", "/t/<tablet>/s/<token>": "handed"}
"""The prefixes of pages on which people call a judge, with a name for each blueprint. Seats also confirm a result."""


def plugin(app: Flask) -> Plugin:
    """Return the view of this table's hall, which it rejoins at once if it is a member."""
    here = context_of(app)
    return plugin_around(app, open_hall(here.table, here.journal, here.registry) if here.options.halls else None)


def plugin_around(app: Flask, link: TableHallLink | None) -> Plugin:
    """Return the view of a link's hall; None: this table can join none."""
    app.extensions["hall_link"] = link
    calls = [Mount(hall_link_views.calls, prefix, f"hall_{name}") for prefix, name in PLACES.items()]
    seats = [(prefix, name) for prefix, name in PLACES.items() if name != "table"]
    confirmations = [Mount(hall_link_views.confirmations, prefix, f"hall_result_{name}") for prefix, name in seats]
    found = Plugin(
        (Mount(hall_link_views.bp, "/h/<token>"), Mount(hall_link_views.door), *calls, *confirmations),
        PARTS,
        REGIONS,
        values=lambda: {"hall": link and link.view},
    )
    if link is None:
        return found
    return found._replace(players=link.expected_players, start=link.start, close=link.close)


def open_hall(table: Table, journal: Path, registry: DeviceRegistry | None) -> TableHallLink | None:
    """Return the table's link to halls and rejoin its hall. Return None if no hall can be joined; games go on
    without.
    """
    if find_spec("cryptography") is None:
        return None

    def health() -> tuple[str, ...]:
        lost = {"buttons": registry.buttons.lost, "camera": registry.camera.lost} if registry is not None else {}
        return tuple([name for name, gone in lost.items() if gone])

    try:
        return TableHallLink(TableHall(table, journal, PublicLog(), health))
    except Exception:
        LOG.exception("the hall cannot be entered; the table is played at without")
        return None
