"""A game's rules by number, for everybody at the table."""

from __future__ import annotations

from itertools import groupby

from flask import Blueprint, render_template

from companion.games import GAMES
from companion.ops.rule_texts import said_sources, written_rules
from web.views import responses
from web.words import language, package, words

LAST = "R-00"
"""Sections of rules that always apply. They come last, because nobody learns a game from them."""
bp = Blueprint("rules", __name__, url_prefix="/rules")


@bp.get("/<game>/")
def page(game: str) -> str:
    """Show how a game is played at the table, and its rules section by section, in the reader's language."""
    rules = written_rules(GAMES[game], language()) if game in GAMES else ()
    if not rules:
        raise responses.PageGone("error.not_found")
    in_order = sorted(rules, key=lambda rule: rule.number == LAST)
    sections = [(title, tuple(some)) for title, some in groupby(in_order, key=lambda rule: rule.section)]
    say = words(language(), package(GAMES[game]))
    goes = tuple(say.section("at_the_table").values())
    told = {name: say(f"game.{name}") for name in ("title", "tagline", "figures") if say.has(f"game.{name}")}
    return render_template(
        "rules.html", **told, at_the_table=goes, sections=sections, source=lambda rule: said_sources(rule, say)
    )
