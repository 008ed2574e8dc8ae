"""What a game's pages lack, or show broken, for `companion game check`: a random game is drawn for everybody."""

from __future__ import annotations

import itertools
import random
import re
import tempfile
import typing
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from typing import get_args

from flask import Flask
from jinja2 import TemplateError

from companion.engine import AnyGame, Refusal, Seat, Setup, legal, name_of, seen
from companion.engine.board import plays_on_board
from companion.games import files as game_file
from companion.games import folder_of, reason, teller_of
from companion.i18n import LANGUAGES
from companion.match.actor import Actor
from companion.match.verdict import Outcome
from companion.ops.game_check import Check, Shortcoming, run_checks
from companion.ops.game_check.game_files import GameFiles
from companion.ops.game_check.refusal_sources import REFEREE, refusals
from companion.ops.game_check.shortcomings import missing
from companion.ops.game_check.walk import walk
from companion.ops.game_check.words import RAW
from companion.table.service import Table
from web.app import create_app
from web.context import TableContext
from web.forms import event_kinds
from web.game_pages import DECKS, OFFERED, extras_of
from web.live.channels import ViewerGroup
from web.live.regions import Region
from web.live.rendering import GroupName
from web.presenters.option_fields import without_control
from web.views.setup import setup_form
from web.words import package
from web.words import words as sentences

MOMENTS = 24
"""So many moments of a game are drawn, besides its end."""
LONGEST = 400
"""So many moves a game is followed to its end."""
SEED = 1
PRICED = 60
"""So many events of an offer are asked for their price."""
CODE = re.compile(r"<(script|style|svg)\b.*?</\1>", re.S)
SPOKEN = re.compile(r'\b(?:aria-label|title|alt|placeholder)="([^"]*)"')
TAG = re.compile(r"<[^>]*>")
CSS_COMMENT = re.compile(r"/\*.*?\*/", re.S)
CSS_TEXT = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")
CSS_URL = re.compile(r"url\(([^)]*)\)")
KEY = re.compile(r"(?<![\w./@-])([a-z_]+)(?:\.[\w-]+)+")
"""What may be a key of the words that has no sentence."""


def examine(game: AnyGame) -> list[Shortcoming]:
    """Return what the pages of a game lack, or show broken."""
    return run_checks(game, CHECKS)


# --- what extras.py says ------------------------------------------------------------------------------


def page_parts(game: AnyGame, files: GameFiles) -> Iterator[Shortcoming]:
    """Events, decks and options that `extras.py` names are the game's, and all options are asked."""
    extras, file, kinds = extras_of(game), files.part_file("extras"), event_kinds(game.events)
    named = {*extras.OBSERVED, *extras.HOSTS, *extras.KEPT, *extras.AMENDABLE, *(extras.FROM_HAND or ())}
    for name in sorted(named - set(kinds)):
        yield Shortcoming(file, f"{name!r} is no event of the game.")
    for deck in [deck for deck in extras.CATALOGUES if deck not in DECKS]:
        yield Shortcoming(file, f"{deck!r} is no deck: there are {', '.join(DECKS)}.")
    if not extras.CATALOGUES:
        yield Shortcoming(file, "CATALOGUES names no deck, so that nobody can begin a game.")
    for name in [name for name in extras.ASKED_FIRST if name not in extras.OPTION_GROUPS.get("main", ())]:
        yield Shortcoming(file, f"ASKED_FIRST names {name!r}, which is not in the group main.")
    options = files.part("options")
    grouped = sorted(name for group in extras.OPTION_GROUPS.values() for name in group)
    known = sorted(options.Options.__struct_fields__) if options else []
    for name in [name for name in known if grouped.count(name) != 1]:
        yield Shortcoming(file, f"OPTION_GROUPS has the option {name!r} {grouped.count(name)} times instead of once.")
    for name in sorted(set(grouped) - set(known)):
        yield Shortcoming(file, f"OPTION_GROUPS has {name!r}, which is no option.")
    for name in without_control(game) if options else ():
        text = f"The option {name!r} is of a type that has no control: it always keeps its default."
        yield Shortcoming(files.part_file("options"), text)


def page_words(game: AnyGame, files: GameFiles) -> Iterator[Shortcoming]:
    """Groups of options have a title, and fields of events that can be corrected a name."""
    extras, kinds = extras_of(game), event_kinds(game.events)
    keys = [f"setup.group_{group}" for group in extras.OPTION_GROUPS if group != "main"]
    for name in sorted(set(extras.AMENDABLE) & set(kinds)):
        keys += [f"amend.{field}" for field in kinds[name].__struct_fields__]
    for lang in LANGUAGES:
        said = sentences(lang, package(game))
        for key in [key for key in dict.fromkeys(keys) if key not in said]:
            yield missing(files.words_file(lang), key)


def chance_events(game: AnyGame, files: GameFiles) -> Iterator[Shortcoming]:
    """What chance brings with real cards can be entered by somebody at the table."""
    extras = extras_of(game)
    open_to_all = {*extras.OBSERVED, *extras.HOSTS, *extras.KEPT}
    for _, state in walk(game):
        for offer in [offer for offer in legal(game, state) if offer.chance] if state.agenda else ():
            event = next(iter(offer), None)
            if event is not None and name_of(event) not in open_to_all and not extras.observes(state, event):
                text = f"Chance brings {name_of(event)!r}, which nobody may enter: name it in OBSERVED."
                yield Shortcoming(files.part_file("extras"), text)


