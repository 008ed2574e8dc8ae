"""Test that cached regions equal newly drawn ones after every move."""

from __future__ import annotations

import random
from collections.abc import Hashable, Mapping
from typing import Any

import msgspec
import pytest
from jinja2 import DictLoader, Environment

from companion.bots.bot import RandomPolicy
from companion.engine import legal
from companion.match.actor import Actor
from tests.support.web.any_game import lay
from tests.support.web.visitors import Room
from web.live.channels import ChannelKey, ViewerGroup
from web.live.regions import LazyValues, MarkedRegion, Region, names_read
from web.presenters.buttons import PressState
from web.presenters.match_log import Teller
from web.presenters.scene import Scene

MOVES, LOOKS = 48, 6
"""The number of random moves, and of the moves between two comparisons of every viewer's page."""


def play(room: Room, luck: random.Random) -> None:
    """Make any legal move for anybody."""
    snapshot = room.table.snapshot()
    state, game = snapshot.state, snapshot.game
    assert state is not None
    mind = RandomPolicy(game)
    for seat in mind.asked(state):
        event = mind.choose(mind.look(state, seat), luck.random)
        if event is not None:
            assert room.table.propose(event, Actor.at_seat(seat)).accepted
            return
    chance = next((offer for offer in legal(game, state) if offer.chance), None)
    if chance is not None:
        event = chance.pick(luck.random)
        by_people = event.facts.entered
        assert (room.table.propose(event, Actor.TABLE) if by_people else room.table.draw(Actor.TABLE)).accepted


def drawn_anew(room: Room, key: ChannelKey) -> dict[str, str]:
    """Return a viewer's regions, drawn without any cache."""
    renderer, snapshot, shown = room.context.renderer, room.table.snapshot(), room.context.hub.scene
    assert shown is not None
    scene = Scene(snapshot, room.context.seating.occupancy(snapshot), Teller(), shown.surroundings)
    made: dict[Hashable, ViewerGroup] = {}
    found: dict[str, str] = {}
    for name in renderer.groups(key):
        made[name] = renderer.make(name, made)
        made[name].render(scene)
        found |= {region.name: region.html for region in made[name].regions}
    return found


@pytest.mark.parametrize("game", ["take-a-train", "game-of-trains", "trains", "express", "freight-whist"])
def test_what_is_kept_is_what_would_be_drawn(room: Room, game: str) -> None:
    """In random games every viewer's page equals one that is drawn without any cache."""
    lay(room, game, 4)
    match, luck = room.table.snapshot().match_id, random.Random(3)
    viewers = [("watch", None, "fr"), ("table", None, "en"), ("host", None, "en"), ("seat", 0, "en"), ("seat", 3, "fr")]
    keys = [ChannelKey(match, *each) for each in viewers]
    for move in range(MOVES):
        if room.table.snapshot().over:
            break
        play(room, luck)
        room.context.hub.refresh()
        for key in keys if move % LOOKS == 0 else ():
            page = room.context.hub.page(key)
            assert page is not None
            assert page.regions == drawn_anew(room, key), (move, key)


class Hand(msgspec.Struct, frozen=True):
    """A view of an invented game."""

    awaited: tuple[int, ...] = ()
    cards: tuple[str, ...] = ()
    moment: str = ""

    def count(self) -> int:
        """Return the number of cards."""
        return len(self.cards)


class Table:
    """A group of regions of an invented game; counts the drawings of each."""

    def __init__(self, **templates: str) -> None:
        sources = {f"{name}.html": f"{{{{ drawn('{name}') }}}}{text}" for name, text in templates.items()}
        self.environment = Environment(loader=DictLoader(sources), autoescape=True)
        self.times: dict[str, int] = dict.fromkeys(templates, 0)
        self.now: tuple[Mapping[str, object], dict[str, Any]] = ({}, {})
        self.made: list[str] = []
        self.group = ViewerGroup(tuple([self.region(name) for name in templates]), self.sources)

    def region(self, name: str) -> Region:
        """Return a region with its own template."""
        reads = names_read(self.environment, f"{name}.html")
        return Region(name, self.environment.get_template(f"{name}.html"), reads, {"drawn": self.count})

    def count(self, name: str) -> str:
        """Count a drawing of this template."""
        self.times[name] += 1
        return ""

    def sources(self, scene: object) -> tuple[Mapping[str, object], LazyValues]:
        """Return the current values for regions; each plain value is made when it is read."""
        watched, plain = self.now

        def make(name: str) -> object:
            self.made.append(name)
            return plain[name]

        return watched, LazyValues({}, {name: lambda _, name=name: make(name) for name in plain})

    def show(self, view: object, press: PressState = PressState(), **plain: object) -> dict[str, str]:  # noqa: B008
        """Return the regions' texts for a view."""
        self.now, self.made = ({"view": view, "press": press}, plain), []
        self.group.render(object())  # type: ignore[arg-type]
        return {region.name: region.html for region in self.group.regions}


def test_only_regions_that_read_what_changed_are_drawn() -> None:
    """Changes are found by field in records, by name in plain values and by result in methods, and each value is
    made once."""
    table = Table(a="{{ view.moment }}", b="{{ view.count() }}", c="{{ hand|join }}", d="{{ hand|length }}")
    assert table.show(Hand(cards=("x",)), hand=("x",)) == {"a": "", "b": "1", "c": "x", "d": "1"}
    assert table.show(Hand(cards=("y",)), hand=("x",)) == {"a": "", "b": "1", "c": "x", "d": "1"}
    assert (table.times, table.made) == ({"a": 1, "b": 1, "c": 1, "d": 1}, ["hand"])
    assert table.show(Hand(cards=("y", "z"), moment="over"), hand=("y",)) == {"a": "over", "b": "2", "c": "y", "d": "1"}
    assert table.times == {"a": 2, "b": 2, "c": 2, "d": 2}


def test_a_record_of_another_kind_draws_again() -> None:
    """A view of another type draws its regions again, so that values that it lacks disappear."""

    class Other(msgspec.Struct, frozen=True):
        moment: str = ""

    table = Table(a="{{ view.cards|join if view.cards is defined else 'none' }}")
    texts = [table.show(view)["a"] for view in (Hand(cards=("x",)), Other(), Hand(cards=("x",)))]
    assert texts == ["x", "none", "x"]


def test_a_region_that_failed_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A region that failed is drawn as soon as its values can be made, even if nothing else has changed."""
    monkeypatch.setattr(Region, "strict", False)
    table = Table(a="{{ hand }}")

    class Broken(dict[str, object]):
        def __getitem__(self, name: str) -> object:
            raise RuntimeError(name)

    table.now = ({"view": Hand()}, Broken(hand=""))
    table.group.render(object())  # type: ignore[arg-type]
    assert "…" in table.group.regions[0].html
    assert table.show(Hand(), hand="x") == {"a": "x"}


def test_a_seat_sees_its_own_again_as_it_is_now() -> None:
    """A seat that is not asked sees the common text, and later its own region with all changes."""
    table = Table(status="{{ view.cards|join }}")
    own, public = table.region("status"), table.region("status")
    own.name, public.html = "status", "common"
    table.group.regions = (MarkedRegion(own, public, 1),)
    shown = [
        table.show(Hand(awaited, cards))["status"]
        for awaited, cards in [((1,), ("x",)), ((0,), ("x",)), ((0,), ("y",)), ((1,), ("y",)), ((1,), ("y",))]
    ]
    assert shown == ["x", "common", "common", "y", "y"]
    assert table.times["status"] == 2
