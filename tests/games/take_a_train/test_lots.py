"""Test the common rules of auctions: participants, beginners, money, no sale, the lone bidder, the deck (R-13 to
R-25)."""

from __future__ import annotations

import pytest

from companion.engine import Event, legal
from companion.games.take_a_train.events import (
    Bid,
    Bought,
    Committed,
    LocosRevealed,
    LotBegan,
    NoSale,
    Opened,
    OpeningDeclined,
    Passed,
    Replaced,
    ReplacementTaken,
    Reshuffled,
    Sold,
    Stalled,
    TieBroken,
)
from companion.games.take_a_train.steps.lots import Lone, NextLot, Nominate
from companion.games.take_a_train.steps.reveal import RevealLocos
from companion.games.take_a_train.steps.spoken_auctions import Bidding, Opening
from companion.games.take_a_train.table import unsold
from tests.games.take_a_train.build import (
    GAME,
    REST,
    A,
    B,
    C,
    accepted,
    after,
    at,
    head,
    lot,
    names,
    next_lot,
    nominated,
    offered,
    payments,
    refusal,
    reveal,
    sale,
    table,
    why,
)
from tests.games.take_a_train.proofs import proves

THREE = ("s100", "s100", "s100")


def sold_out(kind: str, players: int) -> list[tuple[int, int, int | None]]:
    """Play an auction in which every lot is sold. Return for each lot the number of revealed cards, how many came
    from the old deck, and the deck size after a reshuffle."""
    cards = tuple(f"s100{letter}" for letter in "abcdefghijklmnopqr")[: 3 * players]
    state = at(table(players, kind=kind, used=(kind,), deck=cards), NextLot(), *REST)
    lots: list[tuple[int, int, int | None]] = []
    while not state.table.order:
        step = head(state)
        if isinstance(step, RevealLocos):
            first, _ = step.parts(state.table)
            size = step.size
            state = after(state, legal(GAME, state)[0].pick(lambda: 0.0))
            lots.append((size, first, state.table.deck if state.effects else None))
            continue
        match step:
            case Opening(asked=seat):
                event: Event = Opened(seat, 100)
            case Nominate(beginner=seat):
                event = nominated(seat, state.table.revealed[0])
            case Lone(seat=seat):
                event = Bought(seat, state.table.revealed[0], 100)
            case Bidding(bidders=bidders):
                event = Passed(bidders[0])
        state = after(state, event)
    assert [len(own) for own in state.table.trains] == [3] * players
    assert (state.table.deck, state.table.aside) == (0, ())
    return lots


@proves("R-13", "F-4")
def test_stage_one_ends_when_everyone_has_three() -> None:
    """The sale of the last missing locomotive ends stage one."""
    state = at(
        table(2, owned=(THREE, ("s100", "s100")), revealed=("s300",), starter=A), Lone(B), NextLot(B, True), *REST
    )
    assert unsold(state.table) == 1
    state = after(state, Bought(B, "s300", 300))
    assert unsold(state.table) == 0
    assert state.table.order == (B, A)


@proves("R-14", "R-15", "T-6")
def test_a_seat_with_three_is_wholly_out() -> None:
    """A seat with three locomotives is skipped as beginner and cannot bid or pass."""
    owned = (("s100",), THREE, ())
    state = next_lot(A, owned=owned)
    assert state.agenda[:2] == (RevealLocos(3), Nominate(C))
    state = after(sale("pass", "s300", owned=owned, beginner=C), Opened(C, 300))
    assert why(state, Bid(B, 400)) == ("R-14", "already_has_three", None)
    fists = sale("blind", "s300", owned=owned, beginner=C)
    assert why(fists, Committed(B, 400)) == ("R-14", "already_has_three", None)
    assert why(sale("pass", "s300", owned=owned, beginner=C), Passed(B)) == ("R-14", "already_has_three", None)


@proves("R-15")
def test_the_first_lot_is_the_starters() -> None:
    """The round starter begins the first lot, and the seat to its left the second."""
    assert next_lot(None, starter=C).agenda[1] == Nominate(C)
    assert next_lot(C, starter=C).agenda[1] == Nominate(A)


@proves("R-15")
def test_the_previous_beginner_begins_again_only_if_no_other_is_short() -> None:
    """A seat that alone lacks locomotives begins the next lot too."""
    state = next_lot(B, owned=(THREE, ("s100",), THREE))
    assert state.agenda[1] == Lone(B)
    assert state.effects == (LotBegan(B, True),)


