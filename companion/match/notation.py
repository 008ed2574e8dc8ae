"""Matches as text: a header, then one JSON event a line. Text can be exported, read back and written by hand.

An export of an unfinished match contains only public information, unless its secrets are requested.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from companion.engine import FORMAT, AnyGame, BadSetup, Deck, JsonObject, Refusal, Setup, tags_with
from companion.files.untrusted import Unreadable, open_regular, read_bytes
from companion.games import GAMES, game_words, teller_of
from companion.journal.journal import Journal, JournalError, Record
from companion.match.actor import Actor
from companion.match.history import Amended, BadRecord, History, walk_back
from companion.match.match import Match, MatchError
from companion.match.secrecy import public_events, secret_fields
from companion.referee.verdict import Judged

MAX_BYTES = 1 << 26
"""The largest text accepted, in bytes."""
MAX_PLAYERS = 99
"""The largest number of players in a header; each game sets its own limit."""
SQLITE = b"SQLite format 3\0"
"""The first bytes of a database."""
FIRST_LINE = 'The first line is one such as {"game": "take-a-train", "players": 3}.'
EXTRA = ("seq", "at", "by", "move")
"""Fields of an exported line besides its event. A reader ignores them."""
EXTRA_HEADER = ("match", "started", "ended", "seed", "secret")
"""Fields of an exported header besides the set-up."""


class TextError(ValueError):
    """A text that is not a match; the message names the line and the fault, `refusal` the violated rule, if any."""

    def __init__(self, name: str, line: int, message: str, refusal: Refusal | None = None) -> None:
        super().__init__(f"{name}, line {line}: {message}")
        self.line = line
        self.refusal = refusal


# --- reading --------------------------------------------------------------------------------------


def read_match_file(path: str | os.PathLike[str], match_id: str | None = None) -> History:
    """Return the line of play of a match in a journal (the last one, or by id) or in a text file.

    Raises `JournalError`, `MatchError` or `TextError`, each with a sentence for the user.
    """
    file = Path(path)
    try:
        with open_regular(file) as first:
            database = first.read(len(SQLITE)) == SQLITE
    except Unreadable as error:
        raise JournalError(f"{file} cannot be read: {error}.") from error
    except OSError as error:
        raise JournalError(f"{file} cannot be read: {error.strerror}.") from error
    if not database:
        if match_id is not None:
            raise JournalError(f"{file} is a text with one match: leave out --match.")
        return read_text_file(file)
    with Journal(file, read_only=True) as journal:
        return Match.open(journal, match_id or last_match(journal)).line


def last_match(journal: Journal) -> str:
    """Return the id of the match that started last."""
    matches = journal.matches()
    if not matches:
        raise JournalError(f"There is no match in {journal.path} yet.")
    return matches[0].id


def read_text_file(file: Path) -> History:
    """Return the line of play of a match in a text file."""
    return read_text(read_lines(file), file.name)


def read_lines(file: Path) -> list[str]:
    """Return the lines of a text file."""
    try:
        return read_bytes(file, MAX_BYTES).decode("utf-8-sig").splitlines()
    except Unreadable as error:
        raise JournalError(f"{file} cannot be read: {error}.") from error
    except UnicodeDecodeError as error:
        raise JournalError(f"{file} is neither a journal nor a text in UTF-8 (byte {error.start}).") from error
    except OSError as error:
        raise JournalError(f"{file} cannot be read: {error.strerror}.") from error


def read_text(lines: Iterable[str], name: str = "The text") -> History:
    """Return the line of play of a match written as text. The rules check every event."""
    *_, line = follow_text(lines, name)
    return line


def match_in_header(lines: Iterable[str]) -> str:
    """Return the id of the match that an exported text names, empty for one written by hand."""
    data = msgspec.json.decode(next(text for text in lines if text.strip()))
    return str(data.get("match", ""))


def follow_text(lines: Iterable[str], name: str) -> Iterator[History]:
    """Yield the line of play of a match written as text after each of its lines; it is one object that grows."""
    line: History | None = None
    number = 0
    lines = tuple(lines)
    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        data = _object(name, number, text)
        if line is None:
            data.setdefault("deck", _deck(data, lines))
            line = _header(name, number, data)
        else:
            _record(name, number, data, line)
        yield line
    if line is None:
        raise TextError(name, max(number, 1), f"there is no header. {FIRST_LINE}")


def _deck(header: JsonObject, lines: Iterable[str]) -> Deck:
    """Return the deck of a text that omits it: real cards, unless it contains events that only a dealer can cause."""
    game = GAMES.get(str(header.get("game")))
    secrets = tags_with(game.events, lambda facts: facts.dealt_only) if game is not None else ()
    return "dealt" if any(f'"{event}"' in text for text in lines for event in secrets) else "ours"


def _object(name: str, number: int, text: str) -> JsonObject:
    try:
        data = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise TextError(name, number, f"this is not JSON ({error}).") from error
    if not isinstance(data, dict):
        raise TextError(name, number, "each line is one JSON object, in braces.")
    return data


def _header(name: str, number: int, data: JsonObject) -> History:
    """Return a new line of play from a text's first line."""
    if "game" not in data:
        raise TextError(name, number, f"the header is missing. {FIRST_LINE}")
    written = data.get("format", FORMAT)
    if isinstance(written, int) and written > FORMAT:
        raise TextError(
            name, number, f"this was written by a newer companion (format {written}; this one reads {FORMAT})."
        )
    try:
        setup = msgspec.convert({k: v for k, v in data.items() if k not in EXTRA_HEADER}, Setup)
    except msgspec.ValidationError as error:
        raise TextError(name, number, f"the header does not fit: {error}.") from error
    game = GAMES.get(setup.game)
    if game is None:
        raise TextError(name, number, f"there is no game called {setup.game!r}: choose one of {', '.join(GAMES)}.")
    if isinstance(setup.players, int) and setup.players > MAX_PLAYERS:
        raise TextError(name, number, f"no game is for {setup.players} players.")
    try:
        return History(game, setup)
    except BadSetup as error:
        raise TextError(
            name, number, f"this cannot be played: {error.message} ({error.refusal.rule})", error.refusal
        ) from error


