"""Moments: events that pages show briefly, such as opened fists, a sale, income, a turned card."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from companion.engine import AnyGame
from companion.games import definition_of, load_part, teller_of
from companion.i18n import Words
from companion.match.history import HistoryEntry
from companion.mechanics.definition import Moments
from companion.mechanics.moments import CardTurned, FistReveal, Income, IncomePart, Moment, Sale

STEPS = 6
"""Steps in which a sum counts up."""


class Fist(NamedTuple):
    """A seat's fist: when it opens, counted from 1, and its content. `best` has won or is tied."""

    seat: int
    beat: int
    amount: int
    best: bool


class Earning(NamedTuple):
    """One source's payment: its beat, its name, and the running sums before and after."""

    beat: int
    seats: tuple[int, ...]
    amount: int
    name: str
    sums: tuple[int, ...]


class ShownMoment(NamedTuple):
    """A moment as a template of `moments/` draws it."""

    kind: str
    values: dict[str, object]
    seat: int | None = None
    """The seat that a moment belongs to, if only one: a stage takes its colour."""
    data: Mapping[str, int] = MappingProxyType({})
    """Further fields of its message."""


def moments_of(game: AnyGame, entry: HistoryEntry) -> tuple[Moment, ...]:
    """Return the moments of an entry: the game's own, else a sale."""
    own = load_part(game, definition_of(game).moments, Moments) or Moments()
    return tuple(own.moments(entry.event, entry.effects))


def shown_moment(moment: Moment, game: AnyGame, say: Words, table: object) -> ShownMoment:
    """Return a moment with the values of its template, in a language."""
    match moment:
        case FistReveal():
            return ShownMoment(
                "reveal", {"fists": fists(moment), "result": moment}, moment.sale.seat if moment.sale else None
            )
        case Sale(card=card):
            label = str(teller_of(game).card_name(card, say, table)) if card else ""
            return ShownMoment("sold", {"sale": moment, "label": label}, moment.seat)
        case Income():
            seats = {each.seats for each in moment.parts}
            own = min(seats)[0] if len(seats) == 1 else None
            return ShownMoment("income", {"title": say(moment.title), "earnings": earnings(moment.parts, say)}, own)
        case CardTurned():
            return ShownMoment("turned", {"turned": moment}, moment.seat)
    raise TypeError(f"{type(moment).__name__} is no moment")


def fists(moment: FistReveal) -> tuple[Fist, ...]:
    """Return the fists of all bidders, by seat: the smallest amount opens first, the winner's or the tied ones last."""
    best = {moment.sale.seat} if moment.sale else set(moment.tied)
    bids = [(seat, amount) for seat, amount in enumerate(moment.amounts) if amount is not None]
    order = sorted(bids, key=lambda bid: (bid[0] in best, bid[1]))
    beats = {seat: beat for beat, (seat, _) in enumerate(order, 1)}
    return tuple([Fist(seat, beats[seat], amount, seat in best) for seat, amount in bids])


def earnings(parts: Sequence[IncomePart], say: Words) -> tuple[Earning, ...]:
    """Return the sources' payments in order, each with the steps by which its owner's money counts up."""
    sums: dict[tuple[int, ...], int] = {}
    found = []
    for beat, each in enumerate(parts, 1):
        before = sums.get(each.seats, 0)
        sums[each.seats] = before + each.amount
        counting = tuple([before + each.amount * step // STEPS for step in range(STEPS + 1)])
        found.append(Earning(beat, each.seats, each.amount, say(each.key, **each.fields), counting))
    return tuple(found)


def signed(amount: int, score: Callable[[int], str]) -> str:
    """Return a change with its sign."""
    return ("+" if amount >= 0 else "−") + score(abs(amount))
