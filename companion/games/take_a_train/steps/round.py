"""A round in the rulebook's order: token, auction, order, market, turns, profits, next round (R-11, R-12, R-68)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.engine import NOT_YOUR_TURN, Automatic, Choice, Effect, Event, Offer, Refusal, Seat, Step, Turn
from companion.games.take_a_train import events as ev
from companion.games.take_a_train import purposes, refusals
from companion.games.take_a_train.steps.lots import NextLot
from companion.games.take_a_train.steps.sealed_auctions import Fists
from companion.games.take_a_train.steps.twist import Deal, pick_from
from companion.games.take_a_train.steps.wagons import OpenMarket
from companion.games.take_a_train.table import ROUNDS, TRAINS, Table, paid, profit, replacement, unsold, with_train
from companion.mechanics.pool import HandDeal, NextCard
from companion.mechanics.seating import clockwise, left_of
from companion.mechanics.sides import Sides


class DealPurposes(Step[Table], frozen=True):
    """Chance: the companion deals purpose tokens (R-10)."""

    def legal(self, table: Table) -> tuple[Offer, ...]:
        return (HandDeal(ev.PurposesDealt, tuple(purposes.BY_ID), table.fixed.players, purposes.PER_SEAT),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        assert isinstance(event, ev.PurposesDealt)
        held = tuple([purposes.mask_of(own) for own in event.purposes])
        return purposes.update_ripe(replace(table, held=held, known=(True,) * len(held))), (), ()

    def explain(self, table: Table, event: Event) -> Refusal | None:
        return refusals.DUPLICATE_PURPOSE() if isinstance(event, ev.PurposesDealt) else None


class NameStarter(Step[Table], frozen=True):
    """The seat whose player was on a train most recently starts round 1 (R-11)."""

    triggered = True

    def legal(self, table: Table) -> tuple[Offer, ...]:
        return (Choice(None, tuple(map(ev.StarterNamed, clockwise(0, table.fixed.players))), chance=True),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        assert isinstance(event, ev.StarterNamed)
        return replace(table, starter=event.seat), await_token(event.seat), ()

    def explain(self, table: Table, event: Event) -> Refusal | None:
        named = isinstance(event, ev.StarterNamed)
        return refusals.STARTER_NOT_SEATED(players=table.fixed.players) if named else None


def await_token(starter: Seat) -> tuple[Step[Table], ...]:
    """Return the steps of a round. The last round's trains stay until the token is drawn."""
    return DrawToken(starter), FillUp(), SetOrder(), OpenMarket(), CountProfits(), NextRound()


def clear_table(table: Table) -> Table:
    """Return the table of a new round: 3n of all locomotives in the deck, all cards and tokens back (R-07, R-68)."""
    players = table.fixed.players
    gone = dict.fromkeys(("aside", "revealed", "offered", "order", "market", "wagons", "discard"), ())
    locos, trains = tuple(table.fixed.book.locos), ((),) * players
    table = replace(table, round=table.round + 1, in_hands=0, longer=False, **gone)
    return replace(table, trains=trains, pool=locos, deck=TRAINS * players)


