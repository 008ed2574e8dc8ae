"""Test disasters, turntables, protection and lone locomotives (R-20 to R-25)."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.engine import State
from companion.games.express import events as ev
from companion.games.express.steps.answers import Protect
from companion.games.express.steps.draw import Draw
from companion.games.express.table import Table
from tests.games.express.build import A, B, C, D, accepted, after, hand, laid, offered, why
from tests.games.proofs import proves

SIX = "hopper gondola tank_car log_car reefer"


def struck(state: State[Table], event: ev.DisasterPlayed) -> State[Table]:
    """Return the state after a disaster that nobody averts."""
    state = after(state, event)
    while isinstance(state.agenda[0], Protect):
        state = after(state, ev.ProtectionDeclined(state.agenda[0].seats[0]))
    return state


def against(card: str, trains: list[str], **more: Any) -> State[Table]:
    """Return the first seat's laying phase: it holds a disaster, and the second seat has these trains."""
    return laid({0: f"{card} hopper", 1: SIX}, {0: ["reefer reefer"], 1: trains}, **more)


@proves("R-20", "R-24", "A-13", "T-25")
def test_break_takes_the_last_car() -> None:
    """A broken car goes into the slot, and inner cars, own trains and missing trains cannot be hit."""
    state = against("broken_car", ["hopper hopper"])
    assert why(state, ev.DisasterPlayed(A, "broken_car", B, 1, 1)) == ("R-24", "only_the_last", None)
    assert why(state, ev.DisasterPlayed(A, "broken_car", A, 1, 2)) == ("R-20", "own_side", None)
    assert why(state, ev.DisasterPlayed(A, "broken_car", B, 2, 1)) == ("R-20", "no_such_target", None)
    assert why(state, ev.DisasterPlayed(A, "broken_car", C, 1, 2)) == ("R-20", "no_such_target", None)
    state = struck(state, ev.DisasterPlayed(A, "broken_car", B, 1, 2))
    assert state.table.trains[1][0].cars == ("hopper",)
    assert state.table.zones.named("slot") == ("broken_car", "hopper")
    assert state.effects[0] == ev.CarBroken((B,), "hopper")
    assert state.table.turn == B


@proves("R-24", "A-04")
def test_a_stolen_car_goes_into_the_hand() -> None:
    """A stolen car goes into the thief's hand, and everybody knows that it is there."""
    state = struck(against("steal_car", ["coach dome"]), ev.DisasterPlayed(A, "steal_car", B, 1, 2))
    assert hand(state, 0) == ["dome", "hopper"]
    assert "dome" in state.table.zones.view_of("hand.0", B)


@proves("R-11")
def test_a_caboose_shields() -> None:
    """A caboose protects from break and theft, but not from a wreck."""
    for card in ("broken_car", "steal_car"):
        state = against(card, ["hopper hopper caboose"])
        assert why(state, ev.DisasterPlayed(A, card, B, 1, 3)) == ("R-11", "shielded", None)
    assert accepted(against("wreck", ["hopper hopper caboose"]), ev.DisasterPlayed(A, "wreck", B, 1))


@proves("R-25", "T-24")
def test_a_lone_locomotive_goes_home() -> None:
    """The victim takes the locomotive as a sixth card, and must be down to five at the end of its next turn."""
    state = struck(against("steal_car", ["coach"]), ev.DisasterPlayed(A, "steal_car", B, 1, 1))
    assert state.table.trains[1] == () and len(hand(state, 1)) == 6
    assert state.effects == (ev.CarStolen(A, "coach"), ev.LocomotiveReturned(B))
    assert state.agenda[0] == Draw(B)
    state = after(state, ev.PileDrawn(B), ev.CardsDrawn(B, ("dome", "sleeper")))
    assert why(state, ev.Discarded(B, "dome")) == ("R-19", "too_many", B)


@proves("R-25", "A-11")
def test_of_partners_the_next_one_takes_the_locomotive() -> None:
    """The partner who plays next takes the lone locomotive and its Diesel, in either direction of play."""
    state = laid({0: "steal_car hopper", 1: "reefer", 3: "reefer"}, {1: ["coach +diesel"]}, players=4)
    assert hand(struck(state, ev.DisasterPlayed(A, "steal_car", B, 1, 1)), 1) == ["box_car", "diesel", "reefer"]
    state = replace(state, table=replace(state.table, reversed=True))
    state = struck(state, ev.DisasterPlayed(A, "steal_car", B, 1, 1))
    assert hand(state, 3) == ["box_car", "diesel", "reefer"] and state.table.turn == D


@proves("R-25")
def test_a_partner_who_has_lost_the_turn_takes_no_locomotive() -> None:
    """A skipped partner gets no locomotive. Under the earlier ruling, the nearest partner gets it even when skipped."""
    state = laid({0: "steal_car hopper", 1: "reefer", 3: "reefer"}, {1: ["coach"]}, players=4)
    theft = ev.DisasterPlayed(A, "steal_car", B, 1, 1)
    for skips, turned, owner in (((0, 1, 0, 0), False, D), ((0, 0, 0, 1), True, B), ((0, 1, 0, 1), False, B)):
        table = replace(state.table, skips=skips, reversed=turned)
        after_it = struck(replace(state, table=table), theft)
        assert ev.LocomotiveReturned(owner) in after_it.effects, (skips, turned)
        assert hand(after_it, owner) == ["box_car", "reefer"]
    earlier = replace(state.table, skips=(0, 1, 0, 0), fixed=replace(state.table.fixed, rulings=()))
    assert ev.LocomotiveReturned(B) in struck(replace(state, table=earlier), theft).effects


