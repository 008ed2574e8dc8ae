"""Checks of pages: their declarations, words and style sheets, and all pages as people read them."""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from html import unescape

from msgspec.structs import replace

from companion.bots.simulation import next_event, policies_for
from companion.engine import AnyGame, AnyState, SeatEvent, Setup, event_kinds, legal, name_of, seen
from companion.engine.board import plays_on_board
from companion.games import definition_of, reason
from companion.games import files as game_file
from companion.i18n import LANGUAGES
from companion.match.actor import Actor
from companion.ops.game_check.game_files import GameFiles
from companion.ops.game_check.play_checks import other_options, set_ups, steps_played
from companion.ops.game_check.ports import DECKS, Drawn, PagePort
from companion.ops.game_check.shortcomings import Shortcoming, Shortcomings, at_source, missing
from companion.ops.game_check.walk import walk
from companion.ops.game_check.word_checks import steps
from companion.table.table import Table

PRICED = 60
"""The number of an offer's events whose price is asked."""
HELP, PICTURE = ("one", "two", "three"), "picture"
"""The "?" explains what is happening, what you can do, and what that leads to or costs, beside a picture."""
LONGEST_HELP = 140
"""Characters of the longest sentence that a child reads."""
MOST_TIPS, LONGEST_TIP = 5, 90
"""Number of tips in a guided first turn, and characters in one: a tip must fit beside its subject on a phone."""
DRAWN = (1, 5)
"""Draw each kind of moment at its first occurrence in a game, and again when more lies on the table."""
LONGEST = 1_000
"""Follow a game for this many moves at most."""
CSS_COMMENT = re.compile(r"/\*.*?\*/", re.S)
CSS_TEXT = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")
CSS_URL = re.compile(r"url\(([^)]*)\)")
CODE = re.compile(r"<(script|style|svg)\b.*?</\1>", re.S)
SPOKEN = re.compile(r'\b(?:aria-label|title|alt|placeholder)="([^"]*)"')
TAG = re.compile(r"<[^>]*>")
KEY = re.compile(r"(?<![\w./@-])([a-z_]+)(?:\.[\w-]+)+")
"""A possible key of the words without a sentence."""


# --- what is declared -----------------------------------------------------------------------------


def page_parts(game: AnyGame, files: GameFiles, pages: PagePort) -> Shortcomings:
    """Events and options declared for pages belong to the game, and pages can ask for every option."""
    shown, options, file = pages.shown(game), definition_of(game).options, files.path("__init__.py")
    for name in sorted(set(shown.from_hand) - set(event_kinds(game.events))):
        yield Shortcoming(file, f"{name!r} is no event of the game.")
    for deck in [deck for deck in shown.catalogues if deck not in DECKS]:
        yield Shortcoming(file, f"{deck!r} is no deck: there are {', '.join(DECKS)}.")
    if not shown.catalogues:
        yield Shortcoming(file, "`catalogues` names no deck, so that nobody can begin a game.")
    for name in [name for name in shown.asked_first if name not in shown.option_groups.get("main", ())]:
        yield Shortcoming(file, f"asked_first names {name!r}, which is not in the group main.")
    times = Counter(itertools.chain(*shown.option_groups.values()))
    known = () if options is None else options.names
    for name in sorted([name for name in known if times[name] != 1]):
        yield Shortcoming(file, f"option_groups has the option {name!r} {times[name]} times instead of once.")
    for name in sorted(times.keys() - known):
        yield Shortcoming(file, f"option_groups has {name!r}, which is no option.")
    for name in shown.without_control:
        text = f"The option {name!r} is of a type that has no control: it always keeps its default."
        yield Shortcoming(files.part_file("options"), text)


def chance_events(game: AnyGame, files: GameFiles, pages: PagePort) -> Shortcomings:
    """Somebody at the table can enter every random event of real cards."""
    shown = pages.shown(game)
    for _, state in walk(game):
        for offer in [offer for offer in legal(game, state) if offer.chance] if state.agenda else ():
            event = next(iter(offer), None)
            if event is not None and name_of(event) not in shown.entered and not shown.observes(state, event):
                text = f"Chance brings {name_of(event)!r}, which nobody may enter: say that it is `observed`."
                yield at_source(type(event), text)


# --- words and style sheets -----------------------------------------------------------------------


