"""A player that lays what scores, keeps what may become a train, and goes out when it can.

It sees a view alone. Of real cards, which it cannot see, it takes what is possible.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from companion.engine import Event, Luck, Seat, State
from companion.games.examples.express import events as ev
from companion.games.examples.express.finishing import Plan, finishing_plan
from companion.games.examples.express.rules import GAME
from companion.games.examples.express.scoring import value_of
from companion.games.examples.express.table import Table
from companion.games.examples.express.trains import CABOOSE, DIESEL, WILD, Book, Train, group_of
from companion.games.examples.express.view import SidePublic, View
from companion.mechanics.policy import PlainPolicy

WORTH_A_TRAIN = 3
"""Cars of a kind in hand from which a new train is begun at once (S-01)."""
KEPT = 2
"""The discard, and a card that stays in hand: to lay all is to go out (R-26)."""
WORTH_A_CABOOSE = 4
"""Cars of a train from which a caboose shields it."""
HURTS = {"wreck": 4, "steal_car": 3, "broken_car": 2, "derailment": 2, "switch_engines": 0}
"""How much a disaster is worth playing."""


class Express(PlainPolicy[Table]):
    """How a program fills a seat of Express."""

    def look(self, state: State[Table], seat: Seat) -> tuple[View, Book, Seat]:
        """Return what the seat may know, with the cards of the deck."""
        return self.game.view(state, seat), state.table.fixed.book, seat

    def choose(self, known: tuple[View, Book, Seat], luck: Luck) -> Event | None:
        """Return the best of what is offered, by a few rules of thumb."""
        view, book, seat = known
        if view.moment == "show_hand":
            return view.offers[0].pick(luck)
        events = [event for offer in view.offers for event in offer]
        if not events:
            return None
        if view.moment == "draw":
            return draw(view, book, seat, events)
        if view.moment == "lay":
            return Turn(view, book, seat, events).choose()
        if view.moment == "answer_partner":
            return answer(view, seat, events)
        if view.moment == "answer_misdeal":
            return next(event for event in events if isinstance(event, ev.MisdealAccepted))
        return events[0]


def own_side(view: View, seat: Seat) -> SidePublic:
    """Return the side of a seat."""
    return next(side for side in view.sides if seat in side.seats)


def trains_of(side: SidePublic) -> tuple[Train, ...]:
    """Return the trains of a side as the rules see them."""
    return tuple([Train(train.number, train.cars, train.diesel) for train in side.trains])


def draw(view: View, book: Book, seat: Seat, events: Iterable[Event]) -> Event | None:
    """Return the discard if it fits a train or a pair of the hand and goes out with it, else the pile."""
    card = view.discard
    alike = Counter(view.own_cards)[card] if group_of(book, card) == "freight" else 0
    trains = trains_of(own_side(view, seat))
    wanted = alike > 1 or card == WILD
    if card and not view.first_round and finishing_plan(book, trains, (*view.own_cards, card)):
        wanted = True
    by_kind = {type(event): event for event in events}
    return by_kind.get(ev.DiscardTaken if wanted else ev.PileDrawn) or by_kind[ev.PileDrawn]


def answer(view: View, seat: Seat, events: list[Event]) -> Event:
    """Return yes unless the other sides would not suffer: the own side must score more now than each other one."""
    mine = own_side(view, seat)
    behind = any([side.points > mine.points for side in view.sides if side is not mine])
    wanted = ev.PartnerForbade if behind and len(view.own_cards) < view.limit else ev.PartnerAgreed
    return next((event for event in events if isinstance(event, wanted)), events[0])


class Turn:
    """What a seat knows in its laying phase, and what it does next."""

    def __init__(self, view: View, book: Book, seat: Seat, events: list[Event]) -> None:
        self.view, self.book, self.seat, self.events = view, book, seat, events
        self.hand = Counter(view.own_cards)
        self.count = view.hands[seat]
        self.side = own_side(view, seat)

    def choose(self) -> Event | None:
        """Return to go out; else what leads there, what scores, what must be laid; else the end of the turn."""
        out = self.first(ev.WentOut)
        if out is not None:
            return out
        plan = None
        if not self.view.first_round and self.view.answer != "no":
            plan = finishing_plan(self.book, trains_of(self.side), self.view.own_cards)
        if plan is not None and plan.lays:
            return self.follow(plan)
        return self.lay() or self.end() or self.forced()

    def first(self, *kinds: type[Event]) -> Event | None:
        """Return the first offered event of these kinds."""
        return next((event for event in self.events if isinstance(event, kinds)), None)

    def follow(self, plan: Plan) -> Event | None:
        """Return the first step of a plan to go out."""
        number, card = plan.lays[0]
        if number < 0:
            return self.offered(ev.TrainBegun(self.seat, card, plan.locomotives[0]))
        if not number:
            return self.offered(ev.MaintenanceLaid(self.seat, card))
        return self.offered(ev.CarLaid(self.seat, number, card))

    def offered(self, event: Event) -> Event | None:
        """Return the event if it is offered."""
        return event if event in self.events else None

    def lay(self) -> Event | None:
        """Return what scores: maintenance, cars for trains, a train of three; one card is kept besides the discard."""
        if self.count <= KEPT:
            return None
        found = self.first(ev.MaintenanceLaid) or self.car()
        if found is None and self.count > WORTH_A_TRAIN:
            found = self.train(WORTH_A_TRAIN)
        return found

    def car(self) -> Event | None:
        """Return the best card to add to a train of the side."""
        trains = {train.number: train for train in self.side.trains}
        best: tuple[float, Event] | None = None
        for event in self.events:
            if not isinstance(event, ev.CarLaid):
                continue
            train = trains[event.train]
            worth = self.adding(event.card, len(train.cars), group_of(self.book, train.cars[0]) == "passenger")
            if worth > 0 and (best is None or worth > best[0]):
                best = worth, event
        return best[1] if best else None

    def adding(self, card: str, length: int, passenger: bool) -> float:
        """Return how good it is to add a card to a train of this length."""
        if card == DIESEL:
            return 5 if passenger else 0
        if card == CABOOSE:
            return length if length >= WORTH_A_CABOOSE else 0
        if card == WILD:
            return 2 if length > 1 else 0
        return 10 + length

    def train(self, least: int) -> Event | None:
        """Return a new train of the kind of which there are most cards, at least so many, behind the poorest card."""
        starters = {event.card for event in self.events if isinstance(event, ev.TrainBegun)}
        worth = {card: (self.fitting(card), self.value(card)) for card in sorted(starters)}
        best = max(worth, key=worth.__getitem__, default="")
        if not best or worth[best][0] < least:
            return None
        behind = [event for event in self.events if isinstance(event, ev.TrainBegun) and event.card == best]
        return min(behind, key=lambda event: (*self.use(event.locomotive, best), event.locomotive))

    def fitting(self, card: str) -> int:
        """Return how many cards of the hand fit a train that begins with this one."""
        if group_of(self.book, card) != "passenger":
            return self.hand[card]
        return sum([count for each, count in self.hand.items() if group_of(self.book, each) == "passenger"])

    def value(self, card: str) -> int:
        """Return a card's printed value."""
        return value_of(self.book, card)

    def use(self, card: str, besides: str = "") -> tuple[int, int]:
        """Return how useful a card of the hand is: as a car, in numbers, then by value."""
        kind = group_of(self.book, card)
        if kind == "turntable":
            return 0, 0
        if kind == "disaster":
            return (1 if self.view.first_round else 0), HURTS.get(card, 0)
        if card in (WILD, DIESEL):
            return 5, 0
        same = besides and (card == besides or kind == group_of(self.book, besides) == "passenger")
        return (6 if same else self.fitting(card)), self.value(card)

    def end(self) -> Event | None:
        """Return a disaster that hurts, else the discard of the least useful card."""
        hits = [event for event in self.events if isinstance(event, ev.DisasterPlayed) and HURTS.get(event.card)]
        if hits:
            return max(hits, key=self.harm)
        cards = [event for event in self.events if isinstance(event, ev.Discarded | ev.DiscardedUnused)]
        poorest = min(cards, key=lambda event: (*self.use(event.card), event.card), default=None)
        return poorest or self.first(ev.TurntablePlayed, ev.DisasterPlayed)

    def harm(self, event: ev.DisasterPlayed) -> tuple[int, int, int]:
        """Return how much a disaster hurts: the best trains of the side that has most."""
        side = own_side(self.view, event.target)
        points = next((train.score.points for train in side.trains if train.number == event.train), 0)
        return HURTS[event.card], points, side.points + side.total

    def forced(self) -> Event | None:
        """Return what has to be laid, as the turn cannot end yet: the largest group first, then anything."""
        back = self.first(ev.LaidTakenBack) if self.count < KEPT else None
        begun = self.train(1) if self.count > KEPT else None
        kinds = (ev.CarLaid, ev.TrainBegun, ev.MisdealCalled, ev.LaidTakenBack)
        return back or begun or next((each for kind in kinds if (each := self.first(kind))), self.events[0])


POLICY = Express(GAME)
