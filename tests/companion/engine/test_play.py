"""Applying events is the only way from one state to the next, shown with a toy game."""

from __future__ import annotations

import pickle
from typing import Generic, TypeVar

import msgspec
import pytest

from companion.engine import (
    Choice,
    Event,
    MoveRefused,
    Offer,
    Refusal,
    Seat,
    Setup,
    State,
    Step,
    apply,
    follow,
    legal,
    offers_of,
    rule,
    state_hash,
    state_shape,
)
from tests.support.toy_game import GAME, Draw, Drew, Swept, Table, Toasted

T = TypeVar("T")
A, B = Seat(0), Seat(1)
START = GAME.begin(Setup("nim", 2))


def played(*events: Event) -> State[Table]:
    """Return the state after some events."""
    state = START
    for event in events:
        state = apply(GAME, state, event)
    return state


def test_offers_are_asked_of_the_head_and_of_what_stands() -> None:
    """The offers of the first step come first, then the standing ones."""
    assert [list(offer) for offer in legal(GAME, START)] == [
        [Drew(A, 1), Drew(A, 2), Drew(A, 3)],
        [Toasted(A)],
    ]
    assert START.agenda[0].awaits(START.table) == (A,)


def test_offers_are_found_once_for_a_step_and_a_table() -> None:
    """Offers are computed once for each step and table, and are shared after that."""
    asked: list[tuple[int, Table]] = []

    class Counted(Step[Table], frozen=True):
        number: int

        def legal(self, table: Table) -> tuple[Offer, ...]:
            asked.append((self.number, table))
            return (Choice(Seat(self.number), ()),)

    first, second, table, like = Counted(0), Counted(1), Table(7), Table(7)
    assert [first.awaits(table), first.awaits(table), second.awaits(table)] == [(A,), (A,), (B,)]
    assert offers_of(first, table) == offers_of(first, table) == (Choice(A, ()),)
    offers_of(first, like)
    assert [(number, at is table) for number, at in asked] == [(0, True), (1, True), (0, True), (0, False)]


def test_a_legal_event_leads_on() -> None:
    """A legal event changes table and agenda, and leaves the old state as it was."""
    state = played(Drew(A, 3))
    assert state.table == Table(4, (3, 0))
    assert state.agenda[0] == Draw(B)
    assert START.table == Table(7)


def test_automatic_steps_run_at_once() -> None:
    """Automatic steps run at once, and their effects are recorded."""
    state = played(Drew(A, 3), Drew(B, 3))
    assert state.effects == (Swept(1),)
    assert state.over
    assert GAME.winners(state) == (A, B)


def test_an_illegal_event_changes_nothing() -> None:
    """An illegal event is refused with the same reason by `rule` and `apply`, and changes nothing."""
    hashed = state_hash(START)
    said = Refusal("N-2", "one_to_three", {"left": 7}, A)
    assert rule(GAME, START, Drew(A, 4)) == said
    with pytest.raises(MoveRefused, match="N-2 one_to_three") as caught:
        apply(GAME, START, Drew(A, 4))
    assert caught.value.refusal == said
    assert isinstance(caught.value, ValueError)
    assert state_hash(START) == hashed
    assert rule(GAME, START, Drew(B, 1)) == Refusal("N-1", "not_your_turn", {"seat": A})


def test_after_the_end_there_is_nothing_to_offer() -> None:
    """A finished game offers nothing and refuses every event, including standing ones."""
    over = played(Drew(A, 3), Drew(B, 3))
    assert legal(GAME, over) == ()
    assert rule(GAME, over, Drew(A, 1)) == Refusal("N-0", "over", {})
    assert rule(GAME, over, Toasted(A)) == Refusal("N-0", "over", {})


def test_a_standing_event_leaves_the_agenda() -> None:
    """A standing event leaves the agenda as it was, and is refused when the rules forbid it."""
    state = played(Toasted(B))
    assert (state.table.toasts, state.agenda) == (1, START.agenda)
    assert rule(GAME, state, Toasted(A)) == Refusal("N-3", "no_more", {})


def test_what_holds_for_one_event_fades() -> None:
    """A flag that holds for one event is reset before the next event of the agenda."""
    cheering = played(Toasted(A))
    assert cheering.table.cheer
    assert not apply(GAME, cheering, Drew(A, 1)).table.cheer


def test_a_known_legal_event_need_not_be_checked() -> None:
    """`follow` returns the same state as `apply` for a legal event."""
    assert follow(GAME, START, Drew(A, 2)) == apply(GAME, START, Drew(A, 2))
    assert follow(GAME, START, Toasted(A)) == apply(GAME, START, Toasted(A))


def test_states_are_values() -> None:
    """Equal states have equal hashes, different states different ones, and a state can be pickled."""
    assert state_hash(played(Drew(A, 1))) == state_hash(played(Drew(A, 1)))
    assert state_hash(played(Drew(A, 1))) != state_hash(played(Drew(A, 2)))
    assert len(state_hash(START)) == 16
    assert pickle.loads(pickle.dumps(START)) == START


class Pile(msgspec.Struct, Generic[T], frozen=True):
    """A pile of cards."""

    things: tuple[T, ...]


class Piles(msgspec.Struct, frozen=True):
    """A table with piles."""

    piles: dict[str, Pile[int]] = {}
    spare: Pile[str] | None = None


class Heaps(msgspec.Struct, frozen=True):
    """Another table with the same fields."""

    piles: dict[str, Pile[int]] = {}
    spare: Pile[str] | None = None


def test_the_shape_is_that_of_the_records() -> None:
    """The shape of a state depends on the types of its records and not on their values."""
    assert state_shape(played(Toasted(A))) == state_shape(START) != state_shape(State(Piles(), ()))
    empty, full = State(Piles(), ()), State(Piles({"one": Pile((1,))}, Pile(("a",))), ())
    assert state_shape(empty) == state_shape(full) != state_shape(State(Heaps(), ()))
    other = msgspec.defstruct("Pile", [("cards", tuple[int, ...])], frozen=True)
    table = msgspec.defstruct("Piles", [("piles", dict[str, other]), ("spare", int)], frozen=True)  # type: ignore[valid-type]
    assert state_shape(State(table({}, 1), ())) != state_shape(empty)
    assert len(state_shape(START)) == 16
