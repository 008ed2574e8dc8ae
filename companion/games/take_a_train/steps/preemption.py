"""Preemption: the highest fist chooses first (R-40 to R-45)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.engine import Automatic, Choice, Effect, Event, Offer, Refusal, Seat, Step, Turn
from companion.games.take_a_train import events as ev
from companion.games.take_a_train import refusals
from companion.games.take_a_train.steps.reveal import RevealLocos
from companion.games.take_a_train.steps.sales import own, turn_down
from companion.games.take_a_train.table import Table, power
from companion.mechanics.offers import Orders
from companion.mechanics.pool import without
from companion.mechanics.sealed import ranked

Bids = tuple[int | None, ...]
Groups = tuple[tuple[Seat, ...], ...]


def order_seats(table: Table, beginner: Seat, amounts: Bids) -> Turn[Table]:
    """Order the seats by their bids; the beginner breaks ties, cards are revealed, seats choose (R-42, R-43)."""
    bids = tuple([amount or 0 for amount in amounts])
    table, steps, effects = next_tie(table, beginner, bids, ranked(bids, beginner))
    return table, steps, (ev.FistsOpened(amounts), *effects)


def next_tie(table: Table, beginner: Seat, bids: tuple[int, ...], groups: Groups) -> Turn[Table]:
    """Ask for the first group of equal bids, before the cards are revealed; continue if there is none (R-42)."""
    for at, group in enumerate(groups):
        if len(group) > 1:
            return table, (OrderTie(beginner, bids, groups, at),), (ev.Tied(group, bids[group[0]]),)
    order = tuple([group[0] for group in groups])
    return table, (RevealLocos(table.fixed.players), Choosing(beginner, order, bids)), ()


class OrderTie(Step[Table], frozen=True):
    """The beginner's order of one tied group."""

    beginner: Seat
    bids: tuple[int, ...]
    groups: Groups
    at: int

    @property
    def tied(self) -> tuple[Seat, ...]:
        """The tied seats still to order."""
        return self.groups[self.at]

    def legal(self, table: Table) -> tuple[Offer, ...]:
        return (Orders(self.beginner, ev.TieOrdered, self.tied),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        assert isinstance(event, ev.TieOrdered)
        split = tuple([(seat,) for seat in event.order])
        return next_tie(table, self.beginner, self.bids, self.groups[: self.at] + split + self.groups[self.at + 1 :])

    def owes(self, seat: Seat) -> int:
        """Every fist is promised."""
        return self.bids[seat]

    def explain(self, table: Table, event: Event) -> Refusal | None:
        if not isinstance(event, ev.TieOrdered):
            return None
        if event.seat != self.beginner:
            return refusals.NOT_BEGINNER(seat=self.beginner)
        return refusals.NOT_PERMUTATION_OF_TIE(tied=self.tied)


class Ranked(Step[Table], frozen=True):
    """Seats that choose in order; their bids stay promised until they have chosen."""

    beginner: Seat
    order: tuple[Seat, ...]
    bids: tuple[int, ...]
    skipped: tuple[Seat, ...] = ()

    def owes(self, seat: Seat) -> int:
        """The bids of seats that have not chosen yet are promised."""
        return self.bids[seat] if seat in self.order else 0


class Choosing(Ranked, Automatic[Table], frozen=True):
    """In order, each seat takes one of the remaining locomotives at R-44's price, if it can afford one (R-45)."""

    def run(self, table: Table) -> Turn[Table]:
        """Find the next seat that can pay for a card; at the end hand out replacements (R-45)."""
        order, skipped = self.order, self.skipped
        effects: tuple[Effect, ...] = ()
        while order:
            due = min(price(table, self.bids[order[0]], card) for card in table.revealed)
            if due <= table.cash[order[0]]:
                return table, (Choose(self.beginner, order, self.bids, skipped, due),), effects
            skipped, order = (*skipped, order[0]), order[1:]
        for seat, card in zip(skipped, table.revealed, strict=False):
            table, moves = turn_down(replace(table, revealed=table.revealed[1:]), seat, card)
            effects += moves
        return table, (), effects


def price(table: Table, bid: int, card: str) -> int:
    """Return the price of a card for a seat: its bid plus the power, or the bid alone (R-44)."""
    return bid if table.fixed.options.preemption_payment == "bid_only" else bid + power(table, card)


class Choose(Ranked, frozen=True):
    """One seat's choice in Preemption (R-43)."""

    due: int = 0
    """The price of the cheapest card for the choosing seat."""

    def legal(self, table: Table) -> tuple[Offer, ...]:
        seat = self.order[0]
        cards = [card for card in table.revealed if price(table, self.bids[seat], card) <= table.cash[seat]]
        return (Choice(seat, tuple([ev.LocoChosen(seat, card) for card in cards])),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Sell the chosen card and continue with the next seat."""
        assert isinstance(event, ev.LocoChosen)
        table, effects = own(table, event.seat, event.card, price(table, self.bids[event.seat], event.card))
        table = replace(table, revealed=without(table.revealed, (event.card,)))
        return table, (Choosing(self.beginner, self.order[1:], self.bids, self.skipped),), effects

    def owes(self, seat: Seat) -> int:
        """Return the bid of a seat that has not chosen; for the choosing seat, the price of its cheapest card."""
        return self.due if seat == self.order[0] else super().owes(seat)

    def explain(self, table: Table, event: Event) -> Refusal | None:
        """Return the choosing seat, the remaining cards, or (privately) the affordable ones."""
        if not isinstance(event, ev.LocoChosen) or event.seat != self.order[0]:
            return super().explain(table, event)
        if event.card not in table.revealed:
            return refusals.ALREADY_TAKEN(card=event.card)
        due, cash = price(table, self.bids[event.seat], event.card), table.cash[event.seat]
        return refusals.CANNOT_AFFORD_CHOICE.to(event.seat, card=event.card, price=due, cash=cash)
