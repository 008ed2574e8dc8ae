"""Scenes and regions of all pages: the current scene, the regions of each kind of page, and their templates'
context.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from functools import reduce
from typing import Protocol

from jinja2 import Environment, TemplateError

from companion.config import ConfigError
from companion.engine import OwnLayouts
from companion.findings import Finding, finding_text
from companion.games import teller_of
from companion.i18n import Words
from companion.table.table import Snapshot
from web.game_pages import OFFERED
from web.live.channels import ChannelKey, ViewerGroup
from web.live.macro_cache import MacroCache
from web.live.regions import LazyValues, MarkedRegion, PerSeat, Sources, names_read_in_all, region_of
from web.presenters.camera_status import trouble_sentence
from web.presenters.match_log import Teller, players_of, table_of
from web.presenters.places import card_kinds
from web.presenters.press_timeline import format_span
from web.presenters.scene import Occupancy, Scene, TableSurroundings
from web.presenters.standings import sides_with_partners
from web.words import package, words

LOG = logging.getLogger(__name__)
SHARED = (
    "banner", "status", "where", "ending", "play", "board", "supply", "verdict", "seals", "display", "seats", "totals",
    "log", "people", "buttons", "sight", "takeback", "about", "news",
)  # fmt: skip
"""Regions that look the same to everybody."""
MARKED = ("status", "board", "supply")
"""Public regions drawn separately for an awaited seat, because they show its turn and the cells that it may tap."""
LAID = ("play", "board", "seats")
"""Public regions drawn separately for each seat in a game that shows a seat more of the layout than the camera sees."""
OWN = (
    "banner", "where", "asked", "picks", "holdings", "actions", "goals", "turnup", "press", "sight", "takeback",
)  # fmt: skip
"""Regions of one seat."""
TABLE = ("banner", "where", "again", "turnup", "sight")
"""Regions of the shared tablet."""
HOST = ("banner", "where", "again", "knocks", "faults", "turnup", "controls", "wiring", "sight")
"""Regions of the host."""
REGIONS = {"shared": SHARED, "seat": OWN, "table": TABLE, "host": HOST}
ACTIONS = ("propose", "draw", "consent", "correct", "hand", "hide", "sight", "takeback")
PAGES = ("host", "pins", "camera", "check", "power")
URLS = {name: name for name in (*ACTIONS, *PAGES)}
"""The targets of a region's controls, relative to the page: a region never contains a token."""


Makers = dict[str, Callable[[Scene], object]]
"""Functions that make plain values from a scene, by name."""


class SnapshotSource(Protocol):
    """The source of a scene: the live table, or a step of a finished match."""

    def snapshot(self) -> Snapshot:
        """Return the state to show."""


GroupName = tuple[str, int | None, str]
"""A group of regions: `shared` or a role, the seat if it belongs to one, and the language."""


