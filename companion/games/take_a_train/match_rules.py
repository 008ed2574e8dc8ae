"""The game's answers for matches and the table: bases of decisions, interruptions, holdings, secrets.

The rules' secrecy table lists the secret fields of events, their duration, and the events that reveal something.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

import msgspec
from msgspec.structs import replace

from companion.engine import Effect, Event, Holdings, JsonObject, Seat, State, seat_of
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.catalogue import MONEY, Catalogue, Loco, WagonCount, wagon_id, wagon_parts
from companion.games.take_a_train.steps import round as rounds
from companion.games.take_a_train.steps import sealed_auctions, spoken_auctions, twist, wagons
from companion.games.take_a_train.table import Table
from companion.mechanics.plain import PlainGame

FIRST_TOKENS: Mapping[int, int] = {1000: 3, 500: 3, 100: 4, 50: 2}
"""Money tokens each player begins with: 5,000 in all (R-09)."""
SECRET: dict[type[Event], tuple[str, ...]] = {
    ev.PurposesDealt: ("purposes",),
    ev.PurposesEntered: ("purposes",),
    ev.Committed: ("amount", "nonce"),
    ev.TwistDealt: ("hands",),
    ev.TwistPicked: ("card",),
    ev.CashCorrected: ("to",),
}
"""Fields that only their owner may read when the event happens."""
SAID: dict[type[Event], tuple[str, ...]] = {
    **dict.fromkeys((ev.Opened, ev.Bid, ev.Raised, ev.RaisedTogether, ev.RaiseGrown), ("amount",)),
    ev.Committed: ("amount", "nonce"),
    **dict.fromkeys((ev.FistCounted, ev.FistConfirmed, ev.FistCorrected), ("amount",)),
    ev.BidsRevealed: ("amounts",),
}
"""Public amounts that the log shows only during their round (R-25)."""
BESIDE_FISTS = (ev.Committed, ev.RevealSignalled, ev.Claimed, ev.PurposesEntered, ev.CashCorrected)
"""Events that happen while fists close."""
TURNED_UP = (
    *(ev.PurposesDealt, ev.TokenDrawn, ev.LocosRevealed, ev.CardsRevealed),
    *(ev.TwistDealt, ev.TwistRevealed, ev.BidsRevealed),
)
"""Events that give somebody new knowledge."""
WORDS = (ev.FistConfirmed, ev.FistCorrected, ev.CorrectionAnswered)
"""A seat's open statements about its hand: no seat takes one back alone (R-32b)."""


