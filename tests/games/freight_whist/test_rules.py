"""Test the rules of Freight Whist with positions worked out by hand."""

from __future__ import annotations

import pytest

from companion.engine import BadSetup, Seat, Setup, State, apply, state_hash
from companion.games.examples.freight_whist.rules import (
    DECK,
    RULES,
    CardPlayed,
    CardSeen,
    HandCalled,
    HandScored,
    HandsDealt,
    NextHand,
    Table,
    TrickTaken,
    TrumpTurned,
)
from companion.journal.journal import Journal
from companion.match.actor import Actor
from companion.match.match import Match
from companion.mechanics.tricks import best_of
from companion.mechanics.zones_game import hand_of
from tests.games.freight_whist.build import (
    NAMES,
    PLAYING,
    PURE,
    SEATS,
    A,
    B,
    C,
    D,
    begun,
    dealt,
    plays,
    swap,
    walk,
)
from tests.games.proofs import proves

why, offered, after = PLAYING.why, PLAYING.offered, PLAYING.after


def through(state: State[Table]) -> State[Table]:
    """Return the state at the end of a hand in which every seat plays its first legal card."""
    while len(state.table.match.history) == 0 and state.agenda:
        state = after(state, offered(state, state.table.turn)[0])
    return state


@proves("R-01")
def test_four_play_in_two_sides() -> None:
    """Exactly four play, in two sides of opposite partners, and the game has no options."""
    for setup in (Setup(RULES.name, 3), Setup(RULES.name, 5), Setup(RULES.name, 4, {"honours": "yes"})):
        with pytest.raises(BadSetup):
            RULES.begin(setup)
    assert RULES.sides(Setup("freight-whist", 4)) == ((A, C), (B, D))


@proves("R-02", "R-03")
def test_the_dealers_last_card_is_turned_up() -> None:
    """Each seat gets thirteen cards, and everybody sees the last one, which belongs to the dealer."""
    state = dealt(PURE, "coal-4")
    table = state.table
    assert (table.match.dealer, table.turned, table.turn) == (A, "coal-4", B)
    assert [table.zones.count(hand_of(seat)) for seat in SEATS] == [13] * 4
    assert [card for card in table.zones.view_of(hand_of(A), D) if card] == ["coal-4"]
    assert RULES.layout(state).spots["turned"].up == ("coal-4",)
    state = begun("ours")
    assert len(offered(state, None)) == len(DECK) == 52
    assert why(state, TrumpTurned("coal-14")) == ("R-00", "card_not_offered", None)


@proves("R-04")
def test_the_dealers_left_leads_and_the_winner_after_it() -> None:
    """The seat to the dealer's left leads, and the winner of a trick leads the next one."""
    state = dealt(PURE, "coal-4")
    assert why(state, CardPlayed(C, "oil-1")) == ("R-00", "not_your_turn", None)
    assert why(state, CardSeen("cattle-1")) == ("R-00", "wrong_phase", None)
    state = plays(state, "cattle-13 oil-13 food-13 coal-1")
    assert state.table.turn == A, "the only trump took it"
    assert state.effects[-1] == TrickTaken(A, 1, 0)


@proves("R-05")
def test_one_must_follow() -> None:
    """A seat must follow the led freight if it can. Only the seat itself learns why its card is refused."""
    state = dealt(swap(PURE, ("cattle-5", "oil-5")), "coal-4")
    state = plays(state, "cattle-13")
    assert offered(state, C) == [CardPlayed(C, "cattle-5")]
    assert why(state, CardPlayed(C, "oil-1")) == ("R-05", "must_follow", C)
    assert why(state, CardPlayed(C, "food-1")) == ("R-10", "in_another_hand", C)
    assert why(state, CardPlayed(C, "cattle-13")) == ("R-10", "already_played", None)
    assert why(state, CardPlayed(C, "gold-1")) == ("R-00", "card_not_offered", C)
    state = plays(state, "cattle-5")
    assert len(offered(state, D)) == 13, "no cattle: any food"
    state = plays(state, "food-2")
    assert state.table.voids == ((), (), (), ("cattle",))


@proves("R-06")
@pytest.mark.parametrize(
    ("trick", "trump", "best"),
    [
        ("oil-3 oil-12 oil-2 oil-9", "coal", 1),
        ("oil-3 food-13 oil-4 cattle-13", "coal", 2),
        ("oil-13 coal-1 oil-2 oil-9", "coal", 1),
        ("oil-13 coal-1 coal-2 food-9", "coal", 2),
        ("coal-5 oil-13 coal-11 coal-6", "coal", 2),
        ("oil-3 food-13 cattle-13 food-12", "coal", 0),
    ],
)
def test_trumps_beat_what_was_led(trick: str, trump: str, best: int) -> None:
    """The highest trump wins a trick, or without trumps the highest card of the led freight."""
    assert best_of(trick.split(), trump) == best


