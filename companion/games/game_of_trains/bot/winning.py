"""The bot that plays to win: it compares its chance to win after each possible action and the next player's answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.engine import Event, Luck
from companion.games.game_of_trains import events as ev
from companion.games.game_of_trains.bot.ahead import MOVES, Ahead, Spot, after_use, ahead
from companion.games.game_of_trains.bot.mind import Known, Mind, rank_kept
from companion.games.game_of_trains.lines import replace_wagon
from companion.games.game_of_trains.steps.setup import Choose
from companion.games.game_of_trains.steps.turn import Place
from companion.games.game_of_trains.steps.uses import AT
from companion.games.game_of_trains.table import GAP, Line
from companion.mechanics.policy import Ranked, Term, best_first, term
from companion.mechanics.seating import clockwise, with_value

DRAWS = 12
"""The number of cards, spread evenly over the unseen ones, with which a draw is evaluated."""
REFILLS = 6
"""The number of cards for each seat with which a removal is evaluated."""
TRIED = 2
"""The number of places tried for a card that is still to be drawn."""
CLOSE = 8
"""The number of uses of pool cards evaluated closely: those that leave the best lines."""
EXCHANGES = 12
"""The number of exchanges evaluated in the set-up: those that bring the line nearest to victory."""
APART = 0.382
"""The distance between the cards sampled for neighbouring seats, as a share of the unseen cards."""


class Winning(Mind):
    """Plays a seat of Game of Trains to win."""

    def ranked(self, own: Known, luck: Luck) -> Sequence[Ranked]:
        """Return the seat's options, ranked by its chance to win."""
        if not own.offers:
            return ()
        turn = Turn(own)
        if own.moment is Choose:
            return best_first(turn.exchanges(rank_kept(own, luck)[:EXCHANGES]))
        return best_first(turn.placings() if own.moment is Place else turn.actions())


