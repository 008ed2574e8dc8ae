"""What every game of the house must bring, and what a game still lacks, in words.

docs/adding-a-game.md says why, in the order in which it is made. `test_complete.py` asks all of it of every game.
"""

from __future__ import annotations

import random
import re
import string
import tomllib
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import import_module, resources
from pathlib import Path
from typing import Any, Generic, Protocol, get_args

from companion.bots.bot import own_policy
from companion.bots.simulation import simulate
from companion.commands.catalogue import CatalogueModule
from companion.engine import Event, Game, Layout, Refusal, Setup, State, Step, apply, legal, seen
from companion.games import teller_of, words_folders
from companion.i18n import LANGUAGES, Words, load
from companion.match.notation import read_text_file
from companion.match.verdict import Outcome
from tests.games.proofs import proven, provoked
from tests.games.sources import REFEREE, refusals
from vision.mat import MatError, make_mat
from vision.print.cards import design, printable_games
from web.forms import event_kinds
from web.game_pages import DECKS, GameExtras
from web.words import package
from web.words import words as sentences

TESTS = Path(__file__).parent
DOCS = TESTS.parents[1] / "docs"
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
"""Keys of the sentences that every game must have."""
PROOFS = ("test_coverage", "test_properties", "test_secrecy", "test_words", "test_document")
"""Tests that every game has: as those of Game of Trains."""
RAW = re.compile(r"[A-Za-z_]+(\.[\w-]+)+$")
"""A key that nobody wrote a sentence for: it is said itself."""
CARD = (63.0, 88.0)
"""The size of printed cards, in millimetres."""
MOST = 300
"""So many events of a random game are looked at."""

Lacking = Iterator[str]


def tests_of(game: Game[Any]) -> Path:
    """Return the folder of a game's tests: it is called as the game's own."""
    return TESTS / package(game).rpartition(".")[2]


def module(game: Game[Any], name: str) -> Any:
    """Return a module of the game, None where there is none."""
    try:
        return import_module(f"{package(game)}.{name}")
    except ModuleNotFoundError:
        return None


def asked_of(protocol: type) -> list[str]:
    """Return the names that a protocol asks for."""
    asked = [part for part in protocol.__mro__ if part not in (Generic, Protocol, object)]
    return sorted({name for part in asked for name in {*vars(part), *part.__annotations__} if name[0] != "_"})


def without(thing: Any, protocol: type) -> Iterator[str]:
    """Yield the names of a protocol that something does not have."""
    return (name for name in asked_of(protocol) if not hasattr(thing, name))


@cache
def words_of(game: Game[Any], lang: str) -> Words:
    """Return the game's own words in one language."""
    return load(lang, words_folders(package(game)))


def fields(sentence: str) -> set[str]:
    """Return the names of the fields that a sentence fills in."""
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


@cache
def rule_table(game: Game[Any], lang: str) -> dict[str, Any]:
    """Return the game's rules by number in one language; none where they are not written."""
    file = resources.files(package(game)).joinpath("words", f"rules.{lang}.toml")
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def sources(game: Game[Any]) -> list[Path]:
    """Return the game's own modules."""
    folder = Path(str(resources.files(package(game))))
    return [file for file in sorted(folder.rglob("*.py")) if not file.name.startswith("test_")]


def steps(game: Game[Any], base: type = Step) -> Iterator[str]:
    """Yield the names of all that the game can wait for."""
    for kind in base.__subclasses__():
        yield from steps(game, kind)
        if kind.__module__.startswith(f"{package(game)}.") and not kind.automatic:
            yield str(kind.__struct_config__.tag)


def walked(game: Game[Any], deck: Any = "ours") -> Iterator[tuple[Event | None, State[Any]]]:
    """Yield the beginning of a random game, state by state, each with the event that led there."""
    luck = random.Random(1)
    state = game.begin(Setup(game.name, game.seats[-1], deck=deck))
    yield None, state
    for _ in range(MOST):
        if not state.agenda:
            return
        offers = legal(game, state)
        event = offers[luck.randrange(len(offers))].pick(luck.random)
        state = apply(game, state, event)
        yield event, state


# --- what can be lacking --------------------------------------------------------------------------


def rules(game: Game[Any]) -> Lacking:
    """All that the engine asks; numbered rules in every language, each proved by a test, each on a page of the docs."""
    yield from (f"the game has no {name}" for name in without(game, Game))
    numbers = rule_table(game, LANGUAGES[0])
    if not numbers:
        yield "there is no words/rules.en.toml"
    for lang in LANGUAGES[1:]:
        if list(rule_table(game, lang)) != list(numbers):
            yield f"words/rules.{lang}.toml has not the rules of words/rules.en.toml"
    proofs = proven(tests_of(game))
    yield from (f"no test in {tests_of(game).name} proves {rule}" for rule in numbers if rule not in proofs)
    page = DOCS / "rules" / f"{game.name}.md"
    text = page.read_text(encoding="utf-8") if page.is_file() else ""
    yield from (f"docs/rules/{page.name} does not have {rule}" for rule in numbers if f"**{rule} " not in text)


