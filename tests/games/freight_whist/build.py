"""Build states of Freight Whist for its tests."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from companion.engine import Event, Seat, Setup, State, apply, legal
from companion.games.examples.freight_whist.rules import (
    DECK,
    PLAYERS,
    RULES,
    SUITS,
    CardPlayed,
    CardSeen,
    HandsDealt,
    Table,
    TrumpTurned,
)
from tests.games.playing import Playing

PLAYING: Playing[Table] = Playing(RULES)
SEATS = A, B, C, D = Seat(0), Seat(1), Seat(2), Seat(3)
NAMES = ("Jane", "Bill", "Tom", "Ann")
PURE = {seat: tuple([card for card in DECK if card.startswith(suit)]) for seat, suit in enumerate(SUITS)}
"""Hands by seat, each with a single freight: seat 0 has all coal, seat 3 all food."""


def begun(deck: Any = "dealt") -> State[Table]:
    """Return a match that has begun."""
    return RULES.begin(Setup(RULES.name, NAMES, deck=deck))


def dealt(hands: dict[int, Sequence[str]], turned: str, state: State[Table] | None = None) -> State[Table]:
    """Return a hand dealt from these cards, with the turned-up card in the dealer's hand."""
    state = state or begun()
    order = [Seat((state.table.match.dealer + step) % PLAYERS) for step in range(1, PLAYERS + 1)]
    cards = tuple([card for seat in order for card in hands[seat] if card != turned])
    return PLAYING.after(state, HandsDealt(cards), TrumpTurned(turned))


def seen(*cards: str, state: State[Table] | None = None) -> State[Table]:
    """Return a hand with real cards: the first card is the turned-up one, and the others were played."""
    turned, *played = cards
    return PLAYING.after(state or begun("ours"), TrumpTurned(turned), *map(CardSeen, played))


def plays(state: State[Table], text: str) -> State[Table]:
    """Return the state after the seats on turn played these cards, separated by spaces."""
    for card in text.split():
        state = PLAYING.after(state, CardPlayed(state.table.turn, card))
    return state


def swap(hands: dict[int, Sequence[str]], *pairs: tuple[str, str]) -> dict[int, tuple[str, ...]]:
    """Return the hands after exchanging these pairs of cards."""
    other = {one: two for one, two in pairs} | {two: one for one, two in pairs}
    return {seat: tuple([other.get(card, card) for card in cards]) for seat, cards in hands.items()}


def walk(deck: str, seed: int) -> Iterator[tuple[State[Table], Event, State[Table]]]:
    """Play a whole match at random and yield each event between the states before and after it."""
    luck = random.Random(seed)
    state = begun(deck)
    while state.agenda:
        (offer,) = legal(RULES, state)
        event = offer.pick(luck.random)
        before, state = state, apply(RULES, state, event)
        yield before, event, state
