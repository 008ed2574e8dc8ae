"""The bot's decisions: what to draw, lay, play, ask and answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b

from msgspec.structs import replace

from companion.engine import Event, Luck, Seat, State
from companion.games.express import events as ev
from companion.games.express.bot.finish import agrees, verdict
from companion.games.express.bot.mind import NEVER, UNKNOWN, Mind, best_lays, lacking
from companion.games.express.disasters import DERAILMENT, LAST_CAR, SWITCH
from companion.games.express.ending import card_of, finishing_plan, grown
from companion.games.express.fixed import Fixed
from companion.games.express.rules import RULES
from companion.games.express.scoring import LEAST
from companion.games.express.table import DRAWN, Table, hand_of
from companion.games.express.trains import Train
from companion.games.express.view import View
from companion.mechanics.definition import Bots
from companion.mechanics.policy import PlainPolicy, Ranked, Ranking, Term, term
from companion.mechanics.pool import without

LOST_TURN = 2.0
"""The cost of a lost turn to its seat, in points."""
GOES_OUT = 100.0
"""The value of going out, higher than that of any other event."""
WORTH_IT = 1.0
"""The minimum harm, in points, for which the bot plays a disaster."""


class Express(Ranking, PlainPolicy[Table]):
    """A bot for a seat of Express."""

    def look(self, state: State[Table], seat: Seat) -> tuple[View, Fixed, Seat]:
        view, table = self.game.view(state, seat), state.table
        if not table.fixed.dealt:
            view = replace(view, own_cards=imagined_hand(table, seat))
        return view, table.fixed, seat

    def ranked(self, known: tuple[View, Fixed, Seat], luck: Luck) -> Sequence[Ranked]:
        """Return the seat's options, best first; only the next step if that is clear."""
        view, fixed, seat = known
        if view.moment == "show_hand":
            shown = ev.HandShown(seat, tuple(sorted(view.own_cards)))
            return only(shown if shown in view.offers[0] else view.offers[0].pick(luck))
        events = held([event for offer in view.offers for event in offer], view.own_cards)
        if not events:
            return ()
        mind = Mind(view, fixed, seat)
        if view.moment == "draw":
            return draw(mind, events)
        if view.moment == "lay":
            return Turn(mind, events).ranked()
        if view.moment == "answer_partner":
            return only(answer(mind))
        if view.moment == "answer_misdeal":
            return only(next(event for event in events if isinstance(event, ev.MisdealAccepted)))
        return only(events[0])

    def advised(self, known: tuple[View, Fixed, Seat], luck: Luck) -> Sequence[Ranked]:
        """Return the seat's options, and add other cards that may be laid or played for a good reason."""
        found, (view, fixed, seat) = self.ranked(known, luck), known
        if view.moment != "lay" or len(found) != 1:
            return found
        events = held([event for offer in view.offers for event in offer], view.own_cards)
        return *found, *Turn(Mind(view, fixed, seat), events).others(found[0].event)


def only(event: Event | None) -> Sequence[Ranked]:
    """Return an event as the only option; nothing for None."""
    return () if event is None else (Ranked(event, 0.0),)


def held(events: list[Event], hand: tuple[str, ...]) -> list[Event]:
    """Return the events without cards that are missing from an imagined hand, if any remain; all events of a known
    hand."""
    fit = []
    for event in events:
        match event:
            case ev.TrainBegun(_, card) | ev.CarLaid(_, _, card) | ev.MaintenanceLaid(_, card) if card not in hand:
                continue
            case ev.ProtectionPlayed(_, card) if card not in hand:
                continue
        if not isinstance(event, ev.Ending) or card_of(event) in hand:
            fit.append(event)
    return fit or events


# --- real cards with unknown names ----------------------------------------------------------------


def imagined_hand(table: Table, seat: Seat) -> tuple[str, ...]:
    """Return a hand of the seat's size: its publicly known cards, and the first cards of its imagined deck.

    The bot does not know its real cards. The imagined hand stays the same while the seat draws, lays and discards. If
    the bot could play any card that may be in its hand, it would begin every hand with the longest trains.
    """
    hand, zones = hand_of(seat), table.zones
    known, hidden = zones.named(hand), Counter(zones.remaining(hand))
    unseen = zones.count(hand) - len(known)
    gone = {card: count - hidden[card] for card, count in table.fixed.deck.items()}
    found = list[str]()
    for card in imagined_deck(tuple(table.fixed.cards), f"{table.drawn} {table.match.number} {seat}"):
        if len(found) == unseen:
            break
        if gone[card] > 0:  # a card that was laid or is visible elsewhere uses up the first of its kind
            gone[card] -= 1
        else:
            found.append(card)
    return (*known, *found)