def refused(game: Game[Any]) -> Lacking:
    """Every refusal names a rule, has a sentence in every language, and is provoked by a test."""
    known = refusals(sources(game))
    if not known:
        yield "nothing is refused"
    tried = provoked([*tests_of(game).glob("test_*.py"), *TESTS.parent.glob("test_*.py")])
    for rule, key, _ in sorted(known, key=lambda each: each[:2]):
        if rule not in rule_table(game, LANGUAGES[0]):
            yield f"{rule} of the refusal {key} is no rule"
        if (rule, key) not in tried:
            yield f"no test provokes the refusal {rule} {key}"
        for lang in LANGUAGES:
            if f"refusal.{rule}.{key}" not in words_of(game, lang):
                yield f"there are no words for the refusal {rule} {key} in {lang}"


def judged(game: Game[Any]) -> Lacking:
    """What the referee says of a press, on a page or in a verdict, is a sentence in every language beside this game."""
    players = Setup(game.name, game.seats[-1]).seated()
    for lang in LANGUAGES:
        said = sentences(lang, package(game))
        keys = [f"verdict.outcome.{outcome}" for outcome in get_args(Outcome)]
        for rule, key, given in sorted(refusals(REFEREE), key=lambda each: each[:2]):
            keys.append(f"refusal.{rule}.{key}")
            sentence = teller_of(game).refused(Refusal(rule, key, dict.fromkeys(given, 1)), players, said)
            if RAW.match(sentence) or "{" in sentence:
                yield f"{lang} says {sentence!r} when the referee refuses {key}"
        yield from (f"there is no {key} in {lang}" for key in keys if key not in said)


def words(game: Game[Any]) -> Lacking:
    """Every language has the same sentences, among them those of every game; a random game can be told."""
    first = words_of(game, LANGUAGES[0])
    wanted = [*ASKED, *[f"moment.{step}.{whom}" for step in steps(game) for whom in ("you", "other")]]
    yield from (f"words/en.toml has no {key}" for key in wanted if key not in first)
    for lang in LANGUAGES[1:]:
        said = words_of(game, lang)
        missing = sorted(set(first.sentences) ^ set(said.sentences))
        if missing:
            yield f"words in en and {lang} are not the same: {', '.join(missing[:5])}…"
        for key in set(first.sentences) & set(said.sentences):
            if fields(first.sentences[key]) != fields(said.sentences[key]):
                yield f"{key} has other fields in {lang} than in en"
    players = Setup(game.name, game.seats[-1]).seated()
    for lang in LANGUAGES:
        said, told = words_of(game, lang), 0
        for event, state in walked(game):
            lines = teller_of(game).tell(event, state.effects, players, said, False, state.table) if event else []
            told += len(lines)
            yield from (f"{lang} says {line!r} of {event}" for line in lines if RAW.match(line) or "{" in line)
        if not told:
            yield f"{lang} says nothing of a whole game"


def catalogue(game: Game[Any]) -> Lacking:
    """The list of cards is data, checked in words."""
    found = module(game, "catalogue")
    if found is None:
        yield "there is no catalogue.py"
        return
    yield from (f"catalogue.py has no {name}" for name in without(found, CatalogueModule))
    yield from found.complaints(found.shipped("reconstruction"))


def tests(game: Game[Any]) -> Lacking:
    """The tests that no other check stands for: options and secrets, random games, words, the page of the rules."""
    yield from (f"there is no {name}.py" for name in PROOFS if not (tests_of(game) / f"{name}.py").is_file())


def playthroughs(game: Game[Any]) -> Lacking:
    """Journals written by hand to be followed with a pencil, each explained; the tests replay them."""
    folder = tests_of(game) / "playthroughs"
    readme = folder / "README.md"
    explained = re.findall(r"^## (\w+)", readme.read_text(encoding="utf-8"), re.M) if readme.is_file() else []
    files = sorted(folder.glob("*.jsonl"))
    if not [file for file in files if read_text_file(file).game.name == game.name]:
        yield "there are no playthroughs"
    yield from (f"playthroughs/README.md does not explain {f.stem}" for f in files if f.stem not in explained)
    if not (tests_of(game) / "test_playthroughs.py").is_file():
        yield "there is no test_playthroughs.py"


def journal(game: Game[Any]) -> Lacking:
    """The page on the journal's format has every event of the game."""
    page = (DOCS / "journal-format.md").read_text(encoding="utf-8")
    found = re.search(
        rf"^# {re.escape(words_of(game, LANGUAGES[0])('game.title'))}\n(.*?)(?=^# |\Z)", page, re.M | re.S
    )
    own = found[1] if found else ""
    yield from (
        f"docs/journal-format.md does not have {name}"
        for name in event_kinds(game.events)
        if f"### `{name}`" not in own
    )


