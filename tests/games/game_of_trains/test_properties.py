"""Test the invariants, replay and undo of Game of Trains in random games (F-1 to F-11)."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from msgspec.structs import replace

from companion.engine import Event, Seat, Setup, apply, follow, legal, rule, state_hash
from companion.games.game_of_trains import events as ev
from companion.games.game_of_trains.rules import RULES
from companion.games.game_of_trains.steps.turn import Act
from companion.games.game_of_trains.table import GAP, HANDS, PILE
from companion.match.history import AmendConflict, History, Rewound
from tests.games.game_of_trains import invariants
from tests.games.game_of_trains.walk import bounded, play, seeds, setups
from tests.games.proofs import proves


@proves("F-1", "R-01")
@given(setups(), seeds())
@bounded(25)
def test_every_wagon_is_in_one_place(setup: Setup, seed: int) -> None:
    """Each of the 84 wagons is in exactly one place."""
    for _, _, state in play(setup, seed):
        invariants.every_wagon_is_in_one_place(state)
        invariants.hands_hold_what_was_drawn(state)


@proves("F-2", "R-15")
@given(setups(), seeds())
@bounded(25)
def test_lines_are_whole_between_turns(setup: Setup, seed: int) -> None:
    """A line has a gap only while its seat must refill it, or after a victory during the refills."""
    for _, event, state in play(setup, seed):
        invariants.lines_are_whole_between_turns(state, event)


@proves("F-3", "R-11")
@given(setups(), seeds())
@bounded(25)
def test_the_pools_abilities_differ(setup: Setup, seed: int) -> None:
    """No two pool cards have the same ability when a seat may act."""
    for _, _, state in play(setup, seed):
        invariants.the_pools_abilities_differ(state)


@proves("F-4", "B-8")
@given(setups(), seeds())
@bounded(25)
def test_padlocks_are_padlocks(setup: Setup, seed: int) -> None:
    """Only padlock cards lie under a line, each at the position where a seat put it."""
    for before, event, state in play(setup, seed):
        invariants.padlocks_are_padlocks(before, event, state)


@proves("F-5", "F-6", "F-7", "R-16")
@given(setups(), seeds())
@bounded(40)
def test_actions_change_what_they_say(setup: Setup, seed: int) -> None:
    """A move permutes one line, a placed card changes one position, and a removal spares protected wagons."""
    for before, event, state in play(setup, seed):
        invariants.actions_change_what_they_say(before, event, state)


@proves("F-8", "R-14")
@given(setups(), seeds())
@bounded(25)
def test_one_wins_or_nobody(setup: Setup, seed: int) -> None:
    """Only the winner's line rises, and the game is over as soon as a line rises."""
    for _, _, state in play(setup, seed, 1500):
        invariants.one_wins_or_nobody(state)


@proves("F-9", "R-13")
@given(setups(), seeds())
@bounded(25)
def test_there_is_always_something_to_draw(setup: Setup, seed: int) -> None:
    """The pile or the discard has a card, and some event is legal until the game is over."""
    for _, _, state in play(setup, seed):
        invariants.there_is_always_something_to_draw(state)


@proves("F-1", "F-2", "F-4", "F-8", "R-01")
def test_what_is_broken_is_noticed() -> None:
    """The invariants detect a doubled card, a gap between turns, a false padlock and an unnoticed victory."""
    event, state = next((e, s) for _, e, s in play(Setup("game-of-trains", 2), 1) if isinstance(s.agenda[0], Act))
    table, (own, other) = state.table, state.table.lines
    with pytest.raises(AssertionError):
        invariants.hold(state, event, replace(state, table=replace(table, zones=table.zones.draw(PILE, HANDS[0], 1))))
    for line in ((own[1], *own[1:]), (GAP, *own[1:]), tuple(sorted(own))):
        with pytest.raises(AssertionError):
            invariants.hold(state, event, replace(state, table=replace(table, lines=(line, other))))
    stray = next(card for card in table.zones.remaining(PILE) if table.fixed.book.abilities[card] != "protect")
    broken = replace(table, locks=((stray, 0, 0), table.locks[1]), zones=table.zones.draw(PILE, None, 1, (stray,)))
    with pytest.raises(AssertionError):
        invariants.padlocks_are_padlocks(state, event, replace(state, table=broken))


