"""Test going out, the partner's question, and the end of hands and of the match (R-26 to R-29)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.engine import Deciding, Event, Refusal, Seat, State
from companion.games.express import events as ev
from companion.games.express.ending import MOST_TURNS
from companion.games.express.rules import RULES
from companion.games.express.steps.setup import NextHand
from companion.games.express.table import Table
from companion.mechanics.view import Fact
from tests.games.express.build import PLAYING, A, B, C, accepted, after, begun, hand, laid, lays, offered, why
from tests.games.proofs import proves

FIVE, FOUR = "hopper hopper hopper hopper hopper", "gondola gondola gondola gondola"


def missing(state: State[Table], card: str = "reefer") -> list[str]:
    """Return the conditions for going out that a refusal lists."""
    said: Refusal = PLAYING.refusal(state, ev.WentOut(A, card))
    assert (said.rule, said.key) == ("R-26", "cannot_go_out")
    return list(said.fields["missing"])


@proves("R-26", "T-27", "T-28")
def test_every_condition_that_fails_is_named() -> None:
    """The refusal names each missing condition: a second train, trains of three cars, an empty hand or a discard."""
    assert why(laid({0: "reefer"}, {0: [FIVE, FOUR, "coach dome"]}), ev.WentOut(A, "reefer")) == (
        "R-26",
        "cannot_go_out",
        None,
    )
    assert missing(laid({0: "reefer"}, {0: [FIVE, FOUR, "coach dome"]})) == ["b"]
    assert missing(laid({0: "reefer"}, {0: [FIVE, "gondola gondola gondola"]})) == ["a"]
    assert missing(laid({0: "reefer coach"}, {0: [FIVE, FOUR]})) == ["c"]
    assert missing(laid({0: ""}, {0: [FIVE, FOUR]})) == ["d"]
    assert missing(laid({0: "reefer coach"}, {0: [FIVE, "gondola gondola"]})) == ["a", "b", "c"]
    assert missing(laid({0: "reefer"}, {0: []})) == ["a"]


@proves("R-26", "A-07", "T-29")
def test_transition_and_caboose_count_for_the_length() -> None:
    """A transition wild counts towards the five cars, and a Caboose towards the four."""
    assert accepted(laid({0: "reefer"}, {0: ["hopper hopper wild log_car log_car", FOUR]}), ev.WentOut(A, "reefer"))
    assert accepted(laid({0: "reefer"}, {0: [FIVE, "gondola gondola gondola caboose"]}), ev.WentOut(A, "reefer"))


@proves("R-26", "R-18", "A-02", "A-08", "T-33")
def test_a_partner_may_hold_cards() -> None:
    """A seat may go out while its partner holds four cards, whose value counts against their side."""
    state = laid({0: "reefer hopper", 2: "wild wild boom reefer"}, {0: ["hopper hopper hopper hopper", FOUR],
                 1: ["coach"]}, players=4)  # fmt: skip
    state = after(lays(state, "1 hopper"), ev.WentOut(A, "reefer"))
    assert state.table.match.history == ((9 + 4 + 5 - 5 - 4, 0),)
    assert state.effects[0] == ev.HandScored((A, C), 9, trains=9 + 4, bonus=5, left=5 + 4)
    assert state.agenda[0] == NextHand()


@proves("R-26", "T-31")
def test_a_disaster_as_the_last_discard_is_inert() -> None:
    """A disaster as the last discard goes to the discard pile and hits nothing."""
    state = laid({0: "wreck"}, {0: [FIVE, FOUR], 1: ["coach coach coach"]})
    state = after(state, ev.WentOut(A, "wreck"))
    assert state.table.trains[1] and state.table.zones.named("discard")[-1] == "wreck"
    assert state.table.match.history == ((9 + 4 + 10, 3 * 2),)


@proves("R-26")
def test_nobody_else_lays_the_whole_hand() -> None:
    """A seat that has laid cards may discard its last card only to go out. Without laying, it may discard its only
    card."""
    state = lays(laid({0: "hopper reefer"}, {0: [FIVE]}), "1 hopper")
    assert why(state, ev.Discarded(A, "reefer")) == ("R-26", "take_one_back", None)
    able = lays(laid({0: "hopper reefer"}, {0: ["hopper hopper hopper hopper", FOUR]}), "1 hopper")
    assert why(able, ev.Discarded(A, "reefer")) == ("R-26", "keep_one", None)
    assert accepted(able, ev.WentOut(A, "reefer"))
    assert accepted(laid({0: "reefer"}), ev.Discarded(A, "reefer"))


SHORT_HANDS = [
    (
        "hopper gondola",
        ["hopper hopper hopper", "gondola gondola"],
        ["1 hopper", "2 gondola"],
        True,
    ),
    ("hopper", ["hopper hopper hopper"], ["1 hopper"], False),
    ("hopper gondola", [], ["hopper/gondola"], False),
    ("gondola hopper", ["hopper hopper hopper hopper", FOUR], ["2 gondola", "1 hopper"], False),
]
"""Cards of a hand, trains of its side, cards to lay, and whether two cards must be taken back: one to keep and one
to discard. One card is enough if nothing else stays laid this turn, if a new train returns its locomotive, or to
go out with it."""


@proves("R-17", "R-26")
@pytest.mark.parametrize(("cards", "trains", "steps", "two"), SHORT_HANDS)
def test_an_empty_hand_takes_back_as_much_as_is_said(
    cards: str, trains: list[str], steps: list[str], two: bool
) -> None:
    """A seat that takes back as many cards as advised can end its turn, and a seat that takes back fewer is refused."""
    state = lays(laid({0: cards}, {0: trains}), *steps)
    assert why(state, ev.Discarded(A, "hopper")) == ("R-17", "take_two_back" if two else "take_back", None)
    if two:
        state = after(state, next(each for each in offered(state, A) if isinstance(each, ev.LaidTakenBack)))
        assert not any(isinstance(each, ev.Discarded | ev.WentOut) for each in offered(state, A))
        assert why(state, ev.Discarded(A, hand(state, 0)[0])) == ("R-26", "take_one_back", None)
    back = [each for each in offered(state, A) if isinstance(each, ev.LaidTakenBack)]
    ends = [each for one in back for each in offered(after(state, one), A)]
    assert any(isinstance(each, ev.Discarded | ev.WentOut) for each in ends)


@proves("R-16", "R-17", "R-22", "R-26")
def test_going_out_obeys_the_other_rules() -> None:
    """A seat cannot go out in its first turn or with a missing card, but may discard an exchanged locomotive."""
    ready = {0: [FIVE, FOUR]}
    assert why(laid({0: "reefer"}, ready, first=True), ev.WentOut(A, "reefer")) == ("R-22", "first_round", None)
    state = laid({0: "reefer"}, ready)
    assert why(state, ev.WentOut(A, "coach")) == ("R-07", "not_in_hand", A)
    swapped = after(state, ev.LocomotiveExchanged(A, 1, "reefer"))
    assert accepted(swapped, ev.WentOut(A, "box_car"))


# --- the partner ----------------------------------------------------------------------------------


@proves("R-27", "T-30")
def test_no_binds() -> None:
    """After a no, the seat may not go out this turn, but it may discard as usual."""
    state = laid({0: "reefer coach"}, {0: [FIVE, FOUR]}, players=4)
    assert why(laid({0: "reefer"}), ev.PartnerAsked(A)) == ("R-27", "no_partner", None)
    asked = after(state, ev.PartnerAsked(A))
    assert why(asked, ev.Discarded(A, "coach")) == ("R-27", "answer_first", None)
    assert why(asked, ev.PartnerAgreed(B)) == ("R-27", "not_asked", None)
    told = after(asked, ev.PartnerForbade(C))
    assert why(told, ev.PartnerAsked(A)) == ("R-27", "asked_already", None)
    assert accepted(told, ev.Discarded(A, "coach"))
    alone = laid({0: "reefer"}, {0: [FIVE, FOUR]}, players=4)
    assert accepted(alone, ev.WentOut(A, "reefer")), "nobody has to ask"
    told = after(alone, ev.PartnerAsked(A), ev.PartnerForbade(C))
    assert why(told, ev.WentOut(A, "reefer")) == ("R-27", "partner_said_no", None)


@proves("R-27", "T-30")
def test_the_question_comes_before_laying() -> None:
    """A seat cannot ask after it has laid a card, or in its first turn."""
    state = laid({0: "hopper reefer coach"}, {0: [FIVE, FOUR]}, players=4)
    laid_one = lays(state, "1 hopper")
    assert why(laid_one, ev.PartnerAsked(A)) == ("R-27", "ask_before_laying", None)
    first = laid({0: "hopper reefer"}, {0: [FIVE, FOUR]}, players=4, first=True)
    assert why(first, ev.PartnerAsked(A)) == ("R-22", "first_round", None)


@proves("R-27")
def test_yes_binds_too() -> None:
    """After a yes, a seat that can go out must do so, and any other seat ends its turn as usual."""
    state = laid({0: "hopper reefer coach"}, {0: [FIVE, "coach coach coach"]}, players=4)
    state = after(state, ev.PartnerAsked(A), ev.PartnerAgreed(C))
    assert why(state, ev.Discarded(A, "reefer")) == ("R-27", "must_go_out", A)
    assert accepted(lays(state, "1 hopper", "2 coach"), ev.WentOut(A, "reefer"))
    unable = laid({0: "reefer log_car"}, {0: [FIVE]}, players=4)
    unable = after(unable, ev.PartnerAsked(A), ev.PartnerAgreed(C))
    assert accepted(unable, ev.Discarded(A, "reefer"))


@proves("R-27")
def test_a_press_asks_and_a_press_agrees() -> None:
    """The seat's button asks while the seat may ask, and the partner's button agrees."""

    def pressing(state: State[Table]) -> tuple[Seat, Event] | None:
        now = state.agenda[0].timing(state.table)
        return (now.seat, now.event) if isinstance(now, Deciding) else None

    state = laid({0: "reefer coach"}, {0: [FIVE, FOUR]}, players=4)
    assert pressing(state) == (A, ev.PartnerAsked(A))
    asked = after(state, ev.PartnerAsked(A))
    assert pressing(asked) == (C, ev.PartnerAgreed(C))
    assert pressing(after(asked, ev.PartnerAgreed(C))) is None
    assert pressing(laid({0: "reefer coach"})) is None


@proves("R-27")
def test_a_question_never_blocks() -> None:
    """The seat may withdraw an unanswered question, but may not ask again this turn."""
    state = laid({0: "reefer"}, {0: [FIVE, FOUR]}, players=4)
    asked = after(state, ev.PartnerAsked(A))
    assert offered(asked, A) == [ev.QuestionWithdrawn(A)]
    free = after(asked, ev.QuestionWithdrawn(A))
    assert why(free, ev.PartnerAsked(A)) == ("R-27", "asked_already", None)
    assert accepted(free, ev.WentOut(A, "reefer"))


# --- the end --------------------------------------------------------------------------------------


@proves("R-02", "R-28", "T-32")
def test_a_hand_is_over() -> None:
    """Nobody may lay after the hand is over, and the dealer to the left starts the next hand."""
    state = after(laid({0: "reefer", 1: "hopper"}, {0: [FIVE, FOUR]}), ev.WentOut(A, "reefer"))
    assert why(state, ev.CarLaid(A, 1, "hopper")) == ("R-28", "hand_over", None)
    assert why(state, ev.HandCalled(A)) == ("R-02", "not_the_dealer", None)
    state = after(state, ev.HandCalled(B))
    assert (state.table.match.dealer, state.table.trains, state.table.zones.count("pile")) == (B, ((), ()), 131)


@proves("R-29", "T-34", "hands")
@pytest.mark.parametrize(
    ("totals", "winners"),
    [((87, 101), (A,)), ((86, 109), ()), ((87, 200), (B,)), ((50, 60), ())],
)
def test_the_first_to_a_hundred_wins(totals: tuple[int, int], winners: tuple[int, ...]) -> None:
    """The match ends when one side has reached 100 with the highest total. A tie requires another hand."""
    state = after(laid({0: "reefer"}, {0: [FIVE, FOUR]}, totals=totals), ev.WentOut(A, "reefer"))
    assert (state.over, RULES.winners(state)) == (bool(winners), winners)
    if winners:
        assert why(state, ev.HandCalled(B)) == ("R-00", "game_over", None)
    last = laid({0: "reefer"}, {0: [FIVE, FOUR]}, totals=(0, 1), hands=2)
    assert after(last, ev.WentOut(A, "reefer")).over, "the last hand ends the match"


def last_round(state: State[Table]) -> list[Fact]:
    """Return the facts that pages show about a last round."""
    return [fact for fact in RULES.facts(state) if fact.key.startswith("last_round")]


def passes(state: State[Table], *seats: Seat) -> State[Table]:
    """Return the state after each of these seats took the top discard and discarded it again."""
    for seat in seats:
        state = after(state, ev.DiscardTaken(seat, "reefer"), ev.Discarded(seat, "reefer"))
    return state


@proves("R-06")
def test_a_hand_in_which_nobody_lays_any_more_is_stopped() -> None:
    """With an empty pile, a last round is announced. If nobody lays in it, the hand ends without a bonus."""
    state = laid({0: "reefer", 1: "coach", 2: ""}, {0: [FIVE, FOUR]}, players=3, pile=0)
    assert not last_round(state)
    state = after(state, ev.Discarded(A, "reefer"))
    assert state.effects == (ev.LastRoundAnnounced(),)
    assert last_round(state) == [Fact("last_round", {"count": 3})]
    state = passes(state, B, C)
    assert (state.effects, last_round(state)) == ((), [Fact("last_round", {"count": 1})])
    state = passes(state, A)
    assert state.effects[0] == ev.HandStopped() and state.table.match.history == ((13, -3, 0),)


@proves("R-06")
def test_the_last_round_begins_anew() -> None:
    """The last round restarts after a seat lays, counts a lost turn as a turn, and is cancelled by a new pile."""
    held = {0: "reefer", 1: "hopper hopper coach", 2: "coach"}
    began = after(laid(held, players=3, pile=0), ev.Discarded(A, "reefer"))
    train = ev.DiscardTaken(B, "reefer"), ev.TrainBegun(B, "hopper", "hopper"), ev.Discarded(B, "reefer")
    assert last_round(after(began, *train)) == [Fact("last_round", {"count": 3})]
    lost = passes(began, B)
    lost = passes(replace(lost, table=replace(lost.table, skips=(1, 0, 0))), C, B, C)
    assert last_round(lost) == [Fact("last_round", {"count": 1})]
    assert not lost.table.match.history
    discards = laid(held, players=3, pile=0, discard="box_car flat_car tank_car")
    new = after(discards, ev.Discarded(A, "reefer"), ev.PileDrawn(B), ev.CardsDrawn(B, ("box_car", "flat_car")))
    assert not last_round(after(new, ev.Discarded(B, "coach")))


@proves("R-06")
def test_no_number_of_turns_ends_a_hand_that_moves() -> None:
    """The number of turns never ends a hand, except under the earlier ruling, which stops it after a hundred."""
    state = laid({0: "reefer coach"})
    state = replace(state, table=replace(state.table, turns=10 * MOST_TURNS))
    assert after(state, ev.Discarded(A, "reefer")).table.turn == B
    table = replace(state.table, fixed=replace(state.table.fixed, rulings=()), turns=MOST_TURNS - 1)
    assert after(replace(state, table=table), ev.Discarded(A, "reefer")).effects[0] == ev.HandStopped()


@proves("S-08", "R-28")
def test_real_hands_are_shown() -> None:
    """At the end every seat shows its real hand, which must have the right number of possible cards."""
    state = begun(2, "ours", hands=1)
    state = after(state, ev.DealerCardDrawn(A, "reefer"), ev.DealerCardDrawn(B, "hopper"))
    table = replace(state.table, drew=0, idle=1)
    state = after(replace(state, table=table), ev.PileDrawn(B))
    for _ in range(3):
        state = after(state, ev.TrainBegun(B, "hopper", ""))
    table = replace(state.table, turns=MOST_TURNS, fixed=replace(state.table.fixed, rulings=()))
    state = after(replace(state, table=table), ev.Discarded(B, "hopper"))
    assert why(state, ev.Discarded(A, "hopper")) == ("R-28", "hand_over", None)
    assert why(state, ev.HandShown(A, ("gondola",) * 10)) == ("R-28", "hand_over", None)
    assert why(state, ev.HandShown(B, ("reefer",))) == ("S-08", "not_the_hand", None)
    assert why(state, ev.HandShown(B, ("diesel",) * 5)) == ("S-08", "not_the_hand", None)
    state = after(state, ev.HandShown(B, ("reefer",) * 5))
    state = after(state, ev.HandShown(A, ("wild", "boom", *["gondola"] * 8)))
    assert state.over and state.table.match.history == ((-5 - 16, -20),)
    assert hand(state, 1) == ["reefer"] * 5


@proves("A-05", "R-19")
def test_a_real_hand_that_cannot_be_laid() -> None:
    """All others must agree to a misdeal. They deal the hand again, or in later turns allow the large hand."""
    state = begun(2, "ours")
    state = after(state, ev.DealerCardDrawn(A, "reefer"), ev.DealerCardDrawn(B, "hopper"), ev.PileDrawn(B))
    assert after(state, ev.MisdealCalled(B), ev.MisdealAccepted(A)).effects == (ev.Misdealt(),)
    state = replace(state, table=replace(state.table, started=(True, True)))
    assert why(state, ev.Discarded(B, "hopper")) == ("R-19", "too_many", B)
    state = after(state, ev.MisdealCalled(B), ev.MisdealAccepted(A))
    assert state.effects == (ev.LimitWaived(B),)
    assert accepted(state, ev.Discarded(B, "hopper"))
