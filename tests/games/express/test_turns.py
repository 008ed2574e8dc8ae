"""Test drawing, laying, locomotives and the discard (R-04 to R-21)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.engine import Seat
from companion.games.express import events as ev
from companion.games.express.rules import RULES
from companion.games.express.steps.draw import DealCards, Draw, Shuffle
from companion.games.express.steps.lay import Lay
from companion.games.express.table import engine_of, hand_of
from companion.games.express.trains import Train
from tests.games.express.build import A, B, accepted, after, begun, hand, laid, lays, offered, why
from tests.games.proofs import proves

FIVE = "hopper gondola tank_car log_car reefer"


# --- drawing --------------------------------------------------------------------------------------


@proves("R-04", "R-05", "T-3")
def test_two_cards_of_the_pile() -> None:
    """Drawing from the pile adds two random cards to the hand and starts the laying phase."""
    state = laid({0: FIVE}, phase="draw")
    state = after(state, ev.PileDrawn(A))
    assert state.agenda[0] == DealCards(A, 2)
    assert why(state, ev.CardsDrawn(A, ("sedan", "hopper"))) == ("R-05", "not_in_pile", None)
    state = after(state, ev.CardsDrawn(A, ("coach", "wild")))
    assert hand(state, 0) == sorted([*FIVE.split(), "coach", "wild"])
    assert state.agenda[0] == Lay(A)


@proves("R-05", "T-4", "T-5")
def test_the_top_discard_alone() -> None:
    """A seat may take only the top discard, no second card, and nothing from the slot."""
    state = laid({0: FIVE}, discard="coach dome", slot="wreck", phase="draw")
    assert why(state, ev.DiscardTaken(A, "wreck")) == ("R-05", "slot_closed", None)
    assert why(state, ev.DiscardTaken(A, "coach")) == ("R-05", "only_the_top", None)
    state = after(state, ev.DiscardTaken(A, "dome"))
    assert len(hand(state, 0)) == 6
    assert why(state, ev.DiscardTaken(A, "coach")) == ("R-05", "one_or_two", None)
    assert why(state, ev.PileDrawn(A)) == ("R-05", "one_or_two", None)
    empty = laid({0: FIVE}, discard="", phase="draw")
    assert offered(empty, A) == [ev.PileDrawn(A)]
    assert why(empty, ev.DiscardTaken(A, "dome")) == ("R-05", "discard_empty", None)


@proves("R-06", "T-6")
def test_the_discard_is_shuffled_when_a_card_is_due() -> None:
    """After the last card of the pile, the discard is shuffled to supply the second card, and the slot stays."""
    state = laid({0: "hopper"}, discard="coach dome", slot="wreck", phase="draw", pile=1)
    left = state.table.zones.remaining("pile")
    assert why(state, ev.Reshuffled(A)) == ("R-06", "not_due", None)
    state = after(state, ev.PileDrawn(A))
    state = after(state, ev.CardsDrawn(A, (left[0], "dome")))
    assert state.effects == (ev.PileShuffled(2),)
    assert hand(state, 0) == sorted(["hopper", left[0], "dome"])
    zones = state.table.zones
    assert (zones.count("pile"), zones.count("discard"), zones.named("slot")) == (1, 0, ("wreck",))
    assert why(state, ev.Reshuffled(A)) == ("R-06", "not_due", None)


@proves("R-06")
def test_people_shuffle_real_cards() -> None:
    """With real cards, the companion waits for the shuffle before it counts the second card."""
    state = laid({0: "hopper"}, discard="coach dome", phase="draw", pile=1)
    fixed = replace(state.table.fixed, dealt=False)
    state = replace(state, table=replace(state.table, fixed=fixed))
    state = after(state, ev.PileDrawn(A))
    assert state.agenda[0] == Shuffle(A) and state.table.hand(A) == 2
    assert why(state, ev.Discarded(A, "hopper")) == ("R-06", "shuffle_first", None)
    state = after(state, ev.Reshuffled(A))
    assert (state.table.hand(A), state.table.zones.count("pile")) == (3, 1)


@proves("R-06")
def test_what_there_is_is_drawn() -> None:
    """With an empty pile and an empty discard, the seat draws nothing and its turn continues."""
    state = after(laid({0: "hopper", 1: "gondola"}, discard="", phase="draw", pile=0), ev.PileDrawn(A))
    assert state.agenda[0] == Lay(A) and hand(state, 0) == ["hopper"]
    state = after(state, ev.Discarded(A, "hopper"))
    assert state.table.hand(A) == 0 and state.agenda[0] == Draw(B)


@proves("R-02", "R-04")
def test_everything_has_its_phase() -> None:
    """A seat must draw before it lays, and only the seat on turn may act."""
    state = laid({0: FIVE, 1: FIVE}, phase="draw")
    assert why(state, ev.Discarded(A, "hopper")) == ("R-04", "draw_first", None)
    assert why(state, ev.PileDrawn(B)) == ("R-02", "not_your_turn", None)
    state = laid({0: FIVE, 1: FIVE})
    assert why(state, ev.Discarded(B, "hopper")) == ("R-02", "not_your_turn", None)
    assert why(state, ev.HandCalled(A)) == ("R-00", "wrong_phase", None)


# --- trains ---------------------------------------------------------------------------------------


@proves("R-07", "R-08", "T-7", "T-8")
def test_a_train_is_a_locomotive_and_a_car() -> None:
    """A train needs a car and a locomotive. Any card can be the locomotive, and only its side knows the face."""
    state = laid({0: "hopper gondola wreck"})
    assert why(state, ev.TrainBegun(A, "", "hopper")) == ("R-07", "locomotive_needs_car", None)
    assert why(state, ev.LocomotiveExchanged(A, 0, "hopper")) == ("R-07", "locomotive_needs_car", None)
    assert why(state, ev.CarLaid(A, 0, "hopper")) == ("R-07", "car_needs_locomotive", None)
    assert why(state, ev.TrainBegun(A, "hopper", "")) == ("R-07", "car_needs_locomotive", None)
    assert why(state, ev.TrainBegun(A, "wreck", "hopper")) == ("R-07", "no_car", None)
    assert why(state, ev.TrainBegun(A, "hopper", "hopper")) == ("R-07", "not_in_hand", A)
    assert why(state, ev.TrainBegun(A, "coach", "hopper")) == ("R-07", "not_in_hand", A)
    state = after(state, ev.TrainBegun(A, "hopper", "wreck"))
    assert state.table.trains == ((Train(1, ("hopper",), fresh=1),), ())
    assert hand(state, 0) == ["gondola"]
    assert state.table.zones.view_of("locomotive.0.1", B) == (None,)


@proves("R-08")
def test_a_real_locomotive_has_no_name() -> None:
    """People exchange real locomotives without entering it, and no event may name the card."""
    state = begun(2, "ours")
    for seat, card in enumerate(("reefer", "hopper")):
        state = after(state, ev.DealerCardDrawn(Seat(seat), card))
    state = after(state, ev.PileDrawn(B))
    assert why(state, ev.TrainBegun(B, "hopper", "wreck")) == ("R-08", "face_down", None)
    state = after(state, ev.TrainBegun(B, "hopper", ""))
    assert (state.table.hand(B), state.table.zones.count("locomotive.1.1")) == (10, 1)
    assert why(state, ev.LocomotiveExchanged(B, 1, "wreck")) == ("R-08", "face_down", None)
    assert why(state, ev.LocomotiveExchanged(B, 1, "")) == ("R-08", "face_down", None)


@proves("R-09", "R-10", "T-9")
def test_all_cars_are_identical_or_passenger_cars() -> None:
    """A freight train takes only its own type, passenger cars mix, and a seat adds only to its side's trains."""
    state = laid({0: "hopper gondola coach dome sleeper"}, {0: ["gondola", "coach"], 1: ["hopper"]})
    assert why(state, ev.CarLaid(A, 1, "hopper")) == ("R-09", "cannot_add", None)
    assert why(state, ev.CarLaid(A, 1, "coach")) == ("R-09", "cannot_add", None)
    assert why(state, ev.CarLaid(A, 2, "hopper")) == ("R-09", "cannot_add", None)
    assert why(state, ev.CarLaid(A, 3, "hopper")) == ("R-10", "no_such_train", None)
    assert why(state, ev.LocomotiveExchanged(A, 3, "hopper")) == ("R-10", "no_such_train", None)
    state = lays(state, "1 gondola", "2 dome", "2 coach")
    assert [each.cars for each in state.table.trains[0]] == [("gondola", "gondola"), ("coach", "dome", "coach")]


