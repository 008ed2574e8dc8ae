"""The catalogue of an owner's box as a form: converts data to rows and rows to data."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.engine import JsonObject
from companion.games.game_of_trains.catalogue import ABILITIES, Catalogue, Wagon, faults, shipped, unread
from companion.i18n import Words
from companion.mechanics.definition import CollectionSheet
from companion.mechanics.definition import SheetChoice as Choice
from companion.mechanics.definition import SheetRow as Row
from companion.mechanics.game_files import say_faults


def choices(words: Words) -> tuple[Choice, ...]:
    """Return all possible faces of a card."""
    return tuple([Choice(ability, words(f"ability.{ability}.title"), ability) for ability in ABILITIES])


def rows(data: JsonObject | None) -> tuple[Row, ...]:
    """Return the rows of a saved catalogue, or of an unread box."""
    known = unread() if data is None else msgspec.convert(data, Catalogue)
    return tuple([Row(str(each.number), each.ability or "", each.source == "owner") for each in known.wagons])


def suggest_rows(old: Sequence[Row]) -> tuple[Row, ...]:
    """Return the rows with the reconstruction's values for cards that nobody has compared."""
    known = {str(wagon.number): wagon.ability or "" for wagon in shipped("reconstruction").wagons}
    return tuple([row if row.checked else Row(row.number, known.get(row.number, row.value), False) for row in old])


def fill_list(old: Sequence[Row], new: Sequence[Row], words: Words) -> tuple[JsonObject | None, list[str]]:
    """Return the catalogue from filled-in rows, or None and its faults as sentences.

    A card with a changed value, or with a tick, counts as compared.
    """
    said: list[str] = []
    wagons: list[Wagon] = []
    before = {row.number: row for row in old}
    proposed = {row.number: row.value for row in suggest_rows([Row(row.number, "", False) for row in new])}
    for row in new:
        number = row.number.strip()
        if not (number.isascii() and number.isdecimal() and len(number) < 5):
            said.append(words("refused.no_number", said=number or "–", field=words("sheet.row")))
            continue
        was = before.get(number)
        compared = row.checked or (was is not None and was.value != row.value and row.value != proposed.get(number))
        source = "owner" if compared and row.value else "public" if row.value else "unknown"
        wagons.append(Wagon(int(number), row.value or None, source))  # type: ignore[arg-type]
    listed = Catalogue("box", tuple(sorted(wagons, key=lambda wagon: wagon.number)))
    said += say_faults(faults(listed), words)
    return (None, said) if said else (msgspec.to_builtins(listed), [])


SHEET = CollectionSheet(rows, suggest_rows, fill_list, choices=choices)
