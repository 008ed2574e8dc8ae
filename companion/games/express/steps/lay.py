"""The middle and end of a turn: laying, asking the partner, discarding, disasters (R-07 to R-27)."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from companion.engine import Choice, Deciding, Event, Luck, Offer, Part, Reason, Refusal, Seat, SeatEvent, Step, Turn
from companion.games.express import disasters, ending, laying, refusals
from companion.games.express import events as ev
from companion.games.express.steps.answers import AnswerMisdeal, AnswerPartner, Protect
from companion.games.express.steps.endings import EndTurn
from companion.games.express.table import DISCARD, SLOT, Table, engine_of, hand_of
from companion.mechanics.offers import Pairs
from companion.mechanics.pool import without
from companion.mechanics.seating import clockwise

FEW = 3
"""Cards of a hand too small for further laying: one to discard, and one to keep unless the seat goes out (R-26)."""


class Lay(Step[Table], frozen=True):
    """The seat on turn lays any number of cards, and ends its turn with a discard (R-04, R-07, R-18)."""

    seat: Seat

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer to go out first, then to lay; with few cards left, offer ends of the turn before laying."""
        seat, cards = self.seat, table.zones.kinds(hand_of(self.seat))
        (out, *ends), (*laid, back) = ending_events(table, cards), laying.laying_events(table, cards)
        lays, ending = [*choices(seat, *laid), *new_trains(table, cards)], choices(seat, *ends)
        middle = [*ending, *lays] if table.hand(seat) <= FEW else [*lays, *ending]
        return (*choices(seat, out), *middle, *choices(seat, back, asking_events(table)), *exchanges(table, cards))

    def timing(self, table: Table) -> Deciding | None:
        """Return the meaning of a press while the seat may ask: a question to the partner (R-27)."""
        if reason_not_to_ask(table) is not None:
            return None
        return Deciding(("ask", table.match.number, table.turns), self.seat, ev.PartnerAsked(self.seat), "decided")

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Lay, ask, or end the turn."""
        if isinstance(event, ev.Laying):
            return laying.lay(table, event), (self,), ()
        if isinstance(event, ev.Ending):
            return end(table, event)
        if isinstance(event, ev.PartnerAsked):
            return replace(table, answer="asked"), (AnswerPartner(self.seat), self), ()
        assert isinstance(event, ev.MisdealCalled)
        others = tuple(clockwise(event.seat, table.fixed.players))[1:]
        return table, (AnswerMisdeal(self, others),), ()

    def explain(self, table: Table, event: Event) -> Refusal | None:
        if not isinstance(event, SeatEvent):
            return None
        if event.seat != self.seat:
            return refusals.NOT_YOUR_TURN(seat=self.seat)
        match event:
            case ev.PileDrawn() | ev.DiscardTaken():
                return refusals.ONE_OR_TWO()
            case ev.Reshuffled():
                return refusals.NOT_DUE()
            case ev.PartnerAsked():
                reason = reason_not_to_ask(table)
                return None if reason is None else reason()
            case ev.MisdealCalled():
                return None if is_misdeal(table) else refusals.NO_MISDEAL.to(self.seat)
        if isinstance(event, ev.Laying):
            return laying.laying_objection(table, event)
        found = ending.ending_objection(table, event) if isinstance(event, ev.Ending) else None
        return found or (disasters.target_objection(table, event) if isinstance(event, ev.DisasterPlayed) else None)


# --- offers -----------------------------------------------------------------------------------------


class NewTrain(Pairs, frozen=True, gc=False):
    """A new train of a dealt hand: its first car, and any other card as its locomotive (R-07, R-08)."""

    starters: tuple[str, ...]
    cards: tuple[str, ...]
    """The whole hand."""
    kind: ClassVar[type[Event]] = ev.TrainBegun

    def parts(self) -> tuple[Part, ...]:
        return Part("card", self.starters), Part("locomotive", tuple(dict.fromkeys(self.cards)))

    def pairs(self) -> list[tuple[object, object]]:
        return [(card, other) for card in self.starters for other in dict.fromkeys(without(self.cards, (card,)))]

    def pick(self, luck: Luck) -> Event:
        """Return one of them at random; each other card is equally likely to be the locomotive."""
        card = self.starters[int(luck() * len(self.starters))]
        others = without(self.cards, (card,))
        return ev.TrainBegun(self.by, card, others[int(luck() * len(others))])


class LocomotiveExchange(Pairs, frozen=True, gc=False):
    """Dealt locomotives of a side, each exchangeable for another card of the hand (R-16)."""

    locomotives: tuple[tuple[int, str], ...]
    """The numbers of the trains, and their locomotives."""
    cards: tuple[str, ...]
    """The hand, each kind once."""
    kind: ClassVar[type[Event]] = ev.LocomotiveExchanged

    def parts(self) -> tuple[Part, ...]:
        return Part("train", tuple([str(number) for number, _ in self.locomotives])), Part("card", self.cards)

    def pairs(self) -> list[tuple[object, object]]:
        return [(number, card) for number, there in self.locomotives for card in self.cards if card != there]

    def __bool__(self) -> bool:
        return any([(there,) != self.cards for _, there in self.locomotives]) if self.cards else False


def choices(seat: Seat, *groups: tuple[Event, ...]) -> list[Offer]:
    """Return an offer for each non-empty group of events."""
    return [Choice(seat, events) for events in groups if events]


def new_trains(table: Table, cards: tuple[str, ...]) -> list[Offer]:
    """Return the offer of a new train, if the hand can begin one; for real cards, people name only its first car."""
    seat, starters = table.turn, table.fixed.starters
    first = tuple([card for card in cards if card in starters]) if table.hand(seat) >= laying.PAIR else ()
    if first and table.fixed.dealt:
        return [NewTrain(seat, first, table.zones.named(hand_of(seat)))]
    return choices(seat, tuple([ev.TrainBegun(seat, card, "") for card in first]))


def exchanges(table: Table, cards: tuple[str, ...]) -> list[Offer]:
    """Return the offer to exchange a dealt locomotive for a card of the hand (R-16); real ones need no event."""
    if not table.fixed.dealt or not cards:
        return []
    zones, side = table.zones.zones, table.side
    engines = [(train.number, zones[engine_of(side, train.number)].cards[0].name or "") for train in table.own_trains]
    offer = LocomotiveExchange(table.turn, tuple(engines), cards)
    return [offer] if offer else []


def ending_events(table: Table, cards: tuple[str, ...]) -> tuple[tuple[Event, ...], ...]:
    """Return every way to end the turn: going out, discarding, playing a card (R-18 to R-22, R-26)."""
    seat, actions = table.turn, table.fixed.actions
    leaving = table.hand(seat) == 1 and ending.can_leave(table)
    out = tuple([ev.WentOut(seat, card) for card in cards]) if leaving else ()
    if ending.too_few(table) or ending.keeping_objection(table) is not None:
        return out, (), ()
    others: list[Event] = []
    for card in cards:
        if card in actions:
            others.append(ev.DiscardedUnused(seat, card))
            if not table.first_round:
                turned = card == ending.TURNTABLE
                others += [ev.TurntablePlayed(seat)] if turned else disasters.targets(table, card)
    return out, tuple([ev.Discarded(seat, card) for card in cards if card not in actions]), tuple(others)


def asking_events(table: Table) -> tuple[Event, ...]:
    """Return the seat's possible questions: to its partner, or to everybody about a misdeal."""
    asked = (ev.PartnerAsked(table.turn),) if reason_not_to_ask(table) is None else ()
    return (*asked, ev.MisdealCalled(table.turn)) if is_misdeal(table) else asked


