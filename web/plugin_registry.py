"""The additions of plugins to a table's pages. A failing plugin loses its own pages and does not affect the table."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import NamedTuple, TypeVar

from flask import Blueprint, Flask
from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from companion.files.untrusted import printable
from companion.findings import Finding, bad

LOG = logging.getLogger(__name__)
Answer = TypeVar("Answer")
LONGEST_WHY = 200
"""Characters of an error shown on the host's page."""


class Mount(NamedTuple):
    """A blueprint, its URL prefix and its name; None for its own name."""

    blueprint: Blueprint
    prefix: str | None = None
    name: str | None = None


class Plugin(NamedTuple):
    """The additions of one plugin; every part is optional."""

    mounts: tuple[Mount, ...] = ()
    parts: Mapping[str, str] = {}
    """Templates by the place on common pages that shows them, such as `start.ways`."""
    regions: Mapping[str, tuple[str, ...]] = {}
    """Names of live regions by the kind of page: `seat`, `table`, `host`."""
    values: Callable[[], Mapping[str, object]] = dict
    """Returns the values for its parts and regions."""
    players: Callable[[], tuple[str, ...]] = tuple
    """Returns the names that the set-up form suggests."""
    keyed: tuple[str, ...] = ()
    """Endpoints for programs, which check a key instead of a form token."""
    start: Callable[[Callable[[], object]], object] = lambda show: None
    """Starts the plugin; calls `show` after each change of its values."""
    close: Callable[[], object] = lambda: None


Source = str | Callable[[Flask], Plugin]
"""A module whose function `plugin` makes the plugin for an application, or such a function."""


class Plugins:
    """The plugins of one application. `failed` has a finding for each that could not be added."""

    def __init__(self) -> None:
        self._added: dict[str, Plugin] = {}
        self.failed: tuple[Finding, ...] = ()

    def add(self, app: Flask, name: str, source: Source) -> None:
        """Add a plugin to an application; on failure, report it and continue."""
        try:
            plugin: Plugin = (import_module(source).plugin if isinstance(source, str) else source)(app)
            for mount in plugin.mounts:
                prefix, called = mount.prefix or mount.blueprint.url_prefix, mount.name or mount.blueprint.name
                app.register_blueprint(mount.blueprint, url_prefix=prefix, name=called)
        except Exception as error:
            LOG.exception("the plugin %s cannot be loaded: the table goes on without its pages", name)
            why = printable(str(error), LONGEST_WHY) or type(error).__name__
            self.failed += (bad("services.plugin", "failed", name=[name], why=why),)
        else:
            self._added[name] = plugin

    def regions(self, kind: str) -> tuple[str, ...]:
        """Return the names of the plugins' regions on a kind of page."""
        return tuple([name for plugin in self._added.values() for name in plugin.regions.get(kind, ())])

    def is_keyed(self, endpoint: str) -> bool:
        """Whether programs call this endpoint with a key instead of a form token."""
        return any(endpoint in plugin.keyed for plugin in self._added.values())

    def values(self) -> dict[str, object]:
        """Return the values for parts and regions."""
        return {name: value for found in self._ask(lambda plugin: plugin.values()) for name, value in found.items()}

    def players(self) -> tuple[str, ...]:
        """Return the names that the set-up form suggests."""
        return next(filter(None, self._ask(lambda plugin: plugin.players())), ())

    def start(self, show: Callable[[], object]) -> None:
        """Start all plugins; they call `show` after each change of their values."""
        self._ask(lambda plugin: plugin.start(show))

    def close(self) -> None:
        """Close all plugins."""
        self._ask(lambda plugin: plugin.close())

    @pass_context
    def part(self, page: Context, place: str) -> Markup:
        """Return the plugins' content for a place on a page."""

        def draw(plugin: Plugin) -> str:
            name = plugin.parts.get(place)
            return page.environment.get_template(name).render(page.get_all()) if name else ""

        return Markup("".join(self._ask(draw)))

    def _ask(self, question: Callable[[Plugin], Answer]) -> list[Answer]:
        """Return the plugins' answers; log and skip failing ones."""
        found = []
        for name, plugin in self._added.items():
            try:
                found.append(question(plugin))
            except Exception:
                LOG.exception("the plugin %s failed", name)
        return found
