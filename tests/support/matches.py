"""Matches for tests: played at random from a seed, or from a short list of events."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.engine import Event, Seat, Setup, legal
from companion.games.take_a_train import events as ev
from companion.journal import database
from companion.journal.journal import Journal
from companion.match.actor import Actor
from companion.match.match import Match

CARDS = ("steam-1", "steam-4", "diesel-1")
"""Three locomotives of powers 100, 200 and 300."""
BLIND_LOT: tuple[Event, ...] = (
    ev.StarterNamed(Seat(0)),
    ev.TokenDrawn("blind"),
    ev.LocosRevealed(CARDS),
    ev.Nominated(Seat(0), "steam-4"),
    ev.Committed(Seat(0), 250),
    ev.Committed(Seat(1), 350),
    ev.Committed(Seat(1), 400),
    ev.Committed(Seat(2), 300),
)
"""A Blind lot of three seats with real cards: seat 1 reconsiders at 350 and buys at 400."""
OPEN_LOT: tuple[Event, ...] = (
    ev.StarterNamed(Seat(0)),
    ev.TokenDrawn("open"),
    ev.LocosRevealed(("steam-4",)),
    ev.PurposesEntered(Seat(2), ("P-1", "P-2", "P-3")),
    ev.Opened(Seat(0), 200),
    ev.Counted(Seat(0), 1),
)
"""An Open lot in which seat 0 has counted to one."""
TO_WAGONS: tuple[Event, ...] = (
    ev.StarterNamed(Seat(0)),
    ev.TokenDrawn("twist"),
    *[ev.TwistPicked(Seat(seat)) for _ in range(2) for seat in range(2)],
    ev.TwistRevealed((("steam-1", "steam-2", "steam-3"), ("steam-4", "diesel-1", "diesel-2"))),
)
"""Two seats with three locomotives each, just before the market is laid out."""
MARKET = ev.CardsRevealed(("coal-200", "food-50", "oil-150"))


def ours(players: int = 3, **options: Any) -> Setup:
    """Return a set-up in which the players deal real cards."""
    return Setup("take-a-train", players, options, deck="ours")


def dealt(players: int = 3, **options: Any) -> Setup:
    """Return a set-up in which the companion deals."""
    return Setup("take-a-train", players, options)


def say(match: Match, *events: Event) -> None:
    """Record events, each as a move of its own."""
    for event in events:
        refusal = match.propose(event, Actor.TABLE)
        assert refusal is None, (event, refusal)


def stroll(match: Match, luck: Random, until: int) -> None:
    """Play at random until the match has the given number of records or is over."""
    while match.seq < until and not match.state.over:
        offers = legal(match.game, match.state)
        if offers[0].chance and match.setup.deck == "dealt":
            assert match.draw(Actor.TABLE) is None
        else:
            say(match, offers[int(luck.random() * len(offers))].pick(luck.random))


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not sync to disk: for tests with many moves that do not concern power cuts."""
    monkeypatch.setattr(database, "SYNCHRONOUS", "OFF")


@contextmanager
def begun(folder: Path, setup: Setup, *events: Event, seed: str = "7") -> Iterator[Match]:
    """Yield a match in its own journal, after the given events."""
    with Journal(folder / "journal.db") as journal:
        match = Match.begin(journal, setup, seed)
        say(match, *events)
        yield match
