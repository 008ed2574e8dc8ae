"""The plugin of advice."""

from __future__ import annotations

from collections.abc import Callable

from flask import Flask

from companion.bots.adviser import Adviser
from web.context import context_of
from web.plugin_registry import Mount, Plugin
from web.plugins.advice import advice_views
from web.plugins.advice.desk import AdviceDesk

SEATS = {"/s/<token>": "advice", "/t/<tablet>/s/<token>": "advice_handed"}
"""The addresses of seats' pages, and the name of the blueprint at each."""


def plugin(app: Flask) -> Plugin:
    """Return the plugin that lets seats ask for advice."""

    def forbidden() -> bool:
        link = app.extensions.get("hall_link")
        return bool(link is not None and link.view.name and not link.view.advice)

    desk = app.extensions["advice"] = AdviceDesk(context_of(app).table, Adviser(), forbidden)

    def start(show: Callable[[], object]) -> None:
        desk.show = show

    return Plugin(
        (Mount(advice_views.host, "/h/<token>"), *[Mount(advice_views.seats, *place) for place in SEATS.items()]),
        parts={"host.folds": "advice/host.html"},
        regions={"seat": ("advice",), "host": ("advice_host",)},
        values=desk.values,
        start=start,
        close=desk.close,
    )
