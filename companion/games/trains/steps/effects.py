"""The texts of the cards: a seat applies each completely or declines it (R-08, §2 of the rules).

`TEXTS` has the first question of each card: the events that apply it. `apply_text` handles the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from companion.engine import NOT_YOUR_TURN, Choice, Event, Offer, Refusal, Seat, SeatEvent, Step, Turn
from companion.games.trains import events as ev
from companion.games.trains import refusals
from companion.games.trains.catalogue import NORMAL, RAILS, STATION, WASTE
from companion.games.trains.rails import rail_cells, rail_refusal, station_cells, station_refusal
from companion.games.trains.steps.applying import GARAGE, apply_text
from companion.games.trains.steps.draws import drawable
from companion.games.trains.steps.offers import FromHand, from_hand
from companion.games.trains.table import Table, discard_of, hand_of
from companion.mechanics.seating import with_value

OFFICE = "stationmasters_office"
DEARER = 3
"""The price difference of the wagon factory's new Train in coins (K30)."""
Ways = Iterable[Event] | FromHand
"""The events that apply a text; none if it cannot be applied now."""
Text = Callable[[Table, Seat, str, int], Ways]
"""Returns the ways to apply a text: by table, seat, the card with the text, the place in play of the played card."""


def start_effect(table: Table, seat: Seat, card: str, at: int) -> Turn[Table]:
    """Return the steps after a card was played: its text, if any, is applied or declined (R-08).

    A publicly impossible text is skipped. One that depends on cards known only to the seat is always offered, because
    skipping it would reveal cards that the seat lacks (§7).
    """
    if card not in TEXTS:
        return table, (), ()
    if not is_secret(table, card) and not can_apply(table, seat, card, at):
        return table, (), (ev.NotApplied(seat, card),)
    return table, (ApplyText(seat, card, at),), ()


def can_apply(table: Table, seat: Seat, card: str, at: int) -> bool:
    """Return whether a text can be applied now; for cells, one legal cell is enough."""
    if card in RAIL_TEXTS:
        return any(rail_cells(table, seat, card))
    return any(station_cells(table)) if card == STATION else bool(offers(table, seat, card, at))


def offers(table: Table, seat: Seat, card: str, at: int) -> tuple[Offer, ...]:
    """Return the offers that apply a text; none if it cannot be applied now."""
    ways = TEXTS[card](table, seat, card, at)
    if isinstance(ways, FromHand):
        return (ways,)
    events = tuple(ways)
    return (Choice(seat, events),) if events else ()


def is_secret(table: Table, card: str) -> bool:
    """Return whether only the seat itself can know that a text is impossible; an office may copy such a text (K22)."""
    if card != OFFICE:
        return card in SECRET_TEXTS
    return table.fixed.options.later or any(each in SECRET_TEXTS for each in table.played)


ANSWERS = (
    ev.Applied, ev.CardChosen, ev.CardsDiscarded, ev.WasteReturned, ev.CrewSent, ev.Rebuilt, ev.Declined,
)  # fmt: skip
"""Events that answer a text's question, except rails and stations."""


