"""The constants of a match of Express: players, sides, options and figures, and values derived from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Annotated, Literal

import msgspec

from companion.engine import PER_PLAYER, Seat
from companion.games.express.profile import ACTIONS, JOINING, STARTERS, Card, Profile
from companion.games.express.scoring import TrainScore, train_score, value_of
from companion.games.express.trains import Train, joins
from companion.mechanics.sides import Sides

FOUR = 4
"""Players of a partnership game with a smaller bonus for going out (S-08)."""
IDLE_ROUND, SUM_OF_CARS, PARTNER_ON_TURN = RULINGS = ("idle_round", "sum_of_cars", "partner_on_turn")
"""Rulings made since the first journals: the end of a hand that nobody ends (R-06), the default scoring (S-02), and the
partner who gets a lone locomotive (R-25).
"""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every option, with its default."""

    profile: Literal["ours", "reconstruction", "owner"] = "ours"
    variant: Literal["full", "family"] = "full"
    partners: Literal["usual", "alone", "sides"] = "usual"
    """Usual: pairs with four or six players, else everybody alone (R-01)."""
    side: Annotated[tuple[Annotated[int, msgspec.Meta(ge=1, le=6)], ...], PER_PLAYER] = ()
    """The number of each player's side; empty for sides that alternate around the table."""
    scoring: Literal["sum", "set_of_three"] = "sum"
    """Whether each of the first three cars counts its printed value, or all three together count it once (S-02)."""
    partners_see: Literal["trains", "hands"] = "trains"
    hands: Annotated[int, msgspec.Meta(ge=1, le=50)] = 12
    """The most hands of a match."""


class Fixed(msgspec.Struct, frozen=True, dict=True):
    """The constants of a match."""

    players: int
    sides: Sides
    options: Options
    profile: Profile
    dealt: bool
    """Whether the companion deals; otherwise it knows only the real cards that were seen."""
    rulings: tuple[str, ...] = RULINGS
    """The rulings that apply to the match."""

    @cached_property
    def deck(self) -> dict[str, int]:
        """The number of each card in the deck."""
        return self.profile.deck(self.players, self.options.variant == "family")

    @cached_property
    def book(self) -> Mapping[str, Card]:
        """The cards of the deck by their names."""
        return {card.id: card for card in self.profile.cards if card.id in self.deck}

    @cached_property
    def cards(self) -> tuple[str, ...]:
        """All cards of the deck, with repeats."""
        return tuple([card for card, count in self.deck.items() for _ in range(count)])

    @cached_property
    def side_of(self) -> tuple[int, ...]:
        """The number of each seat's side."""
        return tuple([self.sides.side_of(Seat(seat)) for seat in range(self.players)])

    @cached_property
    def partners_of(self) -> tuple[tuple[Seat, ...], ...]:
        """Each seat's partners."""
        return tuple([self.sides.partners(Seat(seat)) for seat in range(self.players)])

    def of_groups(self, *groups: str) -> frozenset[str]:
        """Return the cards of certain groups."""
        return frozenset([card.id for card in self.book.values() if card.group in groups])

    @cached_property
    def starters(self) -> frozenset[str]:
        """The cards that can begin a train (R-07)."""
        return self.of_groups(*STARTERS)

    @cached_property
    def actions(self) -> frozenset[str]:
        """The cards to play into the slot (R-20)."""
        return self.of_groups(*ACTIONS)

    @cached_property
    def shields(self) -> frozenset[str]:
        """The maintenance cards (R-15)."""
        return self.of_groups("maintenance")

    @cached_property
    def joinable(self) -> frozenset[str]:
        """The cards that can be added to trains."""
        return self.of_groups(*JOINING)

    @cached_property
    def couplings(self) -> dict[tuple[tuple[str, ...], bool], frozenset[str]]:
        """A cache of the cards that join a train, by its cars and whether it has a Diesel."""
        return {}

    def joining(self, train: Train) -> frozenset[str]:
        """Return the cards that can be added to the end of a train (R-09 to R-13)."""
        found = self.couplings.get((train.cars, train.diesel))
        if found is None:
            found = frozenset([card for card in self.joinable if joins(self.book, train, card)])
            self.couplings[train.cars, train.diesel] = found
        return found

    @cached_property
    def scores(self) -> dict[tuple[tuple[str, ...], bool], TrainScore]:
        """A cache of the scores of trains, by their cars and whether they have a Diesel."""
        return {}

    def score(self, train: Train) -> TrainScore:
        """Return the score of a train (S-01 to S-06)."""
        found = self.scores.get((train.cars, train.diesel))
        if found is None:
            found = train_score(self.book, train, self.options.scoring)
            self.scores[train.cars, train.diesel] = found
        return found

    @property
    def partners(self) -> bool:
        """Whether anybody has a partner."""
        return len(self.sides.groups) < self.players

    @property
    def deal(self) -> int:
        """The number of cards dealt to each seat (R-03)."""
        return (self.profile.deal_sides if self.partners else self.profile.deal_alone) or 0

    @property
    def limit(self) -> int:
        """The most cards in a hand at the end of a turn (R-19)."""
        return self.profile.hand_limit or 0

    @property
    def out_bonus(self) -> int:
        """The bonus for going out, smaller in a four-player partnership (S-08)."""
        few = self.partners and self.players == FOUR
        return (self.profile.out_bonus_four_sides if few else self.profile.out_bonus) or 0

    def hand_cost(self, cards: Iterable[str]) -> int:
        """Return the cost of cards left in hand (S-08)."""
        cost = self.profile.hand_cost
        return sum([cost if isinstance(cost, int) else value_of(self.book, card) for card in cards])