@proves("R-12", "R-13", "R-14", "A-09", "T-10", "T-11")
def test_wilds_fill_and_lead_over() -> None:
    """A wild cannot begin a train, but fills a group or joins a second group behind two identical cars."""
    state = laid({0: "wild hopper gondola gondola wreck"}, {0: ["hopper", "hopper hopper"]})
    assert why(state, ev.TrainBegun(A, "wild", "hopper")) == ("R-14", "wild_alone", None)
    one = lays(state, "1 wild")
    assert one.table.trains[0][0].cars == ("hopper", "wild")
    assert why(one, ev.CarLaid(A, 1, "gondola")) == ("R-13", "needs_two", None)
    assert accepted(one, ev.CarLaid(A, 1, "hopper"))
    two = lays(state, "2 wild", "2 gondola")
    assert two.table.trains[0][1].cars == ("hopper", "hopper", "wild", "gondola")
    assert why(two, ev.CarLaid(A, 2, "hopper")) == ("R-09", "cannot_add", None)
    assert accepted(two, ev.CarLaid(A, 2, "gondola"))


@proves("R-13", "A-01")
def test_there_is_one_transition() -> None:
    """A train has at most one transition, so a second wild fills the second group."""
    state = laid({0: "tank_car gondola reefer"}, {0: ["hopper hopper wild gondola gondola wild"]})
    assert why(state, ev.CarLaid(A, 1, "tank_car")) == ("R-09", "cannot_add", None)
    assert accepted(state, ev.CarLaid(A, 1, "gondola"))
    mixed = laid({0: "hopper reefer"}, {0: ["coach dome wild"]})
    assert why(mixed, ev.CarLaid(A, 1, "hopper")) == ("R-13", "needs_two", None)