@lru_cache(maxsize=32)
def imagined_deck(cards: tuple[str, ...], name: str) -> tuple[str, ...]:
    """Return the cards in an order that depends only on a name."""
    order = [(blake2b(f"{name} {at}".encode()).digest(), card) for at, card in enumerate(cards)]
    return tuple([card for _, card in sorted(order)])


def draw(mind: Mind, events: list[Event]) -> Sequence[Ranked]:
    """Rank the discard first if it helps to go out or to lay more than unknown cards would, else the pile.

    If the hand lays nothing, the discard must be worth more than the card that would replace it on the discard pile.
    Otherwise, two bots could pass the same cards to each other forever.
    """
    view, hand = mind.view, mind.view.own_cards
    pile, *others = events
    if not others:
        return only(pile)
    held = (*hand, view.discard)
    plan = None if view.first_round else finishing_plan(mind.book, tuple(mind.trains.values()), held)
    if plan is not None and verdict(mind, plan, bool(mind.fixed.sides.partners(mind.seat))) is not False:
        return Ranked(others[0], GOES_OUT, (term("goes_out", GOES_OUT, card=view.discard),)), Ranked(pile, 0.0)
    taken, unknown = best_lays(mind, held), best_lays(mind, (*hand, *(UNKNOWN,) * DRAWN)).worth
    gains = bool(taken.cards) or mind.card(view.discard) > mind.card(taken.discard)
    more = taken.worth - unknown if taken.worth > NEVER < unknown else 0.0
    top = Ranked(others[0], more, (term("discard", more, card=view.discard, lays=len(taken.cards)),))
    if taken.worth > unknown and gains:
        return top, Ranked(pile, 0.0)
    hopes = term("pile", max(0.1, -more), card=view.discard, cards=DRAWN)
    return Ranked(pile, 0.0, (hopes,)), replace(top, value=min(more, 0.0))


def answer(mind: Mind) -> Event | None:
    """Return yes if it pays that the partner goes out, else no; None for the seat that asked."""
    if mind.seat == mind.view.turn:
        return None
    return ev.PartnerAgreed(mind.seat) if agrees(mind) else ev.PartnerForbade(mind.seat)


