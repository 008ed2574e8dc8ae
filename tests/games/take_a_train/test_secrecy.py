"""Test that views hide secrets at every moment, row by row of the secrecy table (E-1 to E-14)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.engine import Seat, Setup, State
from companion.games.take_a_train.events import (
    Bid,
    BidsRevealed,
    Committed,
    LocosRevealed,
    Opened,
    Passed,
    Raised,
    RaiseGrown,
    RevealSignalled,
    StarterNamed,
    TokenDrawn,
    TwistDealt,
    TwistPicked,
    TwistRevealed,
)
from companion.games.take_a_train.purposes import bit
from companion.games.take_a_train.rules import RULES
from companion.games.take_a_train.steps.round import NextRound
from companion.games.take_a_train.steps.sealed_auctions import Fists
from companion.games.take_a_train.steps.twist import Deal, TurnUp
from companion.games.take_a_train.table import Table, replacement
from tests.games.take_a_train.build import REST, A, B, C, after, at, new, sale, table, turn
from tests.games.take_a_train.proofs import proves


def told(state: State[Table], seat: Seat | None) -> str:
    """Return the view as JSON text, with event types by name."""
    return msgspec.json.encode(RULES.view(state, seat), enc_hook=lambda kind: kind.__name__).decode()


def swapped(state: State[Table], **fields: Any) -> State[Table]:
    """Return the state with other fields of the table."""
    return msgspec.structs.replace(state, table=msgspec.structs.replace(state.table, **fields))


@proves("E-1", "R-09", "R-80")
def test_cash_is_the_owners_alone() -> None:
    """Only B's own page shows B's cash, until the game is over."""
    state = turn("food-50", cash=(4150, 7350, 6250))
    assert RULES.view(state, B).cash == 7350
    assert all("7350" not in told(state, viewer) for viewer in (A, C, None))
    over = at(table(2, cash=(4150, 7350), round=3, ended=True))
    assert RULES.view(over, None).cash == (4150, 7350)


@proves("E-2", "R-10")
def test_purposes_are_the_owners_alone() -> None:
    """Others see how many purpose tokens a seat still holds, and only the claimed ones by name."""
    held = {A: ("P-1", "P-4", "P-5"), B: ("P-6", "P-7", "P-8"), C: ("P-9", "P-10", "P-11")}
    state = turn("food-50", held=held, claimed=(0, bit("P-7"), 0))
    assert RULES.view(state, B).purposes == ("P-6", "P-8")
    other = swapped(state, held=(state.table.held[A], bit("P-7") | bit("P-12") | bit("P-13"), state.table.held[C]))
    assert [told(state, v) for v in (A, C, None)] == [told(other, v) for v in (A, C, None)]
    public = RULES.view(state, None).seats[B]
    assert (public.purposes_left, public.claimed) == (2, ("P-7",))


@proves("E-3", "R-30", "T-19")
def test_a_closed_fist_shows_only_that_it_is_closed() -> None:
    """Before the last fist closes, only its own seat sees an amount, and the public view shows who has closed."""
    one, other = (after(sale("blind", "s300"), Committed(A, amount), Committed(B, amount)) for amount in (1250, 3350))
    assert RULES.view(one, B).bid == 1250
    assert told(one, C) == told(other, C)
    assert told(one, None) == told(other, None)
    assert [s.committed for s in RULES.view(one, None).seats] == [True, True, False]
    assert "1250" not in told(one, C) + told(one, None)


@proves("E-3", "R-32", "reveal=signal")
def test_all_fists_closed_are_as_secret_as_one() -> None:
    """Before the signal, no view shows another seat's amount, even when all fists are closed."""
    given = [(300, 1250, 3350), (1150, 350, 0)]
    one, other = (
        after(sale("blind", "s300", options={"reveal": "signal"}), *map(Committed, (A, B, C), amounts))
        for amounts in given
    )
    assert told(one, None) == told(other, None)
    assert all(str(amount) not in told(one, A) for amount in (1250, 3350))
    assert RULES.view(one, B).bid == 1250
    assert [s.committed for s in RULES.view(one, None).seats] == [True, True, True]
    assert not any(RULES.reveals(Committed(C, 3350), state) for state in (one, other))
    opened = after(one, RevealSignalled())
    assert RULES.reveals(RevealSignalled(), opened)
    back = [RevealSignalled(), Committed(C, 3350), Committed(B, 1250), Committed(B, 900), Committed(A, 300)]
    assert RULES.newly_public(back, opened.effects) == (1, 2, 4)
    assert RULES.secret(one, RevealSignalled()) == ()


