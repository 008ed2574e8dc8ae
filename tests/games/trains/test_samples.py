"""Replay the sample games turn by turn and compare the cards, points and hashes with results worked out by hand."""

from __future__ import annotations

import pytest

from companion.engine import Seat, State
from companion.games.trains.catalogue import EXPRESS, LIMITED, NORMAL, RAILS, STATION, WASTE
from companion.games.trains.rules import RULES
from companion.games.trains.steps.turn import Act
from companion.games.trains.table import Table, deck_of, discard_of
from tests.games import samples
from tests.games.proofs import proves

START = {NORMAL: 7, RAILS: 2, STATION: 1}
ENDS: dict[str, tuple[tuple[int, ...], tuple[dict[str, int], ...]]] = {
    "copies": (
        (0, 4, 3),
        (
            START | {"stationmasters_office": 1, "switchback": 1, EXPRESS: 1, WASTE: 5},
            START | {"ironworks": 1, EXPRESS: 1, "wagon_factory": 1, RAILS: 3, WASTE: 6},
            START | {"tunnel": 1, "apartment": 1, WASTE: 6},
        ),
    ),
    "real_cards": (
        (2, 4),
        (
            START | {"command_central": 1, LIMITED: 1, WASTE: 2},
            START
            | {"garage": 1, "signals": 1, "bullet_train": 1, "station_crew": 1, "conductors_station": 1, WASTE: 8},
        ),
    ),
    "rulebook_fr": (
        (2, 2, 2, 2),
        (
            START | {"dump_site": 1, WASTE: 3},
            START | {"amusement_park": 1, "conductors_station": 1, WASTE: 3},
            START | {"amusement_park": 1, EXPRESS: 1, WASTE: 3},
            START | {"landfill": 1, EXPRESS: 1, WASTE: 3},
        ),
    ),
}
"""Points and possessions of all seats, as worked out by hand in `samples/README.md`."""


def turns(name: str) -> list[tuple[Seat, State[Table]]]:
    """Return each turn's seat, and the state after it before the next seat has acted."""
    found: list[tuple[Seat, State[Table]]] = []
    before: Seat | None = None
    for state in samples.replay(RULES, name):
        head = state.agenda[0]
        if isinstance(head, Act) and not state.table.acted:
            found += [] if before is None else [(before, state)]
            before = head.seat
    return found


@proves("R-10", "R-13", "R-14", "R-18", "R-22")
@pytest.mark.parametrize("name", ENDS)
def test_a_sample_ends_as_reckoned(name: str) -> None:
    """Points and possessions match those worked out by hand."""
    state = samples.replay(RULES, name)[-1]
    assert (RULES.scores(state), state.table.owned) == ENDS[name]


def test_every_sample_is_reckoned() -> None:
    """Every sample journal has an expected result above."""
    assert sorted(ENDS) == list(samples.names(RULES))


@pytest.mark.parametrize("name", ENDS)
def test_the_tables_of_the_readme_are_the_turns(name: str) -> None:
    """Each row of the tables matches the Waste, stations, deck, discard pile and points after that turn."""
    shown = []
    for seat, state in turns(name):
        table, count = state.table, state.table.zones.count
        left = (table.supply[WASTE], table.markers, count(deck_of(seat)), count(discard_of(seat)))
        shown.append([str(number) for number in (*left, RULES.shown_scores(state)[seat])])
    assert [row[2:] for row in samples.table_of(RULES, name)] == shown