class ApplyText(Step[Table], frozen=True):
    """The seat applies or declines the text of the card that it has played (R-08)."""

    seat: Seat
    card: str
    """The card with the text: the one played, or the one whose text was copied (K22)."""
    at: int
    """The place in play of the played card."""
    copied: bool = False
    """Whether the seat has already decided, by copying."""

    def legal(self, table: Table) -> tuple[Offer, ...]:
        ways = offers(table, self.seat, self.card, self.at)
        return ways if self.copied else (*ways, Choice(self.seat, (ev.Declined(self.seat),)))

    def awaits(self, table: Table) -> tuple[Seat, ...]:
        return (self.seat,)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Apply or decline it."""
        if isinstance(event, ev.Declined):
            return table, (), ()
        if self.card == OFFICE and isinstance(event, ev.CardChosen):
            return self._copy(table, event.card)
        return apply_text(table, self.card, self.at, event)

    def _copy(self, table: Table, card: str) -> Turn[Table]:
        """Record the card whose text the office copies, and apply it; a card of the hand is shown (K22)."""
        text = text_of(table, card)
        table = table.show(self.seat, card) if table.fixed.options.later else table
        entry = replace(table.in_play[self.at], copied=text)
        table = replace(table, in_play=with_value(table.in_play, self.at, entry))
        return table, (ApplyText(self.seat, text, self.at, copied=True),), ()

    def explain(self, table: Table, event: Event) -> Refusal | None:
        """Return that the card must be resolved first, or which part of its text is impossible (R-06, R-08)."""
        if isinstance(event, SeatEvent) and event.seat != self.seat:
            return NOT_YOUR_TURN(seat=self.seat)
        match event:
            case ev.RailLaid(_, cell) if self.card in RAIL_TEXTS:
                return rail_refusal(table, self.seat, cell, self.card)
            case ev.StationBuilt(_, cell) if self.card == STATION:
                return station_refusal(table, cell)
        if isinstance(event, ANSWERS):
            wanted = refusals.ASKED.get(self.card, refusals.WHOLE)
            return wanted.to(self.seat, card=self.card, rebuilds=table.fixed.options.rebuilds)
        return refusals.FINISH_FIRST(card=self.card)


# --- the first question of each text -----------------------------------------------------------------


def always(table: Table, seat: Seat, card: str, at: int) -> Ways:
    """Allow draws, looks, coins and lasting effects at any time."""
    return (ev.Applied(seat),)


def rail(table: Table, seat: Seat, card: str, at: int) -> Ways:
    """Offer a rail on the cells that the seat can pay for (R-15, R-16)."""
    return [ev.RailLaid(seat, cell) for cell in rail_cells(table, seat, card)]


def station(table: Table, seat: Seat, card: str, at: int) -> Ways:
    """Offer a station in the cities with room (R-17)."""
    return [ev.StationBuilt(seat, cell) for cell in station_cells(table)]


def choose(seat: Seat, cards: Iterable[str]) -> Ways:
    """Offer one of several cards, each kind once."""
    return [ev.CardChosen(seat, card) for card in dict.fromkeys(cards)]


def train_in_play(table: Table, seat: Seat, card: str, at: int) -> Ways:
    """Offer the Trains in play (K01, K24)."""
    return choose(seat, [c for c in table.played if table.card(c).is_train])


def train_to_copy(table: Table, seat: Seat, card: str, at: int) -> Ways:
    """Offer the Trains in the hand whose pile is not empty (K14)."""
    cards = table.zones.kinds(hand_of(seat))
    return choose(seat, [c for c in cards if table.card(c).is_train and table.supply.get(c)])


def train_to_pull(table: Table, seat: Seat, card: str, at: int) -> Ways:
    """Offer the Trains in the seat's discard pile (K17)."""
    return choose(seat, [c for c in table.zones.kinds(discard_of(seat)) if table.card(c).is_train])


def action_to_copy(table: Table, seat: Seat, card: str, at: int) -> Ways:
    """Offer other Actions with an applicable text: those in play, in the later edition those in the hand (K22,
    A-03).
    """
    if table.fixed.options.later:
        # Showing the card may leave no room in the hand for the one that its text needs.
        held = [c for c in table.zones.kinds(hand_of(seat)) if c != OFFICE and table.card(c).is_action]
        return choose(seat, [c for c in held if can_apply(table.show(seat, c), seat, c, at)])
    others = [c for n, c in enumerate(table.played) if n != at and table.card(c).is_copyable]
    texts = {c: text_of(table, c) for c in dict.fromkeys(others)}
    return choose(seat, [c for c, text in texts.items() if text and can_apply(table, seat, text, at)])


def text_of(table: Table, card: str) -> str:
    """Return the card whose text a card in play has: for an office, the copied one (A-03); empty for none."""
    return next((each.copied for each in table.in_play if each.copied), "") if card == OFFICE else card