class Turn:
    """One decision of a seat."""

    def __init__(self, own: Known) -> None:
        self.own, self.seat = own, own.seat
        table = own.table
        self.abilities = table.fixed.book.abilities
        self.players = len(table.lines)
        self.look: Ahead = ahead(table.fixed.book.numbers, self.abilities, self.players)
        self.following = (own.seat + 1) % self.players
        pool = 0
        for card in table.pool:
            pool ^= self.look.bits[card]
        self.spot = Spot(table.lines, tuple([table.locked(seat) for seat in range(self.players)]), pool)
        seen = {card for cards in (*table.lines, table.pool) for card in cards}
        self.unseen = [card for card in table.fixed.book.numbers if card not in seen]

    # --- options ----------------------------------------------------------------------------------

    def exchanges(self, found: Sequence[Ranked]) -> Iterator[Ranked]:
        """Yield exchanges of the set-up with the resulting table (R-06)."""
        for event in [each.event for each in found]:
            assert isinstance(event, ev.Kept)
            after = self.placed(event.position, event.card)
            yield self.rank(event, after, self.look.stand(after, self.following)[self.seat])

    def placings(self) -> Iterator[Ranked]:
        """Yield the positions for the drawn card."""
        (card,) = self.own.table.hand(self.seat)
        for at, _ in enumerate(self.own.line, 1):
            after = self.placed(at, card)
            yield self.rank(ev.Placed(self.seat, at), after, self.chance(after))

    def actions(self) -> Iterator[Ranked]:
        """Yield the seat's options; uses of cards that leave poor lines are left out."""
        (offer,) = self.own.offers
        uses = list[tuple[float, Spot, Event]]()
        for event in offer:
            match event:
                case ev.Drew():
                    chance = self.drawing()
                    yield Ranked(event, chance, (term("chance", chance), self.hoped()))
                case ev.Removed(_, card):
                    chance = self.removal(card)
                    yield Ranked(event, chance, (term("chance", chance), *self.losses(AT[self.abilities[card] or ""])))
                case ev.Protected(_, card, position):
                    locked = with_value(self.spot.locked, self.seat, (*self.spot.locked[self.seat], position))
                    after = self.spot._replace(locked=locked, pool=self.spot.pool ^ self.look.bits[card])
                    yield self.rank(event, after, self.chance(after))
                case ev.Swapped(_, card, left, right):
                    uses.append(self.used(event, card, (left, right)))
                case ev.Shifted(_, card, position):
                    uses.append(self.used(event, card, (position,)))
        uses.sort(key=lambda use: use[0])
        for _, after, event in uses[:CLOSE]:
            yield self.rank(event, after, self.chance(after))

    # --- consequences -----------------------------------------------------------------------------

    def chance(self, spot: Spot) -> float:
        """Return the seat's chance to win after the next player's answer."""
        if self.look.rule.draws(spot.lines[self.seat]) == 0.0:
            return 1.0
        return self.look.answered(spot, self.following)[self.seat]

    def used(self, event: Event, card: int, positions: tuple[int, ...]) -> tuple[float, Spot, Event]:
        """Return the number of draws that the line needs after a swap or a move, and the resulting table."""
        line, changed = after_use(self.abilities[card] or "", self.own.line, positions)
        locked = tuple([at for at in self.spot.locked[self.seat] if at not in changed])
        after = self.after(line, locked, self.look.bits[card])
        return self.look.rule.draws(line), after, event

    def placed(self, at: int, card: int) -> Spot:
        """Return the table after a card was placed."""
        locked = tuple([each for each in self.spot.locked[self.seat] if each != at])
        return self.after(replace_wagon(self.own.line, at, card), locked, self.look.bits[self.own.line[at - 1]])

    def after(self, line: Line, locked: tuple[int, ...], bit: int) -> Spot:
        """Return the table with a new line and padlocks for the seat, after a card has joined or left the pool."""
        spot, seat = self.spot, self.seat
        return Spot(with_value(spot.lines, seat, line), with_value(spot.locked, seat, locked), spot.pool ^ bit)

    def drawing(self) -> float:
        """Return the seat's average chance to win after a draw."""
        total = 0.0
        for number in range(DRAWS):
            card = self.unseen[int((number + 0.5) * len(self.unseen) / DRAWS)]
            near = sorted([(near, at) for at, (near, *_) in enumerate(self.look.placings(self.own.line, card), 1)])
            total += max([self.chance(self.placed(at, card)) for _, at in near[:TRIED]])
        return total / DRAWS

    def removal(self, card: int) -> float:
        """Return the seat's average chance to win after a removal and its refills (R-15)."""
        position, spot = AT[self.abilities[card] or ""], self.spot
        hit = [seat for seat in clockwise(self.seat, self.players) if position not in spot.locked[seat]]
        pool = spot.pool ^ self.look.bits[card]
        for seat in hit:
            pool ^= self.look.bits[spot.lines[seat][position - 1]]
        return sum([self.refilled(hit, position, pool, number) for number in range(REFILLS)]) / REFILLS

    def refilled(self, hit: Sequence[int], position: int, pool: int, number: int) -> float:
        """Return the seat's chance to win after one of the possible refills."""
        lines, many = list(self.spot.lines), len(self.unseen)
        for step, seat in enumerate(hit):
            at = (number + 0.5) / REFILLS + step * APART
            lines[seat] = replace_wagon(lines[seat], position, self.unseen[int(at % 1.0 * many)])
            if self.look.rule.draws(lines[seat]) == 0.0:
                return float(seat == self.seat)
        return self.look.answered(Spot(tuple(lines), self.spot.locked, pool), self.following)[self.seat]

    # --- reasons ----------------------------------------------------------------------------------

    def rank(self, event: Event, after: Spot, chance: float) -> Ranked:
        """Return an event with its value (the chance to win) and its reasons."""
        more = self.terms(after) if chance < 1.0 else ()
        return Ranked(event, chance, (term("chance", chance), *more))

    def hoped(self) -> Term:
        """Return the average number of draws that the own line needs after drawing a card, and the number now."""
        near = [draws for draws, *_ in self.look.draws(self.own.line)]
        return term("line", sum(near) / len(near), before=self.look.rule.draws(self.own.line))

    def losses(self, position: int) -> Iterator[Term]:
        """Yield, for each seat hit by a removal, the number of draws that its line needs without the wagon, and now."""
        draws = self.look.rule.draws
        for seat in clockwise(self.seat, self.players):
            line = self.spot.lines[seat]
            if position not in self.spot.locked[seat]:
                yield term("loses", draws(replace_wagon(line, position, GAP)), seat=seat, before=draws(line))

    def terms(self, after: Spot) -> Iterator[Term]:
        """Yield the draws that the own line needs, before and after, those of the next player, and what the pool
        offers it."""
        draws, seat, rival = self.look.rule.draws, self.seat, self.following
        yield term("line", draws(after.lines[seat]), before=draws(self.own.line))
        reach, alone = self.look.reach(after.lines[rival], after.pool), draws(after.lines[rival])
        helps = {near: name for name, (near, _) in zip(MOVES, self.look.moves(after.lines[rival]), strict=True)}
        yield term("next", reach, seat=rival, alone=alone, ability=helps.get(reach - 1, "") if reach < alone else "")


WINNING = Winning()
"""The bot that plays to win."""
