"""Dealt and real cards of Game of Trains must follow the same rules."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given

from companion.engine import Setup, State, apply
from companion.games.game_of_trains import events as ev
from companion.games.game_of_trains.rules import RULES
from companion.games.game_of_trains.steps.pool import KeepOdd
from companion.games.game_of_trains.steps.setup import DrawHands
from companion.games.game_of_trains.table import DISCARD, HANDS, PILE, Table
from tests.games.game_of_trains.walk import bounded, play, seeds, setups
from tests.games.proofs import proves


def both(setup: Setup, seed: int) -> Iterator[tuple[State[Table], State[Table]]]:
    """Yield pairs of states of one random game, with dealt cards and with real ones."""
    real = RULES.begin(Setup(setup.game, setup.players, setup.options, setup.catalogue, "ours"))
    for _, event, dealt in play(setup, seed):
        if not isinstance(event, ev.HandsDrawn):
            real = apply(RULES, real, event)
        while real.agenda and isinstance(real.agenda[0], KeepOdd):  # with dealt cards, the latest one stays
            real = apply(RULES, real, ev.OddKept(real.agenda[0].cards[-1]))
        yield dealt, real


def counts(table: Table) -> list[int]:
    """Return the number of cards at every place."""
    return [table.zones.count(zone) for zone in (PILE, DISCARD, *HANDS[: table.fixed.players])]


@proves("F-1", "R-12", "R-13")
@given(setups(deck="dealt"), seeds())
@bounded(25)
def test_real_cards_are_played_by_the_same_rules(setup: Setup, seed: int) -> None:
    """The same events lead to the same open cards and counts, and hidden cards of the dealt game stay possible."""
    for dealt, real in both(setup, seed):
        one, two = dealt.table, real.table
        assert (one.lines, one.locks, set(one.pool), one.winner) == (two.lines, two.locks, set(two.pool), two.winner)
        assert set(one.discard) == set(two.discard)
        if dealt.agenda and isinstance(dealt.agenda[0], DrawHands):
            continue  # real hands are drawn at once
        assert counts(one) == counts(two)
        for zone in one.zones.zones:
            assert all([two.zones.possible(zone, card) for card in one.zones.candidates(zone)])
            assert set(two.zones.named(zone)) <= set(one.zones.named(zone))


@proves("R-06", "R-12")
@given(setups(deck="ours"), seeds())
@bounded(25)
def test_a_real_card_is_unknown_until_somebody_saw_it(setup: Setup, seed: int) -> None:
    """Any unseen card may lie at any hidden place, and a named card only at its own."""
    for _, event, state in play(setup, seed, 60):
        zones = state.table.zones
        for zone in zones.zones:
            unseen = zones.remaining(zone)
            assert unseen in ((), zones.remaining(PILE)) or not zones.count(PILE)
            for card in zones.named(zone):
                assert [other for other in zones.zones if zones.possible(other, card)] == [zone]
        if isinstance(event, ev.Kept):
            assert not any([zones.possible(zone, event.card) for zone in zones.zones])
