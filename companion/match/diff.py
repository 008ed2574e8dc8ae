"""The effects of an amendment, as data: money seat by seat, cards place by place."""

from __future__ import annotations

import msgspec

from companion.engine import AnyGame, AnyState, Event, Seat


class MoneyChange(msgspec.Struct, frozen=True):
    """A seat's money before and after. Other seats may see only the `change` (negative: the seat gives money back)."""

    seat: Seat
    then: int
    now: int

    @property
    def change(self) -> int:
        """The bank's debt to the seat in dollars; negative if the seat owes the bank."""
        return self.now - self.then


class CardChange(msgspec.Struct, frozen=True):
    """The card at one place before and after; None for no card."""

    place: tuple[str, ...]
    was: str | None
    now: str | None


class Difference(msgspec.Struct, frozen=True):
    """The effects of replacing the event of record `seq`: money, the bank, cards by place."""

    seq: int
    was: Event
    now: Event
    money: tuple[MoneyChange, ...]
    bank_then: int | None
    bank_now: int | None
    cards: tuple[CardChange, ...]


def compare_states(
    game: AnyGame, seq: int, events: tuple[Event, Event], before: AnyState, after: AnyState
) -> Difference:
    """Return the differences between two states of a match when the second event replaces the first."""
    old, new = game.holdings(before), game.holdings(after)
    was, now = events
    pairs = zip(old.cash, new.cash, strict=True)
    return Difference(
        seq=seq,
        was=was,
        now=now,
        money=tuple(MoneyChange(Seat(s), then, cash) for s, (then, cash) in enumerate(pairs) if then != cash),
        bank_then=old.bank,
        bank_now=new.bank,
        cards=tuple(
            CardChange(place, old.cards.get(place), new.cards.get(place))
            for place in sorted(old.cards | new.cards)
            if old.cards.get(place) != new.cards.get(place)
        ),
    )
