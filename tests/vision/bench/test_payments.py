"""Tests of the counting of payment readings."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from companion.messages import TokenSighting
from tests.bench.token_counts import Kept, MeasuredTable, TokenCounts, count_payment, summary
from tests.bench.token_table import LaidMoney, LaidToken
from vision.simulate.painted_tokens import PrintedToken, TokenPose

FACE = PrintedToken(np.zeros((9, 9, 3), np.uint8), np.ones((9, 9), np.float32), 1.0)


def paid(*tokens: tuple[str, float, float]) -> LaidMoney:
    """Return a payment with names, centres along a line and the visible fraction of each token."""
    laid = tuple([LaidToken(name, TokenPose(x, 10.0), FACE) for name, x, _ in tokens])
    return LaidMoney("seat.1.money", laid, tuple([share for _, _, share in tokens]))


def seen(*tokens: tuple[str | None, float]) -> list[TokenSighting]:
    """Return sightings of tokens along the line."""
    return [TokenSighting("seat.1.money", name, "" if name else "covered", (x, 10.0)) for name, x in tokens]


def test_payments_are_counted_by_what_a_press_would_take() -> None:
    """Correct, ambiguous, wrong and unconfirmed payments are counted separately, and hidden tokens are not counted."""
    counts = TokenCounts()
    both = paid(("money-50", 10, 1.0), ("money-100", 40, 1.0))
    hidden = paid(("money-50", 10, 0.0), ("money-100", 10, 1.0))
    count_payment(both, seen(("money-50", 11), ("money-100", 40)), True, 2.6, counts)
    count_payment(both, seen(("money-50", 11), (None, 40)), True, 2.6, counts)
    count_payment(both, seen(("money-50", 11), ("money-500", 40)), True, 1.6, counts)
    count_payment(hidden, seen(("money-100", 10)), True, 2.6, counts)
    count_payment(both, [], False, 2.6, counts)
    assert dict(counts.sums) == {"payments": 4, "right": 1, "asked": 1, "wrong, one hidden": 1, "not told yet": 1}
    assert dict(counts.small) == {"payments": 1, "wrong": 1}
    assert {step: dict(+each) for step, each in counts.tokens.items()} == {
        "2.5": {"seen": 5, "right": 4, "doubt": 1},
        "1.5": {"seen": 2, "right": 1, "wrong": 1},
    }
    assert "silence as consent would take 250.0 wrong sums of 1,000" in summary("default", counts)[3]


def test_figures_go_on_where_the_file_ends(tmp_path: Path) -> None:
    """A measured table is restored from the file with all its counts and added to the others."""
    counts, path = TokenCounts(), tmp_path / "results" / "tokens.jsonl"
    count_payment(paid(("money-50", 10, 1.0)), seen(("money-50", 11)), True, 2.6, counts)
    counts.tables.append(0.5)
    Kept(path).keep(MeasuredTable(7, "hard", 2, counts))
    Kept(path).keep(MeasuredTable(7, "hard", 3, counts))
    kept = Kept(path)
    both, second = kept.find(7, "hard", 2), kept.find(7, "hard", 3)
    assert (
        both == counts and second == counts and kept.find(7, "default", 2) is None and kept.find(8, "hard", 2) is None
    )
    both.add(second)
    assert (both.sums["right"], both.tokens["2.5"]["right"], both.tables) == (2, 2, [0.5, 0.5])