@proves("R-11", "A-11", "A-12")
def test_diesel_and_caboose() -> None:
    """A train takes one Diesel, which does not count as a car. A Caboose closes it to everything except a Diesel."""
    state = laid({0: "diesel diesel caboose hopper reefer"}, {0: ["hopper hopper"]})
    assert why(state, ev.TrainBegun(A, "caboose", "reefer")) == ("R-11", "needs_car", None)
    state = lays(state, "1 diesel")
    assert state.table.trains[0][0].diesel and len(state.table.trains[0][0].cars) == 2
    assert why(state, ev.CarLaid(A, 1, "diesel")) == ("R-11", "one_diesel", None)
    assert lays(laid({0: "diesel reefer"}, {0: ["hopper caboose"]}), "1 diesel").table.trains[0][0].diesel
    state = lays(state, "1 caboose")
    assert why(state, ev.CarLaid(A, 1, "hopper")) == ("R-11", "caboose_closes", None)


@proves("R-15")
def test_maintenance_is_laid_alone() -> None:
    """Maintenance cards join no train, and no other card is laid as maintenance."""
    state = laid({0: "boom hopper reefer"}, {0: ["hopper hopper"]})
    assert why(state, ev.CarLaid(A, 1, "boom")) == ("R-15", "joins_no_train", None)
    assert why(state, ev.MaintenanceLaid(A, "hopper")) == ("R-15", "no_maintenance", None)
    assert after(state, ev.MaintenanceLaid(A, "boom")).table.maintenance == (("boom",), ())


# --- locomotives, and what is taken back ----------------------------------------------------------


