"""The moments of Take a Train that every page shows, and where everybody's money came from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.engine import Effect, Event, Moved, State
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.purposes import BY_ID, PURPOSES
from companion.games.take_a_train.table import Table
from companion.mechanics.definition import Moments
from companion.mechanics.moments import CardTurned, FistReveal, Income, IncomePart, Moment, sales

SOURCES = {
    "profit": "source.profit",
    "purpose": "source.purpose",
    "bonus": "source.bonus",
    "exchange": "source.exchange",
}
"""Why money moved, by the key of its name; what is not listed was paid for locomotives."""


def moments(event: Event, effects: Sequence[Effect]) -> Iterator[Moment]:
    """Return what pages show of an event (R-32, R-69, R-73)."""
    fists = [effect for effect in effects if isinstance(effect, ev.FistsOpened)]
    if fists:
        yield opened(fists[0], effects)
    else:
        yield from sales(effects)
    if isinstance(event, ev.Claimed):
        purpose = PURPOSES[BY_ID[event.purpose]]
        paid = sum([effect.amount for effect in effects if isinstance(effect, Moved)])
        yield CardTurned(event.seat, f"purpose.{purpose.id}.title", f"purpose.{purpose.id}.text", paid)
    parts = tuple([train(effect) for effect in effects if isinstance(effect, ev.Profited) and effect.amount])
    if parts:
        yield Income("income.trains", parts)


def opened(fists: ev.FistsOpened, effects: Sequence[Effect]) -> FistReveal:
    """Return opened fists with what came of them."""
    tied = [effect.seats for effect in effects if isinstance(effect, ev.Tied)]
    final = bool(tied) or any(isinstance(effect, ev.Sold | ev.NoSale) for effect in effects)
    return FistReveal(fists.amounts, next(iter(sales(effects)), None), tied[0] if tied else (), final)


def train(paid: ev.Profited) -> IncomePart:
    """Return what one train pays."""
    return IncomePart((paid.seat,), paid.amount, "source.train", {"number": paid.train + 1})


def sources(before: State[Table], event: Event, after: State[Table]) -> Iterator[IncomePart]:
    """Return where money came from and went, except for corrections, which are between a seat and the bank (R-05)."""
    for effect in after.effects:
        if isinstance(effect, Moved) and effect.amount and effect.why != "correction":
            yield IncomePart((effect.seat,), effect.amount, SOURCES.get(effect.why, "source.bought"))


MOMENTS = Moments(moments, sources)
"""The moments that pages show."""
