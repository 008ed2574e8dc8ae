"""The results of the cards' texts (§2 of the rules)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.engine import Automatic, Choice, Event, Offer, Refusal, Seat, Step, Turn
from companion.games.trains import events as ev
from companion.games.trains import refusals
from companion.games.trains.catalogue import WASTE
from companion.games.trains.options import CLAIMS_BIND
from companion.games.trains.rails import build_station, lay_rail
from companion.games.trains.steps.draws import LookAtTop, Reveal, draw, top_cards, with_top
from companion.games.trains.steps.offers import TakeOne, from_hand
from companion.games.trains.table import REVEALED, Table, deck_of, discard_of, hand_of
from companion.mechanics.seating import with_value

DRAWN = {"control_room": 3, "passing_station": 1, "signaling_area": 2, "garage": 2, "command_central": 1, "signals": 1}
"""Cards that a text draws first (K04, K05, K09, K16, K19, K20)."""
LASTING = (
    "collaboration", "early_train", "ironworks", "dump_site", "steel_bridge", "tunnel", "subway_excavation", "viaduct",
)  # fmt: skip
"""Cards whose effect lasts while they are in play (R-20)."""
HOLIDAY = 3
"""Coins for a holiday timetable that trashes itself (K10)."""
LANDFILL = "landfill"
"""The card that returns all Waste, so that the hand has none left (K12)."""
GARAGE = 2
"""Cards that the garage discards (K09)."""


def apply_text(table: Table, card: str, at: int, event: Event) -> Turn[Table]:
    """Return the result of applying a card's text with the chosen event."""
    match event:
        case ev.RailLaid(seat, cell):  # first the lasting effect, then the rail, then its Waste
            return lay_rail(table.activate(at, card) if card in LASTING else table, seat, cell)
        case ev.StationBuilt(seat, cell):
            table, effects = build_station(table, cell).gain_waste(seat)
            return table, (), effects
        case ev.CardsDiscarded(seat, cards):  # draw as many (K03), or gain a coin for each (K13)
            table = discard(table, seat, cards)
            return draw(table, seat, len(cards)) if card == "conductors_station" else (table.pay(len(cards)), (), ())
        case ev.WasteReturned(seat, count):
            table = table.return_waste(seat, count)
            if card == LANDFILL and CLAIMS_BIND in table.fixed.rulings:
                table = replace(table, zones=table.zones.rule_out(hand_of(seat), WASTE))
            return table.pay(count) if card == "freight_train" else table, (), ()
        case ev.CrewSent(seat, does):
            if does == "draw":
                return draw(table, seat, 1)
            return (table.pay(1) if does == "coin" else table.return_waste(seat, 1)), (), ()
        case ev.CardChosen(seat, chosen):
            return _chosen(table, seat, card, chosen)
        case ev.Rebuilt(seat, old, new):
            hand = hand_of(seat)
            return table.trash(seat, old, hand).gain(seat, new, hand), (), (ev.Gained(seat, new),)
        case ev.Applied(seat):
            return _applied(table, seat, card, at)
    raise TypeError(f"{card} takes no {type(event).__name__}")


def discard(table: Table, seat: Seat, cards: tuple[str, ...]) -> Table:
    """Return the table after cards of a hand went to the discard pile, in any order."""
    return replace(table, zones=table.zones.move(hand_of(seat), discard_of(seat), *sorted(cards)))


def _chosen(table: Table, seat: Seat, card: str, chosen: str) -> Turn[Table]:
    """Apply a text to a card chosen in play, in the hand or in the discard pile (K01, K14, K17, K24)."""
    match card:
        case "amusement_park":
            return table.pay(table.card(chosen).value or 0), (), ()
        case "maintenance_factory":
            return table.show(seat, chosen).gain(seat, chosen), (), (ev.Gained(seat, chosen),)
        case "pulling":
            return replace(table, zones=table.zones.move(discard_of(seat), hand_of(seat), chosen)), (), ()
    assert card == "switchback"
    alike = [n for n, name in enumerate(table.played) if name == chosen]
    place = max(alike, key=lambda n: (not table.in_play[n].active, n))
    return table.leave_play(place, deck_of(seat)), (), ()


def _applied(table: Table, seat: Seat, card: str, at: int) -> Turn[Table]:
    """Apply a text without a first choice."""
    if card in LASTING:
        return table.activate(at, card), (), ()
    match card:
        case "bullet_train":
            return table.pay(1), (), ()
        case "tourist_train":
            return replace(table, track=with_value(table.track, seat, table.track[seat] + 1)), (), ()
        case "holiday_timetable":
            after = table.leave_play(at, REVEALED).trash(seat, table.played[at], REVEALED)
            return after.pay(HOLIDAY), (), ()
        case "information_central":
            return table, (Reveal(seat, "four"), TakeRevealed(seat)), ()
        case "temporary_timetable":
            return table, (Reveal(seat, "trains"), SortRevealed(seat)), ()
    follows: dict[str, tuple[Step[Table], ...]] = {
        "garage": (DiscardTwo(seat),),
        "command_central": (MakeDeck(seat), NameCard(seat)),
        "signals": (MakeDeck(seat), See(seat), DecideTop(seat)),
    }
    return draw(table, seat, DRAWN[card], *follows.get(card, ()))