class Turn:
    """A seat's laying phase, from which it chooses the next step."""

    def __init__(self, mind: Mind, events: list[Event]) -> None:
        self.mind, self.view, self.events, self.seat = mind, mind.view, events, mind.seat
        self.names_locomotives = mind.fixed.dealt

    def ranked(self) -> Sequence[Ranked]:
        """Return the next step. For a discard, also return the other cards that could be discarded."""
        event = self.choose()
        if not isinstance(event, ev.Discarded | ev.DiscardedUnused):
            return (Ranked(event, 0.0, self.terms(event)),)
        first, *others = sorted(
            [self.away(each) for each in self.events if isinstance(each, ev.Discarded | ev.DiscardedUnused)],
            key=lambda each: (each.event != event, -each.value),
        )
        return first, *[replace(each, value=min(each.value, first.value)) for each in others]

    def others(self, chosen: Event) -> Sequence[Ranked]:
        """Return other cards to lay or play that bring points or hurt a rival, best first, each card once."""
        laid = [each for each in self.events if isinstance(each, ev.CarLaid | ev.MaintenanceLaid)]
        hits = [each for each in self.events if isinstance(each, ev.DisasterPlayed) and self.harm(each)[0] >= WORTH_IT]
        found: dict[str, Ranked] = {}
        for event in (*laid, *hits):
            parts = self.terms(event)
            ranked = Ranked(event, parts[0].amount - GOES_OUT, parts)
            best = found.get(event.card)
            if (
                event.card != getattr(chosen, "card", "")
                and parts[0].amount > 0
                and (best is None or ranked.value > best.value)
            ):
                found[event.card] = ranked
        return sorted(found.values(), key=lambda each: -each.value)

    def away(self, event: ev.Discarded | ev.DiscardedUnused) -> Ranked:
        """Return a discard with the value of the remaining hand and the value of the card to the next seat."""
        kept, fed = self.mind.hand(without(self.view.own_cards, (event.card,))), self.mind.discard(event.card)
        parts = term("keeps", kept, cards=len(self.view.own_cards) - 1), term("feeds", -fed, card=event.card)
        return Ranked(event, kept - fed, parts)

    def terms(self, event: Event) -> tuple[Term, ...]:
        """Return the reasons for laying a card or playing a disaster."""
        match event:
            case ev.CarLaid(_, number, card):
                before = self.mind.trains[number]
                more = self.mind.points(grown(before, number, card, 1)) - self.mind.points(before)
                train = term("train", more, card=card, cars=len(before.cars) + 1)
                return train, *self.nearer(number), term("spared", self.mind.value(card), card=card)
            case ev.TrainBegun(_, card):
                return (term("begins", self.mind.value(card), card=card),)
            case ev.MaintenanceLaid(_, card):
                return (term("train", self.mind.value(card), card=card, cars=0),)
            case ev.DisasterPlayed(_, card, target):
                return (term("hurts", self.harm(event)[0], card=card, seat=target),)
            case ev.WentOut(_, card):
                return (term("goes_out", GOES_OUT, card=card),)
        return ()

    def nearer(self, number: int) -> Iterator[Term]:
        """Yield how a further car on a train helps to go out (R-26): the train scores, or becomes long enough."""
        cars = {each.number: len(each.cars) for each in self.mind.trains.values()}
        if cars[number] < LEAST:
            yield term("scores", 1.0, left=LEAST - cars[number] - 1)
            return
        left = lacking([*(cars | {number: cars[number] + 1}).values()])
        if left < lacking([*cars.values()]):
            yield term("longer", 1.0, left=left)

    def choose(self) -> Event:
        """Return the step that goes out or leads there, else the best card to lay, else the end of the turn."""
        view = self.view
        if (found := self.leave()) is not None:
            return found
        best = best_lays(self.mind, view.own_cards)
        if best.cards and (found := self.lay(*best.cards[0], best.locomotives)):
            return found
        return self.end(best.discard) or self.forced()

    def leave(self) -> Event | None:
        """Return the next step for going out, or the question to the partner; None to stay in."""
        view, mind = self.view, self.mind
        if view.first_round or view.answer == "no":
            return None
        plan = finishing_plan(mind.book, tuple(mind.trains.values()), view.own_cards)
        if plan is None:
            return self.first(ev.WentOut)
        asking = self.first(ev.PartnerAsked)
        going = view.answer == "yes" or verdict(mind, plan, asking is not None)
        if going is None:
            return asking
        if going and plan.lays:
            return self.lay(*plan.lays[0], plan.locomotives)
        return self.first(ev.WentOut) if going else None

    def first(self, *kinds: type[Event]) -> Event | None:
        """Return the first offered event of these kinds."""
        return next((event for event in self.events if isinstance(event, kinds)), None)

    def lay(self, number: int, card: str, locomotives: tuple[str, ...]) -> Event | None:
        """Return the event that lays a card, if it is offered. A negative number begins a train; 0 stands for
        maintenance."""
        event: Event = ev.MaintenanceLaid(self.seat, card)
        if number < 0:
            event = ev.TrainBegun(self.seat, card, locomotives[0] if self.names_locomotives else "")
        elif number:
            event = ev.CarLaid(self.seat, number, card)
        return event if event in self.events else None

    def end(self, card: str) -> Event | None:
        """Return a disaster that hurts, else the turntable for another turn, else the discard of a card."""
        hits = [event for event in self.events if isinstance(event, ev.DisasterPlayed)]
        worst = max(hits, key=self.harm, default=None)
        if worst is not None and self.harm(worst)[0] >= WORTH_IT:
            return worst
        again = self.first(ev.TurntablePlayed)
        if again is not None:
            return again
        cards = [event for event in self.events if isinstance(event, ev.Discarded | ev.DiscardedUnused)]
        chosen = next((event for event in cards if event.card == card), None)
        return chosen or (cards[0] if cards else self.first(ev.DisasterPlayed))

    def harm(self, event: ev.DisasterPlayed) -> tuple[float, int]:
        """Return a disaster's harm in points, and the strength of the side hit.

        A card that protects against the disaster loses only its own value.
        """
        mind = self.mind
        side = next(side for side in self.view.sides if event.target in side.seats)
        strength = side.points + side.total
        shields = [card for card in side.maintenance if mind.book[card].counters == event.card]
        if shields:
            return mind.value(shields[0]), strength
        if event.card == DERAILMENT:
            return LOST_TURN, strength
        if event.card == SWITCH:
            return 0.0, strength
        hit = next(train for train in side.trains if train.number == event.train)
        train, held = Train(hit.number, hit.cars, hit.diesel), Counter[str]()
        harm = mind.train(train, held)
        if event.card in LAST_CAR and len(hit.cars) > 1:
            harm -= mind.train(replace(train, cars=hit.cars[:-1]), held)
        return harm, strength

    def forced(self) -> Event:
        """Return the only way on if the turn cannot end yet: a seat that has laid all but one card goes out."""
        if (out := self.first(ev.WentOut)) is not None:
            return out
        begun = self.first(ev.TrainBegun) if self.view.hands[self.seat] > DRAWN else None
        back = self.first(ev.LaidTakenBack) if self.view.hands[self.seat] < DRAWN else None
        kinds = (ev.CarLaid, ev.TrainBegun, ev.MisdealCalled, ev.LaidTakenBack)
        return back or begun or next((each for kind in kinds if (each := self.first(kind))), self.events[0])


POLICY = Express(RULES)
"""The bot that plays Express."""
BOTS = Bots(POLICY, slips=0.13)