@proves("E-6", "R-25", "R-49")
def test_a_raise_that_grew_is_as_public_as_a_raise() -> None:
    """A raise that grew is public, and the log shows its amount until the end of the round."""
    state = after(sale("open", "s300"), Opened(A, 300), Raised(C, 450), RaiseGrown(C, 600))
    lot = RULES.view(state, None).lot
    assert lot is not None
    assert (lot.price, lot.leader) == (600, C)
    assert RULES.secret(state, RaiseGrown(C, 600)) == ()
    later = turn("food-50", round=2)
    assert RULES.no_longer_shown(later, state, RaiseGrown(C, 600)) == ("amount",)
    assert RULES.no_longer_shown(state, state, RaiseGrown(C, 600)) == ()


@proves("E-4", "R-33")
def test_the_second_fist_is_as_secret_as_the_first() -> None:
    """First bids are public, and second ones stay hidden until all are open."""
    first = after(sale("double_blind", "s300"), Committed(A, 300), Committed(B, 700), Committed(C, 0))
    one, other = after(first, Committed(B, 1250)), after(first, Committed(B, 50))
    assert [s.bid for s in RULES.view(one, None).seats] == [300, 700, 0]
    assert [told(one, v) for v in (A, C, None)] == [told(other, v) for v in (A, C, None)]


@proves("E-5", "R-40", "R-42")
def test_preemption_shows_bids_before_cards() -> None:
    """Preemption shows only backs while fists are closed, then the bids, and then the cards."""
    given = table(kind="preemption", owned=(("s100", "s100"),) * 3, deck=("s900", "s300", "s100d"))
    state = at(given, Fists("preemption", A, (A, B, C), (None,) * 3), *REST)
    closed = after(state, Committed(A, 1250))
    lot = RULES.view(closed, None).lot
    assert lot is not None
    assert (lot.backs, lot.cards) == (3, ())
    assert "1250" not in told(closed, B) + told(closed, None)
    tied = after(closed, Committed(B, 1250), Committed(C, 0))
    public = RULES.view(tied, None)
    assert [s.bid for s in public.seats] == [1250, 1250, 0]
    assert public.lot is not None and public.lot.cards == ()
    assert "s900" not in told(tied, A)


@proves("E-6", "R-28", "R-47")
def test_spoken_bids_are_public() -> None:
    """Every page shows the leader and the price."""
    state = after(sale("open", "s300"), Opened(A, 300), Raised(C, 450))
    lot = RULES.view(state, None).lot
    assert lot is not None
    assert (lot.price, lot.leader, lot.nominated) == (450, C, "s300")
    assert [s.bid for s in RULES.view(state, None).seats] == [None, None, 450]
    passing = after(sale("pass", "s300"), Opened(A, 300), Bid(B, 350), Passed(C))
    assert [(s.bid, s.passed) for s in RULES.view(passing, A).table.seats] == [
        (None, False),
        (350, False),
        (None, True),
    ]


@proves("E-7", "R-52")
def test_a_twist_hand_is_the_owners_alone() -> None:
    """Others see who has placed a card, but not which card or what was passed."""
    hands = (("s100a", "s100b", "s100c"), ("s100d", "s100e", "s100f"), ("s100g", "s100h", "s100i"))
    mixed = (hands[0], ("s100g", "s100e", "s100i"), ("s100d", "s100h", "s100f"))
    given = table(3, kind="twist", dealt=True)
    one = after(at(given, Deal(), *REST), TwistDealt(hands), TwistPicked(B, "s100d"))
    other = after(at(given, Deal(), *REST), TwistDealt(mixed), TwistPicked(B, "s100i"))
    assert [told(one, v) for v in (A, None)] == [told(other, v) for v in (A, None)]
    own = RULES.view(one, B)
    assert ([c.id for c in own.hand], [c.id for c in own.picked]) == ([], ["s100d"])
    assert [c.id for c in RULES.view(one, A).hand] == list(hands[0])
    assert [s.placed for s in RULES.view(one, None).seats] == [False, True, False]


