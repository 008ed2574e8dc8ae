"""Every acceptance test of Game of Trains must be found by its number."""

from __future__ import annotations

from tests.games.game_of_trains.document import OWN
from tests.games.proofs import proven


def test_every_acceptance_test_can_be_found_by_its_number() -> None:
    """The name of the test for T-n begins with `test_nn_`."""
    for n in range(1, OWN.proofs["T-{}"] + 1):
        assert any(f"::test_{n:02}_" in name for name in proven(OWN.tests)[f"T-{n}"]), n