class SceneRenderer:
    """Makes scenes and regions of the table for the hub.

    `occupancy` returns who sits where, `surroundings` the state of buttons and camera for a number of players,
    `mistakes` the findings about ignored settings, `switchable` whether a page can switch this machine off, and `added`
    the regions that plugins add to a kind of page.
    """

    def __init__(
        self,
        table: SnapshotSource,
        occupancy: Callable[[Snapshot], Occupancy],
        surroundings: Callable[[int], TableSurroundings],
        mistakes: Callable[[], Sequence[Finding]],
        switchable: Callable[[], bool],
        added: Callable[[str], tuple[str, ...]] = lambda kind: (),
    ) -> None:
        self.table = table
        self.teller = Teller()
        self.environment: Environment
        self._occupancy = occupancy
        self._surroundings = surroundings
        self._mistakes = mistakes
        self._switchable = switchable
        self._added = added
        self._scene: Scene | None = None
        self._lock = threading.Lock()

    def load_templates(self) -> None:
        """Compile all templates, so that the first move is no slower than the others."""
        for name in self.environment.list_templates(["html"]):
            try:
                self.environment.get_template(name)
            except TemplateError:  # one game fails; go on with the others
                LOG.exception("the template %s cannot be read", name)
        for game in tuple(OFFERED.values()):
            for name in {name for kind in REGIONS for name in (*REGIONS[kind], *self._added(kind))}:
                with contextlib.suppress(TemplateError):
                    region = region_of(self.environment, package(game).rpartition(".")[2], name, {})
                    if region is not None and region.template.name is not None:
                        names_read_in_all(self.environment, region.template.name)

    def look(self) -> Scene | None:
        """Return the current scene; the same object as before if nothing has changed. Any thread may call it."""
        with self._lock:
            snapshot = self.table.snapshot()
            if not snapshot.match_id:
                return None
            occupancy = self._occupancy(snapshot)
            around = self._surroundings(len(players_of(snapshot)))
            old = self._scene
            if old is not None:  # keep equal objects, which take no time to compare
                occupancy = old.occupancy if occupancy == old.occupancy else occupancy
                around = old.surroundings if around == old.surroundings else around
            same = old is not None and old.occupancy is occupancy and old.surroundings is around
            if old is None or old.actual is not snapshot or not same:
                self._scene = Scene(snapshot, occupancy, self.teller, around)
            return self._scene

    def groups(self, key: ChannelKey) -> tuple[GroupName, ...]:
        """Return the groups of regions on a viewer's page."""
        shared = ("shared", None, key.lang)
        return (shared,) if key.role == "watch" else (shared, (key.role, key.seat, key.lang))

    def of_another_table(
        self,
        table: SnapshotSource,
        occupancy: Callable[[Snapshot], Occupancy],
        surroundings: Callable[[int], TableSurroundings],
    ) -> SceneRenderer:
        """Return a renderer of another table with the same templates, without the switch for this machine."""
        found = SceneRenderer(table, occupancy, surroundings, tuple, bool, self._added)
        found.environment = self.environment
        return found

    def make(self, name: GroupName, made: Mapping[Hashable, ViewerGroup], only: Collection[str] = ()) -> ViewerGroup:
        """Make the regions of a group, or only those in `only`. `made` has the shared group that a seat's own group
        extends.
        """
        kind, seat, lang = name
        snapshot = self.table.snapshot()
        folder = package(snapshot.game).rpartition(".")[2]
        names = (*REGIONS[kind], *self._added(kind))
        fixed = self._fixed_values(snapshot, lang, kind, seat)
        names = tuple([each for each in names if not only or each in only])
        regions = [region for each in names if (region := region_of(self.environment, folder, each, fixed))]
        if seat is not None:
            shared = made["shared", None, lang]
            laid = LAID if isinstance(snapshot.game, OwnLayouts) else ()
            for marked in dict.fromkeys((*MARKED, *laid)):
                public = next((region for region in shared.regions if region.name == marked), None)
                own = region_of(self.environment, folder, marked, fixed)
                if public is not None and own is not None:
                    regions.append(MarkedRegion(own, public, seat, marked in laid))

        makers = values_for_everybody(lang, seat) | ({} if seat is None else values_of_seat(lang, seat))

        def sources(scene: Scene) -> Sources:
            shown, around = scene.shown_table(lang), scene.surroundings
            watched = {**scene.extras(), "view": scene.view, "snapshot": shown, "occupancy": scene.occupancy}
            watched["press"] = scene.press
            if seat is not None:
                watched["me"] = scene.me(seat)
            plain: dict[str, object] = {"ledger": scene.ledger(seat), "log": shown.sentences}
            plain |= {"buttons": around.buttons, "camera": around.camera, "threats": around.threats}
            of_plugins = around.of_plugins.items()
            plain |= {name: value.of(seat) if isinstance(value, PerSeat) else value for name, value in of_plugins}
            return watched, LazyValues(plain, makers, scene)

        return ViewerGroup(tuple(regions), sources)

    def _fixed_values(self, snapshot: Snapshot, lang: str, viewer: str, seat: int | None) -> dict[str, object]:
        """Return the values that every region of a match may read besides the views."""
        say = words(lang, package(snapshot.game))
        players = players_of(snapshot)
        teller = teller_of(snapshot.game)
        assert snapshot.setup is not None

        def score(amount: int) -> str:
            return teller.score(amount, say)

        named: tuple[object, dict[str, str]] = (None, {})

        def say_card(card: str) -> str:
            """Return a card's name; each is made once while the table stays the same."""
            nonlocal named
            table = table_of(self.table.snapshot())
            if named[0] is not table:
                named = (table, {})
            if card not in named[1]:
                named[1][card] = teller.card_name(card, say, table)
            return named[1][card]

        mistakes = self._mistake_sentences(say)

        def unlisted(text: str) -> str:
            """Return the findings of the buttons' service, without the mistakes that are listed anyway."""
            return reduce(lambda rest, mistake: rest.replace(mistake, ""), mistakes, text).strip()

        # A game without money has no words for it, so hide the names from templates.
        fixed = ({"money": score} if snapshot.game.money else {}) | {
            "setup": snapshot.setup,
            "players": players,
            "sides": sides_with_partners(snapshot.game, snapshot.setup),
            "words": say,
            "lang": lang,
            "game": snapshot.game,
            "viewer": viewer,
            "seat": seat,
            "dealt": snapshot.setup.deck == "dealt",
            "static": "/static",
            "kinds": card_kinds(snapshot.game),
            "urls": URLS,
            "csrf": "",
            "seen": "",
            "score": score,
            "span": lambda micro, sign=True: format_span(micro, lang, sign),
            "name": lambda seat: players[seat].name,
            "names": lambda seats: teller.names(seats, players, say),
            "trouble": lambda camera: trouble_sentence(say, camera, mistakes),
            "unlisted": unlisted,
            "finding_text": lambda finding: finding_text(finding, say),
            "left_out": self._mistakes(),
            "switchable": self._switchable(),
        }
        return MacroCache(fixed, say_card).fixed

    def _mistake_sentences(self, say: Words) -> dict[str, str]:
        """Return mistakes in the settings: the services' English sentences, translated for the reader."""
        found = {}
        for each in self._mistakes():
            what, how, _ = finding_text(each, say)
            found[str(ConfigError(each))] = f"{what}: {how}."
        return found