@proves("E-8", "R-21")
def test_a_replacements_face_is_never_shown() -> None:
    """Nobody sees the face of a replacement, not even its owner."""
    state = turn("food-50", owned=(("s300", "d300", "-"),) * 3)
    own = (*state.table.trains[A][:2], replacement("e900x4"))
    state = swapped(state, trains=(own, *state.table.trains[1:]))
    assert all("e900x4" not in told(state, viewer) for viewer in (A, B, C, None))
    assert RULES.view(state, None).seats[A].trains[2].loco is None


@proves("E-9", "R-08", "R-12")
def test_decks_show_their_size_only() -> None:
    """Views show the sizes of the decks, but not their cards."""
    given = after(new(3), StarterNamed(A), TokenDrawn("pass"))
    one = swapped(given, pool=given.table.pool[::-1])
    assert told(one, A) == told(given, A)
    state = turn("food-50", wagons=("coal-200", "oil-150"))
    other = turn("food-50", wagons=("food-100", "bin"))
    assert told(state, None) == told(other, None)
    assert RULES.view(state, None).wagon_deck == 2


@proves("E-10", "R-08")
def test_no_seed_reaches_the_state() -> None:
    """Neither the state nor any view contains the hash of the dealer's seed."""
    state = RULES.begin(Setup("take-a-train", 3, seed_hash="feedbeef"))
    assert "feedbeef" not in msgspec.json.encode(state.table).decode() + told(state, A)


@proves("E-11", "R-25", "R-66")
def test_no_running_sums_are_shown() -> None:
    """Payments are announced when made, but no view shows another seat's total afterwards."""
    state = at(table(2, cash=(12_350, 4150), round=1, order=(A, B), owned=(("s100", "-", "-"),) * 2), NextRound())
    public = RULES.view(state, None)
    assert public.cash == ()
    assert "12350" not in told(state, None) + told(state, B)


@proves("E-13", "R-16")
@pytest.mark.parametrize("cash", [0, 350, 5000])
def test_a_seat_is_awaited_whatever_its_cash(cash: int) -> None:
    """No view of another seat depends on the cash of the awaited seat."""
    rich = after(sale("pass", "s300", options={"show_bank": "no"}), Opened(A, 300))
    poor = after(sale("pass", "s300", cash=(5000, cash, 5000), options={"show_bank": "no"}), Opened(A, 300))
    assert told(poor, A) == told(rich, A)
    assert told(poor, None) == told(rich, None)
    assert RULES.view(poor, None).awaited == (B,)


@proves("E-13")
def test_nobody_sees_another_seats_offers() -> None:
    """A seat's view contains only its own offers."""
    state = after(sale("open", "s300"), Opened(A, 300))
    for seat in (A, B, C):
        assert {offer.by for offer in RULES.view(state, seat).offers} <= {seat}


@proves("E-5", "bid_channel=hand")
def test_fists_by_hand_hold_no_sealed_bid() -> None:
    """With real fists, the companion stores no bid before all are open."""
    state = sale("blind", "s300", options={"bid_channel": "hand"})
    assert [s.committed for s in RULES.view(state, None).seats] == [False] * 3
    assert RULES.view(state, B).bid is None
    assert after(state, BidsRevealed((300, 400, 0))).table.cash == (5000, 4600, 5000)


@proves("E-7", "R-55", "R-56")
def test_what_was_turned_up_is_public() -> None:
    """After the joint reveal, everybody sees the cards of seats that must turn some down."""
    cards = ("s900x4", "s700", "s300a")
    given = table(2, kind="twist", cash=(100, 5000), deck=(*cards, "s100a", "s100b", "s100c"))
    state = after(at(given, TurnUp(), *REST), TwistRevealed((cards, ("s100a", "s100b", "s100c"))))
    lot = RULES.view(state, None).lot
    assert lot is not None
    assert [c.id for c in lot.cards] == list(cards)


@proves("E-9")
def test_boxed_locomotives_are_never_told() -> None:
    """The public view names only revealed locomotives."""
    state = after(new(2), StarterNamed(A), TokenDrawn("open"), LocosRevealed(("steam-1",)))
    names = [loco for loco in state.table.fixed.book.locos if f'"{loco}"' in told(state, None)]
    assert names == ["steam-1"]