@proves("R-23", "R-15", "T-26")
def test_laid_maintenance_averts_by_itself() -> None:
    """A laid maintenance card averts its disaster and goes into the slot; other maintenance cards do not help."""
    state = against("broken_car", ["hopper hopper"], maintenance={1: "light_crane boom"})
    after_it = after(state, ev.DisasterPlayed(A, "broken_car", B, 1, 2))
    assert after_it.table.maintenance == ((), ("boom",))
    assert after_it.table.trains == state.table.trains
    assert after_it.table.zones.named("slot") == ("broken_car", "light_crane")
    assert after_it.effects == (ev.DisasterAverted((B,), "light_crane"),)
    other = against("broken_car", ["hopper hopper"], maintenance={1: "boom"})
    assert struck(other, ev.DisasterPlayed(A, "broken_car", B, 1, 2)).table.trains[1][0].cars == ("hopper",)


@proves("R-23", "A-03", "T-26")
def test_maintenance_in_hand_may_be_played() -> None:
    """Every victim is asked in turn, and may play only the matching card from its own hand."""
    state = laid({0: "derailment hopper", 1: "light_crane reefer", 3: "boom"}, {}, players=4)
    state = after(state, ev.DisasterPlayed(A, "derailment", B))
    assert why(state, ev.ProtectionPlayed(B, "light_crane")) == ("R-23", "does_not_match", None)
    assert why(state, ev.ProtectionPlayed(B, "boom")) == ("R-07", "not_in_hand", B)
    assert why(state, ev.ProtectionPlayed(D, "boom")) == ("R-23", "answer_first", None)
    state = after(state, ev.ProtectionDeclined(B))
    assert offered(state, D) == [ev.ProtectionPlayed(D, "boom"), ev.ProtectionDeclined(D)]
    state = after(state, ev.ProtectionPlayed(D, "boom"))
    assert state.table.skips == (0, 0, 0, 0) and state.table.turn == B
    assert state.table.zones.named("slot") == ("derailment", "boom")


@proves("R-20")
def test_a_derailed_seat_loses_a_turn() -> None:
    """A derailed seat loses one turn, and the next seat plays instead."""
    state = laid({0: "derailment hopper", 1: "reefer", 2: "reefer"}, {}, players=3)
    state = struck(state, ev.DisasterPlayed(A, "derailment", B))
    assert state.table.turn == C and state.effects[-1] == ev.TurnLost(B)
    assert state.table.skips == (0, 0, 0)


@proves("R-20")
def test_locomotives_are_switched_unseen() -> None:
    """The two trains exchange locomotives, and everybody sees only the backs."""
    state = laid({0: "switch_engines hopper", 1: "reefer"}, {0: ["reefer reefer"], 1: ["hopper hopper"]})
    zones = state.table.zones.move("hand.0", None, "hopper").move("locomotive.0.1", "hand.0", "box_car")
    zones = zones.put("locomotive.0.1", "hopper", known=1)
    state = replace(state, table=replace(state.table, zones=zones))
    state = struck(state, ev.DisasterPlayed(A, "switch_engines", B, 1, 0, 1))
    zones = state.table.zones
    assert (zones.named("locomotive.0.1"), zones.named("locomotive.1.1")) == (("box_car",), ("hopper",))
    assert zones.view_of("locomotive.1.1", None) == (None,) and zones.count("wreck") == 0


@proves("R-20")
def test_a_wreck_destroys_a_train() -> None:
    """A wrecked train goes into the slot. Its locomotive goes under the slot, face down."""
    state = struck(against("wreck", ["hopper hopper +diesel"]), ev.DisasterPlayed(A, "wreck", B, 1))
    assert state.table.trains[1] == () and state.effects == (ev.TrainWrecked((B,), 1),)
    zones = state.table.zones
    assert zones.named("slot") == ("wreck", "hopper", "hopper", "diesel")
    assert zones.view_of("wreck", A) == zones.view_of("wreck", None) == (None,)


@proves("R-20")
def test_a_turntable_turns_the_order_of_play() -> None:
    """After a turntable the seat plays again, and then play goes to its right."""
    state = laid({0: "turntable hopper reefer"}, {}, players=3)
    state = after(state, ev.TurntablePlayed(A))
    assert state.agenda[0] == Draw(A) and state.table.zones.named("slot") == ("turntable",)
    state = after(state, ev.DiscardTaken(A, "box_car"), ev.Discarded(A, "hopper"))
    assert state.table.turn == C


@proves("R-20", "R-22")
def test_a_disaster_ends_the_turn_like_a_discard() -> None:
    """The hand limit applies when a disaster ends the turn, and no disaster may be played in the first turn."""
    state = laid({0: f"derailment {SIX} coach"}, {})
    assert why(state, ev.DisasterPlayed(A, "derailment", B)) == ("R-19", "too_many", A)
    state = laid({0: "derailment hopper"}, {}, first=True)
    assert why(state, ev.DisasterPlayed(A, "derailment", B)) == ("R-22", "first_round", None)
    assert why(state, ev.DisasterPlayed(A, "hopper", B)) == ("R-20", "no_action", None)
