"""A game whose cards lie in zones: its views and layouts follow from who knows which card."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol, TypeVar

import msgspec

from companion.engine import Event, Layout, Place, Seat, Spot, State, follow
from companion.mechanics.plain import PlainGame
from companion.mechanics.view import PlainView
from companion.mechanics.zones import Zones


class ZonesTable(msgspec.Struct, frozen=True):
    """The part of a table that ready-made steps use; a game's own fields follow."""

    dealt: bool
    """Whether the companion deals; otherwise it knows only the real cards that were seen."""
    zones: Zones[str]


class Zoned(Protocol):
    """A table for a step that needs only the zones."""

    @property
    def zones(self) -> Zones[str]:
        """All zones."""
        ...


Z = TypeVar("Z", bound=ZonesTable)
Y = TypeVar("Y", bound=Zoned)


def with_zones(table: Y, zones: Zones[str]) -> Y:
    """Return the table with new zones."""
    return msgspec.structs.replace(table, zones=zones)  # type: ignore[type-var]


def hand_of(seat: int) -> str:
    """Return the zone of a seat's hand."""
    return f"hand.{seat + 1}"


class ZonesView(PlainView, frozen=True, kw_only=True):
    """The view of a game with zones."""

    own_cards: tuple[str, ...]
    """The cards in the viewer's own hand."""
    hands: tuple[int, ...]
    """The number of cards in each seat's hand."""
    lying: dict[str, tuple[str, ...]]
    """The visible cards, by zone."""


class ZonesGame(PlainGame[Z]):
    """A plain game with zones: a place on the mat has the name of its zone, a hand that of `hand_of`."""

    def places(self, players: int) -> tuple[Place, ...]:
        """Return the places of the table. Each game overrides this."""
        raise NotImplementedError(f"{self.name} has no places")

    def rank(self, card: str) -> Any:
        """Return the sorting key of a card in a hand: its name."""
        return card

    def basics(self, state: State[Z], seat: Seat | None) -> dict[str, Any]:
        """Return the fields of `ZonesView`, for a view with more fields: `View(**self.basics(state, seat),
        trump=…)`.
        """
        zones = state.table.zones
        held = [zones.count(hand_of(each)) for each in range(len(self.scores(state)))]
        own = () if seat is None else zones.view_of(hand_of(seat), seat)
        cards = tuple(sorted([card for card in own if card is not None], key=self.rank))
        seen = {name: tuple([card for card in zones.view_of(name, None) if card is not None]) for name in zones.zones}
        lying = {name: there for name, there in seen.items() if there}
        return {**super().basics(state, seat), "own_cards": cards, "hands": tuple(held), "lying": lying}

    def view(self, state: State[Z], seat: Seat | None) -> ZonesView:
        """Return the viewer's own cards, the size of each hand, and all open cards."""
        return ZonesView(**self.basics(state, seat))

    def layout(self, state: State[Z]) -> Layout:
        """Return each place's cards as everybody sees them; of an open pile, the top one."""
        zones = state.table.zones
        spots: dict[str, Spot] = {}
        for place in self.places(len(self.scores(state))):
            cards = zones.view_of(place.name, None)
            up = tuple([card for card in cards if card is not None])
            spots[place.name] = Spot(up[-1:] if place.kind == "pile" else up, down=cards.count(None))
        return Layout(spots, lingering=dict(self.lingering(state)), loose=self.loose(state))

    def candidate_events(self, state: State[Z], said: Layout, seen: Layout) -> Iterable[Event]:
        """Yield the candidates of every plain game after which the cards lie as seen, or people still move them."""
        for event in super().candidate_events(state, said, seen):
            after = self.layout(follow(self, state, event))
            came = [(seen.spot(name), set(spot.up) - set(said.spot(name).up)) for name, spot in after.spots.items()]
            if after.loose or all(there.unnamed or cards <= set(there.up) for there, cards in came):
                yield event

    def loose(self, state: State[Z]) -> bool:
        """Return whether people are clearing or moving cards now, so that nothing has to match until the next event."""
        return state.over

    def lingering(self, state: State[Z]) -> Iterable[tuple[str, tuple[str, ...]]]:
        """Yield cards by place that the rules have just removed but that may still lie there; none by default."""
        return ()
