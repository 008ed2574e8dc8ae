"""Whole stages and rounds by hand: journals replayed to the dollar, the hash and the last event."""

from __future__ import annotations

import json
import re

import pytest

from companion.games.take_a_train.events import KINDS
from tests.games.take_a_train.build import A, B, C
from tests.games.take_a_train.playthroughs import EXPECTED, FOLDER, NAMES, outcome, replay
from tests.games.take_a_train.proofs import proves

CASH = {
    "blind": (3300, 4100),
    "double_blind_rulebook_en": (5850, 5150, 3750),
    "open": (3950, 3950, 3400),
    "pass": (2300, 3900, 3800),
    "preemption": (0, 3400, 900),
    "twist_rulebook_fr": (4850, 1400, 1600),
}
"""What everybody has in the end, as reckoned by hand in `playthroughs/README.md`."""


@pytest.mark.parametrize("name", NAMES)
def test_a_playthrough_ends_as_reckoned(name: str) -> None:
    """The cash is what the pencil says, the bank has the rest, and the state is the one that was recorded."""
    table = replay(name)[-1].table
    assert table.cash == CASH[name]
    assert table.bank == 106_000 - sum(CASH[name])
    assert outcome(name) == json.loads(EXPECTED.read_text(encoding="utf-8"))[name]


def test_every_kind_of_auction_has_a_playthrough() -> None:
    """No kind is left out, and every journal is explained and expected."""
    assert {state.table.kind for name in NAMES for state in replay(name)[-1:]} == set(KINDS)
    assert sorted(CASH) == sorted(json.loads(EXPECTED.read_text(encoding="utf-8"))) == list(NAMES)
    explained = re.findall(r"^## (\w+):", (FOLDER / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(explained) == list(NAMES)


@proves("X-1", "X-2", "X-3", "X-6")
def test_the_english_rulebook_in_one_round() -> None:
    """The double blind lot, the order by power and speed, the exchange at token 2, the profit of the fifth wagon."""
    states = replay("double_blind_rulebook_en")
    sold = next(s for s in states if s.table.trains[C])
    assert sold.table.cash == (5000, 5000, 2450)
    ordered = next(s for s in states if s.table.order)
    assert (ordered.table.order, ordered.table.cash) == ((A, B, C), (3300, 4000, 2450))
    assert states[-1].table.cash[A] - 2550 == 3300


@proves("X-5", "X-2")
def test_the_french_rulebook_in_one_round() -> None:
    """Céline's three locomotives cost 4,400 and Brice's train pays 2,550; Louis, the most powerful, goes first."""
    states = replay("twist_rulebook_fr")
    ordered = next(s for s in states if s.table.order)
    assert (ordered.table.order, ordered.table.cash) == ((B, C, A), (2300, 800, 600))
    assert states[-1].table.cash[A] == 2300 + 2550


def test_journals_hold_inputs_only() -> None:
    """A journal names chance and decisions, one event a line, as a person can write them."""
    for name in NAMES:
        lines = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        assert all(next(iter(json.loads(line))) == "event" for line in lines[1:])
        assert json.loads(lines[0])["format"] == 1