@proves("R-16", "T-21")
def test_locomotives_are_open_in_the_own_laying_phase_alone() -> None:
    """A side sees its locomotives, and may exchange them for cards from the hand, only in its own laying phase."""
    closed = laid({0: "hopper gondola"}, {0: ["hopper hopper"]}, phase="draw")
    assert why(closed, ev.LocomotiveExchanged(A, 1, "hopper")) == ("R-16", "locomotives_closed", None)
    assert RULES.view(closed, A).own_locomotives == ()
    state = laid({0: "hopper gondola"}, {0: ["hopper hopper"]})
    assert RULES.view(state, A).own_locomotives == ((1, "box_car"),)
    assert RULES.view(state, B).own_locomotives == ()
    assert why(state, ev.LocomotiveExchanged(A, 1, "box_car")) == ("R-16", "same_card", A)
    assert why(state, ev.LocomotiveExchanged(A, 1, "coach")) == ("R-07", "not_in_hand", A)
    state = after(state, ev.LocomotiveExchanged(A, 1, "gondola"))
    assert state.table.zones.named("locomotive.0.1") == ("gondola",) and hand(state, 0) == ["box_car", "hopper"]


@proves("R-16")
def test_two_trains_can_swap_their_locomotives() -> None:
    """One card from the hand is enough to swap the locomotives of two trains."""
    state = lays(laid({0: "hopper reefer coach wreck dome"}), "hopper/reefer", "coach/wreck")
    for number, card in ((1, "dome"), (2, "reefer"), (1, "wreck")):
        state = after(state, ev.LocomotiveExchanged(A, number, card))
    assert [state.table.zones.named(f"locomotive.0.{at}") for at in (1, 2)] == [("wreck",), ("reefer",)]
    assert hand(state, 0) == ["dome"]


@proves("R-10", "R-17", "T-22")
def test_only_cards_of_this_turn_are_taken_back() -> None:
    """A seat takes back only cards of this turn, the last one first. A train without cars disappears."""
    state = laid({0: "hopper hopper gondola reefer"}, {0: ["hopper"]})
    assert why(state, ev.LaidTakenBack(A, 1, "hopper")) == ("R-17", "only_this_turn", None)
    assert why(state, ev.LaidTakenBack(A, 0, "boom")) == ("R-17", "only_this_turn", None)
    more = lays(state, "1 hopper", "gondola/reefer")
    assert hand(more, 0) == ["hopper"]
    back = after(more, ev.LaidTakenBack(A, 1, "hopper"), ev.LaidTakenBack(A, 2, "gondola"))
    assert hand(back, 0) == hand(state, 0) and back.table.trains == state.table.trains
    mixed = lays(laid({0: "coach dome reefer reefer"}, {0: ["sleeper"]}), "1 coach", "1 dome")
    assert why(mixed, ev.LaidTakenBack(A, 1, "coach")) == ("R-10", "order_frozen", None)


@proves("R-17")
def test_diesel_and_maintenance_are_taken_back() -> None:
    """A seat can take back a Diesel and maintenance cards, and a Diesel leaves with its new train."""
    state = laid({0: "boom diesel coach hopper reefer"}, {0: ["coach"]})
    more = after(state, ev.MaintenanceLaid(A, "boom"), ev.CarLaid(A, 1, "diesel"))
    back = after(more, ev.LaidTakenBack(A, 0, "boom"), ev.LaidTakenBack(A, 1, "diesel"))
    assert (hand(back, 0), back.table.trains, back.table.maintenance) == (
        hand(state, 0), state.table.trains, state.table.maintenance,
    )  # fmt: skip
    new = after(state, ev.TrainBegun(A, "coach", "hopper"), ev.CarLaid(A, 2, "diesel"))
    assert hand(after(new, ev.LaidTakenBack(A, 2, "coach")), 0) == hand(state, 0)


