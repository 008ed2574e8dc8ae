"""Test the cache of a group of regions: a macro that depends only on its arguments is drawn once for each of them."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from jinja2 import DictLoader

from web.live.macro_cache import MOST, MacroCache
from web.page_app import PageApp

MACROS = """
{%- macro wagon(card, count=1) %}{{ drawn(card) }}<b>{{ card }} {{ count }} {{ name }}</b>{% endmacro -%}
{%- macro called(id) %}{{ drawn(id) }}{{ card(id) }}{% endmacro -%}
{%- macro train(ids) %}{{ drawn(ids) }}{% for id in ids %}{{ kept(called, id) }}{% endfor %}{% endmacro -%}
{%- macro said(id, book) %}{{ drawn(id) }}{{ book[id] }}{% endmacro -%}
"""


class Page:
    """The templates of one group of regions, its cards' names, and its macros' output."""

    def __init__(self, **templates: str) -> None:
        self.names = {"mail": "Mail", "coal": "Coal"}
        self.drawn: list[object] = []
        self.app: Flask = PageApp(lambda key, status: (key, status))
        pages = {
            f"{name}.html": '{% import "macros.html" as m with context %}' + text for name, text in templates.items()
        }
        self.app.jinja_env.loader = DictLoader({"macros.html": MACROS, **pages})
        self.kept = MacroCache({"name": "Jane", "drawn": self._note}, lambda card: self.names[card])

    def _note(self, what: object) -> str:
        self.drawn.append(what)
        return ""

    def draw(self, template: str, **given: Any) -> str:
        """Return a template's output for these values."""
        return self.app.jinja_env.get_template(f"{template}.html").render(self.kept.fixed, **given)


def test_a_macro_draws_the_same_once() -> None:
    """Equal arguments are drawn once, different ones separately, and so are equal ones of another type."""
    page = Page(own="{{ kept(m.wagon, card, count) }}")
    for card, count in (("mail", 1), ("mail", 1), ("mail", 2), ("mail", True), ("mail", 1)):
        assert page.draw("own", card=card, count=count) == f"<b>{card} {count} Jane</b>"
    assert page.drawn == ["mail"] * 3


def test_a_macro_that_reads_what_changes_is_drawn_each_time() -> None:
    """If a macro reads a name that the region changes, the macro's output is not cached."""
    page = Page(own="{{ kept(m.wagon, 'mail') }}", other="{{ name }}: {{ kept(m.wagon, 'mail') }}")
    assert page.draw("own") == page.draw("own") == "<b>mail 1 Jane</b>"
    loose = Page(own="{{ kept(m.wagon, 'mail') }}")
    del loose.kept.fixed["name"]
    assert loose.draw("own", name="Bill") == "<b>mail 1 Bill</b>"
    assert loose.draw("own", name="Tom") == "<b>mail 1 Tom</b>"
    assert (page.drawn, loose.drawn) == (["mail"], ["mail"] * 2)


def test_a_macro_of_the_region_itself_is_drawn_each_time() -> None:
    """A region's own macro may read any of its values, so its output is not cached."""
    page = Page(own="{% macro own(n) %}{{ n }} {{ view }}{% endmacro %}{{ kept(own, 1) }}")
    assert (page.draw("own", view="a"), page.draw("own", view="b")) == ("1 a", "1 b")


def test_a_card_with_another_name_is_drawn_again() -> None:
    """A card with a new name is drawn again, also by a macro that names it inside another macro."""
    page = Page(own="{{ kept(m.train, ids) }}", one="{{ kept(m.called, id) }}")
    assert page.draw("one", id="coal") == "Coal"
    assert page.draw("own", ids=("mail", "coal")) == page.draw("own", ids=("mail", "coal")) == "MailCoal"
    page.names["coal"] = "Wagon of coal"
    assert page.draw("own", ids=("mail", "coal")) == "MailWagon of coal"
    assert page.draw("one", id="coal") == "Wagon of coal"
    assert page.drawn == ["coal", ("mail", "coal"), "mail", ("mail", "coal"), "coal"]


def test_a_mapping_is_known_by_the_object_that_it_is() -> None:
    """Another mapping is another argument, even if nothing else refers to the first one."""
    page = Page(own="{{ kept(m.said, 'mail', book) }}")
    assert [page.draw("own", book={"mail": n}) for n in range(20)] == [str(n) for n in range(20)]
    book = {"mail": "Mail"}
    assert page.draw("own", book=book) == page.draw("own", book=book) == "Mail"
    assert len(page.drawn) == 21


@pytest.mark.parametrize("count", [MOST, 2 * MOST])
def test_so_many_texts_are_kept_and_no_more(count: int) -> None:
    """The oldest texts are evicted, so the first one is drawn again after enough others."""
    page = Page(own="{{ kept(m.wagon, 'mail', count) }}")
    for number in range(count + 1):
        page.draw("own", count=number)
    page.draw("own", count=count)
    page.draw("own", count=0)
    assert len(page.drawn) == count + 2
    assert len(page.kept.texts) == MOST


def test_viewers_keep_nothing_of_one_another() -> None:
    """Two groups draw the same macro separately, each with its own fixed values."""
    one, two = Page(own="{{ kept(m.wagon, 'mail') }}"), Page(own="{{ kept(m.wagon, 'mail') }}")
    two.app = one.app
    two.kept = MacroCache({**one.kept.fixed, "name": "Bill"}, lambda card: card)
    assert (one.draw("own"), two.draw("own")) == ("<b>mail 1 Jane</b>", "<b>mail 1 Bill</b>")