def values_for_everybody(lang: str, seat: int | None) -> Makers:
    """Return the values that regions of any page may read, as a seat, or everybody (None), may know them."""
    return {
        "verdict": Scene.verdict,
        "seals": lambda scene: scene.seals,
        "sight": lambda scene: scene.sight(lang),
        "sight_reason": lambda scene: "",
        "board": lambda scene: scene.board(lang, seat),
        "may_tap": lambda scene: scene.may_tap(lang, seat),
        "table_places": lambda scene: scene.house.places(lang, seat),
        "pieces_left": lambda scene: scene.house.pieces_left(lang),
        "opened": lambda scene: scene.house.opened(lang),
        "sealed": lambda scene: "",
        "anytime_choices": lambda scene: (),
        "own_facts": lambda scene: (),
        "own_choices": lambda scene: (),
        "signs": lambda scene: {},
        "hand": lambda scene: (),
        "chance_choices": lambda scene: scene.house.chance_choices(lang, seat),
        "chance_to_trigger": lambda scene: scene.house.chance_to_trigger(lang),
        "facts": lambda scene: scene.house.facts(lang),
        "standings": lambda scene: scene.house.standings(),
        "totals": lambda scene: scene.house.totals(),
        "winners": lambda scene: scene.house.winners(),
    }


def values_of_seat(lang: str, seat: int) -> Makers:
    """Return the additional values for regions of a seat's own page."""
    return {
        "payments": lambda scene: scene.payments(seat),
        "own_move": lambda scene: scene.own_move(seat, lang),
        "sight_reason": lambda scene: scene.sight_reason(lang, seat),
        "sealed": lambda scene: scene.house.sealed(seat, lang),
        "anytime_choices": lambda scene: scene.house.choices_at_any_moment(seat, lang),
        "own_facts": lambda scene: scene.house.own_facts(seat, lang),
        "own_choices": lambda scene: scene.house.choices_besides_hand(seat, lang),
        "signs": lambda scene: scene.house.signs(seat),
        "hand": lambda scene: scene.house.hand(seat, lang),
    }
