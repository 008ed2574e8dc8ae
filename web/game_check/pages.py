"""A random game is drawn for everybody: no page fails, and none shows a key or a brace."""

from __future__ import annotations

import random
import re
import typing
from collections.abc import Hashable, Iterator
from html import unescape

from companion.engine import AnyGame, Seat, Setup, legal, seen
from companion.games import reason
from companion.i18n import LANGUAGES
from companion.match.actor import Actor
from companion.ops.game_check import Check, Shortcoming
from companion.ops.game_check.game_files import GameFiles
from companion.table.service import Table
from web.context import TableContext
from web.game_check.help import has_help
from web.game_check.trial_table import trial_table
from web.game_pages import pages_of
from web.live.channels import ViewerGroup
from web.live.rendering import GroupName
from web.views.setup import setup_form
from web.words import package
from web.words import words as sentences

MOMENTS = 24
"""So many moments of a game are drawn, besides its end."""
LONGEST = 400
"""So many moves a game is followed to its end."""
SEED = 1
CODE = re.compile(r"<(script|style|svg)\b.*?</\1>", re.S)
SPOKEN = re.compile(r'\b(?:aria-label|title|alt|placeholder)="([^"]*)"')
TAG = re.compile(r"<[^>]*>")
KEY = re.compile(r"(?<![\w./@-])([a-z_]+)(?:\.[\w-]+)+")
"""What may be a key of the words that has no sentence."""


def setup_page(game: AnyGame, files: GameFiles) -> Iterator[Shortcoming]:
    """The page on which the game is set up shows sentences in every language."""
    with trial_table(game) as (app, _, _):
        for lang in LANGUAGES:
            with app.test_request_context(f"/setup?game={game.name}", headers={"Accept-Language": lang}):
                html = setup_form().get_data(as_text=True)
            for raw in raw_texts(html, known_sections(game, lang)):
                yield Shortcoming(files.words_file(lang), f"The set-up page shows {raw!r} in {lang!r}.", raw)


def regions(game: AnyGame, files: GameFiles) -> Iterator[Shortcoming]:
    """Everybody's page of a random game can be drawn in every language, and shows no key and no brace."""
    decks = [deck for deck in ("ours", "dealt") if deck in pages_of(game).catalogues]
    for deck in decks[:1]:
        with trial_table(game) as (_, context, table):
            catalogue = pages_of(game).catalogues[deck]
            table.start(Setup(game.name, game.seats[-1], catalogue=catalogue, deck=typing.cast(typing.Any, deck)))
            for moment in moves(game, table):
                if moment < MOMENTS or table.snapshot().over:
                    yield from drawn_regions(game, files, context)


def moves(game: AnyGame, table: Table) -> Iterator[int]:
    """Play at random at a table; yield the number of moves so far, once for every state."""
    luck = random.Random(SEED)
    for number in range(LONGEST):
        yield number
        state = table.snapshot().state
        if state is None or not state.agenda:
            return
        offers = legal(game, state)
        offer = offers[luck.randrange(len(offers))]
        by = Actor.TABLE if offer.by is None else Actor.at_seat(offer.by)
        if not table.propose(offer.pick(luck.random), by).accepted:
            return


def drawn_regions(game: AnyGame, files: GameFiles, context: TableContext) -> Iterator[Shortcoming]:
    """Yield what is wrong with the regions of everybody's page at this moment."""
    scene = context.renderer.look()
    if scene is None:
        return
    for lang in LANGUAGES:
        sections = known_sections(game, lang)
        seats = [("seat", int(seat), lang) for seat in dict.fromkeys((Seat(0), Seat(game.seats[-1] - 1)))]
        shared: GroupName = ("shared", None, lang)
        made: dict[Hashable, ViewerGroup] = {}
        for group in (shared, ("table", None, lang), ("host", None, lang), *seats):
            made[group] = viewers = context.renderer.make(group, made)
            watched, plain = viewers.sources(scene)
            for region in viewers.regions:
                try:
                    region.render(watched, plain)
                except Exception as error:  # a template or a game's view may raise anything
                    text = f"The region {region.name} of the {group[0]} page cannot be drawn: "
                    yield Shortcoming(str(region.template.filename), text + template_error(error, files.package))
                    continue
                if region.name == "status" and has_help(files) and "data-help-now" not in region.html:
                    yield Shortcoming(str(region.template.filename), f'The sign has no "?" at {scene.view.moment!r}.')
                for raw in raw_texts(region.html, sections):
                    text = f"The region {region.name} shows {raw!r} in {lang!r}."
                    yield Shortcoming(files.words_file(lang), text, raw)


def template_error(error: Exception, where: str) -> str:
    """Return why a region could not be drawn, with the template's line where it is known."""
    frame, line = error.__traceback__, ""
    while frame is not None:
        name = frame.tb_frame.f_code.co_filename
        if name.endswith(".html"):
            line = f"{name}, line {frame.tb_lineno}: "
        frame = frame.tb_next
    return line + reason(error, where)


def known_sections(game: AnyGame, lang: str) -> set[str]:
    """Return the first parts of all keys of words, and of the places' names."""
    keys = [*sentences(LANGUAGES[0], package(game)).sentences, *sentences(lang, package(game)).sentences]
    places = game.places(game.seats[-1]) if seen(game) else ()
    return {key.partition(".")[0] for key in (*keys, *[place.name for place in places])} | {
        "event",
        "choice",
        "option",
        "fact",
    }


def raw_texts(html: str, sections: set[str]) -> Iterator[str]:
    """Yield the keys and the unfilled fields that people would read on a page."""
    code_free = CODE.sub(" ", html)
    read = unescape(" ".join([TAG.sub(" ", code_free), *SPOKEN.findall(code_free)]))
    yield from dict.fromkeys([found[0] for found in KEY.finditer(read) if found[1] in sections])
    yield from dict.fromkeys(re.findall(r"\{\w*\}", read))


CHECKS: tuple[Check, ...] = (setup_page, regions)
