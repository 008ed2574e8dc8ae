"""People's actions are found from tablets: merged, checked by the rules, and distinguished from misread cards."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.demo.ground_truth import GroundTruth
from companion.demo.page_sync import (
    count_shared,
    events_not_shown,
    find_events,
    is_misread,
    merge_logs,
    unreported_events,
)
from companion.demo_records import PageLogLine, PageState, own_fields, public_fields
from companion.engine import Event, Seat, Setup, State, apply
from companion.games import SEEN
from companion.games.take_a_train import events as ev

GAME = SEEN["take-a-train"]


def truth() -> GroundTruth:
    """Return a match of three players that has just begun."""
    return GroundTruth(GAME, Setup("take-a-train", 3), 4)


def until(here: GroundTruth, kind: type[Event]) -> Event:
    """Play until an event of a kind is next, and return that event."""
    while True:
        event = here.decide()
        assert event is not None
        if isinstance(event, kind):
            return event
        here.apply(event)


def shows(here: GroundTruth, state: State[Any]) -> PageState:
    """Return the view of a state that all tablets show together."""
    seats = {int(seat): own_fields(GAME.view(state, seat)) for seat in here.seats}
    return PageState(public_fields(GAME.view(state, None)), seats)


def said(*events: Event) -> tuple[dict[str, Any], ...]:
    """Return events in the form in which tablets report them."""
    return tuple([msgspec.to_builtins(event) for event in events])


def after(state: State[Any], *events: Event) -> State[Any]:
    """Return the state after some events."""
    for event in events:
        state = apply(GAME, state, event)
    return state


def test_what_several_tablets_say_is_put_together() -> None:
    """Logs of several tablets merge to one: each event once with all its fields, private corrections last."""
    shared_one = (
        PageLogLine(4, {"event": "opened"}),
        PageLogLine(5, {"event": "committed", "seat": 0}),
        PageLogLine(6, {"event": "open"}),
    )
    first = (*shared_one[:1], PageLogLine(5, {"event": "committed", "seat": 0, "amount": 200}), *shared_one[2:])
    first = (*first[:2], PageLogLine(5, {"event": "committed", "seat": 0, "amount": 300}, quiet=True), *first[2:])
    assert merge_logs([shared_one, first, shared_one]) == (
        {"event": "opened"},
        {"event": "committed", "seat": 0, "amount": 200},
        {"event": "committed", "seat": 0, "amount": 300},
        {"event": "open"},
    )


def test_the_last_things_that_were_said_are_found() -> None:
    """Only events after the known state are found, and none while the tablets do not show their result."""
    here = truth()
    before, first = here.state, until(here, ev.Took)
    known, here.state = here.state, after(here.state, first)
    second = here.decide()
    assert second is not None
    then = after(here.state, second)
    log = said(ev.TokenDrawn("pass"), first, second)
    assert find_events(here, known, log, shows(here, then)) == (first, second)
    assert find_events(here, here.state, log, shows(here, then)) == (second,)
    assert find_events(here, known, log[:2], shows(here, then)) == ()
    assert find_events(here, before, log, shows(here, then)) == ()
    assert find_events(here, then, log, shows(here, then)) == ()


def test_an_amount_that_is_not_said_is_found_by_what_it_leads_to() -> None:
    """A hidden amount is found from the seat's own tablet, even if no log shows it any more."""
    here = truth()
    event = until(here, ev.Committed)
    assert isinstance(event, ev.Committed)
    log = ({"event": "committed", "seat": int(event.seat)},)
    assert find_events(here, here.state, log, shows(here, after(here.state, event))) == (event,)


def test_a_card_is_found_where_the_companion_numbers_them_otherwise() -> None:
    """If the companion numbers the market differently, the taken card is found by the train that gained it."""
    here = truth()
    event = until(here, ev.Took)
    assert isinstance(event, ev.Took)
    market = public_fields(GAME.view(here.state, None))["market"]
    other = next(at for at, card in enumerate(market) if card != market[event.slot])
    log = said(msgspec.structs.replace(event, slot=other))
    assert find_events(here, here.state, log, shows(here, after(here.state, event))) == (event,)


def test_what_programs_did_stays_where_it_is_not_known_yet() -> None:
    """A bot's action that the tablets do not report is kept while it is still possible, and is never repeated."""
    here = truth()
    event = until(here, ev.Committed)
    other = ev.Committed(Seat(0 if event.seat else 1), 100)  # type: ignore[attr-defined]
    assert unreported_events(here, after(here.state, other), (event,), (other,)) == (event,)
    assert unreported_events(here, after(here.state, event), (event,), (event,)) == ()
    assert unreported_events(here, here.state, (ev.TokenDrawn("open"),), ()) == ()
    assert (count_shared((event,), (event, other)), count_shared((), (other,))) == (1, 0)


def test_other_cards_than_lie_there_are_no_persons_doing() -> None:
    """A different card counts as misread, but the same cards in another order do not."""
    here = truth()
    lies, other = ev.CardsRevealed(("oil-150", "bin")), ev.CardsRevealed(("oil-200", "bin"))
    assert is_misread(here, (lies,), (other,)) and not is_misread(here, (), (other,))
    assert not is_misread(here, (lies,), (ev.CardsRevealed(("bin", "oil-150")), ev.TurnPassed(Seat(1))))


def test_what_was_understood_in_another_order_is_not_said_again() -> None:
    """If the camera reads the second of three deals first, only the other two are entered on a tablet."""
    game = SEEN["game-of-trains"]
    here = GroundTruth(game, Setup("game-of-trains", 3), 4)
    before, dealt = here.state, list[Event]()
    for _ in range(3):
        event = here.decide()
        assert event is not None
        dealt.append(event)
        here.apply(event)
    read = apply(game, before, dealt[1])
    shown = PageState(public_fields(game.view(read, None)))
    assert [event for _, event in events_not_shown(here, before, dealt, shown)] == [dealt[0], dealt[2]]
    assert [state for state, _ in events_not_shown(here, before, dealt, shown)] == [read, apply(game, read, dealt[0])]
    assert events_not_shown(here, before, dealt, PageState(public_fields(game.view(here.state, None)))) == ()


def test_the_last_of_what_happened_is_said() -> None:
    """Events that the companion already knows are left out, and nothing is entered if it knows something else."""
    here = truth()
    first = until(here, ev.Took)
    before = here.state
    here.apply(first)
    second = here.decide()
    assert second is not None
    then = apply(GAME, here.state, second)
    assert events_not_shown(here, before, (first, second), shows(here, here.state)) == ((here.state, second),)
    assert events_not_shown(here, before, (first, second), shows(here, then)) == ()
