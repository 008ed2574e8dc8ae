"""Replay sample stages and rounds and compare the cash and the order with results worked out by hand."""

from __future__ import annotations

import pytest

from companion.games.take_a_train.events import KINDS
from tests.games import samples
from tests.games.take_a_train.build import GAME, A, B, C
from tests.games.take_a_train.proofs import proves

CASH = {
    "blind": (3300, 4100),
    "double_blind_rulebook_en": (5850, 5150, 3750),
    "open": (3950, 3950, 3400),
    "pass": (2300, 3900, 3800),
    "preemption": (0, 3400, 900),
    "twist_rulebook_fr": (4850, 1400, 1600),
}
"""Final cash by seat, as worked out by hand in `samples/README.md`."""


@pytest.mark.parametrize("name", CASH)
def test_a_sample_ends_as_reckoned(name: str) -> None:
    """The final cash matches the result worked out by hand, and the bank has the rest."""
    table = samples.replay(GAME, name)[-1].table
    assert table.cash == CASH[name]
    assert table.bank == 106_000 - sum(CASH[name])


def test_every_kind_of_auction_has_a_sample() -> None:
    """Every kind of auction has a sample, and every sample has an expected result."""
    assert {state.table.kind for name in CASH for state in samples.replay(GAME, name)[-1:]} == set(KINDS)
    assert sorted(CASH) == list(samples.names(GAME))


@proves("X-1", "X-2", "X-3", "X-6")
def test_the_english_rulebook_in_one_round() -> None:
    """The sample contains the English rulebook's sale, order, exchange and profit."""
    states = samples.replay(GAME, "double_blind_rulebook_en")
    sold = next(s for s in states if s.table.trains[C])
    assert sold.table.cash == (5000, 5000, 2450)
    ordered = next(s for s in states if s.table.order)
    assert (ordered.table.order, ordered.table.cash) == ((A, B, C), (3300, 4000, 2450))
    assert states[-1].table.cash[A] - 2550 == 3300


@proves("X-5", "X-2")
def test_the_french_rulebook_in_one_round() -> None:
    """The sample contains the French rulebook's price, profit and order."""
    states = samples.replay(GAME, "twist_rulebook_fr")
    ordered = next(s for s in states if s.table.order)
    assert (ordered.table.order, ordered.table.cash) == ((B, C, A), (2300, 800, 600))
    assert states[-1].table.cash[A] == 2300 + 2550
