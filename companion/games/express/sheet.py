"""The figures of an owner's box as a form that people fill in: those of the cards, of the deal and of the scoring."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from companion.engine import JsonObject
from companion.games.express.profile import FIGURES, VALUED_BY, Card, Profile, unconfirmed
from companion.i18n import Words

FREIGHT = 13
"""A freight card's value and how many there are of it make this number: public pages say so (§3)."""
COUNTS, VALUES = range(21), range(16)
"""How many of a card there can be in the form, and what one can be worth."""
SMALL = ("2", "3")
"""Numbers of players with which there can be fewer turntables."""
DEALS, BONUSES = range(4, 16), (*range(0, 31, 5), 40, 50)
CHOICES: dict[str, Sequence[int | str]] = {
    "deal_alone": DEALS,
    "deal_sides": DEALS,
    "hand_limit": range(2, 13),
    "target": (50, 75, 100, 125, 150, 200, 250, 300, 400, 500),
    "out_bonus": BONUSES,
    "out_bonus_four_sides": BONUSES,
    "hand_cost": ("printed", *range(11)),
}
"""What the figures besides the cards' can be in the form."""
PARTS = {"wild": "others", "caboose": "others", "diesel": "others", "turntable": "disaster"}
"""Groups of cards that stand in a part of the form with others."""
Choice = tuple[str, str, str]
"""A figure as in the form, in words, and its picture (none)."""


class Row(NamedTuple):
    """A line: its number; a card's value, else its count, or another figure ("": open); whether it was confirmed.

    `kind`: how many there are of a card that has a value; of the turntable, how many with few players.
    """

    number: str
    value: str
    checked: bool
    kind: str = ""


def row_choices(words: Words) -> dict[str, tuple[Sequence[tuple[str, str]], Sequence[Choice]]]:
    """Return by its number what a line's kind and value can be, first "" where it can stay open."""
    counts = amounts("count", COUNTS, words)
    counted, worth = [("", words("sheet.no_count")), *counts], [("", words("sheet.no_points"))]
    worth += amounts("points", VALUES, words)
    made: list[tuple[Sequence[tuple[str, str]], Sequence[tuple[str, str]]]] = []
    for card in unconfirmed().cards:
        few = counts if card.group == "turntable" else ()
        made.append((counted, worth) if card.group in VALUED_BY else (few, counted))
    for values in CHOICES.values():
        titled = [(str(n), words("sheet.printed") if n == "printed" else str(n)) for n in values]
        made.append(((), [("", words("sheet.no_figure")), *titled]))
    return {str(nth): (kinds, [(*each, "") for each in values]) for nth, (kinds, values) in enumerate(made, 1)}


def amounts(unit: str, numbers: Sequence[int], words: Words) -> list[tuple[str, str]]:
    """Return amounts of cards or points, each with its title."""
    return [(str(n), words.plural(f"sheet.{unit}", n)) for n in numbers]


def sections(words: Words) -> dict[str, str]:
    """Return the titles of the form's parts, each by the number of its first line."""
    found: dict[str, str] = {}
    cards = unconfirmed().cards
    for nth, card in enumerate(cards, 1):
        found.setdefault(words(f"sheet.part.{PARTS.get(card.group, card.group)}"), str(nth))
    found[words("sheet.part.figures")] = str(len(cards) + 1)
    return {number: title for title, number in found.items()}


def proposals() -> dict[str, dict[str, str]]:
    """Return by a line's number how many cards each value suggests, where nobody knows their number (§3)."""
    counts = {str(value): str(FREIGHT - value) for value in VALUES if value < FREIGHT}
    cards = enumerate(unconfirmed().cards, 1)
    return {str(nth): counts for nth, card in cards if card.group == "freight" and card.count is None}


def titles(words: Words) -> dict[str, tuple[str, str]]:
    """Return each line's name and the rules that need its figures, by its number."""
    named = [
        (card_title(card, words), " · ".join(filter(None, (card.counted_by, VALUED_BY.get(card.group)))))
        for card in unconfirmed().cards
    ]
    named += [(words(f"sheet.figure.{name}"), rule) for name, rule in FIGURES.items()]
    return {str(nth): each for nth, each in enumerate(named, 1)}


def card_title(card: Card, words: Words) -> str:
    """Return a card's name, with what its two figures are where the name does not say it."""
    return words("sheet.turntable" if card.group == "turntable" else f"card.{card.id}")


def rows(data: JsonObject | None) -> tuple[Row, ...]:
    """Return the lines of a stored profile, or of one in which the owner has not confirmed anything."""
    profile = unconfirmed() if data is None else msgspec.convert(data, Profile)
    found = [(*card_figures(card), card.source == "owner") for card in profile.cards]
    found += [(figure_text(getattr(profile, name)), "", name in profile.confirmed) for name in FIGURES]
    return tuple([Row(str(nth), value, checked, kind) for nth, (value, kind, checked) in enumerate(found, 1)])