def _record(name: str, number: int, data: JsonObject, line: History) -> None:
    """Add one line of text to the line of play."""
    said = data.get("event")
    if not isinstance(said, str):
        raise TextError(name, number, 'an event is missing: say one such as {"event": "starter_named", "seat": 0}.')
    if data.get("secret") is True:
        raise TextError(
            name, number, f"this ({said}) was left out because it is secret. Export the match with its secrets."
        )
    amended = said == "amended"
    fields = {key: value for key, value in data.items() if key not in EXTRA or (amended and key == "seq")}
    try:
        body = line.reader.convert(fields)
    except msgspec.ValidationError as error:
        raise TextError(name, number, f"{said} does not fit: {error}.") from error
    at, by = (value if isinstance(value := data.get(key), str) else "" for key in ("at", "by"))
    move = data.get("move")
    try:
        line.add(body, at, Actor.parse(by), move if isinstance(move, int) else line.seq + 1)
    except BadRecord as error:
        if error.refusal is None:
            raise TextError(name, number, f"{said} cannot follow: {error}.") from error
        why = sentence(line.game, line.setup, error.refusal)
        raise TextError(
            name, number, f"{said} is not allowed here. {why} ({error.refusal.rule})", error.refusal
        ) from error


def sentence(game: AnyGame, setup: Setup, refusal: Refusal, lang: str = "en") -> str:
    """Return a refusal as a sentence in the game's own words."""
    return teller_of(game).refused(refusal, setup.seated(), game_words(game, lang))


# --- writing --------------------------------------------------------------------------------------


def export(journal: Journal, match_id: str, *, secrets: bool = False) -> Iterator[str]:
    """Yield a match of the journal as lines of text.

    For an unfinished match, only public information is written: a secret field is null, and its line says `"secret":
    true`. With `secrets` everything is written, including the dealer's seed.

    A match that the rules no longer accept is written as recorded if it has ended or `secrets` is set. Otherwise its
    public part cannot be determined, so this raises `MatchError`.
    """
    header, records = journal.header(match_id), journal.records(match_id)
    try:
        match: Match | None = Match.open(journal, match_id)
    except MatchError as error:
        if not (secrets or header.ended):
            raise MatchError(f"{error} Its text has secrets: export it with them (--secrets).") from error
        match = None
    everything = secrets or match is None or match.state.over
    extra: JsonObject = {"match": match_id, "started": header.started}
    if header.ended:
        extra["ended"] = header.ended
    if everything and header.seed:
        extra["seed"] = header.seed
    yield _json(msgspec.to_builtins(header.setup) | extra)
    if match is None:
        yield from [_json(_with_stamp(msgspec.json.decode(record.body), record)) for record in records]
    else:
        yield from export_records(match.line, records, everything)


def export_records(line: History, records: Iterable[Record], everything: bool) -> Iterator[str]:
    """Yield a match's records as lines of text; without `everything`, secret fields are null."""
    known = frozenset() if everything else public_events(line)
    for record, body, made in zip(records, line.bodies[1:], line.made[1:], strict=True):
        data: JsonObject = msgspec.to_builtins(body)
        said = data
        if isinstance(body, Amended):
            said = data["with"]
            made = next(node for node in walk_back(line.ends[record.seq]) if node.entry.seq == body.seq)
        if isinstance(body, Judged) and not everything:
            # A mark's number may be a bid, which the event's own rule hides; its moments are public.
            data["marks"] = [mark | {"number": 0} for mark in data["marks"]]
        fields = frozenset() if everything or made is None else secret_fields(line, made, known)
        if fields:
            said |= dict.fromkeys(fields)
            data["secret"] = True
        yield _json(_with_stamp(data, record))


def _with_stamp(data: JsonObject, record: Record) -> JsonObject:
    """Return an event with the number, time, author and move of its record."""
    stamp = {"seq": record.seq, "at": record.at, "by": record.by, "move": record.move}
    return data | {key: value for key, value in stamp.items() if key not in data}


def _json(data: JsonObject) -> str:
    return msgspec.json.encode(data).decode()