@proves("R-15", "R-19")
def test_a_lot_without_sale_rotates_too() -> None:
    """The seat to the left begins the next lot even after a lot without a sale."""
    state = sale("pass", "s300", "s400", "s500", cash=(0, 5000, 5000))
    state = after(state, OpeningDeclined(B), OpeningDeclined(C))
    assert isinstance(state.effects[0], NoSale)
    assert state.agenda[1] == Nominate(B)


@proves("R-16", "T-5")
def test_nobody_bids_more_than_it_has() -> None:
    """A bid above a seat's cash is refused, and only that seat learns why."""
    state = after(sale("pass", "s300", cash=(5000, 350, 5000)), Opened(A, 300))
    said = refusal(state, Bid(B, 400))
    assert (said.rule, said.key, said.audience) == ("R-16", "bid_exceeds_cash", B)
    assert why(sale("pass", "s300"), Opened(A, 5050)) == ("R-16", "bid_exceeds_cash", A)


@proves("R-16", "E-13")
def test_the_poor_are_asked_like_everybody_else() -> None:
    """A seat that cannot raise is still asked, because skipping it would reveal its cash."""
    state = after(sale("pass", "s300", cash=(5000, 0, 0)), Opened(A, 300))
    assert offered(state, B) == [Passed(B)]
    state = after(state, Passed(B))
    assert offered(state, C) == [Passed(C)]


@proves("R-17")
def test_the_power_is_the_minimum_price() -> None:
    """The first price must be at least the power."""
    assert why(sale("open", "s300"), Opened(A, 250)) == ("R-17", "below_minimum", None)
    assert accepted(sale("open", "s300"), Opened(A, 300))


@proves("R-18", "T-7")
def test_a_beginner_nominates_what_he_can_pay() -> None:
    """The beginner may nominate only a locomotive it can pay for, and only it learns why another is refused."""
    state = lot("pass", "s900", "s300", "s700", cash=(450, 5000, 5000))
    assert why(state, nominated(A, "s900")) == ("R-18", "must_nominate_affordable", A)
    assert offered(state, A) == [nominated(A, "s300")]


@proves("R-18")
def test_an_able_beginner_must_open() -> None:
    """A beginner who can pay must open, and only it learns why it may not decline."""
    state = sale("pass", "s300")
    assert why(state, OpeningDeclined(A)) == ("R-18", "beginner_must_open", A)
    assert why(state, OpeningDeclined(B)) == ("R-00", "not_your_turn", None)


@proves("R-18", "R-19", "T-8", "beginner_broke=pass_on")
def test_a_broke_beginner_passes_the_opening_on() -> None:
    """If the beginner cannot pay, the others may open in turn. If all decline, the cards are set aside."""
    state = sale("pass", "s300", "s400", "s500", cash=(250, 5000, 5000), deck=tuple(f"s100{x}" for x in "abcdef"))
    assert head(state) == Opening("s300", A, B, 250)
    state = after(state, OpeningDeclined(B), OpeningDeclined(C))
    assert state.table.aside == ("s300", "s400", "s500")
    assert state.table.cash == (250, 5000, 5000)
    assert state.agenda[:2] == (RevealLocos(3), Nominate(B))


@proves("R-18")
def test_declining_to_open_is_not_passing() -> None:
    """A seat that declined to open may still bid, and the beginner who could not pay is skipped."""
    state = after(sale("pass", "s300", cash=(250, 5000, 5000)), OpeningDeclined(B), Opened(C, 300))
    assert head(state) == Bidding("s300", A, 300, C, (B, C, A), 250)
    assert accepted(state, Bid(B, 350))
    assert why(state, Bid(A, 350)) == ("R-00", "not_your_turn", None)


@proves("R-18", "T-18")
def test_a_broke_beginner_commits_nothing() -> None:
    """A beginner who cannot pay may leave its fist empty. If all bids are below the power, nothing is sold."""
    state = sale("blind", "s300", "s400", "s500", cash=(250, 5000, 5000))
    state = after(state, Committed(A, 0), Committed(B, 200), Committed(C, 0))
    assert state.effects[1] == NoSale(("s300", "s400", "s500"))
    assert state.table.cash == (250, 5000, 5000)


@proves("beginner_broke=skip_lot", "R-18")
def test_a_broke_beginners_lot_may_be_skipped() -> None:
    """Under `skip_lot`, a lot ends without a sale if its beginner cannot pay."""
    state = sale("pass", "s300", "s400", "s500", cash=(250, 5000, 5000), options={"beginner_broke": "skip_lot"})
    assert state.effects[0] == NoSale(("s300", "s400", "s500"))
    assert state.agenda[1] == Nominate(B)