class MatchRules(PlainGame[Table]):
    """The game's answers for matches and the table, besides its rules."""

    money = MONEY
    first_tokens = FIRST_TOKENS
    correction = staticmethod(ev.CashCorrected)

    def question(self, state: State[Table], event: Event) -> object:
        """Return everything that a decision for the event depends on.

        It excludes other seats' closed fists, placed cards and claims, and the price in an Open auction if the seat
        names a higher amount: the rules judge that on arrival.
        """
        match event:
            case ev.Claimed() | ev.PurposesEntered():
                return None
            case ev.CashCorrected(seat):
                return state.table.cash[seat] if 0 <= seat < len(state.table.cash) else None
        head = state.head
        who = seat_of(event)
        match head:
            case sealed_auctions.Fists():
                return _lot(head)
            case sealed_auctions.OpenFists():
                return type(head), _lot(head.fists), *_about_hands(head, event)
            case twist.Pick(passes=same) | twist.Flips(trains=same):
                return type(head), same
            case rounds.LastClaims():
                return type(head)
            case spoken_auctions.Calling() if isinstance(event, ev.Raised | ev.RaiseGrown):
                return type(head), head.card, head.beginner, head.leader == who
            case spoken_auctions.Calling() if isinstance(event, ev.CountBroken):
                return type(head), head.card
            case wagons.Act():
                return head, state.table.market
        return head

    def interruption(self, state: State[Table], cause: str) -> Event | None:
        """Return the effect of a pause or a restart now: it breaks a running count (R-48)."""
        head = state.head
        return ev.CountBroken(cause) if isinstance(head, spoken_auctions.Calling) and head.count else None

    def holdings(self, state: State[Table]) -> Holdings:
        """Return all money, and the card at each place (train 0 to 2, place 0: the locomotive)."""
        table = state.table
        cards: dict[tuple[str, ...], str] = {}
        for seat, trains in enumerate(table.trains):
            for at, train in enumerate(trains):
                place = ("train", str(seat), str(at))
                cards[(*place, "0")] = train.loco if train.face_up else "replacement"
                for n, wagon in enumerate(train.wagons, 1):
                    cards[(*place, str(n))] = "twin" if wagon.twin else wagon_id(wagon.type, wagon.value)
                if train.boosted:
                    cards[(*place, "multiplier")] = "multiplier"
        for slot, card in enumerate(table.market):
            if card is not None:
                cards[("market", str(slot))] = card
        return Holdings(table.cash, table.bank, cards)

    def learn_catalogue(self, data: JsonObject, event: Event, after: State[Table]) -> JsonObject:
        """Return the owner's catalogue with the figures, prices and wagon values that an event shows.

        At least as many equal wagons exist as have ever been face up at once.
        """
        if not isinstance(event, ev.FigureRead | ev.CostRead | ev.CardsRevealed):
            return data
        table = after.table
        known = msgspec.convert(data, Catalogue)
        book = table.fixed.book
        locos = tuple(_read(loco, book.locos.get(loco.id)) for loco in known.locomotives)
        sequence = known.sequence
        if table.fixed.options.sequence_costs is None:
            sequence = tuple(old if new is None else new for old, new in zip(sequence, book.sequence, strict=True))
        counts = Counter({wagon_id(w.type, w.value): w.count for w in known.wagons if w.value is not None})
        values = counts | _face_up(table)
        if values != counts or locos != known.locomotives or sequence != known.sequence:
            known = replace(known, locomotives=locos, sequence=sequence, wagons=_rows(known.wagons, values))
        learnt: JsonObject = msgspec.to_builtins(known)
        return learnt

    # --- secrecy ----------------------------------------------------------------------------------

    def secret(self, before: State[Table], event: Event) -> tuple[str, ...]:
        unseen = isinstance(event, ev.TwistPicked) and event.card is None
        return () if unseen else SECRET.get(type(event), ())

    def newly_public(self, back: Iterable[Event], effects: Sequence[Effect]) -> tuple[int, ...]:
        """Return the positions of the bids that the last event opened (R-32).

        Only the final amount of each seat becomes public, not the ones it replaced. Twist's hands, purposes and
        corrected cash stay secret until the game is over.
        """
        amounts = next((effect.amounts for effect in effects if isinstance(effect, ev.FistsOpened)), ())
        closed = {seat for seat, amount in enumerate(amounts) if amount is not None}
        found: list[int] = []
        for at, event in enumerate(back):
            if not closed or not isinstance(event, BESIDE_FISTS):
                break
            if isinstance(event, ev.Committed) and event.seat in closed:
                closed.discard(event.seat)
                found.append(at)
        return tuple(found)

    def no_longer_shown(self, now: State[Table], before: State[Table], event: Event) -> tuple[str, ...]:
        """Return the fields that were public but are no longer shown: amounts of earlier rounds (R-25)."""
        return SAID.get(type(event), ()) if before.table.round < now.table.round else ()

    def reveals(self, event: Event, after: State[Table]) -> bool:
        match event:
            case ev.RevealSignalled() if isinstance(after.head, sealed_auctions.OpenFists):
                return True
            case ev.Committed() | ev.RevealSignalled():
                return any(isinstance(effect, ev.FistsOpened) for effect in after.effects)
            case ev.TwistPicked():
                return after.table.fixed.dealt and not isinstance(after.head, twist.Pick)
        return isinstance(event, TURNED_UP + WORDS)

    def has_sealed(self, state: State[Table]) -> bool:
        """Return whether the table holds a closed fist, or a placed or dealt card still sealed.

        After its opening, a rewind must go back to before the sealing: everybody bids again (R-30, R-52).
        """
        match state.head:
            case sealed_auctions.Fists(amounts=amounts):
                return any(amount is not None for amount in amounts)
            case twist.Pick() as head:
                return any(head.ready) or head.passes > 0 or any(head.hands)
        return isinstance(state.head, twist.TurnUp)

    def sealing_events(self, state: State[Table], seat: Seat, back: Iterable[Event]) -> tuple[int, ...]:
        """Return the positions of the events that sealed a seat's closed fist or placed cards."""
        number = 0
        match state.head:
            case sealed_auctions.Fists(amounts=amounts):
                number = int(amounts[seat] is not None)
            case twist.Pick(placed=placed):
                number = len(placed[seat])
        kinds = ev.Committed | ev.TwistPicked
        own = (at for at, event in enumerate(back) if isinstance(event, kinds) and event.seat == seat)
        return tuple(islice(own, number))


def _lot(fists: sealed_auctions.Fists) -> tuple[object, ...]:
    """Return an identity of a lot's fists."""
    return type(fists), fists.stage, fists.card, fists.beginner, fists.firsts


def _about_hands(head: sealed_auctions.OpenFists, event: Event) -> tuple[object, ...]:
    """Return the basis of a decision about open hands: a seat's own count and statement, or the correction."""
    match event:
        case ev.FistCounted(seat) | ev.FistConfirmed(seat) if 0 <= seat < len(head.counted):
            return head.counted[seat], head.confirmed[seat]
        case ev.FistCorrected(seat) if 0 <= seat < len(head.counted):
            return head.confirmed[seat], head.correction
        case ev.CorrectionAnswered():
            return (head.correction,)
    return head.confirmed, head.correction


def _read(old: Loco, new: Loco | None) -> Loco:
    return new if new is not None and new.source == "owner" and new.known else old


def _face_up(table: Table) -> Counter[str]:
    """Return how many wagon cards of each kind are visible: in the market, on trains and in the discard pile."""
    shown = [card for card in (*table.market, *table.discard) if card is not None and "-" in card]
    shown += [wagon_id(w.type, w.value) for own in table.trains for train in own for w in train.wagons if not w.twin]
    return Counter(shown)


def _rows(old: tuple[WagonCount, ...], values: Counter[str]) -> tuple[WagonCount, ...]:
    """Return the rows of a catalogue: known values with their counts, then the rest of each type.

    If more values were read than cards of the type exist (a misread card), the last ones are omitted.
    """
    rows: list[WagonCount] = []
    for cargo in dict.fromkeys(row.type for row in old):
        left = sum(row.count for row in old if row.type == cargo)
        for card in sorted((c for c in values if wagon_parts(c)[0] == cargo), key=lambda c: wagon_parts(c)[1]):
            count = min(left, values[card])
            if count:
                rows.append(WagonCount(cargo, wagon_parts(card)[1], count, "owner"))
                left -= count
        if left:
            rows.append(WagonCount(cargo, None, left))
    return tuple(rows)
