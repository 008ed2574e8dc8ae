"""Test that a region is redrawn only if something that its template read has changed."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Mapping

import msgspec
import pytest
from jinja2 import DictLoader, Environment

from web.live.regions import LazyValues, Region, names_read, names_read_in_all


class Side(msgspec.Struct, frozen=True):
    """A side of an invented game."""

    name: str
    cards: tuple[str, ...] = ()


class Shown(msgspec.Struct, frozen=True):
    """The public view of an invented game."""

    sides: tuple[Side, ...]
    awaited: tuple[int, ...] = ()
    hands: tuple[int, ...] = (5, 5)


BEFORE = Shown((Side("Jane", ("mail",)), Side("Bill")), (0,))


class Drawing:
    """A region with one template; counts its drawings."""

    def __init__(self, template: str) -> None:
        self.times = 0
        environment = Environment(loader=DictLoader({"region.html": "{{ count() }}" + template}), autoescape=True)
        reads = names_read(environment, "region.html")
        self.region = Region("region", environment.get_template("region.html"), reads, {"count": self._count})

    def _count(self) -> str:
        self.times += 1
        return ""

    def show(self, view: Shown, left: Mapping[str, int]) -> str:
        """Return the region's text for a view."""
        self.region.render({"view": view, "left": left}, LazyValues({}, {}))
        return self.region.html


@pytest.mark.parametrize(
    ("template", "text", "again"),
    [
        ("{{ view.sides[0].name }}", "Jane", "Jane"),
        ("{{ view.sides|length }}", "2", "2"),
        ("{{ 0 in view.awaited }}", "True", "True"),
        ("{{ view.hands[0] }}", "5", "5"),
        ("{{ left.mail }}, {{ left|length }}", "3, 2", "3, 2"),
        ("{{ 'wild' in left }}", "False", "False"),
    ],
)
def test_what_a_template_did_not_look_at_draws_nothing(template: str, text: str, again: str) -> None:
    """A template that read only its own place, key or length is not redrawn if another side, seat or pile changes."""
    drawing = Drawing(template)
    assert drawing.show(BEFORE, {"mail": 3, "coal": 9}) == text
    after = Shown((BEFORE.sides[0], Side("Bill", ("coal",))), (0, 1), (5, 4))
    assert drawing.show(after, {"mail": 3, "coal": 8}) == again
    assert drawing.times == 1


@pytest.mark.parametrize(
    ("template", "texts"),
    [
        ("{{ view.sides[1].cards|join }}", ("", "coal")),
        ("{% for side in view.sides %}{{ side.cards|join }} {% endfor %}", ("mail  ", "mail coal ")),
        ("{{ 1 in view.awaited }}", ("False", "True")),
        ("{{ view.awaited|length }}", ("1", "2")),
        ("{{ view.awaited }}", ("(0,)", "(0, 1)")),
        ("{{ view.awaited == (0,) }}", ("True", "False")),
        ("{{ (view.awaited + (7,))|join }}, {{ ((7,) + view.awaited)|join }}", ("07, 70", "017, 701")),
        ("{{ view.hands[1:]|join }}", ("5", "4")),
        ("{{ view.hands|last }}, {{ view.hands.count(5) }}", ("5, 2", "4, 1")),
        ("{{ left.coal }}", ("9", "8")),
        ("{{ left.values()|sum }}", ("12", "11")),
        ("{{ 'wild' in left }}, {{ left.get('wild', 0) }}", ("False, 0", "True, 0")),
    ],
)
def test_what_a_template_looked_at_draws_it_again(template: str, texts: tuple[str, str]) -> None:
    """A template that read a tuple or mapping in any way is redrawn with the new content after a change."""
    drawing = Drawing(template)
    after = Shown((BEFORE.sides[0], Side("Bill", ("coal",))), (0, 1), (5, 4))
    wild = {"wild": 0} if "wild" in template else {}
    shown = drawing.show(BEFORE, {"mail": 3, "coal": 9}), drawing.show(after, {"mail": 3, "coal": 8, **wild})
    assert shown == texts
    assert drawing.times == 2


def test_whose_turn_it_was_is_remembered() -> None:
    """A region is not redrawn for a view that returns."""
    drawing = Drawing("{{ view.awaited|join }}")
    for view in (BEFORE, Shown(BEFORE.sides, (1,)), BEFORE):
        drawing.show(view, {})
    assert (drawing.region.html, drawing.times) == ("0", 2)


def test_names_are_read_in_all_templates() -> None:
    """Names in imported and included templates count; if a variable names a template, the names are unknown."""
    templates = {
        "a.html": '{% import "b.html" as b with context %}{{ one }}',
        "b.html": '{% macro two(three) %}{{ three }}{{ four }}{% include "c.html" %}{% endmacro %}',
        "c.html": "{{ five }}",
        "d.html": "{% include chosen %}",
    }
    environment = Environment(loader=DictLoader(templates), autoescape=True)
    assert names_read_in_all(environment, "a.html") == {"one", "four", "five"}
    assert names_read_in_all(environment, "d.html") is None


def test_what_is_read_goes_with_its_application() -> None:
    """The names read by a template are freed together with their environment."""
    environment = Environment(loader=DictLoader({"a.html": "{{ one }}"}))
    assert names_read(environment, "a.html") == names_read_in_all(environment, "a.html") == {"one"}
    gone = weakref.ref(environment)
    del environment
    gc.collect()
    assert gone() is None
