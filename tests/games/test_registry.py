"""Test the registry of games: which games exist, which are offered, and which the camera can follow."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine import Game, Refusal, Seat, Setup, event_kinds, seen
from companion.games import GAMES, SEEN, is_example, teller_of
from companion.journal.journal import Journal
from companion.match.actor import Actor
from companion.match.match import Match
from companion.mechanics.telling import GameTeller
from companion.messages import Sighted
from companion.sight.tracker import SightTracker
from companion.table.sight_records import SightState
from companion.table.snapshot import Snapshot
from companion.table.table import Table
from tests.support import toy_game
from tests.support.judging import proposed
from vision.print.cards import printable_games
from web.game_pages import DECKS, OFFERED, pages_of


def test_every_game_is_known_by_its_name() -> None:
    """Every key of the registry is the name of its game."""
    assert next(iter(GAMES)) == "take-a-train"
    assert all(game.name == name for name, game in GAMES.items())


def test_a_game_is_offered_by_what_its_folder_holds() -> None:
    """Examples are not offered by default, and only games with a layout can be followed by a camera."""
    assert [name for name in GAMES if not is_example(GAMES[name])] == list(OFFERED)
    assert set(printable_games()) <= set(SEEN) <= set(GAMES)
    stands_by: Any = toy_game.GAME
    assert not seen(stands_by)


@pytest.mark.parametrize("name", list(GAMES))
def test_a_game_of_any_kind_is_kept_undone_and_amended(name: str, tmp_path: Any) -> None:
    """A match of every game can be stored, reopened, amended and undone."""
    with Journal(tmp_path / "journal.db") as journal:
        seats = GAMES[name].seats
        players = 3 if 3 in seats else seats[0]
        match = Match.begin(journal, Setup(name, players), seed="1")
        game: Game[Any] = match.game
        match.draw(Actor.TABLE)  # refused if the game draws by itself
        before, seq = match.state, match.seq
        assert Match.open(journal, match.id).state == before
        assert len(match.ledger.seats) == players
        found = match.amend(seq, match.entries[-1].event, Actor.HOST, dry_run=True)
        assert getattr(found, "money", None) == ()
        assert match.rewind(0, Actor.HOST) is None
        assert match.seq > seq
        assert game.holdings(match.state).cards is not None


def test_there_is_no_money_to_correct_where_there_is_none(tmp_path: Any) -> None:
    """A table refuses to correct money in a game without money."""
    table = Table(tmp_path / "journal.db")
    try:
        table.start(Setup("game-of-trains", 2))
        answer = table.correct(Seat(0), 100, Actor.HOST)
        assert answer.refusal == Refusal("R-00", "no_money")
    finally:
        table.close()


@pytest.mark.parametrize("name", OFFERED)
def test_what_pages_name_exists(name: str) -> None:
    """Every event, option and deck that a game's pages name exists."""
    game = OFFERED[name]
    pages = pages_of(game)
    events = set(event_kinds(game.events))
    assert {*pages.observed, *pages.hosts, *pages.kept, *pages.amendable} <= events
    assert set(pages.asked_first) <= set(pages.option_groups.get("main", ()))
    assert set(pages.catalogues) <= set(DECKS)


def test_a_game_without_a_teller_of_its_own_has_the_general_one() -> None:
    """A game without its own teller uses the general one."""
    assert all(isinstance(teller_of(game), GameTeller) for game in GAMES.values())
    assert type(teller_of(GAMES["freight-whist"])) is GameTeller


def test_the_camera_passes_over_a_game_it_cannot_follow() -> None:
    """The camera compares nothing while a game that it cannot follow is played."""
    game: Any = toy_game.GAME
    setup = Setup("nim", 2, deck="ours")
    watch = SightTracker()
    watch.follow_table(Snapshot(1, match_id="1", match_game=game, setup=setup, state=game.begin(setup)))
    watch.accept_reading(Sighted(at=1, number=1))
    assert proposed(watch, 2) == []
    assert watch.sight == SightState()