def bots(game: Game[Any]) -> Lacking:
    """A program can fill every seat and plays to the end."""
    if own_policy(game) is None:
        yield "there is no bot.py"
    for players in game.seats:
        (result,) = simulate(game, Setup(game.name, players), 1, 1)
        if not result.winners:
            yield f"nobody wins a game of {players} bots"


def camera(game: Game[Any]) -> Lacking:
    """A camera can follow the game: every place has a name and room on a mat, and the rules say what lies there."""
    if not seen(game):
        yield "the game has no places, layout, candidate_events, faults and with_other_card"
        return
    for players in game.seats:
        names = [place.name for place in game.places(players)]
        if len(names) != len(set(names)):
            yield f"two places of a table of {players} have one name"
        try:
            make_mat(game.places(players), CARD, "a4", players)
        except MatError as error:
            yield f"no mat for {players} players: {error}"
    places = {place.name: place for place in game.places(game.seats[-1])}
    for _, state in walked(game):
        layout: Layout = game.layout(state)
        for name, spot in layout.spots.items():
            if name not in places:
                yield f"cards lie at {name}, which is no place"
            elif len(spot.up) + spot.down > places[name].most:
                yield f"{len(spot.up) + spot.down} cards lie at {name}, which has room for {places[name].most}"
        if state.agenda:
            list(game.candidate_events(state, layout, layout))
        yield from (f"a table as the rules lay it is at fault: {each}" for each in game.faults(state, layout, layout))


def pages(game: Game[Any]) -> Lacking:
    """Regions as templates, and what the pages ask besides the view."""
    folder = resources.files(package(game)).joinpath("templates")
    if not (folder.is_dir() and any(file.name.endswith(".html") for file in folder.iterdir())):
        yield "there are no templates"
    brought = module(game, "extras")
    yield from (f"extras.py has no {name}" for name in without(brought, GameExtras))
    if brought is None or list(without(brought, GameExtras)):
        return
    named = {*brought.OBSERVED, *brought.HOSTS, *brought.KEPT, *brought.AMENDABLE}
    yield from (f"extras.py names {name}, which is no event" for name in sorted(named - set(event_kinds(game.events))))
    yield from (f"{deck} is no deck" for deck in brought.CATALOGUES if deck not in DECKS)
    for lang in LANGUAGES:
        titles = sentences(lang, package(game))
        untitled = [
            group for group in brought.OPTION_GROUPS if group != "main" and f"setup.group_{group}" not in titles
        ]
        yield from (f"there is no setup.group_{group} in {lang}" for group in untitled)
    for name in sorted(named & set(brought.AMENDABLE)):
        fields = [field for field in event_kinds(game.events)[name].__struct_fields__ if field != "seat"]
        keys = [f"amend.{field}" for field in fields if f"amend.{field}" not in words_of(game, LANGUAGES[0])]
        yield from (f"words/en.toml has no {key}" for key in keys)
    yield from (
        f"ASKED_FIRST names {name}, which is not in main"
        for name in brought.ASKED_FIRST
        if name not in brought.OPTION_GROUPS.get("main", ())
    )
    options = module(game, "options")
    grouped = sorted(name for group in brought.OPTION_GROUPS.values() for name in group)
    if options and grouped != sorted(options.Options.__struct_fields__):
        yield "OPTION_GROUPS does not have every option once"


def deck(game: Game[Any]) -> Lacking:
    """Every card that can turn up is drawn, with a back, so that people can print the game and try it."""
    if game.name not in printable_games():
        yield "there is neither deck.py, which draws the cards, nor cards.py, which lists them"
        return
    drawn = design(game.name)
    for card in sorted(cards(game)):
        if card not in drawn.faces or not drawn.counts.get(card):
            yield f"{card} is not drawn"
        elif drawn.backs.get(card) not in drawn.faces:
            yield f"{card} has no back"


def cards(game: Game[Any]) -> Iterable[str]:
    """Return the names of all cards: those that pages know can turn up, and those that lie on the table of a game."""
    brought = module(game, "extras")
    known = set(brought.card_names(next(walked(game))[1])) if brought is not None else set()
    if seen(game):
        known |= {card for _, state in walked(game) for spot in game.layout(state).spots.values() for card in spot.up}
    return known


CHECKS: dict[str, Callable[[Game[Any]], Lacking]] = {
    check.__name__: check
    for check in (catalogue, rules, refused, judged, words, bots, tests, playthroughs, journal, camera, pages, deck)
}
"""Every check by its name, in the order in which a game is made."""


def lacking(game: Game[Any], check: str) -> list[str]:
    """Return what a game lacks, in words; nothing when it is complete."""
    return list(dict.fromkeys(CHECKS[check](game)))
