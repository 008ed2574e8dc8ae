"""The list of an owner's box as a form, card by card: costs and yields."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.engine import JsonObject
from companion.games.trains.catalogue import BASIC, Card, Catalogue, shipped
from companion.i18n import Words
from companion.mechanics.definition import CollectionSheet
from companion.mechanics.definition import SheetChoice as Choice
from companion.mechanics.definition import SheetRow as Row

COSTS, VALUES = range(10), range(4)
"""The possible costs and yields of a card in the form."""


def choices(words: Words) -> tuple[Choice, ...]:
    """Return every cost with every number of coins."""
    pairs = [(cost, value) for cost in COSTS for value in VALUES]
    return tuple([Choice(f"{cost}/{value}", words("sheet.figures", cost=cost, value=value)) for cost, value in pairs])


def titles(words: Words) -> dict[str, tuple[str, str]]:
    """Return the cards' names and categories by number."""
    return {
        str(nth): (words(f"card.{card.id}"), said_kinds(card.categories, words))
        for nth, card in enumerate(shipped().cards, 1)
    }


def kinds(words: Words) -> tuple[tuple[str, str], ...]:
    """Return the categories of cards for sale, alone and combined, each with its title."""
    found = dict.fromkeys(joined(card) for card in shipped().cards)
    return tuple([(each, said_kinds(each.split("+"), words)) for each in found if each])


def joined(card: Card) -> str:
    """Return a card's categories as text for the form."""
    return "" if card.id in BASIC else "+".join(card.categories)


def said_kinds(categories: Sequence[str], words: Words) -> str:
    """Return categories in words."""
    return " · ".join([words(f"kind.{each}") for each in categories])


def rows(data: JsonObject | None) -> tuple[Row, ...]:
    """Return the rows of a stored list, or of a box without compared cards."""
    known = shipped("box") if data is None else msgspec.convert(data, Catalogue)
    numbered = enumerate(known.cards, 1)
    return tuple([Row(str(nth), figures(card), card.source == "owner", joined(card)) for nth, card in numbered])


def figures(card: Card) -> str:
    """Return a card's figures as text for the form."""
    return "" if card.cost is None or card.value is None else f"{card.cost}/{card.value}"


def suggest_rows(old: Sequence[Row]) -> tuple[Row, ...]:
    """Return the rows with the reconstruction's figures for cards that nobody has compared."""
    known = {row.number: row for row in rows(None)}
    return tuple([row if row.checked else known[row.number] for row in old])


def fill_list(old: Sequence[Row], new: Sequence[Row], words: Words) -> tuple[JsonObject | None, list[str]]:
    """Return the list from filled-in rows, or None and its faults as sentences.

    A card with a tick, or with other figures than the reconstruction's, counts as compared.
    """
    cards = shipped().cards
    known, together, made = {choice.value for choice in choices(words)}, {value for value, _ in kinds(words)}, []
    if [row.number for row in new] != [str(nth) for nth in range(1, len(cards) + 1)]:
        return None, [words("sheet.rows", count=len(cards))]
    for card, row in zip(cards, new, strict=True):
        kind = row.kind if joined(card) and row.kind in together else joined(card)
        of = msgspec.structs.replace(card, categories=tuple(kind.split("+")) if kind else card.categories)
        if row.value not in known:
            made.append(msgspec.structs.replace(of, cost=None, source="unknown"))
            continue
        cost, value = map(int, row.value.split("/"))
        compared = row.checked or (row.value, kind) != (figures(card), joined(card))
        made.append(msgspec.structs.replace(of, cost=cost, value=value, source="owner" if compared else card.source))
    return msgspec.to_builtins(Catalogue("box", tuple(made))), []


SHEET = CollectionSheet(rows, suggest_rows, fill_list, choices=choices, kinds=kinds, titles=titles)
