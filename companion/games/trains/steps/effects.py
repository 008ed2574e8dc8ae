"""The texts of the cards: each is applied whole or declined (R-08, §2 of the rules).

`TEXTS` has for each card what it asks first: the events with which it is applied. What follows is in `apply_text`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from msgspec.structs import replace

from companion.engine import CellName, Choice, Event, Offer, Refusal, Seat, Step, Turn
from companion.games.trains import events as ev
from companion.games.trains import refusals
from companion.games.trains.catalogue import NORMAL, RAILS, STATION, WASTE
from companion.games.trains.rails import rail_cells, rail_refusal, station_cells, station_refusal
from companion.games.trains.steps.applying import apply_text
from companion.games.trains.steps.draws import drawable
from companion.games.trains.steps.offers import from_hand
from companion.games.trains.table import Table, discard_of, hand_of, show

OFFICE = "stationmasters_office"
rail_laid, station_built, declined = map(cache, (ev.RailLaid, ev.StationBuilt, ev.Declined))
DEARER = 3
"""Coins by which the new Train of the wagon factory is dearer (K30)."""
Text = Callable[[Table, Seat, str, int], Iterator[Offer]]
"""Yields the offers with which a text is applied; none if it cannot be applied now.

It gets table, seat, the card with the text, and the place in play of the card that was played.
"""


def start_effect(table: Table, seat: Seat, card: str, at: int) -> Turn[Table]:
    """Return what follows when a card has been played: its text is applied or declined, if it has one (R-08).

    A text that everybody can see to be impossible is passed over. One that depends on cards that only the seat may know
    is always asked, as passing it over would tell the others what the seat does not hold (§7).
    """
    if card not in TEXTS:
        return table, (), ()
    if not is_secret(table, card) and not can_apply(table, seat, card, at):
        return table, (), (ev.NotApplied(seat, card),)
    return table, (ApplyText(seat, card, at),), ()


def can_apply(table: Table, seat: Seat, card: str, at: int) -> bool:
    """Whether a text can be applied now; of cells, the first one that fits is enough."""
    if card in RAIL_TEXTS:
        return any(rail_cells(table, seat, card))
    return any(station_cells(table)) if card == STATION else any(True for _ in TEXTS[card](table, seat, card, at))


def is_secret(table: Table, card: str) -> bool:
    """Whether only the seat itself can know that a text is impossible; an office may copy such a text (K22)."""
    if card != OFFICE:
        return card in SECRET_TEXTS
    return table.fixed.options.later or any(each in SECRET_TEXTS for each in table.played)


class ApplyText(Step[Table], frozen=True):
    """The seat applies the text of the card that it has played, or declines it (R-08)."""

    seat: Seat
    card: str
    """The card with the text: the one played, or the one whose text was copied (K22)."""
    at: int
    """The place in play of the card that was played."""
    copied: bool = False
    """Whether the decision has been made, by copying."""

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer every way to apply it, and to decline it."""
        offers = tuple(TEXTS[self.card](table, self.seat, self.card, self.at))
        return offers if self.copied else (*offers, Choice(self.seat, (declined(self.seat),)))

    def awaits(self, table: Table) -> tuple[Seat, ...]:
        """Return whose card it is."""
        return (self.seat,)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Apply it, or leave it."""
        if isinstance(event, ev.Declined):
            return table, (), ()
        if self.card == OFFICE and isinstance(event, ev.CardChosen):
            return self._copy(table, event.card)
        return apply_text(table, self.card, self.at, event)

    def _copy(self, table: Table, card: str) -> Turn[Table]:
        """Remember whose text the office has, and apply it; a card of the hand is shown (K22)."""
        text = text_of(table, card)
        table = show(table, self.seat, card) if table.fixed.options.later else table
        entry = replace(table.in_play[self.at], copied=text)
        table = replace(table, in_play=(*table.in_play[: self.at], entry, *table.in_play[self.at + 1 :]))
        return table, (ApplyText(self.seat, text, self.at, copied=True),), ()

    def explain(self, table: Table, event: Event) -> Refusal | None:
        """Return that the card must be resolved first, or which part of its text is impossible (R-06, R-08)."""
        seat = getattr(event, "seat", None)
        if seat is not None and seat != self.seat:
            return refusals.NOT_YOUR_TURN(seat=self.seat)
        match event:
            case ev.RailLaid(_, cell) if self.card in RAIL_TEXTS:
                return rail_refusal(table, self.seat, cell, self.card)
            case ev.StationBuilt(_, cell) if self.card == STATION:
                return station_refusal(table, cell)
            case (
                ev.Applied()
                | ev.CardChosen()
                | ev.CardsDiscarded()
                | ev.WasteReturned()
                | ev.CrewSent()
                | ev.Rebuilt()
                | ev.Declined()
            ):
                wanted = refusals.ASKED.get(self.card, refusals.WHOLE)
                return wanted.to(self.seat, card=self.card, rebuilds=table.fixed.options.rebuilds)
        return refusals.FINISH_FIRST(card=self.card)


# --- what each text asks first --------------------------------------------------------------------


def applied(seat: Seat) -> Choice:
    """Return the offer of a text that leaves nothing to choose at first."""
    return Choice(seat, (ev.Applied(seat),))


def always(table: Table, seat: Seat, card: str, at: int) -> Iterator[Offer]:
    """Draws, looks, coins and lasting effects are always possible."""
    yield applied(seat)


def rail(table: Table, seat: Seat, card: str, at: int) -> Iterator[Offer]:
    """A rail, where there is a cell that can be paid (R-15, R-16)."""
    events = tuple([rail_laid(seat, CellName(cell)) for cell in rail_cells(table, seat, card)])
    if events:
        yield Choice(seat, events)


def station(table: Table, seat: Seat, card: str, at: int) -> Iterator[Offer]:
    """A station, where a city has room (R-17)."""
    events = tuple([station_built(seat, CellName(cell)) for cell in station_cells(table)])
    if events:
        yield Choice(seat, events)


def choose(seat: Seat, cards: tuple[str, ...]) -> Iterator[Offer]:
    """One of several cards, each kind once."""
    if cards:
        yield Choice(seat, tuple([ev.CardChosen(seat, card) for card in dict.fromkeys(cards)]))


def trains_in_play(table: Table) -> tuple[str, ...]:
    """Return the Trains in play."""
    return tuple([card for card in table.played if table.card(card).is_train])


def train_in_play(table: Table, seat: Seat, card: str, at: int) -> Iterator[Offer]:
    """A Train in play (K01, K24)."""
    return choose(seat, trains_in_play(table))


def train_to_copy(table: Table, seat: Seat, card: str, at: int) -> Iterator[Offer]:
    """A Train in the hand whose pile is not empty (K14)."""
    cards = table.zones.kinds(hand_of(seat))
    return choose(seat, tuple([c for c in cards if table.card(c).is_train and table.supply.get(c)]))


def train_to_pull(table: Table, seat: Seat, card: str, at: int) -> Iterator[Offer]:
    """A Train in the own discard pile (K17)."""
    cards = table.zones.kinds(discard_of(seat))
    return choose(seat, tuple([c for c in cards if table.card(c).is_train]))


def action_to_copy(table: Table, seat: Seat, card: str, at: int) -> Iterator[Offer]:
    """Another Action whose text can be applied: one in play, in the later edition one in the hand (K22, A-03)."""
    if table.fixed.options.later:
        # Showing the card may leave no room in the hand for the one that its text needs.
        others = [c for c in table.zones.kinds(hand_of(seat)) if c != OFFICE and table.card(c).is_action]
        return choose(seat, tuple([c for c in others if can_apply(show(table, seat, c), seat, c, at)]))
    others = [c for n, c in enumerate(table.played) if n != at and table.card(c).is_copyable]
    texts = {c: text_of(table, c) for c in dict.fromkeys(others)}
    return choose(seat, tuple([c for c, text in texts.items() if text and can_apply(table, seat, text, at)]))


def text_of(table: Table, card: str) -> str:
    """Return the card whose text a card in play has: an office has the one that it copied (A-03); empty for none."""
    return next((each.copied for each in table.in_play if each.copied), "") if card == OFFICE else card


def any_from_hand(table: Table, seat: Seat, card: str, at: int) -> Iterator[Offer]:
    """Any number of cards of the hand (K03, K13)."""
    hand = hand_of(seat)
    yield from_hand(table.zones, seat, hand, 0, table.zones.count(hand))


def garage(table: Table, seat: Seat, card: str, at: int) -> Iterator[Offer]:
    """Two cards can be discarded after drawing (K09)."""
    if table.zones.count(hand_of(seat)) + min(2, drawable(table, seat)) >= 2:
        yield applied(seat)


def some_waste(table: Table, seat: Seat, card: str, at: int) -> Iterator[Offer]:
    """Any number of Waste of the hand (K08)."""
    _, most = table.zones.bounds(hand_of(seat), WASTE)
    yield Choice(seat, tuple([ev.WasteReturned(seat, count) for count in range(most + 1)]))


def all_waste(table: Table, seat: Seat, card: str, at: int) -> Iterator[Offer]:
    """All Waste of the hand; how much that is, real hands say on trust (K12)."""
    least, most = table.zones.bounds(hand_of(seat), WASTE)
    yield Choice(seat, tuple([ev.WasteReturned(seat, count) for count in range(least, most + 1)]))


def crew(table: Table, seat: Seat, card: str, at: int) -> Iterator[Offer]:
    """A card, a coin, or a Waste away if there is one (K21)."""
    does = ("draw", "coin", "waste") if table.zones.possible(hand_of(seat), WASTE) else ("draw", "coin")
    yield Choice(seat, tuple([ev.CrewSent(seat, each) for each in does]))  # type: ignore[arg-type]


def normal_train_in_play(table: Table, seat: Seat, card: str, at: int) -> Iterator[Offer]:
    """A coin, with a Normal Train in play (K18)."""
    if NORMAL in table.played:
        yield applied(seat)


def new_trains(table: Table, card: str) -> tuple[str, ...]:
    """Return the Trains that the wagon factory makes of a card (K30, A-04)."""
    rule = table.fixed.options.rebuilds
    cost = table.card(card).cost
    if cost is None or (rule != "any_card" and not table.card(card).is_train):
        return ()
    found = []
    for name, left in table.supply.items():
        kind = table.card(name)
        if left and kind.is_train and kind.cost is not None:
            fits = kind.cost <= cost + DEARER if rule == "up_to_3" else kind.cost == cost + DEARER
            found += [name] if fits else []
    return tuple(found)


def rebuild(table: Table, seat: Seat, card: str, at: int) -> Iterator[Offer]:
    """A card of the hand for a Train that costs three more (K30)."""
    pairs = [(c, new) for c in table.zones.kinds(hand_of(seat)) for new in new_trains(table, c)]
    if pairs and table.zones.count(hand_of(seat)):
        yield Choice(seat, tuple([ev.Rebuilt(seat, old, new) for old, new in pairs]))


RAIL_TEXTS = (RAILS, "collaboration", "steel_bridge", "tunnel", "subway_excavation", "viaduct")
"""Cards whose text is a rail (M4, K02, K23, K27, K28, K29)."""
SECRET_TEXTS = ("maintenance_factory", "pulling", "wagon_factory")
"""Texts that need a certain card in the hand or the discard pile (K14, K17, K30)."""
TEXTS: dict[str, Text] = {
    **dict.fromkeys(RAIL_TEXTS, rail),
    STATION: station,
    "amusement_park": train_in_play,
    "conductors_station": any_from_hand,
    "command_central": always,
    "control_room": always,
    "information_central": always,
    "early_train": always,
    "freight_train": some_waste,
    "garage": garage,
    "holiday_timetable": always,
    "ironworks": always,
    "landfill": all_waste,
    "mail_train": any_from_hand,
    "maintenance_factory": train_to_copy,
    "dump_site": always,
    "passing_station": always,
    "pulling": train_to_pull,
    "bullet_train": normal_train_in_play,
    "signaling_area": always,
    "signals": always,
    "station_crew": crew,
    "stationmasters_office": action_to_copy,
    "switchback": train_in_play,
    "temporary_timetable": always,
    "tourist_train": always,
    "wagon_factory": rebuild,
}
"""By card, what its text asks first. Trains, buildings and Waste have no text."""
