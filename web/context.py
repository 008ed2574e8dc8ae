"""The house: the table, who may come in, and what is shown to whom. What all blueprints share. Knows no rules."""

from __future__ import annotations

import logging
import os
import shlex
import threading
from collections.abc import Callable, Hashable, Mapping
from functools import reduce
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from flask import Flask, current_app
from jinja2 import Environment

from companion.bots.bot import BotSeat
from companion.commands.terminal import data_folder
from companion.config import ConfigError
from companion.devices.frames import shelf
from companion.devices.registry import DeviceRegistry
from companion.engine import Seat
from companion.findings import said
from companion.i18n import LANGUAGES, Words
from companion.journal.journal import JournalError
from companion.match.actor import Actor
from companion.match.history import SeatTaken
from companion.ops.doctor.examiner import Examiner, Settled, nothing_left_out
from companion.ops.network_address import own_address, page
from companion.ops.shutdown import Shutdown
from companion.sight.observer import SightObserver
from companion.table.service import Snapshot, Table, TableAnswer
from web.game_pages import OFFERED, teller_of
from web.live.clocks import PageClocks
from web.live.cue_publisher import CuePublisher
from web.live.hub import ChannelKey, Hub, Sources, ViewerGroup
from web.live.pieces import KEPT, PieceCache
from web.live.regions import MarkedRegion, region_of
from web.live.watcher import Watcher
from web.pdf_printer import PdfPrinter
from web.presenters.buttons import wires
from web.presenters.camera_status import trouble
from web.presenters.scene import Lobby, Scene, Teller, players_of, table_of
from web.presenters.verdicts import span
from web.security.access import SEAT_PIN, Access, Viewer, Write
from web.security.csrf import FormTokens
from web.security.host_names import HostNames, names_in
from web.security.knocks import Knocks
from web.security.pin_limits import Device
from web.security.rate_limits import Rates
from web.words import package, words

LOG = logging.getLogger(__name__)
LOGGED = "JOURNAL_STREAM"
"""systemd tells a service by this that what it says goes into a log; its data belong to a user of its own."""
SHARED = ("status", "ending", "lot", "verdict", "market", "seats", "bank", "log", "people", "buttons", "sight")
"""Regions that everybody sees alike."""
MARKED = "status"
"""The public region that tells a seat that it is its turn."""
OWN = ("asked", "purse", "actions", "purposes", "turnup", "press", "sight")
"""Regions of one seat."""
TABLE = ("turnup", "sight")
"""Regions of the shared tablet."""
HOST = ("knocks", "turnup", "controls", "wiring", "sight")
"""Regions of the host."""