def page_words(game: AnyGame, files: GameFiles, pages: PagePort) -> Shortcomings:
    """Words that only pages use exist: groups of options, corrections, boards."""
    shown, kinds = pages.shown(game), event_kinds(game.events)
    keys = [f"setup.group_{group}" for group in shown.option_groups if group != "main"]
    keys += [
        f"amend.{field}" for name in sorted({*shown.amendable} & {*kinds}) for field in kinds[name].__struct_fields__
    ]
    keys += sorted(board_words(game))
    for lang in LANGUAGES:
        said = pages.words(lang, files.package)
        for key in [key for key in dict.fromkeys(keys) if key not in said]:
            if key.replace("cost.", "cell.kind.", 1) not in said:
                yield missing(files.words_file(lang), key)


def board_words(game: AnyGame) -> Iterator[str]:
    """Yield the keys of kinds of cells and pieces, and of the parts of prices in a random game."""
    rules: object = game
    if not plays_on_board(rules):
        return
    yield from (f"cell.kind.{cell.kind}" for board in rules.boards for cell in board.cells if cell.kind)
    counted: set[str] = set()
    for _, state in walk(game):
        pieces = game.layout(state).pieces if seen(game) else {}
        counted |= {f"piece.{piece.kind}" for standing in pieces.values() for piece in standing}
        for offer in legal(game, state) if state.agenda else ():
            for item in [item for event in itertools.islice(offer, PRICED) for item in rules.cost(state, event)]:
                counted |= {f"cost.unit.{item.unit}"} if item.unit else set()
                yield from () if item.unit else (f"cost.{item.key}",)
    yield from (f"{key}_{form}" for key in counted for form in ("one", "other"))


def help_words(game: AnyGame, files: GameFiles, pages: PagePort) -> Shortcomings:
    """If a "?" explains any moment, it explains each: three short sentences and a picture."""
    for lang in LANGUAGES if has_help(files) else ():
        said, file = files.sentences(lang), files.words_file(f"help.{lang}")
        for key in [f"help.{moment}.{part}" for moment in moments(files) for part in (*HELP, PICTURE)]:
            if not said.get(key, "").strip():
                yield missing(file, key)
            elif key.endswith(PICTURE) and said[key] not in pages.help_pictures():
                known = ", ".join(sorted(pages.help_pictures()))
                yield Shortcoming(file, f"{key} names {said[key]!r}, which is no picture: {known}.")
            elif len(said[key]) > LONGEST_HELP:
                yield Shortcoming(file, f"{key} has {len(said[key])} characters, more than {LONGEST_HELP}.")


def guide_words(game: AnyGame, files: GameFiles, pages: PagePort) -> Shortcomings:
    """A guided first turn has few tips, each short, for any moment or for one of the game's."""
    for lang in LANGUAGES:
        tips = {key: text for key, text in files.sentences(lang).items() if key.startswith("guide.")}
        file = files.words_file(f"guide.{lang}")
        if len(tips) > MOST_TIPS:
            yield Shortcoming(file, f"There are {len(tips)} tips, more than {MOST_TIPS}.")
        for key, text in tips.items():
            if len(text) > LONGEST_TIP:
                yield Shortcoming(file, f"{key} has {len(text)} characters, more than {LONGEST_TIP}.")
            if key.count(".") != 2 or key.split(".")[1] not in {"any", *moments(files)}:
                yield Shortcoming(file, f"{key} is not guide.<moment>.<place>, with a moment of the game or `any`.")


def moments(files: GameFiles) -> list[str]:
    """Return every moment that a sign can show: all waiting steps, the end, and each moment with a sentence."""
    keys = [key for lang in LANGUAGES for key in files.sentences(lang)]
    return sorted({*steps(files.package), *[key.split(".")[1] for key in keys if key.startswith(("moment.", "help."))]})


def has_help(files: GameFiles) -> bool:
    """Return whether the game explains its moments; otherwise it shows no "?"."""
    return any(key.startswith("help.") for lang in LANGUAGES for key in files.sentences(lang))


def style_sheets(game: AnyGame, files: GameFiles, pages: PagePort) -> Shortcomings:
    """Style sheets have closed blocks, and their pictures exist."""
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


# --- all pages ------------------------------------------------------------------------------------


