"""Pieces on a board are taken if certain, asked about if unsure, and reported if no rule allows them."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine import COLOURS, CellName, Event, Layout, Piece, Player, Seat, Setup, by_cell, follow
from companion.match.actor import Actor
from companion.messages import SECOND, CellSighting, Sighted
from companion.sight.moves import ProposedMove
from companion.sight.reconcile import find_mismatches, reconcile
from companion.sight.tracker import SightTracker
from companion.table.snapshot import Snapshot, TableAnswer
from companion.table.table import Table
from tests.support.hex_rails.rules import BOARD, RULES, Laid, Rested
from tests.support.judging import proposed
from tests.support.web.board_room import offered

SETUP = Setup(RULES.name, (Player("Jane"), Player("Bill")), deck="ours")
BEGUN = RULES.begin(SETUP)


def laid(seat: int, cell: str) -> Laid:
    """Return the event of a cube laid by a seat."""
    return Laid(Seat(seat), CellName(cell))


def layout(**cells: tuple[int, ...]) -> Layout:
    """Return a completely seen board with cubes of the given seats."""
    pieces = by_cell([Piece("cube", Seat(seat), cell) for cell, seats in cells.items() for seat in seats])
    return Layout({}, pieces={cell.name: pieces.get(cell.name, ()) for cell in BOARD.cells})


def test_a_new_cube_is_an_event() -> None:
    """New cubes are explained by events, with a rest between two cubes of one seat."""
    assert reconcile(RULES, BEGUN, layout(A2=(0,))).explanations == ((laid(0, "A2"),),)
    assert reconcile(RULES, BEGUN, layout(A2=(0,), B4=(1,))).explanations == ((laid(0, "A2"), laid(1, "B4")),)
    rested = (laid(0, "A2"), Rested(Seat(1)), laid(0, "A3"))
    assert rested in reconcile(RULES, BEGUN, layout(A2=(0,), A3=(0,))).explanations


def test_a_cube_that_no_rule_allows_is_said() -> None:
    """A cube on a forbidden cell and a missing cube are mismatches of their cells."""
    found = reconcile(RULES, BEGUN, layout(C5=(0,)))
    assert found.explanations == () and [(odd.place, odd.extra) for odd in found.mismatches] == [
        ("board.C5", ("cube.1",))
    ]
    after = follow(RULES, BEGUN, laid(0, "A2"))
    assert [(odd.name, odd.missing) for odd in find_mismatches(RULES, after, layout())] == [("board.A2", ("cube.1",))]
    assert reconcile(RULES, after, Layout({}, pieces={"B2": ()})).mismatches == ()


# --- the tracker ----------------------------------------------------------------------------------


def sighted(number: int, unsure: dict[str, tuple[tuple[str, ...], ...]], **cells: tuple[int, ...]) -> Sighted:
    """Return a reading of the whole board, with unsure readings for some cells."""
    found = [
        CellSighting(cell, choices=unsure[cell])
        if cell in unsure
        else CellSighting(cell, tuple([f"cube.{COLOURS[piece.owner or 0]}" for piece in pieces]))
        for cell, pieces in layout(**cells).pieces.items()
    ]
    return Sighted(number, number, game=RULES.name, cells=tuple(found))


@pytest.fixture
def begun(tmp_path: Path) -> Snapshot:
    """Yield a snapshot of a match of Hex Rails with real pieces."""
    with offered(), Table(tmp_path / "journal.db") as table:
        table.start(SETUP)
        return table.snapshot()


def test_certain_cubes_are_taken_at_once(begun: Snapshot) -> None:
    """The tracker proposes the event of a certain cube at once."""
    tracker = SightTracker()
    tracker.follow_table(begun)
    tracker.accept_reading(sighted(1, {}, A2=(0,)))
    assert [move.events for move in proposed(tracker, SECOND)] == [(laid(0, "A2"),)]


def test_an_unsure_cell_is_asked(begun: Snapshot) -> None:
    """For an unsure cell the possible events are offered, and nothing is taken without a tap."""
    tracker = SightTracker()
    tracker.follow_table(begun)
    choices: tuple[tuple[str, ...], ...] = (("cube.red",), ())
    tracker.accept_reading(sighted(1, {"A2": choices}))
    assert proposed(tracker, SECOND) == []
    asked: tuple[tuple[Event, ...], ...] = tracker.sight.choices
    assert asked == ((laid(0, "A2"),),)
    chosen: list[ProposedMove] = []
    answer = tracker.choose(asked[0], SECOND, lambda move: chosen.append(move) or TableAnswer(True))
    assert answer.accepted and [move.events for move in chosen] == [(laid(0, "A2"),)]
    assert tracker.choose(asked[0], SECOND, lambda move: TableAnswer(True)).stale


def test_an_odd_cube_is_said_after_a_while(begun: Snapshot) -> None:
    """A forbidden cube is reported after a while, because people may still be moving it."""
    tracker = SightTracker()
    tracker.follow_table(begun)
    tracker.accept_reading(sighted(1, {}, C5=(0,)))
    proposed(tracker, SECOND)
    assert tracker.sight.mismatches == ()
    proposed(tracker, 60 * SECOND)
    assert [(odd.place, odd.extra) for odd in tracker.sight.mismatches] == [("board.C5", ("cube.1",))]


def test_what_happens_elsewhere_answers_no_question(tmp_path: Path) -> None:
    """An event on another cell does not answer the question about an unsure cell."""
    doubt: tuple[tuple[str, ...], ...] = ((), ("cube.blue",))
    with offered(), Table(tmp_path / "journal.db") as table:
        table.start(SETUP)
        tracker = SightTracker()
        tracker.follow_table(table.snapshot())
        tracker.accept_reading(sighted(1, {"B4": doubt}, A2=(0,)))
        assert table.propose(laid(0, "A2"), Actor.HOST).accepted
        tracker.follow_table(table.snapshot())
        proposed(tracker, SECOND)
        assert tracker.sight.choices == ((laid(1, "B4"),),)
        assert table.propose(laid(1, "B4"), Actor.HOST).accepted
        tracker.follow_table(table.snapshot())
        proposed(tracker, 2 * SECOND)
        assert tracker.sight.choices == ()