def board_words(game: AnyGame, files: GameFiles) -> Iterator[Shortcoming]:
    """Kinds of cells and pieces, and the parts of prices in a random game, have words in every language."""
    rules: object = game
    if not plays_on_board(rules):
        return
    keys = {f"cell.kind.{cell.kind}" for board in rules.boards for cell in board.cells if cell.kind}
    counted: set[str] = set()
    for _, state in walk(game):
        pieces = game.layout(state).pieces if seen(game) else {}
        counted |= {f"piece.{piece.kind}" for standing in pieces.values() for piece in standing}
        for offer in legal(game, state) if state.agenda else ():
            for item in [item for event in itertools.islice(offer, PRICED) for item in rules.cost(state, event)]:
                if item.unit:
                    counted.add(f"cost.unit.{item.unit}")
                else:
                    keys.add(f"cost.{item.key}")
    for lang in LANGUAGES:
        said = sentences(lang, package(game))
        lacking = [key for key in keys if key not in said and key.replace("cost.", "cell.kind.", 1) not in said]
        lacking += [f"{key}_{form}" for key in counted for form in ("one", "other") if f"{key}_{form}" not in said]
        for key in sorted(lacking):
            yield missing(files.words_file(lang), key)


def referee_words(game: AnyGame, files: GameFiles) -> Iterator[Shortcoming]:
    """What the referee says of a press is a sentence beside this game, too."""
    players = Setup(game.name, game.seats[-1]).seated()
    for lang in LANGUAGES:
        said = sentences(lang, package(game))
        keys = [f"verdict.outcome.{outcome}" for outcome in get_args(Outcome)]
        for rule, key, given in sorted(refusals(REFEREE), key=lambda each: each[:2]):
            keys.append(f"refusal.{rule}.{key}")
            sentence = teller_of(game).refused(Refusal(rule, key, dict.fromkeys(given, 1)), players, said)
            if RAW.match(sentence) or "{" in sentence:
                yield Shortcoming(files.words_file(lang), f"{lang!r} says {sentence!r} when the referee refuses {key}.")
        for key in [key for key in keys if key not in said]:
            yield missing(files.words_file(lang), key)


# --- what people see ----------------------------------------------------------------------------------


@contextmanager
def opened(game: AnyGame) -> Iterator[tuple[Flask, TableContext, Table]]:
    """Give an application with a table of its own, at which this game is offered, and the templates are strict."""
    offered, strict = dict(OFFERED), Region.strict
    OFFERED[game.name], Region.strict = game, True
    try:
        with tempfile.TemporaryDirectory() as folder, Table(journal := Path(folder) / "journal.db") as table:
            app = create_app(table, journal, testing=True)
            context = typing.cast(TableContext, app.extensions["context"])
            context.watcher.stop()  # nobody watches
            try:
                yield app, context, table
            finally:
                context.close()
    finally:
        Region.strict = strict
        OFFERED.clear()
        OFFERED.update(offered)


def style_sheets(game: AnyGame, files: GameFiles) -> Iterator[Shortcoming]:
    """Style sheets have closed blocks, and the pictures that they name are there."""
    static = game_file(game, "static")
    for sheet in sorted(static.iterdir(), key=lambda each: each.name) if static.is_dir() else ():
        if not sheet.name.endswith(".css"):
            continue
        text = CSS_COMMENT.sub("", sheet.read_text(encoding="utf-8"))
        plain, file = CSS_TEXT.sub("", text), files.path("static", sheet.name)
        if plain.count("{") != plain.count("}"):
            yield Shortcoming(file, "Not every { has its }: browsers leave out what follows.")
        for address in [found.strip("'\" ").partition("#")[0] for found in CSS_URL.findall(text)]:
            if address and ":" not in address and not address.startswith("/") and not (static / address).is_file():
                yield Shortcoming(file, f"There is no {address}, which url() names.")


def templates(game: AnyGame, files: GameFiles) -> Iterator[Shortcoming]:
    """Every template of the game can be read."""
    if not game_file(game, "templates").is_dir():
        return
    with opened(game) as (app, _, _):
        for name in app.jinja_env.list_templates(["html"]):
            if name.startswith(f"{folder_of(game)}/"):
                try:
                    app.jinja_env.get_template(name)
                except TemplateError as error:
                    line = getattr(error, "lineno", None)
                    where = f"line {line}: " if line else ""
                    yield Shortcoming(files.path("templates", name.partition("/")[2]), f"{where}{error}")


def setup_page(game: AnyGame, files: GameFiles) -> Iterator[Shortcoming]:
    """The page on which the game is set up shows sentences in every language."""
    with opened(game) as (app, _, _):
        for lang in LANGUAGES:
            with app.test_request_context(f"/setup?game={game.name}", headers={"Accept-Language": lang}):
                html = setup_form().get_data(as_text=True)
            for raw in raw_texts(html, known_sections(game, lang)):
                yield Shortcoming(files.words_file(lang), f"The set-up page shows {raw!r} in {lang!r}.", raw)


def regions(game: AnyGame, files: GameFiles) -> Iterator[Shortcoming]:
    """Everybody's page of a random game can be drawn in every language, and shows no key and no brace."""
    decks = [deck for deck in ("ours", "dealt") if deck in extras_of(game).CATALOGUES]
    for deck in decks[:1]:
        with opened(game) as (_, context, table):
            catalogue = extras_of(game).CATALOGUES[deck]
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


CHECKS: tuple[Check, ...] = (
    page_parts,
    page_words,
    chance_events,
    board_words,
    referee_words,
    templates,
    style_sheets,
    setup_page,
    regions,
)