# --- later steps -------------------------------------------------------------------------------------


class DiscardTwo(Step[Table], frozen=True):
    """The seat discards exactly two cards (K09)."""

    seat: Seat

    def legal(self, table: Table) -> tuple[Offer, ...]:
        return (from_hand(table.zones, self.seat, hand_of(self.seat), GARAGE, GARAGE),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        assert isinstance(event, ev.CardsDiscarded)
        return discard(table, self.seat, event.cards), (), ()

    def explain(self, table: Table, event: Event) -> Refusal | None:
        return refusals.GARAGE.to(self.seat)


class MakeDeck(Automatic[Table], frozen=True):
    """A seat is about to look at a deck: refill an empty one first (R-14, A-06)."""

    seat: Seat

    def run(self, table: Table) -> Turn[Table]:
        return with_top(table, self.seat)


class See(Automatic[Table], frozen=True):
    """If the companion deals, it names the card that the seat looks at, unless it is known already."""

    seat: Seat

    def run(self, table: Table) -> Turn[Table]:
        """Ask chance only for a card that the companion does not know."""
        top = table.zones.zones[deck_of(self.seat)].cards[-1:]
        unseen = table.fixed.dealt and any(card.name is None for card in top)
        return table, (LookAtTop(self.seat),) if unseen else (), ()


class NameCard(Step[Table], frozen=True):
    """The seat names a card of the game (K04)."""

    seat: Seat

    def legal(self, table: Table) -> tuple[Offer, ...]:
        names = sorted({*table.supply, *[card for own in table.owned for card in own]})
        return (Choice(self.seat, tuple([ev.CardNamed(self.seat, name) for name in names])),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        assert isinstance(event, ev.CardNamed)
        if not table.zones.count(deck_of(self.seat)):
            return table, (), ()
        return table, (See(self.seat), CheckGuess(self.seat, event.card)), ()

    def explain(self, table: Table, event: Event) -> Refusal | None:
        return refusals.NAME_UNKNOWN.to(self.seat) if isinstance(event, ev.CardNamed) else None


class CheckGuess(Step[Table], frozen=True):
    """Compare a named card with the top card: a match goes to the hand, shown; otherwise the card stays, seen by its
    owner alone (K04).
    """

    seat: Seat
    card: str

    def legal(self, table: Table) -> tuple[Offer, ...]:
        fits = top_cards(table, self.seat)
        right = (ev.GuessedRight(self.seat),) if self.card in fits else ()
        wrong = (ev.GuessedWrong(self.seat),) if set(fits) != {self.card} else ()
        return (Choice(self.seat, (*right, *wrong)),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Take or leave it."""
        if isinstance(event, ev.GuessedRight):
            return table.turn_top(self.seat, self.card, hand_of(self.seat)), (), ()
        if CLAIMS_BIND in table.fixed.rulings:
            deck = deck_of(self.seat)
            top = table.zones.count(deck) - 1
            table = replace(table, zones=table.zones.rule_out(deck, self.card, at=top))
        return table, (), ()

    def explain(self, table: Table, event: Event) -> Refusal | None:
        return refusals.GUESS.to(self.seat) if isinstance(event, ev.GuessedRight | ev.GuessedWrong) else None


class DecideTop(Step[Table], frozen=True):
    """The seat keeps or discards the card that it looked at (K20)."""

    seat: Seat

    def legal(self, table: Table) -> tuple[Offer, ...]:
        cards = top_cards(table, self.seat)
        return (Choice(self.seat, (ev.TopKept(self.seat), *[ev.TopDiscarded(self.seat, card) for card in cards])),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        if isinstance(event, ev.TopDiscarded):
            table = table.turn_top(self.seat, event.card, discard_of(self.seat))
        return table, (), ()

    def explain(self, table: Table, event: Event) -> Refusal | None:
        return refusals.TOP.to(self.seat) if isinstance(event, ev.TopKept | ev.TopDiscarded) else None


class TakeRevealed(Step[Table], frozen=True):
    """The seat takes one of the four revealed cards or none; the others go back on top in any order (K06)."""

    seat: Seat

    def legal(self, table: Table) -> tuple[Offer, ...]:
        return (TakeOne(self.seat, table.zones.named(REVEALED)),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Take it, and put the others back."""
        assert isinstance(event, ev.RevealedTaken)
        zones = table.zones
        if event.card is not None:
            zones = zones.move(REVEALED, hand_of(self.seat), event.card)
        return replace(table, zones=zones.move(REVEALED, deck_of(self.seat), *event.back)), (), ()

    def explain(self, table: Table, event: Event) -> Refusal | None:
        return refusals.ONE_OF_FOUR.to(self.seat) if isinstance(event, ev.RevealedTaken) else None


class SortRevealed(Automatic[Table], frozen=True):
    """The revealed Trains go to the hand, the other cards to the discard pile (K25)."""

    seat: Seat

    def run(self, table: Table) -> Turn[Table]:
        zones, hand, pile = table.zones, hand_of(self.seat), discard_of(self.seat)
        for card in zones.named(REVEALED):
            zones = zones.move(REVEALED, hand if table.card(card).is_train else pile, card)
        return replace(table, zones=zones), (), ()