@proves("R-19", "R-21", "T-9")
def test_bidding_ends_when_every_card_was_offered_in_vain() -> None:
    """The stage ends after every unsold card was offered in vain, and seats fill up with replacements."""
    owned = (("s100", "s100"), ("s100", "s100"))
    state = sale("pass", "s300", "s400", players=2, cash=0, owned=owned)
    state = after(state, OpeningDeclined(B))
    assert not isinstance(state.effects[-1], Stalled), "the other card has not been offered yet"
    state = after(state, LocosRevealed(("s400", "s300")), nominated(B, "s300"), OpeningDeclined(A))
    assert state.table.aside == ("s400", "s300"), "the same card again: still one to go"
    state = after(state, LocosRevealed(("s400", "s300")), nominated(A, "s400"), OpeningDeclined(B))
    assert Stalled() in state.effects
    assert names(state, A) == names(state, B) == ("s100", "s100", "-")


@proves("R-19")
def test_a_sale_forgets_what_was_offered_in_vain() -> None:
    """A sale resets the list of cards offered in vain."""
    state = sale("pass", "s300", "s400", "s500", offered=("s100a",))
    state = after(state, Opened(A, 300), Passed(B), Passed(C))
    assert state.table.offered == ()


@proves("R-20", "T-12")
def test_a_lone_bidder_sees_exactly_what_he_lacks() -> None:
    """A lone bidder sees as many cards as it lacks, buys at the power, and turns down a card it cannot pay for."""
    state = next_lot(A, players=2, owned=(THREE, ("s100",)), deck=("s300", "s900"), cash=(0, 800))
    assert state.agenda[:2] == (RevealLocos(2), Lone(B))
    state = after(state, LocosRevealed(("s300", "s900")), Bought(B, "s300", 300))
    assert payments(state)[0] == (B, -300, "locomotive")
    state = after(state, LocosRevealed(("s900",)))
    assert offered(state, B) == [ReplacementTaken(B, "s900")]
    state = after(state, ReplacementTaken(B, "s900"))
    assert (names(state, B), state.table.cash[B]) == (("s100", "s300", "-"), 500)


@proves("R-20", "T-13")
def test_a_lone_bidder_pays_the_minimum() -> None:
    """A lone bidder must pay exactly the power, and only for a revealed card within its cash."""
    state = at(table(2, owned=(THREE, ("s100",)), revealed=("s300", "s900"), cash=500), Lone(B))
    assert why(state, Bought(B, "s300", 350)) == ("R-20", "lone_pays_minimum", None)
    assert why(state, Bought(B, "s900", 900)) == ("R-16", "bid_exceeds_cash", B)
    assert why(state, Bought(B, "s700", 700)) == ("R-26", "not_revealed", None)
    assert why(state, Bought(A, "s300", 300)) == ("R-00", "not_your_turn", None)


@proves("R-20", "lone_bidder=per_lot")
def test_a_lone_bidder_may_buy_in_every_lot() -> None:
    """By default a lone bidder may buy in lot after lot."""
    state = next_lot(A, players=2, owned=(THREE, ("s100",)), deck=("s300", "s400"))
    state = after(state, LocosRevealed(("s300", "s400")), Bought(B, "s300", 300), LocosRevealed(("s400",)))
    state = after(state, Bought(B, "s400", 400))
    assert names(state, B) == ("s100", "s300", "s400")


@proves("R-20", "lone_bidder=en_literal")
def test_a_lone_bidder_may_be_held_to_one_purchase() -> None:
    """Under `en_literal`, a lone bidder buys once and gets replacements for the rest."""
    options = {"lone_bidder": "en_literal"}
    state = next_lot(A, players=2, owned=(THREE, ("s100",)), deck=("s300", "s400"), options=options)
    state = after(state, LocosRevealed(("s300", "s400")), Bought(B, "s300", 300))
    assert names(state, B) == ("s100", "s300", "-")
    assert Replaced(B, 1) in state.effects


@proves("R-20")
def test_a_lone_bidder_may_decline() -> None:
    """A lone bidder may turn a card down although it could pay for one."""
    state = at(table(2, owned=(THREE, ("s100", "s100")), revealed=("s300",)), Lone(B), NextLot(B, True), *REST)
    state = after(state, ReplacementTaken(B, "s300"))
    assert (names(state, B), state.table.cash[B]) == (("s100", "s100", "-"), 5000)


@proves("R-21")
def test_a_replacement_has_its_own_moments() -> None:
    """A seat cannot take a replacement in the middle of an auction."""
    state = sale("pass", "s300")
    assert why(state, ReplacementTaken(B, "s300")) == ("R-21", "replacement_not_allowed", None)


