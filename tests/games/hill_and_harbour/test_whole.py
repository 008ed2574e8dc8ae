"""Test whole matches of Hill and Harbour with bots, a camera and the log, and the size of the game."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.bots.simulation import simulate
from companion.engine import Event, Layout, Setup, name_of
from companion.games import files, game_words, teller_of
from companion.games.examples.hill_and_harbour.board import BOARD, CITIES, CONTRACTS, ROOM
from companion.games.examples.hill_and_harbour.options import FIRST_TRIP, LONG_HAUL
from companion.games.examples.hill_and_harbour.refusals import TOO_DEAR
from companion.games.examples.hill_and_harbour.rules import RULES
from companion.games.examples.hill_and_harbour.steps import CUBES, Ended, Table
from companion.i18n import LANGUAGES
from companion.sight.reconcile import Reconciliation, reconcile
from tests.games.hill_and_harbour.build import NAMES, walk
from tests.tools.sizes import files_of, lines_of

FOLDER = Path(str(files(RULES, "")))
LIMIT = 370


def connected(track: tuple[str, ...]) -> bool:
    """Return whether every cube except the first lies next to an earlier one."""
    return all(set(BOARD.neighbours(cell)) & set(track[:at]) for at, cell in enumerate(track) if at)


@pytest.mark.parametrize("players", RULES.seats)
def test_what_holds_in_every_match(players: int) -> None:
    """Coins, cubes, tracks, cells and contracts obey the rules after every event of a match."""
    for _, _, state in walk(players, players):
        table: Table = state.table
        assert min(table.coins) >= 0
        assert all(len(track) <= CUBES and connected(track) for track in table.tracks)
        for cell, room in [(cell.name, ROOM.get(cell.kind, players)) for cell in BOARD.cells]:
            assert sum(cell in track for track in table.tracks) <= room
        there = [*table.deck, *table.open, *[card for won in table.won for card in won]]
        assert len(set(there)) == len(there) and set(there) <= set(FIRST_TRIP)
        assert state.over == (not table.open and not table.deck)


def test_contracts_link_two_cities() -> None:
    """Every contract links two different cities, and the two sets contain all contracts."""
    assert all(set(cities) <= set(CITIES) and len(set(cities)) == 2 for cities in CONTRACTS.values())
    assert set(FIRST_TRIP) | set(LONG_HAUL) == set(CONTRACTS)


def test_the_bot_wins_against_random_players() -> None:
    """The bot wins all ten games against random players, from the first and from the last seat."""
    for bots, seat in (("sensible,random,random", 0), ("random,random,sensible", 2)):
        results = list(simulate(RULES, Setup(RULES.name, 3), 5, 1, bots))
        assert [result.winners for result in results] == [(seat,)] * 5


def seen_whole(layout: Layout) -> Layout:
    """Return the layout as a camera that reads every cell sees it."""
    return replace(layout, pieces={cell.name: layout.pieces.get(cell.name, ()) for cell in BOARD.cells})


def test_a_camera_follows_it() -> None:
    """The camera explains each event, and recognises the end of a turn by the next seat's action."""
    asked = RULES.begin(Setup(RULES.name, 3))
    unseen: tuple[Event, ...] = ()
    for _, event, state in walk(5):
        if isinstance(event, Ended):
            unseen = (event,)
            continue
        seen = seen_whole(RULES.layout(state))
        assert reconcile(RULES, asked, seen).explanations == ((*unseen, event),)
        assert reconcile(RULES, state, seen) == Reconciliation()
        asked, unseen = state, ()


def test_the_log_has_a_sentence_for_everything() -> None:
    """Every event has a complete sentence in both languages, except the end of a turn."""
    players = Setup(RULES.name, NAMES).seated()
    for _, event, state in walk(2):
        for lang in LANGUAGES:
            told = teller_of(RULES).tell(event, state.effects, players, game_words(RULES, lang))
            assert bool(told) == (name_of(event) != "ended")
            assert not any("{" in line for line in told)


def test_the_whole_game_has_at_most_370_lines() -> None:
    """The game's code and English words together have at most 370 lines."""
    counted = [file for file in files_of(FOLDER) if file.suffix == ".py" or file.name == "en.toml"]
    assert 0 < sum(len(lines_of(file)) for file in counted) <= LIMIT


def test_one_coin_is_one_coin() -> None:
    """Scores and refusals use the singular for one coin in both languages."""
    assert [teller_of(RULES).score(1, game_words(RULES, lang)) for lang in LANGUAGES] == ["1 coin", "1 pièce"]
    poor = TOO_DEAR(amount=1)
    said = [teller_of(RULES).refused(poor, (), game_words(RULES, lang)) for lang in LANGUAGES]
    assert said == [
        "That would cost more coins than you have: 1.",
        "Cela coûterait plus de pièces que tu n'en as\N{NO-BREAK SPACE}: 1.",
    ]
