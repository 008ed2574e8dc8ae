"""The figures of an owner's box as a form: those of the cards, of the deal and of the scoring."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from companion.engine import JsonObject
from companion.games.express.profile import FIGURES, VALUED_BY, Card, Profile, unconfirmed
from companion.i18n import Words
from companion.mechanics.definition import CollectionSheet, Titled

FREIGHT = 13
"""The sum of a freight card's value and its number of copies, known from public pages (§3)."""
SMALL = ("2", "3")
"""Numbers of players that may need fewer turntables."""
DEALS, BONUSES = range(4, 16), (*range(0, 31, 5), 40, 50)
CHOICES: dict[str, Sequence[int | str]] = {
    "count": range(21),
    "value": range(16),
    "deal_alone": DEALS,
    "deal_sides": DEALS,
    "hand_limit": range(2, 13),
    "target": (50, 75, 100, 125, 150, 200, 250, 300, 400, 500),
    "out_bonus": BONUSES,
    "out_bonus_four_sides": BONUSES,
    "hand_cost": ("printed", *range(11)),
}
"""The possible values of each figure in the form."""
UNITS = {"count": ("sheet.count", "sheet.no_count"), "value": ("sheet.points", "sheet.no_points")}
"""Words for figures of a card, and for a missing one."""
PARTS = {"wild": "others", "caboose": "others", "diesel": "others", "turntable": "disaster"}
"""Groups of cards that share a part of the form."""


class Row(NamedTuple):
    """A line: its number; a card's value, else its count, or another figure ("": open); whether it was confirmed.

    `kind` is the count of a card with a value; for the turntable, the count with few players.
    """

    number: str
    value: str
    checked: bool
    kind: str = ""


class Line(NamedTuple):
    """The content of a line: a part of the form, a title, and its figures, the value first, with their rules."""

    part: str
    title: str
    figures: tuple[tuple[str, str], ...]

    @property
    def can_stay_open(self) -> bool:
        """Whether its kind can stay open."""
        return self.title != "sheet.turntable"


@cache
def lines() -> dict[str, Line]:
    """Return the lines of the form by number: first the cards', then the other figures."""
    found = []
    for card in unconfirmed().cards:
        count, few = (card.counted_by, "count"), card.group == "turntable"
        figures = ((VALUED_BY[card.group], "value"), count) if card.group in VALUED_BY else (count,) * (1 + few)
        title = "sheet.turntable" if few else f"card.{card.id}"
        found.append(Line(PARTS.get(card.group, card.group), title, figures))
    found += [Line("figures", f"sheet.figure.{name}", ((rule, name),)) for name, rule in FIGURES.items()]
    return {str(nth): line for nth, line in enumerate(found, 1)}


def row_choices(words: Words) -> dict[str, tuple[Sequence[Titled], Sequence[Titled]]]:
    """Return the possible kinds and values of each line by number, beginning with "" if it can stay open."""
    found: dict[str, tuple[Sequence[Titled], Sequence[Titled]]] = {}
    for number, line in lines().items():
        value, *kind = [choices(figure, words) for _, figure in line.figures]
        kinds = [(typed, title) for typed, title, _ in kind[0]] if kind else []
        found[number] = (kinds if line.can_stay_open else kinds[1:], value)
    return found


def choices(figure: str, words: Words) -> list[Titled]:
    """Return the possible values of a figure, first the open one, each with its title and picture (none)."""
    unit, is_open = UNITS.get(figure, ("", "sheet.no_figure"))
    found: list[Titled] = [("", words(is_open), "")]
    for n in CHOICES[figure]:
        title = words("sheet.printed") if isinstance(n, str) else words.plural(unit, n) if unit else str(n)
        found.append((str(n), title, ""))
    return found


def sections(words: Words) -> dict[str, str]:
    """Return the titles of the form's parts, each by the number of its first line."""
    first: dict[str, str] = {}
    for number, line in lines().items():
        first.setdefault(line.part, number)
    return {number: words(f"sheet.part.{part}") for part, number in first.items()}


def proposals() -> dict[str, dict[str, str]]:
    """Return the count that each value suggests, by line number, for cards of unknown count (§3)."""
    counts = {str(value): str(FREIGHT - value) for value in range(FREIGHT)}
    cards = enumerate(unconfirmed().cards, 1)
    return {str(nth): counts for nth, card in cards if card.group == "freight" and card.count is None}