@proves("R-07")
def test_each_trick_above_six_scores() -> None:
    """A side scores one point for each trick above six, so thirteen tricks score seven and win at once."""
    state = through(dealt(PURE, "coal-4"))
    assert state.effects[-1] == HandScored((A, C), 7)
    assert state.over and RULES.scores(state) == (7, 0, 7, 0)
    assert RULES.ranking(state) == ((A, C), (B, D))
    assert RULES.winners(state) == (A, C)


@proves("R-07", "R-08", "R-09")
def test_seven_tricks_score_one_and_the_deal_moves_on() -> None:
    """A side scores one point for seven tricks, the deal moves on, and five points win.

    Ann (seat 3) has coal 8 to 13 and Jane coal 1 to 7, with food 8 to 13. Bill has cattle and Tom oil. Coal is trumps.
    Bill leads cattle, and Ann's trump beats Jane's. Ann plays five more rounds of trumps, then leads food to Jane, who
    has the only trumps left and takes all other tricks.
    """
    hands = swap(PURE, *[(f"coal-{rank}", f"food-{rank}") for rank in range(8, 14)])
    state = dealt(hands, "coal-4")
    state = plays(state, "cattle-1 oil-1 coal-8 coal-1 ")
    for rank in range(9, 14):
        state = plays(state, f"coal-{rank} coal-{rank - 7} cattle-{rank - 7} oil-{rank - 7}")
    assert state.table.tricks == (0, 6)
    assert state.table.turn == D
    state = plays(state, "food-1 food-8 cattle-7 oil-7")
    assert state.table.turn == A, "Jane's food 8 is higher than Ann's"
    state = through(state)
    assert state.effects[-1] == HandScored((A, C), 1)
    assert RULES.scores(state) == (1, 0, 1, 0) and RULES.winners(state) == ()
    assert state.agenda == (NextHand(),) and state.table.match.dealer == B
    assert any(state.table.last), "the last trick can still be looked at"
    assert why(state, HandCalled(A)) == ("R-00", "not_your_turn", None)
    state = dealt(PURE, "cattle-2", after(state, HandCalled(B)))
    assert (state.table.turn, state.table.turned, state.table.tricks) == (C, "cattle-2", (0, 0))
    while state.agenda:
        state = after(state, offered(state, state.table.turn)[0])
    assert RULES.scores(state) == (1, 7, 1, 7)
    assert RULES.ranking(state) == ((B, D), (A, C))


@proves("R-00")
def test_what_comes_at_the_wrong_moment_is_refused() -> None:
    """Events before the deal, from an unknown seat or after the end are refused."""
    state = begun()
    assert why(state, CardPlayed(A, "coal-1")) == ("R-00", "wrong_phase", None)
    assert why(state, HandsDealt(DECK)) == ("R-00", "not_offered", None)
    assert why(dealt(PURE, "coal-4"), CardPlayed(Seat(4), "coal-1")) == ("R-00", "unknown_seat", None)
    assert why(through(dealt(PURE, "coal-4")), CardPlayed(A, "coal-1")) == ("R-00", "game_over", None)


@proves("R-08")
def test_undo_goes_back_into_the_hand_before(tmp_path: object) -> None:
    """Undoing a match across a deal restores the exact earlier state."""
    with Journal(f"{tmp_path}/journal.db") as journal:  # type: ignore[arg-type]
        match = Match.begin(journal, Setup(RULES.name, NAMES), seed="3")
        hashes = {match.seq: state_hash(match.state)}
        while match.state.table.match.played < 1 or len(match.state.table.trick) < 2:
            (offer,) = match.state.agenda[0].legal(match.state.table)
            assert match.propose(offer.pick(lambda: 0.4), Actor.at_seat(offer.by)) is None
            hashes[match.seq] = state_hash(match.state)
        assert match.state.table.match.dealer == B
        back = max(seq for seq in hashes if seq < match.seq - 8)
        assert match.rewind(back, Actor.HOST) is None
        assert state_hash(match.state) == hashes[back]
        assert match.state.table.match.dealer == A and match.state.table.match.played == 0
        assert match.reveals_after(0)
        assert state_hash(Match.open(journal, match.id).state) == hashes[back]


def test_a_replay_by_events_comes_to_the_same_state() -> None:
    """Replaying the events alone leads to the same state."""
    state = begun()
    for _, event, expected in walk("dealt", 5):
        state = apply(RULES, state, event)
        assert state_hash(state) == state_hash(expected)
