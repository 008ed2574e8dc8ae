"""A table of its own for checking a game's pages."""

from __future__ import annotations

import tempfile
import typing
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flask import Flask

from companion.engine import AnyGame
from companion.table.service import Table
from web.app import create_app
from web.context import TableContext
from web.game_pages import OFFERED
from web.live.regions import Region


@contextmanager
def trial_table(game: AnyGame) -> Iterator[tuple[Flask, TableContext, Table]]:
    """Give an application with a table of its own, at which this game is offered, and the templates are strict."""
    offered, strict = dict(OFFERED), Region.strict
    OFFERED[game.name], Region.strict = game, True
    try:
        with tempfile.TemporaryDirectory() as folder, Table(journal := Path(folder) / "journal.db") as table:
            app = create_app(table, journal, testing=True)
            context = typing.cast(TableContext, app.extensions["context"])
            context.watcher.stop()  # nobody watches
            try:
                yield app, context, table
            finally:
                context.close()
    finally:
        Region.strict = strict
        OFFERED.clear()
        OFFERED.update(offered)
