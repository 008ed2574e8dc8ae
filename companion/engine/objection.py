"""The reason why no offer contains an event, as far as the offers themselves show it."""

from __future__ import annotations

from collections.abc import Sequence

from companion.engine.event import Event, Seat, SeatEvent, fields_of
from companion.engine.offer import Amounts, Choice, Offer
from companion.engine.refusal import NOT_YOUR_TURN, Reason, Refusal

AMOUNT_OUT_OF_RANGE = Reason("R-00", "amount_out_of_range", "low", "high", "step")
CARD_NOT_OFFERED = Reason("R-00", "card_not_offered", "card")
NOT_OFFERED = Reason("R-00", "not_offered")


def objection(offers: Sequence[Offer], awaited: Sequence[Seat], event: Event) -> Refusal | None:
    """Return why no offer contains the event; None if the offers are of other kinds, so that it is the wrong moment.

    A seat's options can depend on its hidden cards and its cash, so only the seat itself may read the reason.
    """
    alike = [offer for offer in offers if _has_kind(offer, type(event))]
    if not alike:
        return None
    seat = event.seat if isinstance(event, SeatEvent) else None
    own = [offer for offer in alike if offer.by == seat]
    if seat is not None and not own:
        return NOT_YOUR_TURN(seat=awaited[0]) if awaited else None
    for offer in own:
        if isinstance(offer, Amounts):
            return AMOUNT_OUT_OF_RANGE.to(seat, low=offer.low, high=offer.high, step=offer.step)
    if "card" in event.__struct_fields__:
        return CARD_NOT_OFFERED.to(seat, card=fields_of(event)["card"])
    return NOT_OFFERED.to(seat)


def _has_kind(offer: Offer, kind: type[Event]) -> bool:
    """Return whether an offer holds events of a kind; unknown if it can be neither listed nor split into parts."""
    if isinstance(offer, Choice):
        return any(type(event) is kind for event in offer.events)
    return getattr(offer, "kind", None) is kind