class DrawToken(Step[Table], frozen=True):
    """The round starter draws the auction token, which sets the kind of auction (R-12)."""

    triggered = True

    starter: Seat

    def legal(self, table: Table) -> tuple[Offer, ...]:
        return (NextCard(ev.TokenDrawn, tuple([kind for kind in ev.KINDS if kind not in table.used])),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Remove the token, clear the last round and begin the token's kind of auction."""
        assert isinstance(event, ev.TokenDrawn)
        table = replace(clear_table(table), starter=self.starter, kind=event.kind, used=(*table.used, event.kind))
        if event.kind == "twist" and not table.fixed.dealt:
            table = replace(table, deck=0, in_hands=table.deck)  # people deal the real cards at once
        return table, auction(table), (ev.RoundBegan(table.round, self.starter),)

    def explain(self, table: Table, event: Event) -> Refusal | None:
        return refusals.TOKEN_ALREADY_USED(kind=event.kind) if isinstance(event, ev.TokenDrawn) else None


def auction(table: Table) -> tuple[Step[Table], ...]:
    """Return the steps of the round's kind of auction."""
    players = table.fixed.players
    if table.kind == "twist":
        return (Deal(),) if table.fixed.dealt else (pick_from(((),) * players),)
    if table.kind == "preemption":  # three parts: the starter begins, then the seats to the left
        beginners = [Seat((table.starter + part) % players) for part in range(TRAINS)]
        everyone = tuple(clockwise(0, players))
        return tuple([Fists("preemption", beginner, everyone, (None,) * players) for beginner in beginners])
    return (NextLot(),)


class FillUp(Automatic[Table], frozen=True):
    """End of stage one: seats short of locomotives take unsold ones face down (R-21)."""

    def run(self, table: Table) -> Turn[Table]:
        """Give replacements to every short seat, and remove the remaining cards."""
        lacking = {seat: TRAINS - len(table.trains[seat]) for seat in clockwise(table.starter, table.fixed.players)}
        assert unsold(table) == sum(lacking.values()), "some locomotives were left over"
        trains = tuple([(*own, *[replacement()] * (TRAINS - len(own))) for own in table.trains])
        effects = tuple([ev.Replaced(seat, count) for seat, count in lacking.items() if count])
        return replace(table, trains=trains, deck=0, aside=(), revealed=(), in_hands=0, offered=()), (), effects


class SetOrder(Automatic[Table], frozen=True):
    """Sequence tokens by total power, then by the fastest locomotive, then clockwise (R-57)."""

    def run(self, table: Table) -> Turn[Table]:
        """Assign the tokens and record the first, last, fastest and slowest."""
        order = turn_order(table)
        table = replace(table, order=order)
        table = purposes.note(purposes.note(table, purposes.order_masks(table)), purposes.extreme_masks(table))
        return table, (), (ev.OrderSet(order),)


def turn_order(table: Table) -> tuple[Seat, ...]:
    """Return the seats by sequence token (R-57)."""

    def rank(seat: Seat) -> tuple[int, int]:
        own = table.trains[seat]
        fastest = max([train.speed for train in own if train.face_up], default=-1)
        return -sum([train.power for train in own]), -fastest

    return tuple(sorted(clockwise(table.starter, table.fixed.players), key=rank))


class CountProfits(Automatic[Table], frozen=True):
    """Every train pays its owner; replacements pay one wagon (R-66)."""

    def run(self, table: Table) -> Turn[Table]:
        """Ask the owners of replacements first, if the option says so; then pay everyone."""
        if table.fixed.options.replacement_wagon == "ask":
            for seat, at in [(seat, at) for seat in table.order for at in range(TRAINS)]:
                train = table.trains[seat][at]
                if not train.face_up and len({w.value for w in train.wagons}) > 1 and train.chosen is None:
                    return table, (ChooseWagon(seat, at), self), ()
        effects: tuple[Effect, ...] = ()
        for seat in table.order:
            due = [profit(train) for train in table.trains[seat]]
            table, moves = paid(table, seat, sum(due), "profit")
            effects += (*[ev.Profited(seat, at, amount) for at, amount in enumerate(due)], *moves)
        return table, (), effects


class ChooseWagon(Step[Table], frozen=True):
    """The owner of a replacement chooses the wagon that pays (R-66, `replacement_wagon`)."""

    seat: Seat
    train: int

    def legal(self, table: Table) -> tuple[Offer, ...]:
        wagons = table.trains[self.seat][self.train].wagons
        return (Choice(self.seat, tuple([ev.WagonChosen(self.seat, self.train, at) for at in range(len(wagons))])),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Record the choice; profits are paid after the last one."""
        assert isinstance(event, ev.WagonChosen)
        train = replace(table.trains[self.seat][self.train], chosen=event.wagon)
        return replace(table, trains=with_train(table, self.seat, self.train, train)), (), ()

    def explain(self, table: Table, event: Event) -> Refusal | None:
        match event:
            case ev.WagonChosen(self.seat, self.train, wagon):
                return refusals.WAGON_NOT_ON_LOCO(wagon=wagon + 1)
            case ev.WagonChosen():
                return NOT_YOUR_TURN(seat=self.seat)
        return None


class NextRound(Automatic[Table], frozen=True):
    """The starter token goes left; after round 3 only claims remain (R-11, R-68, R-75)."""

    def run(self, table: Table) -> Turn[Table]:
        """Begin the next round or open the last window for claims."""
        if table.round < ROUNDS:
            return table, await_token(left_of(table.starter, table.fixed.players)), ()
        return table, (LastClaims(tuple(clockwise(0, table.fixed.players))),), ()


class LastClaims(Step[Table], frozen=True):
    """After the last profits everyone may still claim, until all have said "nothing more" (R-75)."""

    seats: tuple[Seat, ...]

    def legal(self, table: Table) -> tuple[Offer, ...]:
        return tuple([Choice(seat, (ev.ClaimsDone(seat),)) for seat in self.seats])

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Wait for the others, or end the game."""
        assert isinstance(event, ev.ClaimsDone)
        rest = tuple([seat for seat in self.seats if seat != event.seat])
        if rest:
            return table, (LastClaims(rest),), ()
        return replace(table, ended=True), (), (ev.Ended(table.cash, winners(table)),)

    def explain(self, table: Table, event: Event) -> Refusal | None:
        return refusals.ALREADY_DONE() if isinstance(event, ev.ClaimsDone) else None


def ranking(table: Table) -> tuple[tuple[Seat, ...], ...]:
    """Return the seats by cash; ties go to more claimed purposes, and remaining ties are shared (R-80 to R-82)."""
    return Sides.alone(table.fixed.players).ranking(table.cash, [mask.bit_count() for mask in table.claimed])


def winners(table: Table) -> tuple[Seat, ...]:
    """Return the richest seats (R-80 to R-82)."""
    return ranking(table)[0]
