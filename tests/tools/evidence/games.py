"""Records games as event texts with a digest of each aspect after each event, and replays them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from functools import cache
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec

from companion.bots.simulation import play
from companion.engine import AnyGame, AnyState, BadSetup, Event, JsonObject, MoveRefused, Setup, apply
from companion.games import GAMES
from companion.match.history import RecordReader
from companion.match.match import encode_body
from tests.soak.games import WANDERS, Wanderer, setup_of
from tests.tools.evidence.looks import Looks, as_text, look
from web.game_pages import pages_of
from web.presenters.option_fields import fields_of

WHOLE = 5
"""In one of this many games, all seats look after each event; in the others one seat in turn does."""
TRIES = 20
"""The number of random set-ups to try until one has the required deck and options, because some are incompatible."""
TRIED = (-2, 5)
"""The offsets of recorded events that are tried after each event; most are refused."""


class GameRecord(msgspec.Struct, frozen=True):
    """A recorded game. Each aspect has a digest of all its values, and a byte for each recorded moment."""

    game: str
    players: int
    seed: int
    every: int
    """The number of events between two recorded moments; the end is always recorded."""
    setup: str
    events: tuple[str, ...]
    aspects: dict[str, tuple[bytes, bytes]]

    @property
    def whole(self) -> bool:
        """Return whether all seats were recorded after each event."""
        return self.seed % WHOLE == 1

    def seats_at(self, moment: int) -> range:
        """Return the seats recorded at a moment."""
        return range(self.players) if self.whole else range(moment % self.players, moment % self.players + 1)


class Difference(NamedTuple):
    """A difference of a game from its record; `step` counts its events, and 0 is the start."""

    game: str
    players: int
    seed: int
    step: int
    aspect: str
    why: str
    """Details beside the value: a refusal or an error of the rules."""
    options: JsonObject

    @property
    def place(self) -> str:
        """Return the position in the form that `show` takes."""
        return f"{self.game}-{self.players} {self.seed} {self.step} '{self.aspect}'"


TABLE = Path(__file__).with_name("changes.toml")
"""The file of permitted differences of a later tree."""
_table = TABLE


def use_table(path: Path) -> None:
    """Read the permitted differences from another file."""
    global _table
    _table = path
    changes.cache_clear()


@cache
def changes(game: str) -> dict[str, Any]:
    """Return a game's permitted differences."""
    written = tomllib.loads(_table.read_text(encoding="utf-8"))
    both = [written.get(name, {}) for name in ("every", game)]
    lists = {key: [each for own in both for each in own.get(key, [])] for key in ("gone", "added", "opens")}
    return lists | {key: {**both[0].get(key, {}), **both[1].get(key, {})} for key in ("names", "ruled")}


class Column:
    """The values of one aspect in order: a digest of all, and a byte for each."""

    def __init__(self) -> None:
        self.digest = blake2b(digest_size=8)
        self.marks = bytearray()
        self.last = b""

    def add(self, moment: int, value: bytes) -> None:
        """Add the value of a moment; in between, the previous value remains."""
        if value != self.last or not self.marks:
            own = blake2b(value, digest_size=8).digest()
            self.digest.update(moment.to_bytes(4, "big") + own)
            mark, self.last = own[0], value
        else:
            mark = self.marks[-1]
        before = self.marks[-1:] or b"\0"
        self.marks += before * (moment - len(self.marks)) + bytes([mark])

    def as_recorded(self) -> tuple[bytes, bytes]:
        """Return the digest and the bytes."""
        return self.digest.digest(), bytes(self.marks)


def draw_setup(game: AnyGame, players: int, seed: int) -> Setup:
    """Return a set-up as in a journal's header, with decks and editions in turn, mostly without the removed options."""
    decks, allowed = sorted(pages_of(game).catalogues), changes(game.name)
    for attempt in range(TRIES):
        drawn = setup_of(game, players, Random(f"{game.name} {players} {seed} {attempt}"))
        if drawn.deck == decks[seed % len(decks)] and drawn.options:
            break
    leave = {*allowed["ruled"], *allowed["opens"]} if seed % WHOLE else ()
    options = {name: value for name, value in drawn.options.items() if name not in leave}
    fields = [field for group in fields_of(game).values() for field in group]
    options |= {field.name: field.values[seed % len(field.values)] for field in fields if field.name == "edition"}
    setup = msgspec.structs.replace(drawn, options=options)
    try:
        game.begin(setup)
    except BadSetup:
        setup = drawn
    return msgspec.structs.replace(game.resolve_setup(setup), rulings=setup.held(game.rulings))


