"""What a game declares for its pages, and the words that only pages need."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from inspect import getsourcefile
from typing import get_args

from companion.engine import AnyGame, Setup, event_kinds, legal, name_of, seen
from companion.engine.board import plays_on_board
from companion.games import definition_of, teller_of
from companion.i18n import LANGUAGES
from companion.match.verdict import Outcome
from companion.ops.game_check import Check, Shortcoming
from companion.ops.game_check.game_files import GameFiles
from companion.ops.game_check.refusals import declared_reasons
from companion.ops.game_check.shortcomings import missing
from companion.ops.game_check.walk import walk
from companion.ops.game_check.words import RAW
from web.game_pages import DECKS, pages_of
from web.presenters.option_fields import without_control
from web.words import package
from web.words import words as sentences

PRICED = 60
"""So many events of an offer are asked for their price."""


def page_parts(game: AnyGame, files: GameFiles) -> Iterator[Shortcoming]:
    """Events, decks and options that a game names for its pages are the game's, and all options are asked."""
    pages, file, kinds = pages_of(game), files.path("__init__.py"), event_kinds(game.events)
    for name in sorted(set(pages.from_hand or ()) - set(kinds)):
        yield Shortcoming(file, f"{name!r} is no event of the game.")
    for deck in [deck for deck in pages.catalogues if deck not in DECKS]:
        yield Shortcoming(file, f"{deck!r} is no deck: there are {', '.join(DECKS)}.")
    if not pages.catalogues:
        yield Shortcoming(file, "`catalogues` names no deck, so that nobody can begin a game.")
    for name in [name for name in pages.asked_first if name not in pages.option_groups.get("main", ())]:
        yield Shortcoming(file, f"asked_first names {name!r}, which is not in the group main.")
    options = definition_of(game).options
    grouped = sorted(name for group in pages.option_groups.values() for name in group)
    known = sorted(options.names) if options else []
    for name in [name for name in known if grouped.count(name) != 1]:
        yield Shortcoming(file, f"option_groups has the option {name!r} {grouped.count(name)} times instead of once.")
    for name in sorted(set(grouped) - set(known)):
        yield Shortcoming(file, f"option_groups has {name!r}, which is no option.")
    for name in without_control(game) if options else ():
        text = f"The option {name!r} is of a type that has no control: it always keeps its default."
        yield Shortcoming(files.part_file("options"), text)


def page_words(game: AnyGame, files: GameFiles) -> Iterator[Shortcoming]:
    """Groups of options have a title, and fields of events that can be corrected a name."""
    pages, kinds = pages_of(game), event_kinds(game.events)
    keys = [f"setup.group_{group}" for group in pages.option_groups if group != "main"]
    for name in sorted(set(pages.amendable) & set(kinds)):
        keys += [f"amend.{field}" for field in kinds[name].__struct_fields__]
    for lang in LANGUAGES:
        said = sentences(lang, package(game))
        for key in [key for key in dict.fromkeys(keys) if key not in said]:
            yield missing(files.words_file(lang), key)


def chance_events(game: AnyGame, files: GameFiles) -> Iterator[Shortcoming]:
    """What chance brings with real cards can be entered by somebody at the table."""
    pages = pages_of(game)
    open_to_all = {*pages.observed, *pages.hosts, *pages.kept}
    for _, state in walk(game):
        for offer in [offer for offer in legal(game, state) if offer.chance] if state.agenda else ():
            event = next(iter(offer), None)
            if event is not None and name_of(event) not in open_to_all and not pages.observes(state, event):
                text = f"Chance brings {name_of(event)!r}, which nobody may enter: say that it is `observed`."
                yield Shortcoming(getsourcefile(type(event)) or files.rules_module, text)


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
        for _, reason in declared_reasons("companion.referee"):
            keys.append(f"refusal.{reason.rule}.{reason.key}")
            sentence = teller_of(game).refused(reason(**dict.fromkeys(reason.fields, 1)), players, said)
            if RAW.match(sentence) or "{" in sentence:
                why = f"{lang!r} says {sentence!r} when the referee refuses {reason.key}."
                yield Shortcoming(files.words_file(lang), why)
        for key in [key for key in keys if key not in said]:
            yield missing(files.words_file(lang), key)


CHECKS: tuple[Check, ...] = (page_parts, page_words, chance_events, board_words, referee_words)
