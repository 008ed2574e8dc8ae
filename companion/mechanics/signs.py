"""The sign's sentence for a seat with a turn, derived from that seat's own offers.

A sentence that names an action promises it: "Bid more, or pass." is for a seat that can bid more. Everybody else reads
one fixed sentence, because a seat's options can depend on its money or hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from types import FunctionType, UnionType

from companion.engine import Amounts, Event, Offer, PartedOffer

Promise = type[Event] | UnionType | Callable[[Event], bool]
"""Kinds of events, one of which is offered, or a condition that one of the offered events meets."""
Sentences = Mapping[str, tuple[Promise, ...]]
"""The possible sentences at a moment with their promises: the first whose promises all hold is used."""
USUAL = "you"
"""The sentence of a moment with only one."""
LOOKED_AT = 64
"""The number of events to examine in an offer too long to list: they are all of one kind."""


def signs_for(known: Mapping[str, Sentences], offers: Iterable[Offer]) -> dict[str, str]:
    """Return the name of the true sentence for each moment with several, by a seat's own offers."""
    events = [event for offer in offers for event in some_events(offer)]
    return {moment: _kept(sentences, events) for moment, sentences in known.items()}


def _kept(sentences: Sentences, events: Sequence[Event]) -> str:
    """Return the name of the first sentence whose promises these events keep; `you` if there is none."""
    for name, promises in sentences.items():
        if all([any([keeps(event, promise) for event in events]) for promise in promises]):
            return name
    return USUAL


def some_events(offer: Offer) -> Iterator[Event]:
    """Return events of an offer, at least one of each kind: for amounts, the lowest and the highest."""
    match offer:
        case Amounts(low=low, high=high):
            return iter([offer.kind(offer.by, amount) for amount in (low, high - high % offer.step)])
        case PartedOffer():
            return islice(offer, LOOKED_AT)
    return iter(offer)


def keeps(event: Event, promise: Promise) -> bool:
    """Return whether an offered event keeps a promise."""
    return bool(promise(event)) if isinstance(promise, FunctionType) else isinstance(event, promise)  # type: ignore[arg-type]
