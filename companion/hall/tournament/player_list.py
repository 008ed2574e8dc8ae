"""A list of players from a file or a field: one name to a line, or a table as a spreadsheet saves it."""

from __future__ import annotations

import codecs
import csv
import io
import re
import unicodedata
from collections.abc import Collection, Iterator

from companion.hall.messages import PLAYER_LENGTH, fits

MOST_PLAYERS = 2000
"""Maximum number of players of a tournament."""
MOST_BYTES = 1024 * 1024
"""Maximum size of a list; 2,000 names of 40 characters need less than half of it."""
HEADS = ("name", "nom", "player", "joueur", "joueuse", "names", "noms", "players", "joueurs")
"""What the names' column may be called, the best first. Without any of them it is the first column."""
DELIMITERS = "\t;,"
BINARY = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")


class PlayerListError(ValueError):
    """A list that cannot be taken. `key` is the sentence's key in the words, `fields` are what it names."""

    def __init__(self, key: str, **fields: object) -> None:
        self.key, self.fields = key, fields
        super().__init__(f"{key} {fields}")


def read_players(data: bytes, existing: Collection[str] = ()) -> tuple[str, ...]:
    """Return the names in a list, all of them or none; raise `PlayerListError` naming the line that is wrong.

    Spaces around names go, several within become one, and empty lines are skipped. `existing` are the players there
    are already. Capitals, and how an accent is encoded, do not make another name.
    """
    known = {name_key(name) for name in existing}
    lines: dict[str, int] = {}
    names: list[str] = []
    for line, text in _names(_decoded(data)):
        name = unicodedata.normalize("NFC", " ".join(text.split()))
        if not name:
            continue
        if not fits(name, PLAYER_LENGTH):
            reason = "list_long" if len(name) > PLAYER_LENGTH else "list_unprintable"
            raise PlayerListError(f"hall.fault.{reason}", line=line, most=PLAYER_LENGTH)
        key = name_key(name)
        if key in known:
            raise PlayerListError("hall.fault.list_known", line=line, name=name)
        if key in lines:
            raise PlayerListError("hall.fault.list_twice", line=line, name=name, first=lines[key])
        lines[key] = line
        names.append(name)
        if len(known) + len(names) > MOST_PLAYERS:
            raise PlayerListError("hall.fault.list_many", line=line, most=MOST_PLAYERS)
    if not names:
        raise PlayerListError("hall.fault.list_empty")
    return tuple(names)


def name_key(name: str) -> str:
    """Return what two spellings of the same name have in common."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", " ".join(name.split())).casefold())


def _decoded(data: bytes) -> str:
    """Return a list's text: UTF-8 or UTF-16 by its mark, else UTF-8, else Windows-1252."""
    if len(data) > MOST_BYTES:
        raise PlayerListError("hall.fault.list_large", most=MOST_BYTES // 1024)
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    for encoding in ("utf-16",) if wide else ("utf-8-sig", "cp1252"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if not BINARY.search(text):
            return text
    raise PlayerListError("hall.fault.list_binary")


def _names(text: str) -> Iterator[tuple[int, str]]:
    """Yield each line's number and the name in it.

    The first line that is not empty decides whether it is a table: typed names may have a comma further below.
    """
    first = next((line for line in re.split(r"\r\n|\r|\n", text) if line.strip()), "")
    delimiter = max(DELIMITERS, key=first.count)
    if delimiter in first:
        rows = _rows(text, delimiter)
    else:
        rows = ((number, [line]) for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1))
    column, headed = 0, False
    for number, row in rows:
        if not headed and any(cell.strip() for cell in row):
            headed = True
            heads = [cell.strip().casefold() for cell in row]
            head = next((each for each in HEADS if each in heads), None)
            if head is not None:
                column = heads.index(head)
                continue
        if column < len(row):
            yield number, row[column]


def _rows(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each row of a table with the number of its last line."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        for row in reader:
            yield reader.line_num, row
    except csv.Error as error:
        raise PlayerListError("hall.fault.list_table", line=reader.line_num) from error
