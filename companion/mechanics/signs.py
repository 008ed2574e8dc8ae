"""What the sign says to a seat that the table waits for, made from that seat's own offers.

A sentence that names an action promises it: "Bid more, or pass." is for a seat that can bid more. Everybody else reads
one sentence alone, as what a seat may do can depend on its money or hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from types import FunctionType, UnionType

from companion.engine import Amounts, Event, Offer, PartedOffer

Promise = type[Event] | UnionType | Callable[[Event], bool]
"""Kinds of events of which one is offered, or a condition that one of the offered events meets."""
Sentences = Mapping[str, tuple[Promise, ...]]
"""What may be said at a moment, with what each sentence promises: the first whose promises all hold is said."""
USUAL = "you"
"""The sentence of a moment that has one alone."""
LOOKED_AT = 64
"""So many events of an offer that is too long to list are looked at: they are of one kind."""


def signs_for(known: Mapping[str, Sentences], offers: Iterable[Offer]) -> dict[str, str]:
    """Return for each moment with several sentences the name of the one that a seat's own offers keep."""
    events = [event for offer in offers for event in some_events(offer)]
    return {moment: _kept(sentences, events) for moment, sentences in known.items()}


def _kept(sentences: Sentences, events: Sequence[Event]) -> str:
    """Return the name of the first sentence whose promises these events keep; `you`, if they keep none."""
    for name, promises in sentences.items():
        if all([any([keeps(event, promise) for event in events]) for promise in promises]):
            return name
    return USUAL


def some_events(offer: Offer) -> Iterator[Event]:
    """Return events of an offer, at least one of each kind: the least and the most of amounts."""
    match offer:
        case Amounts(low=low, high=high):
            return iter([offer.kind(offer.by, amount) for amount in (low, high - high % offer.step)])
        case PartedOffer():
            return islice(offer, LOOKED_AT)
    return iter(offer)


def keeps(event: Event, promise: Promise) -> bool:
    """Whether an offered event is what was promised."""
    return bool(promise(event)) if isinstance(promise, FunctionType) else isinstance(event, promise)  # type: ignore[arg-type]