@proves("R-16", "R-17")
def test_a_real_card_taken_back_may_be_swapped_under_a_locomotive() -> None:
    """A real card that was taken back may lie under a locomotive, so its place becomes unknown if there is a train."""
    state = begun(2, "ours")
    state = after(state, ev.DealerCardDrawn(A, "reefer"), ev.DealerCardDrawn(B, "hopper"), ev.PileDrawn(B))
    for event in (ev.CarLaid(B, 1, "wild"), ev.CarLaid(B, 1, "diesel"), ev.MaintenanceLaid(B, "boom")):
        lay = after(state, ev.TrainBegun(B, "hopper", ""), event)
        back = after(lay, ev.LaidTakenBack(B, getattr(event, "train", 0), event.card))
        zones = back.table.zones
        assert (zones.count(hand_of(B)), zones.named(hand_of(B)), zones.must_hold(hand_of(B))) == (10, (), ())
        assert zones.possible(engine_of(1, 1), event.card), "it may be the locomotive now"
        assert accepted(back, event), "or still in the hand"
    alone = after(state, ev.MaintenanceLaid(B, "boom"), ev.LaidTakenBack(B, 0, "boom"))
    assert alone.table.zones.named(hand_of(B)) == ("boom",), "without a train it can only be in the hand"


@proves("R-17", "R-18")
def test_a_card_must_be_left_to_discard() -> None:
    """A seat that has laid its whole hand must take a card back."""
    state = lays(laid({0: "hopper gondola"}), "hopper/gondola")
    assert why(state, ev.Discarded(A, "hopper")) == ("R-17", "take_back", None)


# --- the discard ----------------------------------------------------------------------------------


@proves("R-18", "R-19", "T-19")
def test_at_most_five_cards_stay() -> None:
    """A discard that leaves six cards is refused, and one that leaves five is accepted."""
    state = laid({0: FIVE + " hopper coach"}, {0: ["hopper"]})
    assert why(state, ev.Discarded(A, "coach")) == ("R-19", "too_many", A)
    state = after(lays(state, "1 hopper"), ev.Discarded(A, "coach"))
    assert len(hand(state, 0)) == 5
    assert (state.table.turn, state.agenda[0]) == (B, Draw(B))
    assert state.table.zones.named("discard")[-1] == "coach"


@proves("R-19", "T-20")
def test_two_cards_drawn_oblige_to_lay() -> None:
    """A seat with five cards that draws two must lay one, and a seat that draws one need not."""
    five = laid({0: FIVE}, discard="dome", phase="draw")
    two = after(five, ev.PileDrawn(A), ev.CardsDrawn(A, ("coach", "wild")))
    assert why(two, ev.Discarded(A, "coach")) == ("R-19", "too_many", A)
    one = after(five, ev.DiscardTaken(A, "dome"))
    assert accepted(one, ev.Discarded(A, "dome"))


@proves("R-19", "A-05")
def test_who_cannot_lay_keeps_as_few_as_possible() -> None:
    """A hand without playable cards may be a misdeal in the first turn, if all agree. Later it may exceed the limit."""
    cards = "derailment derailment steal_car steal_car broken_car broken_car wreck turntable"
    state = laid({0: cards}, first=True)
    assert accepted(state, ev.DiscardedUnused(A, "wreck"))
    asked = after(state, ev.MisdealCalled(A))
    assert why(asked, ev.Discarded(A, "wreck")) == ("R-19", "answer_first", None)
    assert after(asked, ev.MisdealRejected(B)).table == state.table
    again = after(asked, ev.MisdealAccepted(B))
    assert again.effects == (ev.Misdealt(),) and again.table.zones.count("pile") == 132 - 1
    later = laid({0: cards})
    assert why(later, ev.MisdealCalled(A)) == ("R-19", "no_misdeal", A)
    assert accepted(later, ev.DiscardedUnused(A, "wreck"))
    assert why(laid({0: FIVE + " coach coach"}), ev.Discarded(A, "coach")) == ("R-19", "too_many", A)


@proves("R-21", "T-23", "R-22")
def test_a_turntable_may_be_discarded_without_effect() -> None:
    """A turntable cannot be played in the first turn, but may be discarded if announced as without effect."""
    state = laid({0: "turntable hopper"}, first=True)
    assert why(state, ev.TurntablePlayed(A)) == ("R-22", "first_round", None)
    assert why(state, ev.Discarded(A, "turntable")) == ("R-21", "announce", None)
    assert why(state, ev.DiscardedUnused(A, "hopper")) == ("R-20", "no_action", None)
    state = after(state, ev.DiscardedUnused(A, "turntable"))
    assert state.table.zones.named("discard")[-1] == "turntable" and state.table.turn == B
