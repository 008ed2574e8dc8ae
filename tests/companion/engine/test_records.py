"""Events, offers and setups are plain values."""

from __future__ import annotations

import msgspec
import pytest

from companion.engine import (
    COLOURS,
    SHAPES,
    Amounts,
    BadSetup,
    Choice,
    EngineError,
    Moved,
    Player,
    Refusal,
    Seat,
    Setup,
    Step,
    event_kinds,
    events_in,
    fields_of,
    name_of,
)
from tests.support import toy_game
from tests.support.toy_game import Drew, Toasted

A, B = Seat(0), Seat(1)


def test_events_are_named_as_the_journal_names_them() -> None:
    """The names and fields of events are those in the journal."""
    assert (name_of(Drew(A, 2)), name_of(Moved(A, 50, "prize"))) == ("drew", "moved")
    assert list(fields_of(Drew(B, 2)).items()) == [("seat", 1), ("amount", 2)]
    assert msgspec.json.encode(Drew(B, 2)) == b'{"event":"drew","seat":1,"amount":2}'


def test_a_line_with_a_strange_field_is_no_event() -> None:
    """An event with an unknown field is refused."""
    read = msgspec.json.Decoder(Drew | Toasted).decode
    assert read(b'{"event":"toasted","seat":0}') == Toasted(A)
    with pytest.raises(msgspec.ValidationError, match="hat"):
        read(b'{"event":"toasted","seat":0,"hat":1}')


def test_amounts_are_a_range() -> None:
    """A range of amounts contains, lists, counts and picks the values at its steps."""
    offer = Amounts(A, Drew, 300, 500, 50)
    assert Drew(A, 350) in offer
    assert [Drew(A, 325) in offer, Drew(A, 250) in offer, Drew(A, 550) in offer] == [False] * 3
    assert [Drew(B, 350) in offer, Toasted(A) in offer] == [False] * 2
    assert [event.amount for event in offer] == [300, 350, 400, 450, 500]  # type: ignore[attr-defined]
    assert len(offer) == 5
    assert (offer.pick(lambda: 0.0), offer.pick(lambda: 0.999)) == (Drew(A, 300), Drew(A, 500))
    assert (len(Amounts(A, Drew, 300, 250, 50)), list(Amounts(A, Drew, 300, 250, 50))) == (0, [])


def test_a_choice_is_what_it_lists() -> None:
    """A choice contains exactly the events that it lists."""
    offer = Choice(A, (Toasted(A), Drew(A, 1)))
    assert Toasted(A) in offer
    assert Toasted(B) not in offer
    assert list(offer) == [Toasted(A), Drew(A, 1)]
    assert offer.pick(lambda: 0.6) == Drew(A, 1)


def test_a_set_up_seats_players() -> None:
    """Seats get default names, and players without a colour or shape get different ones."""
    seated = Setup("nim", 8).seated()
    assert [p.name for p in seated] == [f"Player {n}" for n in range(1, 9)]
    assert (tuple(p.colour for p in seated), tuple(p.shape for p in seated)) == (COLOURS[:8], SHAPES)
    assert Setup("nim", ("Tom", Player("Jane", "gold", "moon"))).seated() == (
        Player("Tom", "red", "circle"),
        Player("Jane", "gold", "moon"),
    )


def test_a_set_up_is_read_as_it_is_written() -> None:
    """A setup can be written as JSON and read back."""
    setup = Setup("nim", ("Tom", "Jane"), {"edition": "fr"}, seed_hash="ab")
    assert msgspec.json.decode(msgspec.json.encode(setup), type=Setup) == setup


def test_a_bad_set_up_says_what_and_why() -> None:
    """A `BadSetup` error has a sentence and the refusal with its rule."""
    error = BadSetup(Refusal("R-06", "bad_player_count", {"players": 7}), "Two to six play.")
    assert str(error) == "R-06 bad_player_count: Two to six play."
    assert error.refusal == Refusal("R-06", "bad_player_count", {"players": 7})
    assert isinstance(error, EngineError)


def test_a_step_that_was_not_finished_says_so() -> None:
    """A step without rules of its own offers nothing and refuses every event."""
    step: Step[int] = Step()
    assert (step.legal(0), step.explain(0, Toasted(A)), step.owes(A), step.awaits(0)) == ((), None, 0, ())
    with pytest.raises(TypeError, match="takes no Toasted"):
        step.apply(0, Toasted(A))
    with pytest.raises(TypeError, match="not automatic"):
        step.run(0)


def test_the_events_of_a_module_are_those_that_it_defines() -> None:
    """The events of a module are those that it defines, without imported ones and effects."""
    assert event_kinds(events_in(toy_game)) == event_kinds(toy_game.Nim.events)
