"""The plugin of the card table."""

from __future__ import annotations

from flask import Flask

from web.plugin_registry import Mount, Plugin
from web.plugins.card_table import card_table_views, token_laying

REGIONS = {"host": ("card_table",)}


def plugin(app: Flask) -> Plugin:
    """Return the page for host and shared tablet, and the links to it."""
    places = (("/h/<token>", ""), ("/t/<token>", "table_"))
    blueprints = (card_table_views.bp, token_laying.bp)
    return Plugin(
        tuple([Mount(bp, prefix, f"{name}{bp.name}") for prefix, name in places for bp in blueprints]),
        parts={"camera.ways": "card_table/camera.html", "host.machine": "card_table/host.html"},
        regions=REGIONS,
    )
