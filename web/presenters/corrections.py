"""Amending an old event: the correctable values, and the amendment's consequences in words."""

from __future__ import annotations

import typing
from collections.abc import Sequence
from typing import NamedTuple

from werkzeug.datastructures import MultiDict

from companion.engine import Player, fields_of
from companion.engine.board import names_cell
from companion.engine.layout import BOARD
from companion.games import teller_of
from companion.i18n import Words
from companion.match.diff import CardChange, Difference
from companion.match.history import HistoryEntry
from companion.table.snapshot import Snapshot
from web.forms import event_fields, is_number
from web.game_pages import pages_of
from web.presenters.accepted_values import Place, is_accepted, offered_values
from web.presenters.board import BoardView
from web.presenters.board_moves import amending_view
from web.presenters.board_words import piece_title
from web.presenters.match_log import players_of, table_of
from web.presenters.natural_order import in_natural_order
from web.presenters.sealed_choices import state_before
from web.words import package, words


class CorrectionInput(NamedTuple):
    """A correctable value of an event. `choices` are values with their names, empty for free text."""

    name: str
    label: str
    value: str
    choices: tuple[tuple[str, str], ...]
    numeric: bool
    board: BoardView | None = None
    """For a cell: the board before the event, with the possible cells lit."""


def correction_inputs(
    snapshot: Snapshot, entry: HistoryEntry, lang: str, form: MultiDict[str, str] | None
) -> tuple[CorrectionInput, ...]:
    """Return an event's values as inputs, unchanged or from a form."""
    say = words(lang, package(snapshot.game))
    found: list[CorrectionInput] = []
    for name, wanted in event_fields(type(entry.event)).items():
        if name == "seat" and not entry.event.facts.entered:
            continue  # the acting seat of a move cannot change, unlike a seat that people named
        if names_cell(wanted):
            found.append(cell_input(snapshot, entry, name, say, form))
            continue
        rows = rows_of(name, fields_of(entry.event)[name])
        typed = {field: iter(form.getlist(field)) for field, _, _ in rows} if form else {}
        for at, (field, place, item) in enumerate(rows, 1):
            label = say(f"amend.{name}") + (f" {at}" if len(rows) > 1 else "")
            text = next(typed[field], None) if typed else None
            was = "" if item is None else str(item)
            choices = accepted_choices(snapshot, entry, name, place, say)
            if choices == () and not place:
                continue  # nothing else was possible here
            numeric = is_number(wanted) or is_number((typing.get_args(wanted) or (wanted,))[0])
            typing_in = numeric and not choices
            found.append(CorrectionInput(field, label, was if text is None else text, choices or (), typing_in))
    return tuple(found)


def rows_of(name: str, value: object) -> list[tuple[str, Place, object]]:
    """Return a field's single values, each with its input's name and its position in the field."""
    if not isinstance(value, tuple):
        return [(name, (), value)]
    if value and isinstance(value[0], tuple):
        return [(f"{name}_{at}", (at, n), item) for at, row in enumerate(value) for n, item in enumerate(row)]
    return [(name, (at,), item) for at, item in enumerate(value)]


def accepted_choices(
    snapshot: Snapshot, entry: HistoryEntry, field: str, place: Place, say: Words
) -> tuple[tuple[str, str], ...] | None:
    """Return the values that the rules accept there, with names. Return () if only the old one is possible, and None
    for a typed value.
    """
    game, event = snapshot.game, entry.event
    before = state_before(snapshot, snapshot.entries.index(entry))
    wanted = event_fields(type(event))[field]
    was = fields_of(event)[field]
    for at in place:
        was = was[at]
    named = place_choices(snapshot, entry, field, say) or value_choices(snapshot, field, wanted, was, say)
    if not named and not place:
        offered = in_natural_order(sorted(offered_values(game, before, event, field)))
        named = tuple([(str(value), str(value)) for value in offered])
    if not named:
        return None
    kind, old = int if isinstance(was, int) or is_number(wanted) else str, "" if was is None else str(was)
    kept = [(v, n) for v, n in named if v == old or is_accepted(game, before, event, field, place, kind(v))]
    return () if {v for v, _ in kept} <= {old} and not place else tuple(kept)


def cell_input(
    snapshot: Snapshot, entry: HistoryEntry, field: str, say: Words, form: MultiDict[str, str] | None
) -> CorrectionInput:
    """Return a field that names a cell, as a list of cells and as a board."""
    before = state_before(snapshot, snapshot.entries.index(entry))
    board = amending_view(snapshot.game, before, entry.event, field, players_of(snapshot), say)
    was = fields_of(entry.event)[field] or ""
    choices = () if board is None else tuple([(cell.name, cell.title) for cell in board.lit])
    value = form.get(field, was) if form else was
    return CorrectionInput(field, say(f"amend.{field}"), value, choices, False, board)


def place_choices(snapshot: Snapshot, entry: HistoryEntry, field: str, say: Words) -> tuple[tuple[str, str], ...]:
    """Return the places that a field can name, counted from 1, each with the card that lay there."""
    before, teller = state_before(snapshot, snapshot.entries.index(entry)), teller_of(snapshot.game)
    found = []
    for value, counted, card in pages_of(snapshot.game).places(before, entry.event, field):
        name = teller.card_name(card, say, table_of(snapshot)) if card else say("amend.face_down")
        found.append((str(value), f"{counted}: {name}"))
    return tuple(found)


def value_choices(
    snapshot: Snapshot, field: str, wanted: object, was: object, say: Words
) -> tuple[tuple[str, str], ...]:
    """Return a field's possible values, with names: every card for a card; () for free text."""
    teller = teller_of(snapshot.game)
    if field == "seat":
        return tuple((str(seat), player.name) for seat, player in enumerate(players_of(snapshot)))
    if typing.get_origin(wanted) is typing.Literal:
        keys = [(value, f"{field}.{value}") for value in typing.get_args(wanted)]
        return tuple((value, say(key if key in say else f"{key}.title")) for value, key in keys)
    names = pages_of(snapshot.game).card_names(snapshot.state) if snapshot.state is not None else ()
    if was in names:
        return tuple((card, teller.card_name(card, say, table_of(snapshot))) for card in names)
    return ()


def piece_change(change: CardChange, players: Sequence[Player], say: Words) -> str:
    """Return the sentence that a piece must be put on a cell, or taken off it."""
    name = change.now or change.was or ""
    return say("cells.put" if change.now else "cells.take", piece=piece_title(name, players, say), cell=change.place[1])


def difference_sentences(snapshot: Snapshot, difference: object, lang: str) -> list[str]:
    """Return an amendment's consequences as sentences: the cards to move, and the money that each seat takes or
    gives back.
    """
    assert isinstance(difference, Difference)
    say = words(lang, package(snapshot.game))
    teller = teller_of(snapshot.game)
    players = players_of(snapshot)
    said = [piece_change(change, players, say) for change in difference.cards if change.place[0] == BOARD]
    said += [
        teller.differs("card", {"old": change.was, "new": change.now}, say, table_of(snapshot))
        for change in difference.cards
        if change.was and change.now
    ]
    said += [
        teller.differs("money", {"name": players[change.seat].name, "change": change.change}, say)
        for change in difference.money
    ]
    return list(dict.fromkeys(said)) or [say("correct.same")]
