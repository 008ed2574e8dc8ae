"""Checks of the words: every sentence in every language, with the same fields, and no visible key."""

from __future__ import annotations

import re
import typing
from collections.abc import Iterator

from companion.engine import AnyGame, Setup
from companion.engine import place_words as numbers_of_place
from companion.engine.board import plays_on_board
from companion.games import definition_of, teller_of
from companion.i18n import LANGUAGES
from companion.mechanics.telling import GameTeller, refusal_key
from companion.ops.game_check.game_files import GameFiles, fields
from companion.ops.game_check.refusals import declared_reasons
from companion.ops.game_check.shortcomings import Shortcoming, Shortcomings, missing, unsaid
from companion.ops.game_check.walk import steps_of, walk

ASKED = (
    "game.title",
    "game.tagline",
    "score.title",
    "replay.goes_on",
    "list.and",
    "list.nobody",
    "correct.card",
    "correct.same",
    "correct.stale",
    "correct.stale_plain",
    "correct.not_accepted",
)
"""Keys of the sentences that every game must have; the words of all games contain those after the score's."""
VERB = re.compile(r"\{name\} (?=\w)")
"""A name before a verb, not before a colon or the end."""
RAW = re.compile(r"[A-Za-z_]+(\.[\w-]+)+$")
"""A key without a sentence, which people would see."""


def languages(game: AnyGame, files: GameFiles) -> Shortcomings:
    """Every language has words."""
    for lang in [lang for lang in LANGUAGES if not files.has_words(lang)]:
        text = f"There are no words in {lang!r}: a game needs them all. Copy those of another language and translate."
        yield Shortcoming(files.words_file(lang), text)


def words(game: AnyGame, files: GameFiles) -> Shortcomings:
    """Every language has the same sentences with the same fields."""
    first, english = LANGUAGES[0], files.sentences(LANGUAGES[0])
    for lang, file, said in files.said():
        for key in [key for key in said if not all(map(str.isidentifier, fields(said[key])))]:
            yield Shortcoming(file, f"{key} has braces that do not close, or no name in them.")
        if not (files.has_words(first) and files.has_words(lang)):
            continue
        for key in sorted(english.keys() ^ said.keys()):
            more = "." if key in english else f", which {lang!r} has."
            yield missing(file if key in english else files.words_file(first), key, more)
        for key in [key for key in sorted(english.keys() & said.keys()) if fields(english[key]) != fields(said[key])]:
            yield Shortcoming(file, f"{key} has other fields in {lang!r} than in {first!r}.")


def wanted(game: AnyGame, files: GameFiles) -> Iterator[str]:
    """Yield the keys that the game's own parts use."""
    yield from ASKED
    yield from (f"moment.{step}.{whom}" for step in steps(files.package) for whom in ("you", "other"))
    yield from _options(game)
    teller = type(teller_of(game))
    yield from (f"moment.{moment}.{name}" for moment, sentences in teller.signs.items() for name in sentences)
    if teller.score is GameTeller.score:
        yield "score.said"
    if teller.wording is GameTeller.wording:
        yield from (f"event.{kind.__struct_config__.tag}" for kind in typing.get_args(game.events))


def sentences_asked_for(game: AnyGame, files: GameFiles) -> Shortcomings:
    """Titles, moments, options and events have a sentence; an empty one leaves an event out of the log."""
    keys = list(wanted(game, files))
    for _, file, said in files.said():
        for key in [key for key in keys if key not in said]:
            hint = '. An empty sentence ("") leaves the event out of the log.' if key.startswith("event.") else "."
            yield missing(file, key, hint)


def agreement(game: AnyGame, files: GameFiles) -> Shortcomings:
    """If a moment can wait for several people, its verb agrees with them; if for nobody, it names nobody."""
    views = [game.view(state, None) for _, state in walk(game) if state.agenda]
    for moment in dict.fromkeys([view.moment for view in views]):
        counts = {min(2, len(view.awaited)) for view in views if view.moment == moment}
        key = f"moment.{moment}.other"
        for _, file, said in files.said():
            if 2 in counts and VERB.search(said.get(key, "")) and f"{key}_one" not in said:
                yield missing(file, f"{key}_one", f": {moment} may wait for one person, or for several.")
            if 0 in counts and "name" in fields(said.get(key, "")):
                text = f"{key} fills in name, but {moment} may wait for nobody: people read {said['list.nobody']!r}."
                yield Shortcoming(file, text)


def steps(package: str) -> Iterator[str]:
    """Yield the names of all steps for which a game can wait."""
    return (str(kind.__struct_config__.tag) for kind in steps_of(package) if not kind.automatic)


def _options(game: AnyGame) -> Iterator[str]:
    """Yield the keys of the options' titles, texts and values."""
    options = definition_of(game).options
    if options is None:
        return
    hints = typing.get_type_hints(options.record)
    for name in options.names:
        values = typing.get_args(hints[name]) if typing.get_origin(hints[name]) is typing.Literal else ()
        yield from (f"option.{name}.{part}" for part in ("title", "text", *map(str, values)))


def option_defaults(game: AnyGame, files: GameFiles) -> Shortcomings:
    """Every option has a default, which the set-up page shows."""
    options = definition_of(game).options
    if options is None:
        return
    names, defaults = options.names, options.record.__struct_defaults__
    for name in names[: len(names) - len(defaults)]:
        yield Shortcoming(files.part_file("options"), f"The option {name!r} has no default.")


def refusal_words(game: AnyGame, files: GameFiles) -> Shortcomings:
    """Every declared reason has a sentence that uses only the refusal's fields."""
    for _, reason in declared_reasons(files.package):
        for _, file, said in files.said():
            asked = refusal_key(reason.rule, reason.key, said.__contains__)
            yield from unsaid(file, said, asked, reason.fields, "the refusal does not give")


def telling(game: AnyGame, files: GameFiles) -> Shortcomings:
    """Every language can tell a random game in complete sentences."""
    players = Setup(game.name, game.seats[-1]).seated()
    teller = teller_of(game)
    for lang in [lang for lang in LANGUAGES if files.has_words(lang)]:
        said, told = files.words(lang), 0
        for event, state in walk(game):
            if event is None:
                continue
            try:
                lines = teller.tell(event, state.effects, players, said, False, state.table)
            except KeyError as error:
                yield Shortcoming(files.words_file(lang), f"{error}: {event} does not have it.")
                continue
            told += len(lines)
            for line in lines:
                if RAW.match(line) or "{" in line:
                    yield Shortcoming(files.words_file(lang), f"{lang!r} says {line!r} of {event}.")
        if not told:
            yield Shortcoming(files.words_file(lang), f"{lang!r} says nothing of a whole game.")


def place_words(game: AnyGame, files: GameFiles) -> Shortcomings:
    """Every place, back, board and cell has a name in every language."""
    keys: dict[str, set[str]] = {}
    if hasattr(game, "places"):
        for place in game.places(game.seats[-1]):
            key, numbers = numbers_of_place(place.name)
            keys[f"place.{key}"] = set(numbers)
    cards = definition_of(game).cards()
    for back in sorted({*cards.backs.values(), "back-card"}) if cards is not None else ():
        keys[f"back.{back.removeprefix('back-')}"] = set()
    for board in game.boards if plays_on_board(game) else ():
        keys[f"board.{board.name}"] = set()
    for _, file, said in files.said():
        for key, given in keys.items():
            yield from unsaid(file, said, key, given, "the place does not have")


CHECKS = (
    languages,
    sentences_asked_for,
    words,
    option_defaults,
    refusal_words,
    place_words,
    agreement,
    telling,
)
