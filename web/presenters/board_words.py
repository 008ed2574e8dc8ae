"""Cells, pieces and prices of a board in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from companion.engine import Cell, CostItem, Piece, Player
from companion.i18n import Words, plural_rule


def said_or(say: Words, key: str, otherwise: str, **fields: object) -> str:
    """Return a sentence, or the default if no language has it."""
    said = say(key, **fields)
    return otherwise if said == key else said


def counted(say: Words, key: str, count: int) -> str:
    """Return a sentence for a count; empty if no language has it."""
    said = say.plural(key, count)
    return "" if said.startswith(key) else said


def label_of(cell: Cell, say: Words) -> str:
    """Return a cell's own name: from the words, else from the board."""
    return said_or(say, f"cell.{cell.label}", cell.label) if cell.label else ""


def cell_title(cell: Cell, pieces: Sequence[Piece], players: Sequence[Player], say: Words) -> str:
    """Return a cell for screen readers: "C4, Kyoto, city, 3 sites: 2 cubes of Jane, 1 station"."""
    kind = said_or(say, f"cell.kind.{cell.kind}", cell.kind)
    parts = [cell.name, label_of(cell, say), kind, cell.figure]
    if cell.sites:
        parts.append(say.plural("cells.sites", cell.sites))
    title = ", ".join([part for part in parts if part])
    stands = pieces_sentence(pieces, players, say)
    return say("cells.with", cell=title, pieces=stands) if stands else title


def pieces_sentence(pieces: Sequence[Piece], players: Sequence[Player], say: Words) -> str:
    """Return the pieces on a cell in words: "2 cubes of Jane, 1 station"; empty for none."""
    counts = Counter([piece.sort for piece in pieces])
    found = []
    for (kind, owner), count in sorted(counts.items()):
        piece = piece_word(kind, count, say)
        if owner < 0:
            found.append(stock_sentence(kind, count, say))
        else:
            found.append(say("cells.pieces_of", count=count, piece=piece, name=players[owner].name))
    return ", ".join(found)


def piece_title(name: str, players: Sequence[Player], say: Words) -> str:
    """Return a piece by its name in layouts: `cube.2` is a cube of the second seat."""
    kind, _, number = name.partition(".")
    owner = int(number) - 1 if number.isdecimal() else -1
    piece = piece_word(kind, 1, say)
    return say("cells.pieces_of", count=1, piece=piece, name=players[owner].name) if owner >= 0 else piece


def stock_sentence(kind: str, count: int, say: Words) -> str:
    """Return a number of pieces in words, such as "6 cubes". The pieces have no owner, or the sentence is about the
    owner.
    """
    return say("cells.pieces", count=count, piece=piece_word(kind, count, say))


def piece_word(kind: str, count: int, say: Words) -> str:
    """Return the noun for a number of pieces, including "0 cubes"; the kind itself if the words have none."""
    form = plural_rule(say.lang)
    alike = next(number for number in (count, 1, 2) if number and form(number) == form(count))
    return counted(say, f"piece.{kind}", alike) or kind


def cost_sentence(items: Sequence[CostItem], say: Words) -> str:
    """Return a price in parts: "river 1 + others' cubes 1 = 2, and 1 waste"; empty if nothing is paid."""
    units: dict[str, list[CostItem]] = {}
    for each in items:
        item = CostItem(*each)
        if item.amount:
            units.setdefault(item.unit, []).append(item)
    main = units.pop("", [])
    parts = []
    for item in main:
        word = said_or(say, f"cost.{item.key}", said_or(say, f"cell.kind.{item.key}", item.key))
        parts.append(say("cells.item", item=word, amount=item.amount))
    total = " + ".join(parts)
    if len(parts) > 1:
        total = say("cells.sum", items=total, total=sum(item.amount for item in main))
    sums = {unit: sum(item.amount for item in each) for unit, each in units.items()}
    others = [counted(say, f"cost.unit.{unit}", amount) or f"{amount} {unit}" for unit, amount in sums.items()]
    return say("cells.and", cost=total, other=", ".join(others)) if total and others else total or ", ".join(others)