def reason_not_to_ask(table: Table) -> Reason | None:
    """Return why the seat cannot ask whether it may go out, None if it can (R-22, R-27)."""
    if not table.fixed.partners_of[table.turn]:
        return refusals.NO_PARTNER
    if table.first_round:
        return refusals.FIRST_ROUND
    if table.answer:
        return refusals.ASKED_ALREADY
    return refusals.ASK_BEFORE_LAYING if table.touched else None


def is_misdeal(table: Table) -> bool:
    """Return whether a seat can call a misdeal; for dealt cards, the companion checks it (A-05)."""
    if table.waived or (table.fixed.dealt and not table.first_round):
        return False
    left = laying.least_left(table) if table.fixed.dealt else table.hand(table.turn) - 1
    return left > table.fixed.limit


# --- effects -----------------------------------------------------------------------------------------


def end(table: Table, event: ev.Ending) -> Turn[Table]:
    """Return the table after a turn's last card was put down, and the steps that follow (R-18, R-20, R-28)."""
    played = isinstance(event, ev.TurntablePlayed | ev.DisasterPlayed)
    zones = table.zones.move(hand_of(event.seat), SLOT if played else DISCARD, ending.card_of(event))
    table = replace(table, zones=zones, laying=False)
    match event:
        case ev.WentOut(seat):
            return replace(table, over=True, out=seat), (), ()
        case ev.TurntablePlayed():
            return replace(table, reversed=not table.reversed), (EndTurn(again=True),), ()
        case ev.DisasterPlayed():
            return threaten(table, event)
    return table, (EndTurn(),), ()


def threaten(table: Table, event: ev.DisasterPlayed) -> Turn[Table]:
    """Return the table after a laid maintenance card averted a disaster, or ask its victims for one (R-23)."""
    shield, side = disasters.shield_against(table, event.card), table.fixed.side_of[event.target]
    if shield in table.maintenance[side]:
        table, effects = disasters.avert(table, side, shield)
        return table, (EndTurn(),), effects
    victims = (event.target, *table.fixed.sides.partners(event.target))
    holders = tuple([each for each in victims if shield and table.hand(each)])
    if holders:
        return table, (Protect(holders, event), EndTurn()), ()
    table, effects = disasters.strike(table, event)
    return table, (EndTurn(),), effects