def titles(words: Words) -> dict[str, tuple[str, str]]:
    """Return each line's name and the rules that need its figures, by line number."""
    rules = {number: dict.fromkeys([rule for rule, _ in reversed(line.figures)]) for number, line in lines().items()}
    return {number: (words(line.title), " · ".join(rules[number])) for number, line in lines().items()}


def rows(data: JsonObject | None) -> tuple[Row, ...]:
    """Return the lines of a stored profile, or of one without confirmed figures."""
    profile, found = unconfirmed() if data is None else msgspec.convert(data, Profile), list[Row]()
    for card in profile.cards:
        value, kind = card.count, None
        if card.group in VALUED_BY:
            value, kind = card.value, card.count
        elif card.group == "turntable":
            kind = card.by_players.get(SMALL[0], card.count)
        found.append(Row("", as_text(value), card.source == "owner", as_text(kind)))
    found += [Row("", as_text(getattr(profile, name)), name in profile.confirmed) for name in FIGURES]
    return tuple([row._replace(number=str(nth)) for nth, row in enumerate(found, 1)])


def as_text(figure: int | str | None) -> str:
    """Return a figure as text for the form."""
    return "" if figure is None else str(figure)


def suggest_rows(old: Sequence[Row]) -> tuple[Row, ...]:
    """Return the lines with the reconstruction's figures wherever the owner has confirmed none."""
    return tuple([row if row.checked else known for row, known in zip(old, rows(None), strict=True)])


def fill_list(old: Sequence[Row], new: Sequence[Row], words: Words) -> tuple[JsonObject | None, list[str]]:
    """Return the profile from filled-in lines, or None and its faults as sentences.

    A line is the owner's if it has a tick, or if it is complete and neither the reconstruction's nor just suggested.
    """
    first, known = unconfirmed(), rows(None)
    if [row.number for row in new] != [row.number for row in known]:
        return None, [words("sheet.rows", count=len(known))]
    new = [row if len(lines()[row.number].figures) > 1 else row._replace(kind="") for row in new]
    wrong = [sentence for row in new for sentence in row_faults(row, words)]
    if wrong:
        return None, wrong
    confirmed = [row.checked or is_changed(row, before) for row, before in zip(new, known, strict=True)]
    asked = list(zip(new, confirmed, strict=True))
    cards = [with_figures(card, *each) for card, each in zip(first.cards, asked, strict=False)]
    others = dict(zip(FIGURES, asked[len(cards) :], strict=True))
    figures = {name: read_figure(row.value) for name, (row, _) in others.items()}
    names = tuple([name for name, (_, is_owners) in others.items() if is_owners])
    return msgspec.to_builtins(replace(first, cards=tuple(cards), confirmed=names, **figures)), []


def is_changed(row: Row, known: Row) -> bool:
    """Return whether somebody filled in a whole line with figures other than the known or suggested ones."""
    suggested = proposals().get(row.number, {}).get(row.value)
    open_now = not row.value or (not row.kind and len(lines()[row.number].figures) > 1)
    return not open_now and (row.value, row.kind) not in ((known.value, known.kind), (row.value, suggested))


def row_faults(row: Row, words: Words) -> list[str]:
    """Return the faults of a line as sentences: impossible figures, and open ones in a line with a tick."""
    found, title = [], words(lines()[row.number].title)
    for (rule, figure), typed in zip(lines()[row.number].figures, (row.value, row.kind), strict=False):
        possible = list(map(str, CHOICES[figure]))
        said = {"rule": rule, "figure": words(f"sheet.figure.{figure}", cards=title)}
        if typed and typed not in possible:
            numbers = [value for value in possible if value.isdecimal()]
            found.append(words("sheet.impossible", **said, value=typed, low=numbers[0], high=numbers[-1]))
        elif row.checked and not typed:
            found.append(words("sheet.missing", **said))
    return found


def with_figures(card: Card, row: Row, is_owners: bool) -> Card:
    """Return a card with the figures of its line."""
    card = replace(card, source="owner" if is_owners else card.source)
    if card.group in VALUED_BY:
        return replace(card, value=read_figure(row.value), count=read_figure(row.kind))
    few = dict.fromkeys(SMALL, int(row.kind)) if row.kind else {}
    return replace(card, count=read_figure(row.value), by_players=few)


def read_figure(text: str) -> int | str | None:
    """Return a figure of the form; None for an open one."""
    return int(text) if text.isdecimal() else text or None


SHEET = CollectionSheet(
    rows, suggest_rows, fill_list, row_choices=row_choices, titles=titles, sections=sections, proposals=proposals
)