def strays(luck: random.Random) -> Event:
    """Return a random event, which is legal only in rare cases."""
    seat, card, position = Seat(luck.randrange(5)), luck.randrange(87), luck.randrange(9)
    return luck.choice(
        [
            ev.FirstNamed(seat),
            ev.LineDealt(seat, tuple(luck.sample(range(1, 86), luck.choice((6, 7))))),
            ev.Kept(seat, card, position),
            ev.Drew(seat),
            ev.CardDrawn(card),
            ev.Placed(seat, position),
            ev.Swapped(seat, card, position, luck.randrange(9)),
            ev.Shifted(seat, card, position),
            ev.Removed(seat, card),
            ev.Protected(seat, card, position),
            ev.Refilled(seat, position, card),
            ev.Reshuffled(),
            ev.OddKept(card),
            ev.AbilityRead(card, "protect"),
        ]
    )


@proves("F-10", "R-00")
@given(setups(), seeds())
@bounded(20)
def test_what_is_refused_changes_nothing(setup: Setup, seed: int) -> None:
    """The rules judge random events without an error, and a refusal leaves the state unchanged."""
    luck = random.Random(seed)
    for _, _, state in play(setup, seed, 80):
        for _ in range(4):
            event = strays(luck)
            before = state_hash(state)
            refused = rule(RULES, state, event)
            if refused is None:
                apply(RULES, state, event)
            else:
                assert refused.rule
                assert refused.key
            assert state_hash(state) == before


@proves("F-10")
@given(setups(), seeds())
@bounded(10)
def test_everything_offered_is_legal(setup: Setup, seed: int) -> None:
    """Every event that an offer lists or picks is part of the offer and legal."""
    luck = random.Random(seed)
    for _, _, state in play(setup, seed, 60):
        for offer in legal(RULES, state):
            listed = [event for event, _ in zip(offer, range(40), strict=False)]
            for event in [*listed, offer.pick(luck.random)]:
                assert event in offer
                apply(RULES, state, event)


@proves("T-36", "F-11")
@given(setups(), seeds())
@bounded(10)
def test_36_the_same_seed_and_decisions_give_the_same_game(setup: Setup, seed: int) -> None:
    """Two games from one seed have the same events, and replaying them leads to the same state."""
    one, two = list(play(setup, seed)), list(play(setup, seed))
    assert [event for _, event, _ in one] == [event for _, event, _ in two]
    state = RULES.begin(setup)
    for _, event, after in one:
        state = follow(RULES, state, event)
        assert state == after
    assert state_hash(state) == state_hash(two[-1][2])


@proves("F-11")
@given(setups(), seeds())
@bounded(8)
def test_undo_and_amendments_refold(setup: Setup, seed: int) -> None:
    """Undo and replay restore the same state. An amendment replays the later events or is refused with a reason."""
    luck = random.Random(seed)
    line = History(RULES, setup)
    for _, event, _ in play(setup, seed, 120):
        line.add(event)
    events, end = [entry.event for entry in line.entries], state_hash(line.state)
    back = luck.randrange(len(events))
    line.add(Rewound(back))
    assert line.state == (line.entries[back - 1].after if back else line.root.entry.after)
    for event in events[back:]:
        line.add(event)
    assert state_hash(line.state) == end
    seq = luck.choice(line.entries).seq
    node = line.at(seq)
    assert node is not None
    same = line.try_amendment(seq, node.entry.event)
    assert not isinstance(same, AmendConflict)
    assert state_hash(same[-1].entry.after) == end
    assert node.parent is not None
    before = node.parent.entry.after
    offers = legal(RULES, before)
    other = offers[luck.randrange(len(offers))].pick(luck.random)
    found = line.try_amendment(seq, other)
    if isinstance(found, AmendConflict):
        assert found.refusal.rule
        return
    state = before
    for node in found:
        state = apply(RULES, state, node.entry.event)
    assert state == found[-1].entry.after