@proves("R-21")
def test_who_is_short_at_the_end_is_filled_up() -> None:
    """At the end of stage one, every seat fills up to three with unsold cards face down."""
    state = at(table(3, owned=(THREE, ("s100",), ("s200", "s100")), aside=("s900",)), *REST)
    assert [names(state, s) for s in (A, B, C)] == [THREE, ("s100", "-", "-"), ("s200", "s100", "-")]
    assert (state.table.deck, state.table.aside) == (0, ())


@proves("R-22", "T-38")
def test_a_replacement_has_no_figures() -> None:
    """A replacement has no power, multiplier, speed or drive, so a seat with three of them acts last."""
    state = at(table(2, owned=((), THREE), cash=0), *REST)
    own = state.table.trains[A]
    assert [(t.power, t.multiplier, t.speed, t.drive) for t in own] == [(0, 0, -1, "")] * 3
    assert state.table.order == (B, A)


@proves("R-23", "T-15")
def test_the_beginner_may_name_himself_if_tied() -> None:
    """The beginner may choose itself if it is tied, but no seat that is not tied."""
    state = after(sale("blind", "s900"), Committed(A, 900), Committed(B, 900), Committed(C, 0))
    assert why(state, TieBroken(A, C)) == ("R-23", "not_tied", None)
    assert why(state, TieBroken(B, B)) == ("R-23", "not_beginner", None)
    state = after(state, TieBroken(A, A))
    assert state.table.cash == (4100, 5000, 5000)


@proves("R-23", "T-16")
def test_the_beginner_names_another_if_he_is_not_tied() -> None:
    """A beginner that is not tied must choose one of the tied seats."""
    state = after(sale("blind", "s900"), Committed(A, 900), Committed(B, 1000), Committed(C, 1000))
    assert why(state, TieBroken(A, A)) == ("R-23", "not_tied", None)
    state = after(state, TieBroken(A, C))
    assert state.table.cash == (5000, 5000, 4000)
    assert names(state, C) == ("s900",)


@proves("R-24", "F-5", "T-10", "T-11")
@pytest.mark.parametrize(
    ("players", "reshuffled"),
    [
        (2, {3: 0, 4: 1, 5: 0, 6: 0}),
        (3, {4: 0, 6: 0, 7: 1, 8: 0, 9: 0}),
        (4, {5: 0, 7: 2, 9: 0, 10: 1, 11: 0, 12: 0}),
        (5, {6: 0, 9: 1, 11: 1, 12: 2, 13: 1, 14: 0, 15: 0}),
        (6, {7: 0, 11: 0, 13: 2, 15: 0, 16: 1, 17: 0, 18: 0}),
    ],
)
def test_when_the_deck_is_reshuffled(players: int, reshuffled: dict[int, int]) -> None:
    """If every lot is sold, the deck is reshuffled in the listed lots, after the listed number of old cards."""
    lots = sold_out("pass", players)
    assert len(lots) == 3 * players
    assert {n: first for n, (_, first, deck) in enumerate(lots, 1) if deck is not None} == reshuffled
    assert [size for size, _, _ in lots] == [3] * (3 * players - 2) + [2, 1]


@proves("R-24", "T-10")
def test_a_short_deck_is_completed_by_the_pile() -> None:
    """The last card of the deck is revealed first, and the reshuffled pile supplies the rest."""
    state = reveal(3, players=2, owned=(("s100",), ("s100", "s100")), deck=("s300",), aside=("s400", "s500"))
    assert why(state, LocosRevealed(("s400", "s300", "s500"))) == ("R-24", "card_already_in_play", None)
    assert why(state, LocosRevealed(("s300", "s400"))) == ("R-24", "wrong_reveal_count", None)
    state = after(state, LocosRevealed(("s300", "s500", "s400")))
    assert state.effects == (Reshuffled("locos", 2),)
    assert (state.table.revealed, state.table.deck, state.table.aside) == (("s300", "s500", "s400"), 0, ())


@proves("R-24")
def test_unsold_cards_are_set_aside() -> None:
    """Unsold cards of a lot are set aside."""
    state = after(sale("pass", "s300", "s400", "s500"), Opened(A, 300), Passed(B), Passed(C))
    assert state.table.aside == ("s400", "s500")


@proves("R-25", "E-11")
def test_the_price_goes_to_the_bank_at_once() -> None:
    """The bank receives the price at once, and everybody sees the amount and the winner."""
    before = sale("pass", "s300")
    state = after(before, Opened(A, 700), Passed(B), Passed(C))
    assert state.effects[0] == Sold(A, "s300", 700)
    assert payments(state) == [(A, -700, "locomotive")]
    assert state.table.bank == before.table.bank + 700