def any_from_hand(table: Table, seat: Seat, card: str, at: int) -> Ways:
    """Offer any number of cards of the hand (K03, K13)."""
    hand = hand_of(seat)
    return from_hand(table.zones, seat, hand, 0, table.zones.count(hand))


def garage(table: Table, seat: Seat, card: str, at: int) -> Ways:
    """Allow it if two cards are left to discard after drawing (K09)."""
    enough = table.zones.count(hand_of(seat)) + min(GARAGE, drawable(table, seat)) >= GARAGE
    return (ev.Applied(seat),) if enough else ()


def some_waste(table: Table, seat: Seat, card: str, at: int) -> Ways:
    """Offer any number of Waste of the hand (K08)."""
    _, most = table.zones.bounds(hand_of(seat), WASTE)
    return [ev.WasteReturned(seat, count) for count in range(most + 1)]


def all_waste(table: Table, seat: Seat, card: str, at: int) -> Ways:
    """Offer all Waste of the hand; with real hands, the seat states the number on trust (K12)."""
    least, most = table.zones.bounds(hand_of(seat), WASTE)
    return [ev.WasteReturned(seat, count) for count in range(least, most + 1)]


def crew(table: Table, seat: Seat, card: str, at: int) -> Ways:
    """Offer a card, a coin, or the return of a Waste if there is one (K21)."""
    waste = (ev.CrewSent(seat, "waste"),) if table.zones.possible(hand_of(seat), WASTE) else ()
    return (ev.CrewSent(seat, "draw"), ev.CrewSent(seat, "coin"), *waste)


def normal_train_in_play(table: Table, seat: Seat, card: str, at: int) -> Ways:
    """Offer a coin if a Normal Train is in play (K18)."""
    return (ev.Applied(seat),) if NORMAL in table.played else ()


def new_trains(table: Table, card: str) -> tuple[str, ...]:
    """Return the Trains that can replace a card in the wagon factory (K30, A-04)."""
    rule, cost = table.fixed.options.rebuilds, table.card(card).cost
    if cost is None or (rule != "any_card" and not table.card(card).is_train):
        return ()
    costs = range(cost + DEARER + 1) if rule == "up_to_3" else (cost + DEARER,)
    trains = [name for name, left in table.supply.items() if left and table.card(name).is_train]
    return tuple([name for name in trains if table.card(name).cost in costs])


def rebuild(table: Table, seat: Seat, card: str, at: int) -> Ways:
    """Offer to trade a card of the hand for a Train that costs three more (K30)."""
    hand = hand_of(seat)
    held = table.zones.kinds(hand) if table.zones.count(hand) else ()
    return [ev.Rebuilt(seat, old, new) for old in held for new in new_trains(table, old)]


RAIL_TEXTS = (RAILS, "collaboration", "steel_bridge", "tunnel", "subway_excavation", "viaduct")
"""Cards whose text lays a rail (M4, K02, K23, K27, K28, K29)."""
SECRET_TEXTS = ("maintenance_factory", "pulling", "wagon_factory")
"""Texts that need a certain card in the hand or the discard pile (K14, K17, K30)."""
TEXTS: dict[str, Text] = {
    **dict.fromkeys(RAIL_TEXTS, rail),
    **dict.fromkeys((
        "command_central", "control_room", "information_central", "early_train", "holiday_timetable", "ironworks",
        "dump_site", "passing_station", "signaling_area", "signals", "temporary_timetable", "tourist_train",
    ), always),
    STATION: station,
    **dict.fromkeys(("amusement_park", "switchback"), train_in_play),
    **dict.fromkeys(("conductors_station", "mail_train"), any_from_hand),
    "freight_train": some_waste,
    "garage": garage,
    "landfill": all_waste,
    "maintenance_factory": train_to_copy,
    "pulling": train_to_pull,
    "bullet_train": normal_train_in_play,
    "station_crew": crew,
    "stationmasters_office": action_to_copy,
    "wagon_factory": rebuild,
}  # fmt: skip
"""The first question of each card's text. Trains, buildings and Waste have no text."""
