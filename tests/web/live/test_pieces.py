"""What macros read, directly or through macros of another template; those that read nothing new are cached."""

from __future__ import annotations

from jinja2 import DictLoader, Environment

from tests.support.web.visitors import Room
from web.live.pieces import CACHE, FIXED, STEADY, PieceCache, PiecesTemplate, macro_reads

HOUSE = """
{%- macro badge(s) %}{{ players[s] }}{% endmacro -%}
{%- macro both(s) %}{{ badge(s) }}{{ words("x") }}{% endmacro -%}
{%- macro turn(s) %}{{ view.awaited }}{% endmacro -%}
"""
PARTS = """{%- import "house.html" as m with context -%}
{%- macro train(s) %}{{ m.both(s) }}{{ money(3) }}{% endmacro -%}
{%- macro rake(s) %}{{ train(s) }}{% endmacro -%}
{%- macro waits(s) %}{{ m.badge(s) }}{{ m.turn(s) }}{% endmacro -%}
{%- macro odd(s) %}{{ m.badge(s) }}{{ m }}{% endmacro -%}
{%- macro gone(s) %}{{ m.lost(s) }}{% endmacro -%}
"""


def environment() -> Environment:
    """Return templates of which one imports the other."""
    made = Environment(loader=DictLoader({"house.html": HOUSE, "parts.html": PARTS}), autoescape=True)
    made.template_class = PiecesTemplate
    return made


def test_what_a_macro_reads_through_an_imported_one_is_found() -> None:
    """By the alias of the import; a use of the alias that is no call of a known macro is not guessed."""
    assert macro_reads(environment(), "parts.html") == {
        "train": {"players", "words", "money"},
        "rake": {"players", "words", "money"},
        "waits": {"players", "view"},
        "odd": {"m"},
        "gone": {"m"},
    }


def test_a_macro_that_calls_imported_ones_is_rendered_once() -> None:
    """Another region gets the same text, though nothing that it was made of can be looked at any more."""
    made = environment()
    made.loader.mapping["region.html"] = '{% import "parts.html" as p with context %}{{ p.rake(0) }}'  # type: ignore[union-attr]
    given = {"players": ["Jane"], "words": str, "money": lambda amount: f"${amount}"}
    cache = PieceCache({})
    template = made.get_template("region.html")
    assert template.render(given | {CACHE: cache}) == "Janex$3"
    assert template.render(given | {"players": ["Bill"], CACHE: cache}) == "Janex$3"
    assert template.render(given | {"players": ["Bill"], CACHE: PieceCache({})}) == "Billx$3"


def test_the_games_trains_and_badges_are_cached(room: Room) -> None:
    """All that pages show again at every event."""
    jinja = room.context.renderer.environment
    for template, macros in (
        ("macros.html", ("pic", "badge", "who", "card_chip", "place", "partners")),
        ("take_a_train/parts.html", ("loco", "loco_tag", "wagon_card", "train", "seat_panel", "tokens")),
        ("game_of_trains/parts.html", ("wagon", "line", "progress", "seat_panel")),
    ):
        reads = macro_reads(jinja, template)
        assert {name: reads[name] - STEADY - FIXED for name in macros} == dict.fromkeys(macros, frozenset()), template