def card_figures(card: Card) -> tuple[str, str]:
    """Return a card's value and kind as the form has them."""
    if card.group in VALUED_BY:
        return figure_text(card.value), figure_text(card.count)
    if card.group == "turntable":
        return figure_text(card.count), figure_text(card.by_players.get(SMALL[0], card.count))
    return figure_text(card.count), ""


def figure_text(figure: int | str | None) -> str:
    """Return a figure as the form has it."""
    return "" if figure is None else str(figure)


def suggest_rows(old: Sequence[Row]) -> tuple[Row, ...]:
    """Return the lines with the reconstruction's figures where the owner has not confirmed any."""
    return tuple([row if row.checked else known for row, known in zip(old, rows(None), strict=True)])


def fill_list(old: Sequence[Row], new: Sequence[Row], words: Words) -> tuple[JsonObject | None, list[str]]:
    """Return the profile from filled-in lines, or None and its faults as sentences.

    A line with a tick is the owner's, and so is one with other figures than the reconstruction's in which nothing is
    open or only suggested.
    """
    first, known = unconfirmed(), rows(None)
    if [row.number for row in new] != [row.number for row in known]:
        return None, [words("sheet.rows", count=len(known))]
    new = [row if row_has_kind(int(row.number)) else row._replace(kind="") for row in new]
    wrong = [sentence for row in new for sentence in row_faults(row, words)]
    if wrong:
        return None, wrong
    confirmed = [row.checked or is_changed(row, before) for row, before in zip(new, known, strict=True)]
    count = len(first.cards)
    cards = [
        replace(with_figures(card, row), source="owner" if is_owners else card.source)
        for card, row, is_owners in zip(first.cards, new, confirmed, strict=False)
    ]
    figures = {name: read_figure(row.value) for name, row in zip(FIGURES, new[count:], strict=True)}
    names = tuple([name for name, is_owners in zip(FIGURES, confirmed[count:], strict=True) if is_owners])
    return msgspec.to_builtins(replace(first, cards=tuple(cards), confirmed=names, **figures)), []


def is_changed(row: Row, known: Row) -> bool:
    """Whether somebody filled in a whole line with other figures than are known or suggested."""
    suggested = proposals().get(row.number, {}).get(row.value)
    open_now = not row.value or (not row.kind and row_has_kind(int(row.number)))
    return not open_now and (row.value, row.kind) not in ((known.value, known.kind), (row.value, suggested))


def row_has_kind(number: int) -> bool:
    """Whether a line has a second figure."""
    cards = unconfirmed().cards
    return number <= len(cards) and cards[number - 1].group in (*VALUED_BY, "turntable")


def row_faults(row: Row, words: Words) -> list[str]:
    """Return what is wrong with a line in sentences: figures that cannot be, and open ones in a line with a tick."""
    kinds, values = row_choices(words)[row.number]
    names = figure_names(int(row.number), words)
    found = []
    for (rule, figure), typed, allowed in zip(names, (row.value, row.kind), (values, kinds), strict=False):
        possible = [value for value, *_ in allowed if value]
        said = {"rule": rule, "figure": figure}
        if typed and typed not in possible:
            numbers = [value for value in possible if value.isdecimal()]
            found.append(words("sheet.impossible", **said, value=typed, low=numbers[0], high=numbers[-1]))
        elif row.checked and not typed:
            found.append(words("sheet.missing", **said))
    return found


def figure_names(number: int, words: Words) -> list[tuple[str, str]]:
    """Return the rules and names of a line's figures, first that of its value."""
    cards = unconfirmed().cards
    if number > len(cards):
        name = list(FIGURES)[number - len(cards) - 1]
        return [(FIGURES[name], words(f"sheet.figure.{name}"))]
    card = cards[number - 1]
    title = card_title(card, words)
    count = (card.counted_by, words("sheet.figure.count", cards=title))
    if card.group in VALUED_BY:
        return [(VALUED_BY[card.group], words("sheet.figure.value", cards=title)), count]
    return [count, count] if card.group == "turntable" else [count]


def with_figures(card: Card, row: Row) -> Card:
    """Return a card with the figures of its line."""
    if card.group in VALUED_BY:
        return replace(card, value=read_figure(row.value), count=read_figure(row.kind))
    few = dict.fromkeys(SMALL, int(row.kind)) if row.kind else {}
    return replace(card, count=read_figure(row.value), by_players=few)


def read_figure(text: str) -> int | str | None:
    """Return a figure of the form; None for one that is open."""
    return int(text) if text.isdecimal() else text or None
