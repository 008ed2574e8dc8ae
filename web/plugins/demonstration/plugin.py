"""The plugin of demonstrations."""

from __future__ import annotations

import os

from flask import Flask

from companion.demo_records import KEY_VARIABLE
from web.context import context_of
from web.plugin_registry import Mount, Plugin
from web.plugins.demonstration import beside, page_state, stage

PAGES = (("/h/<token>", "now_host"), ("/t/<token>", "now_table"), ("/s/<token>", "now"))
"""The pages that programs can read, and the blueprint's name there."""


def plugin(app: Flask) -> Plugin:
    """Return pages for programs, the link to a demonstration, and, in a companion started for one, its stage."""
    host = context_of(app).options.demonstrations
    demonstration = app.extensions["demonstration"] = beside.Demonstration(host) if host else None
    mounts = [Mount(beside.bp), *[Mount(page_state.bp, *place) for place in PAGES]]
    if key := os.environ.get(KEY_VARIABLE, ""):
        app.extensions["stage"] = stage.Stage(key)
        mounts.append(Mount(stage.bp))
    return Plugin(
        tuple(mounts),
        parts={"start.ways": "demonstration/start.html"},
        keyed=("stage.people",),
        close=demonstration.close if demonstration is not None else lambda: None,
    )