def record_game(name: str, players: int, seed: int, every: int) -> GameRecord:
    """Play a game and return its record."""
    game = GAMES[name]
    setup = draw_setup(game, players, seed)
    policies = [Wanderer(game, WANDERS[(seed + seed // 3) % len(WANDERS)], setup.deck == "dealt")] * players
    states, events = [game.begin(setup)], list[Event]()

    def watch(before: AnyState, event: Event, after: AnyState) -> None:
        events.append(event)
        states.append(after)

    play(game, setup, policies, Random(f"{name} {players} {seed}").random, watch)
    texts = tuple(map(encode_body, events))
    record = GameRecord(name, players, seed, every, msgspec.json.encode(setup).decode(), texts, {})
    columns: dict[str, Column] = {}
    for moment, step in enumerate(steps(record)):
        add(columns, moment, look_at(record, states[max(0, step - 1) : step + 1], step, moment, events))
    return msgspec.structs.replace(record, aspects={key: own.as_recorded() for key, own in columns.items()})


def steps(record: GameRecord) -> list[int]:
    """Return the numbers of events after which the game is recorded."""
    return sorted({*range(0, len(record.events), record.every), len(record.events)})


def look_at(record: GameRecord, states: Sequence[AnyState], step: int, moment: int, events: list[Event]) -> Looks:
    """Return each aspect of a moment from the previous state, if any, and the present one."""
    tried = [events[(step + away) % len(events)] for away in TRIED] if events else []
    names = changes(record.game)["names"]
    last = (states[0], events[step - 1]) if step else None
    seats, game = record.seats_at(moment), GAMES[record.game]
    return look(game, states[-1], seats, whole=record.whole, tried=tried, last=last, names=names)


def add(columns: dict[str, Column], moment: int, looks: Looks) -> None:
    """Add the aspects of a moment to their columns."""
    for aspect, value in looks.items():
        columns.setdefault(aspect, Column()).add(moment, value)


# --- replaying ------------------------------------------------------------------------------------


def replay(record: GameRecord) -> Iterator[tuple[int, int, Looks]]:
    """Yield moment, step and aspects of a recorded game under the rules of this tree, which check each event.

    A refused event ends the game: its only aspect is `event`, the refusal.
    """
    game, reader = GAMES[record.game], RecordReader(GAMES[record.game])
    events = [reader.decode(text) for text in record.events]
    state = game.begin(msgspec.json.decode(record.setup, type=Setup).recorded(game.rulings))
    moments = {step: moment for moment, step in enumerate(steps(record))}
    before = state
    for step, event in enumerate([None, *events]):
        if event is not None:
            before = state
            try:
                state = apply(game, state, event)
            except MoveRefused as error:
                yield -1, step, {"event": as_text(error.refusal)}
                return
        if step in moments:
            yield moments[step], step, look_at(record, (before, state), step, moments[step], events)


def compare_game(record: GameRecord) -> list[Difference]:
    """Return the first difference of each aspect of a game; raise `Ruled` if it can no longer be played."""
    columns: dict[str, Column] = {}
    options = msgspec.json.decode(record.setup)["options"]
    step, found = 0, list[tuple[int, str, str]]()
    try:
        for moment, step, looks in replay(record):
            if moment < 0:
                found = [(step, "event", looks["event"].decode())]
            else:
                add(columns, moment, looks)
        found = found or list(differing_aspects(record, columns))
    except BadSetup as error:
        check_ruled(record.game, options)
        found = [(0, "setup", error.message)]
    except Exception as error:  # the rules may raise any error, and the other games must still be compared
        found = [(step, "fault", f"after this step: {type(error).__name__}: {error}")]
    return [Difference(record.game, record.players, record.seed, *each, options) for each in found]


def differing_aspects(record: GameRecord, columns: dict[str, Column]) -> Iterator[tuple[int, str, str]]:
    """Yield step and name of each aspect that differs, with a reason if it is new or gone.

    One in 256 differing values has the same byte; then the step is the next one at which they differ.
    """
    for aspect in sorted(columns.keys() | record.aspects.keys()):
        now, was = columns.get(aspect), record.aspects.get(aspect)
        if is_allowed(record.game, aspect, is_new=was is None):
            continue
        if now is None or was is None:
            yield 0, aspect, "is new" if was is None else "is gone"
        elif now.as_recorded() != was:
            pairs = enumerate(zip(now.marks, was[1], strict=False))
            yield steps(record)[next((moment for moment, (new, old) in pairs if new != old), 0)], aspect, ""


class Ruled(Exception):
    """An error for a recorded game in which a removed option had another value than the remaining one."""


def check_ruled(game: str, options: JsonObject) -> None:
    """Raise `Ruled` if an option has another value than the one that remains."""
    for option, value in changes(game)["ruled"].items():
        ruled = value[options.get("edition", next(iter(value)))] if isinstance(value, dict) else value
        if options.get(option, ruled) != ruled:
            raise Ruled(option)


def is_allowed(game: str, aspect: str, *, is_new: bool) -> bool:
    """Return whether an aspect may differ."""
    allowed = changes(game)
    return any(fnmatch(aspect, pattern) for pattern in allowed["gone"] + (allowed["added"] if is_new else []))


def value_at(record: GameRecord, step: int, aspect: str) -> str:
    """Return the value of an aspect after some events under the rules of this tree."""
    found = (looks.get(aspect, b"").decode() for _, at, looks in replay(record) if at == step)
    return next(found, "") or "there is none at this step"