class TableContext:
    """One table and everybody around it."""

    def __init__(
        self,
        table: Table,
        journal: Path,
        address: str = "",
        registry: DeviceRegistry | None = None,
        observer: SightObserver | None = None,
        port: int = 8080,
        settings: Settled = nothing_left_out,
    ) -> None:
        self.table = table
        self.observer = observer
        self.registry = registry
        self.journal = journal
        self.address = address
        self.access = Access(table, folder=journal.parent)
        self.forms = FormTokens(self.access.secret)
        self.teller = Teller()
        self.pieces: dict[tuple[str, str], dict[Any, Any]] = {}
        self.hub = Hub(self.look, self.groups, self.make)
        self.cue_publisher = CuePublisher(table, self.hub, registry)
        self.clocks = PageClocks()
        self.knocks = Knocks()
        self.rates = Rates()
        self.bots: BotSeat | None = None
        self.asked: dict[int, str] = {}
        self.lock = threading.Lock()
        self.environment: Environment
        self.port = port
        named = urlsplit(address).hostname
        self.hosts = HostNames((*names_in(journal.parent), *((named,) if named else ())))
        self.examiner = Examiner(table, registry, journal.parent, self.first_page, settings=settings)
        self.farewell = Shutdown(table, registry)
        self.printer = PdfPrinter(journal.parent)
        self.watcher = Watcher(table, self.hub, self.cue_publisher, journal.parent, registry, self.warm)
        self._scene: Scene | None = None

    # --- life -------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to show what happens."""
        if self.locked_out():
            LOG.warning(words(LANGUAGES[0])("error.doors_lost", command=self.host_pin_command()))
        if self.snapshot().match_id:
            self._sit()
        self.watcher.start()

    def close(self) -> None:
        """End all streams and stop watching. The table is its owner's to close."""
        self.watcher.stop()
        self.hub.stop()
        self.printer.close()
        self.farewell.close()
        if self.bots is not None:
            self.bots.stop()

    def warm(self) -> None:
        """Have all regions' templates ready, so that the first move is no slower than the others."""
        for name in self.environment.list_templates(["html"]):
            self.environment.get_template(name)
        for game in OFFERED.values():
            for name in {*SHARED, *OWN, *TABLE, *HOST}:
                region_of(self.environment, package(game).rpartition(".")[2], name, {})

    def first_page(self) -> str:
        """Return the address of the first page, for other devices."""
        return self.address or page(own_address(), self.port)

    # --- what is shown ----------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """Return the table as it is now."""
        return self.table.snapshot()

    def lobby(self, snapshot: Snapshot) -> Lobby:
        """Return who sits where."""
        doors = self.access.doors(snapshot.match_id)
        count = len(players_of(snapshot))
        if doors is None:
            return Lobby((False,) * count)
        last = {body.seat: isinstance(body, SeatTaken) for _, body in snapshot.devices}
        return Lobby(
            taken=tuple(seat in doors.pins for seat in range(count)),
            freed=tuple(sorted(seat for seat, taken in last.items() if not taken)),
            retaken=tuple(sorted(seat for seat, taken in last.items() if taken)),
            bots=doors.bots,
            asked=tuple(sorted(self.asked.items())),
            room=doors.room,
            knocks=self.knocks.waiting(snapshot.match_id),
        )

    def look(self) -> Scene | None:
        """Return what is to be shown now; the same scene as before where nothing has changed."""
        snapshot = self.table.snapshot()
        if not snapshot.match_id:
            return None
        lobby = self.lobby(snapshot)
        wired = wires(self.registry.buttons if self.registry else None, len(players_of(snapshot)))
        old = self._scene
        eye = self.watcher.lens()
        now = (lobby, wired, eye, self.watcher.threats)
        if old is None or old.snapshot is not snapshot or (old.lobby, old.wires, old.lens, old.threats) != now:
            self._scene = Scene(snapshot, lobby, self.teller, wired, eye, self.watcher.threats)
        return self._scene

    def groups(self, key: ChannelKey) -> tuple[Hashable, ...]:
        """Return which groups of regions a viewer's page is made of."""
        shared = ("shared", None, key.lang)
        return (shared,) if key.role == "watch" else (shared, (key.role, key.seat, key.lang))

    def make(self, name: tuple[str, int | None, str]) -> ViewerGroup:
        """Make the regions of a group."""
        kind, seat, lang = name
        snapshot = self.table.snapshot()
        folder = package(snapshot.game).rpartition(".")[2]
        names = {"shared": SHARED, "seat": OWN, "table": TABLE, "host": HOST}[kind]
        fixed = self.fixed(snapshot, lang, kind, seat)
        regions = [region for each in names if (region := region_of(self.environment, folder, each, fixed))]
        if seat is not None:
            shared = self.hub.groups["shared", None, lang]
            public = next((region for region in shared.regions if region.name == MARKED), None)
            own = region_of(self.environment, folder, MARKED, fixed)
            if public is not None and own is not None:
                regions.append(MarkedRegion(own, public, seat))

        def sources(scene: Scene) -> Sources:
            shown = scene.told(lang)
            watched: dict[str, Any] = {"view": scene.view, "snapshot": shown, "lobby": scene.lobby}
            plain = scene.extras() | {"ledger": scene.ledger(seat), "log": shown.sentences}
            plain |= {"press": scene.press, "wires": scene.wires, "verdict": scene.verdict()}
            plain |= {"lens": scene.lens, "sight": scene.sight(lang), "threats": scene.threats}
            if seat is not None:
                watched["me"] = scene.me(seat)
                plain["payments"] = scene.payments(seat)
            return watched, plain

        return ViewerGroup(tuple(regions), sources)

    def fixed(self, snapshot: Snapshot, lang: str, viewer: str, seat: int | None) -> dict[str, Any]:
        """Return what every region of a match knows besides the views."""
        say = words(lang, package(snapshot.game))
        players = players_of(snapshot)
        teller = teller_of(snapshot.game)
        assert snapshot.setup is not None

        def score(amount: int) -> str:
            return teller.score(amount, say)

        mistakes = self._mistakes(say)

        def unsaid(text: str) -> str:
            """Return what buttons say of themselves besides the mistakes that are listed anyway."""
            return reduce(lambda rest, mistake: rest.replace(mistake, ""), mistakes, text).strip()

        # What a game without money has no word for must not be asked of it by a template.
        return ({"money": score} if snapshot.game.money else {}) | {
            "setup": snapshot.setup,
            "players": players,
            "words": say,
            "lang": lang,
            "game": snapshot.game,
            "viewer": viewer,
            "seat": seat,
            "dealt": snapshot.setup.deck == "dealt",
            "static": "/static",
            KEPT: PieceCache(self.pieces.setdefault((snapshot.match_id, lang), {})),
            "urls": URLS,
            "csrf": "",
            "seen": "",
            "score": score,
            "card": lambda card: teller.card_name(card, say, table_of(self.table.snapshot())),
            "span": lambda micro, sign=True: span(micro, lang, sign),
            "name": lambda seat: players[seat].name,
            "names": lambda seats: teller.names(seats, players, say),
            "trouble": lambda now: trouble(say, now, mistakes),
            "unsaid": unsaid,
            "said": lambda finding: said(finding, say),
            "left_out": self.examiner.left_out,
            "possible": self.farewell.possible(),
        }

    def _mistakes(self, say: Words) -> dict[str, str]:
        """Return what is left out of the settings: as services say it in English, and in a reader's language."""
        found = {}
        for each in self.examiner.left_out:
            what, how, _ = said(each, say)
            found[str(ConfigError(each))] = f"{what}: {how}."
        return found

    @property
    def shelf(self) -> Path:
        """Where the camera puts pictures for pages."""
        return shelf(self.journal.parent)

    # --- who does what ----------------------------------------------------------------------------

    def viewer(self, token: str) -> Viewer | None:
        """Return whose token this is, at the match that lies on the table."""
        return self.access.viewer(token, self.snapshot().match_id)

    def locked_out(self) -> bool:
        """Whether a game is being played whose PINs cannot be read any more: nobody could come in."""
        snapshot = self.snapshot()
        return bool(snapshot.match_id) and not snapshot.over and self.access.doors(snapshot.match_id) is None

    def host_pin_command(self, match: str = "") -> str:
        """Return what is typed in this machine's own shell to set a new host PIN."""
        told = [*(["sudo"] if LOGGED in os.environ else []), "companion", "host-pin"]
        folder = self.journal.parent
        if LOGGED not in os.environ and folder.absolute() != data_folder(None).absolute():
            told += ["--data", str(folder)]
        return shlex.join([*told, *(["--match", match] if match else [])])

    def ask(self, seat: int, what: str) -> None:
        """Ask something of a seat on its own page; an empty question takes it back."""
        with self.lock:
            asked = {s: q for s, q in self.asked.items() if s != seat}
            self.asked = asked | {seat: what} if what else asked
        self.hub.refresh()

    def seat_bot(self, seat: int, on: bool) -> None:
        """Let a bot play a seat from now on, or give the seat back."""
        self.access.play(self.snapshot().match_id, seat, on)
        self._sit()
        self.hub.refresh()

    def let_in(self, match: str, seat: int, pin: str, device: Device) -> str:
        """Let somebody into a seat, a free one with a new PIN, else with its own; return an error's name or ""."""
        if not (pin.isascii() and pin.isdigit() and len(pin) == SEAT_PIN):
            return "pin_digits"
        doors = self.access.doors(match)
        if doors is not None and seat not in doors.pins and self.claim(match, seat, pin):
            self._sit()  # a bot that played it leaves
            self.hub.refresh()
        elif not self.access.enter_seat(match, seat, pin, device):
            return "wrong_pin"
        return ""

    def claim(self, match: str, seat: int, pin: str) -> bool:
        """Give a free seat its own PIN; that a freed one was taken again is journalled in the same commit."""
        if not self.snapshot().freed_at(Seat(seat)):
            return self.access.claim(match, seat, pin)
        return self.access.claim(match, seat, pin, noted(lambda values: self.table.take_seat(Seat(seat), values)))

    def free(self, match: str, seat: int, by: Actor) -> None:
        """Take a seat back from its device; that is journalled in the same commit."""
        self.access.free(match, seat, noted(lambda values: self.table.free_seat(Seat(seat), by, values)))
        self.ask(seat, "")
        self.hub.dismiss(match, "seat", seat)

    def _sit(self) -> None:
        """Let bots play the seats that they have been given, and no others; a restart changes nothing."""
        doors = self.access.doors(self.snapshot().match_id)
        wanted = frozenset(doors.bots) if doors else frozenset()
        with self.lock:
            if self.bots is None:
                if not wanted:
                    return
                self.bots = BotSeat(self.table, self._pass_time)
                self.bots.start()
            for seat in wanted - self.bots.seats:
                self.bots.sit(Seat(seat))
            for seat in self.bots.seats - wanted:
                self.bots.leave(Seat(seat))

    def consent_for_nobody(self) -> None:
        """Consent to an undo for seats that nobody has or that a bot plays: they have nothing to object."""
        snapshot = self.snapshot()
        lobby = self.lobby(snapshot)
        for seat, taken in enumerate(lobby.taken):
            undo = self.snapshot().undo
            if undo is not None and seat not in undo.agreed and (not taken or seat in lobby.bots):
                self.table.consent(Seat(seat), True)
        self.hub.refresh()

    def _pass_time(self, seconds: float) -> None:
        """Let time pass, at most until the house closes."""
        self.watcher.closing.wait(seconds)

    def new_match(self) -> None:
        """Begin to show a match that has just come onto the table."""
        with self.lock:
            self.asked = {}
            self.pieces = {}
        self._sit()
        self.hub.refresh()


def noted(note: Callable[[Mapping[str, bytes | None]], TableAnswer]) -> Write:
    """Return how the doors are written together with a record of the match; it raises `JournalError`."""

    def write(values: Mapping[str, bytes | None]) -> None:
        answer = note(values)
        if answer.refusal is not None:
            raise JournalError(str(answer.refusal.fields.get("why", "The match is not on the table any more.")))

    return write


MOVES = ("propose", "draw", "consent", "correct", "hand", "hide", "sight")
PAGES = ("host", "bench", "camera", "laying", "check", "power")
URLS = {name: name for name in (*MOVES, *PAGES)}
"""Where a region's controls lead to, relative to the page: no token is ever part of a region."""


def house() -> TableContext:
    """Return the house of the running application."""
    return cast(TableContext, current_app.extensions["house"])


def install(
    app: Flask,
    table: Table,
    journal: Path,
    address: str,
    registry: DeviceRegistry | None,
    observer: SightObserver | None = None,
    port: int = 8080,
    settings: Settled = nothing_left_out,
) -> TableContext:
    """Give an application its house."""
    found = TableContext(table, journal, address, registry, observer, port, settings)
    found.environment = app.jinja_env
    app.extensions["house"] = found
    return found
