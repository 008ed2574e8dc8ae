"""What an amendment changes, as data: seat by seat in money, place by place in cards. Knows no game and no language."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.engine import Event, Game, Seat, State


class MoneyChange(msgspec.Struct, frozen=True):
    """A seat's money as it was and as it is. Only the change may be told to others (`change`, negative: give back)."""

    seat: Seat
    then: int
    now: int

    @property
    def change(self) -> int:
        """What the bank owes the seat (positive), or the seat the bank (negative), in dollars."""
        return self.now - self.then


class CardChange(msgspec.Struct, frozen=True):
    """A card that lies somewhere else or is another: what was at this place, and what is; None for nothing."""

    place: tuple[str, ...]
    was: str | None
    now: str | None


class Difference(msgspec.Struct, frozen=True):
    """What is different now that the event of record `seq` is another: money, the bank, cards by place."""

    seq: int
    was: Event
    now: Event
    money: tuple[MoneyChange, ...]
    bank_then: int | None
    bank_now: int | None
    cards: tuple[CardChange, ...]


def difference(game: Game[Any], seq: int, was: Event, now: Event, before: State[Any], after: State[Any]) -> Difference:
    """Return what differs between two states of a match, one as it was, one with the event amended."""
    old, new = game.holdings(before), game.holdings(after)
    pairs = zip(old.cash, new.cash, strict=True)
    return Difference(
        seq=seq,
        was=was,
        now=now,
        money=tuple(MoneyChange(Seat(s), then, is_) for s, (then, is_) in enumerate(pairs) if then != is_),
        bank_then=old.bank,
        bank_now=new.bank,
        cards=tuple(
            CardChange(place, old.cards.get(place), new.cards.get(place))
            for place in sorted(old.cards | new.cards)
            if old.cards.get(place) != new.cards.get(place)
        ),
    )