def drawn_pages(game: AnyGame, files: GameFiles, pages: PagePort) -> Shortcomings:
    """Every page can be drawn at every kind of moment, with dealt and with real cards, in each language."""
    drawn: Counter[object] = Counter()
    for number, setup in enumerate(drawn_set_ups(game, pages)):
        with pages.trial(game) as trial:
            for file, why in () if number else trial.unreadable():
                yield Shortcoming(files.path("templates", file), why)
            for lang in () if number else LANGUAGES:
                yield from faults_of(trial.pages(lang), game, files, pages, lang)
            trial.start(setup)
            for state in moves(game, trial.table):
                kind = setup.deck, kind_of(game, state)
                drawn[kind] += 1
                for lang in LANGUAGES if drawn[kind] in DRAWN else ():
                    now = trial.regions(lang) if drawn[kind] > 1 else [*trial.regions(lang), *trial.pages(lang)]
                    yield from faults_of(now, game, files, pages, lang, game.view(state, None).moment)


def drawn_set_ups(game: AnyGame, pages: PagePort) -> Iterator[Setup]:
    """Yield the largest table, dealt and with real cards, and again with each option that adds other steps."""
    found = reversed(list(set_ups(game, pages, game.seats[-1:])))
    # A box looks like our cards.
    for plain in {setup.deck == "dealt": setup for setup in found}.values():
        known: set[str] = set()
        for options in other_options(game):
            setup = replace(plain, options=options)
            steps = steps_played(game, setup)
            if not options or not steps <= known:
                known |= steps
                yield setup


def kind_of(game: AnyGame, state: AnyState) -> object:
    """Return the features that make pages look different: the step, how many act, their possible actions."""
    if not state.agenda:
        return "over"
    offered = {name_of(event) for offer in legal(game, state) for event in itertools.islice(offer, 1)}
    return type(state.agenda[0]), min(2, len(game.view(state, None).awaited)), frozenset(offered)


def moves(game: AnyGame, table: Table) -> Iterator[AnyState]:
    """Let bots play at a table, every second one at random; yield every state."""
    luck = random.Random(1).random
    policies = policies_for(game, "sensible,random", game.seats[-1])
    for _ in range(LONGEST):
        state = table.snapshot().state
        assert state is not None
        yield state
        if not state.agenda:
            return
        event = next_event(game, state, policies, luck)
        by = Actor.at_seat(event.seat) if isinstance(event, SeatEvent) else Actor.TABLE
        if not table.propose(event, by).accepted and not table.draw(by).accepted:
            return
        table.tick()


def faults_of(
    drawn: Iterable[Drawn], game: AnyGame, files: GameFiles, pages: PagePort, lang: str, moment: str = ""
) -> Shortcomings:
    """Yield the faults of pages: failures, visible keys and fields, a sign without "?"."""
    sections = known_sections(game, files, pages, lang)
    for what, html, template, fault in drawn:
        if fault is not None:
            text = f"{what} cannot be drawn: {template_line(fault)}{reason(fault, files.package)}"
            yield Shortcoming(template or str(files.folder), text, text.replace(lang, ""))
        elif what == "The region status" and moment and has_help(files) and "data-help-now" not in html:
            yield Shortcoming(template, f'The sign has no "?" at {moment!r}.')
        for raw in raw_texts(html, sections):
            yield Shortcoming(files.words_file(lang), f"{what} shows {raw!r} in {lang!r}.", raw)


def template_line(error: Exception) -> str:
    """Return the template's line at which a page failed, if known."""
    frame, line = error.__traceback__, ""
    while frame is not None:
        name = frame.tb_frame.f_code.co_filename
        if name.endswith(".html"):
            line = f"{name}, line {frame.tb_lineno}: "
        frame = frame.tb_next
    return line


def known_sections(game: AnyGame, files: GameFiles, pages: PagePort, lang: str) -> set[str]:
    """Return the first parts of all keys of words, and of the places' names."""
    keys = [key for each in (LANGUAGES[0], lang) for key in pages.words(each, files.package).sentences]
    places = [place.name for place in game.places(game.seats[-1])] if seen(game) else []
    return {key.partition(".")[0] for key in (*keys, *places)} | {"event", "choice", "option", "fact"}


def raw_texts(html: str, sections: set[str]) -> Iterator[str]:
    """Yield the keys and unfilled fields visible on a page."""
    code_free = CODE.sub(" ", html)
    read = unescape(" ".join([TAG.sub(" ", code_free), *SPOKEN.findall(code_free)]))
    yield from dict.fromkeys([found[0] for found in KEY.finditer(read) if found[1] in sections])
    yield from dict.fromkeys(re.findall(r"\{\w*\}", read))


CHECKS = (page_parts, page_words, chance_events, help_words, guide_words, style_sheets, drawn_pages)
