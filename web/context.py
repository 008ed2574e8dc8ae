"""The live table's context: the table and all objects that the views share."""

from __future__ import annotations

import logging
import os
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from flask import Flask, current_app

from companion.commands.terminal import data_folder
from companion.devices.frames import frames_folder
from companion.devices.registry import DeviceRegistry
from companion.i18n import LANGUAGES
from companion.ops.doctor.examiner import Examiner, SettingsCheck, no_findings
from companion.ops.network_address import own_address, page_address
from companion.ops.shutdown import Shutdown
from companion.sight.observer import SightObserver
from companion.table.table import Snapshot, Table
from web.finished.matches import FinishedMatches
from web.finished.records import RecordBook
from web.finished.turning import TurningPoints, has_turning_points
from web.live.clocks import PageClocks
from web.live.cue_publisher import CuePublisher
from web.live.hub import Hub
from web.live.moment_publisher import MomentPublisher
from web.live.rendering import SceneRenderer
from web.live.watcher import Watcher
from web.lobby.keeper import LobbyKeeper
from web.pdf_printer import PdfPrinter
from web.plugin_registry import Plugins
from web.presenters.buttons import buttons_view
from web.presenters.scene import TableSurroundings
from web.seating import Seating
from web.security.access import Access, Viewer
from web.security.csrf import FormTokens
from web.security.host_names import HostNames, web_settings_in
from web.security.knocks import Knocks
from web.security.rate_limits import Rates
from web.serving import assets
from web.words import words

LOG = logging.getLogger(__name__)
SERVICE_LOG = "JOURNAL_STREAM"
"""An environment variable that systemd sets for a service. The service's output goes to the journal, and its data
belong to a separate user.
"""


class PageOptions(NamedTuple):
    """Options for serving pages.

    `address` is how tablets reach this machine, for QR codes; if empty, the machine's own address with `port`.
    `demonstrations` is the address that a demonstration listens on; if empty, the pages cannot start one. `halls` says
    whether the table may join one. `settings` returns the findings about ignored settings in a folder.
    """

    address: str = ""
    port: int = 8080
    demonstrations: str = ""
    halls: bool = False
    settings: SettingsCheck = no_findings


DEFAULTS = PageOptions()


class TableContext:
    """One table, its credentials, seats, pages and devices."""

    when_quiet: Callable[[], None] | None = None
    """Called after templates have been loaded, and now and then while the table is idle."""

    def __init__(
        self,
        table: Table,
        journal: Path,
        options: PageOptions = DEFAULTS,
        registry: DeviceRegistry | None = None,
        observer: SightObserver | None = None,
    ) -> None:
        folder = journal.parent
        self.table = table
        self.journal = journal
        self.registry = registry
        self.observer = observer
        self.options = options
        self.address = options.address
        self.plugins = Plugins()
        self.access = Access(table, folder=folder)
        self.forms = FormTokens(self.access.secret)
        self.rates = Rates()
        self.knocks = Knocks()
        self.lobby = LobbyKeeper(self.access)
        self.amended: tuple[str, Snapshot, object] | None = None
        """The last amendment: its match, the table before it, and its consequences."""
        self.clocks = PageClocks()
        self.seating = Seating(table, self.access, self.knocks)
        self.examiner = Examiner(table, registry, folder, self.first_page, settings=options.settings)
        self.shutdown = Shutdown(table, registry)
        self.printer = PdfPrinter(folder)
        self.finished = FinishedMatches(journal, lambda: self.renderer)
        self.records = RecordBook(self.finished.read)
        self.turning = TurningPoints(table, journal)
        self.renderer = SceneRenderer(
            table,
            self.seating.occupancy,
            self._surroundings,
            lambda: (*self.examiner.left_out, *self.plugins.failed),
            self.shutdown.possible,
            self.plugins.regions,
        )
        self.hub = Hub(self.renderer.look, self.renderer.groups, self.renderer.make)
        self.cue_publisher = CuePublisher(table, self.hub, registry)
        self.moments = MomentPublisher(table, self.hub, lambda: self.renderer.environment)
        self.watcher = Watcher(table, self.hub, self.cue_publisher, folder, registry, self._warm_up, self._quiet)
        named = urlsplit(self.address).hostname
        self.hosts = HostNames((*web_settings_in(folder).names, *((named,) if named else ())))

    def start(self) -> None:
        """Start to watch for changes."""
        if self.locked_out():
            LOG.warning(words(LANGUAGES[0])("error.doors_lost", command=self.host_pin_command()))
        if self.snapshot().match_id:
            self.seating.seat_bots()
        self.watcher.start()
        self.moments.start()
        self.plugins.start(self.hub.refresh)

    def close(self) -> None:
        """End all streams, threads and plugins. The caller closes the table."""
        self.plugins.close()
        self.turning.close()
        self.watcher.stop()
        self.moments.stop()
        self.hub.stop()
        self.printer.close()
        self.shutdown.close()
        self.seating.close()

    def new_match(self) -> None:
        """Show a match that has just been put on the table."""
        self.lobby.close_for(self.snapshot().match_id)
        self.seating.new_match()
        self.hub.refresh()

    def snapshot(self) -> Snapshot:
        """Return the current state of the table."""
        return self.table.snapshot()

    def viewer(self, token: str) -> Viewer | None:
        """Return the viewer with this token in the current match."""
        return self.access.viewer(token, self.snapshot().match_id)

    def first_page(self) -> str:
        """Return the address of the first page, for other devices."""
        return self.address or page_address(own_address(), self.options.port)

    @property
    def frames(self) -> Path:
        """The folder where the camera puts pictures for pages."""
        return frames_folder(self.journal.parent)

    def _warm_up(self) -> None:
        """Prepare the templates and bundles of a game's first pages."""
        self.renderer.load_templates()
        assets.prepare()

    def _quiet(self) -> None:
        """Call `when_quiet`, which the server sets after it has made this context, and search an ended match's
        turning points.
        """
        if self.when_quiet is not None:
            self.when_quiet()
        snapshot = self.snapshot()
        if snapshot.over and has_turning_points(snapshot.game.name):
            for line in self.table.matches():
                if line.id == snapshot.match_id and line.ended is not None:
                    self.turning.of(line)

    def _surroundings(self, players: int) -> TableSurroundings:
        """Return the state of buttons, camera and machine, and the plugins' values."""
        buttons = self.registry.buttons if self.registry else None
        return TableSurroundings(
            buttons_view(buttons, players), self.watcher.camera(), self.watcher.threats, self.plugins.values()
        )

    # --- lost credentials -------------------------------------------------------------------------

    def locked_out(self) -> bool:
        """Whether the credentials of the current match are unreadable, so that nobody could sign in."""
        snapshot = self.snapshot()
        return bool(snapshot.match_id) and not snapshot.over and self.access.credentials(snapshot.match_id) is None

    def host_pin_command(self, match: str = "") -> str:
        """Return the shell command that sets a new host PIN."""
        command = [*(["sudo"] if SERVICE_LOG in os.environ else []), "companion", "host-pin"]
        folder = self.journal.parent
        if SERVICE_LOG not in os.environ and folder.absolute() != data_folder(None).absolute():
            command += ["--data", str(folder)]
        return shlex.join([*command, *(["--match", match] if match else [])])


def context() -> TableContext:
    """Return the context of the running application."""
    return context_of(current_app)


def context_of(app: Flask) -> TableContext:
    """Return the context of an application."""
    found: TableContext = app.extensions["context"]
    return found


def install(app: Flask, found: TableContext) -> None:
    """Give an application its context."""
    found.renderer.environment = app.jinja_env
    app.extensions["context"] = found
