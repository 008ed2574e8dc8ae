"""The people's acts with real tokens for an event: they show it, pay, take back, and sometimes make a mistake first."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping, Sequence

import msgspec

from companion.demo.acts import Act, LayTokens, Rest, Slip, TakeClaim
from companion.demo.purses import Purses
from companion.engine import (
    AnySeenGame,
    AnyState,
    Event,
    PlayedTokenGame,
    TokenLayout,
    Unveiling,
    amount_of,
    follow_all,
    money_place,
    seat_of,
    tokens_played,
)
from companion.engine.token_rules import MONEY_PLACE

SLIPS = 0.08
"""The probability that people first handle tokens wrongly: about two mistakes a round, so that a viewer sees the
requests."""
HANDFUL = 3
"""The maximum number of tokens in a hand that opens early."""
Lying = Mapping[str, tuple[str, ...]]
"""The tokens at each place."""


class TokenTruth:
    """The tokens of one match. `slips` is the probability that people first make a mistake."""

    def __init__(self, game: PlayedTokenGame[object], state: AnyState, seed: int, slips: float) -> None:
        self.game, self.slips = game, slips
        players = len(game.holdings(state).cash)
        self.places = {place.name: place for place in game.token_places(players)}
        self.purses = Purses(game, players)
        self._luck = random.Random(f"{seed} tokens")
        self._left: dict[str, tuple[str, ...]] = {}
        """Money that its owner forgot to take back, by place, until the companion asks for it."""

    def only_tokens(self, event: Event) -> bool:
        """Return whether people make an event with tokens and do not enter it."""
        return event.facts.by_tokens

    def claims(self, event: Event) -> bool:
        """Return whether a seat lays tokens open for an event and then claims it."""
        return bool(self.game.claim_layout(event))

    def within_purses(self, before: AnyState, counts: Sequence[Event]) -> tuple[Event, ...]:
        """Return counts of opened hands, lowered to the amounts that each seat can form with its own tokens and with
        change."""
        after = follow_all(self.game, before, counts)
        layout = None if after is None else self.game.token_layout(after)
        if layout is None:
            return tuple(counts)
        found = []
        for count in counts:
            seat, amount = seat_of(count), amount_of(count) or 0
            assert seat is not None
            wanted = layout.money.get(money_place(seat), 0)
            lacking = wanted - self.worth(self.purses.pick(seat, wanted)) if amount else 0
            found.append(msgspec.structs.replace(count, amount=max(0, amount - lacking)) if lacking > 0 else count)
        return tuple(found)

    def show(self, before: AnyState, events: Sequence[Event], lying: Lying) -> Iterator[Act]:
        """Yield the tokens that hands lay simultaneously, so that the camera sees the events."""
        after = follow_all(self.game, before, events)
        assert after is not None, "what people show with tokens has happened"
        layout = self.game.token_layout(after)
        assert layout is not None
        acts = [self._slipping(act, "heaped") for act in self._lay(layout, lying)]
        yield from acts
        yield Rest()

    def claim(self, event: Event, lying: Lying) -> Iterator[Act]:
        """Yield a seat's acts for a claim."""
        laid = [LayTokens(place, tokens) for place, tokens in self.game.claim_layout(event).items()]
        yield from [act for act in laid if lying.get(act.place) != act.tokens]
        yield Rest()
        seat = seat_of(event)
        assert seat is not None
        yield TakeClaim(seat)

    def open_early(self, timing: Unveiling, lying: Lying) -> Iterator[Act]:
        """Yield the acts of a seat that opens its hand before the signal, if one does."""
        if self._luck.random() >= self.slips:
            return
        seat = self._luck.choice(timing.seats)
        place = money_place(seat)
        here = lying.get(place, ())
        held = self.purses.held(seat, here)[:HANDFUL]
        if held:
            yield LayTokens(place, (*here, *held), "early")
            yield Rest()

    def settle(self, state: AnyState, lying: Lying) -> Iterator[Act]:
        """Yield the acts that make tokens match a state: seats pay their debts to the bank and take back their own.

        Nobody lays anything at a black place. If a first fist counted for more than it held, its seat pays the rest
        later.
        """
        layout = self.game.token_layout(state)
        if layout is None:
            return
        cash = self.game.holdings(state).cash
        dues = {seat: self.purses.money(seat) - money for seat, money in enumerate(cash)}
        paying = {money_place(seat): due for seat, due in dues.items() if due > 0}
        laid = list(self._lay(TokenLayout(money=paying), lying, at_least=True))
        yield from laid
        if laid:
            yield Rest()
        for seat, due in dues.items():
            if due > 0:
                self.purses.hand_over(seat, lying.get(money_place(seat), ()))
        self.purses.follow(cash)
        black = self.places.keys() - self.game.readable_places(state)
        wanted = {place: money for place, money in layout.money.items() if self._may_lay(place, money, lying, black)}
        layout = TokenLayout(layout.tokens, wanted)
        taken = [act if act.place in paying else self._slipping(act, "left") for act in self._lay(layout, lying)]
        self._forget([act.place for act in taken if act.slip], lying)
        yield from taken
        if taken:
            yield Rest()

    def _lay(self, layout: TokenLayout, lying: Lying, at_least: bool = False) -> Iterator[LayTokens]:
        """Yield the placements to change. `at_least`: leave places with more money alone."""
        for place, tokens in layout.tokens.items():
            if lying.get(place, ()) != tokens:
                yield LayTokens(place, tokens)
        for place, amount in layout.money.items():
            here, seat = lying.get(place, ()), self.places[place].seat
            lies = self.worth(here)
            forgotten = not amount and here and self._left.get(place) == here
            if seat is None or lies == amount or (at_least and lies > amount) or forgotten:
                continue
            self._left.pop(place, None)
            yield LayTokens(place, self.purses.pick(seat, amount, here))

    def _may_lay(self, place: str, money: int, lying: Lying, black: Collection[str]) -> bool:
        """Return whether people may add money at a place; at a black one they only take it away."""
        return place not in black or money <= self.worth(lying.get(place, ()))

    def _forget(self, places: Sequence[str], lying: Lying) -> None:
        """Choose the places whose money nobody takes back until the companion asks for it."""
        for place in places:
            seat = self.places[place].seat
            assert seat is not None
            self._left[place] = lying[place]
            self.purses.leave(seat, lying[place])

    def worth(self, tokens: Sequence[str]) -> int:
        """Return the total value of tokens, in dollars."""
        values = {kind.name: kind.value for kind in self.game.token_kinds}
        return sum([values[token] for token in tokens])

    def _slipping(self, act: LayTokens, slip: Slip) -> LayTokens:
        """Return an act with a possible mistake: sometimes people first perform it wrongly, if that is possible."""
        possible = len(act.tokens) > 1 if slip == "heaped" else not act.tokens and act.place.endswith(f".{MONEY_PLACE}")
        if possible and self._luck.random() < self.slips:
            return LayTokens(act.place, act.tokens, slip)
        return act


def token_truth(game: AnySeenGame, state: AnyState, seed: int, slips: float) -> TokenTruth | None:
    """Return the people's acts with a match's tokens; None if the match has none."""
    if not tokens_played(game) or game.token_layout(state) is None:
        return None
    return TokenTruth(game, state, seed, slips)
