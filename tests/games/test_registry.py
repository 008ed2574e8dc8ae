"""Which games are known where: the command line knows all, people are offered only what is whole for them."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine import Game, Refusal, Seat, Setup, seen
from companion.games import GAMES, SEEN
from companion.games.game_of_trains import extras as game_of_trains_extras
from companion.games.game_of_trains import tell as game_of_trains_tell
from companion.games.take_a_train import extras as take_a_train_extras
from companion.games.take_a_train import tell as take_a_train_tell
from companion.journal.journal import Journal
from companion.match.actor import Actor
from companion.match.match import Match
from companion.messages import Sighted
from companion.sight.tracker import SightTracker
from companion.table.service import Table
from companion.table.sight_records import SightState
from companion.table.snapshot import Snapshot
from tests.support import toy_game
from vision.print.cards.decks import DESIGNS
from web.forms import event_kinds
from web.game_pages import DECKS, OFFERED, GameExtras, GameTeller, extras_of


def test_every_game_is_known_by_its_name() -> None:
    """The registry's keys are the games' own names."""
    assert list(GAMES) == ["take-a-train", "game-of-trains"]
    assert all(game.name == name for name, game in GAMES.items())


def test_people_are_offered_only_what_is_whole() -> None:
    """Pages need templates, the camera a layout, the printer a design: each list is derived from what is there."""
    assert list(OFFERED) == ["take-a-train", "game-of-trains"]
    assert list(SEEN) == list(GAMES)
    assert list(DESIGNS) == list(GAMES)
    stands_by: Any = toy_game.GAME
    assert [seen(game) for game in (*GAMES.values(), stands_by)] == [True, True, False]


@pytest.mark.parametrize("name", list(GAMES))
def test_a_game_of_any_kind_is_kept_undone_and_amended(name: str, tmp_path: Any) -> None:
    """A match of every game is written, opened again and undone, money or no money."""
    with Journal(tmp_path / "journal.db") as journal:
        match = Match.begin(journal, Setup(name, 3), seed="1")
        game: Game[Any] = match.game
        assert match.draw(Actor.TABLE) is None
        before, seq = match.state, match.seq
        assert Match.open(journal, match.id).state == before
        assert len(match.ledger.seats) == 3
        found = match.amend(seq, match.entries[-1].event, Actor.HOST, dry_run=True)
        assert getattr(found, "money", None) == ()
        assert match.rewind(0, Actor.HOST) is None
        assert match.seq > seq
        assert game.holdings(match.state).cards is not None


def test_there_is_no_money_to_correct_where_there_is_none(tmp_path: Any) -> None:
    """A table answers with a reason, and nothing changes."""
    table = Table(tmp_path / "journal.db")
    try:
        table.start(Setup("game-of-trains", 2))
        answer = table.correct(Seat(0), 100, Actor.HOST)
        assert answer.refusal == Refusal("R-00", "no_money")
    finally:
        table.close()


def test_what_a_game_brings_fits_the_houses_seam() -> None:
    """The modules keep what the protocols ask, as the type checker reads here; every set names events of the game."""
    extras: tuple[tuple[str, GameExtras], ...] = (
        ("take-a-train", take_a_train_extras),
        ("game-of-trains", game_of_trains_extras),
    )
    tells: tuple[GameTeller, ...] = (take_a_train_tell, game_of_trains_tell)
    assert len(tells) == len(extras) == len(GAMES)
    for name, brought in extras:
        events = set(event_kinds(GAMES[name].events))
        assert {*brought.OBSERVED, *brought.HOSTS, *brought.KEPT, *brought.AMENDABLE} <= events
        assert set(brought.ASKED_FIRST) <= set(brought.OPTION_GROUPS["main"])
        assert set(brought.CATALOGUES) <= set(DECKS)
        assert extras_of(GAMES[name]) is brought


def test_the_camera_passes_over_a_game_it_cannot_follow() -> None:
    """What is seen while such a game is played is compared with nothing."""
    game: Any = toy_game.GAME
    setup = Setup("nim", 2, deck="ours")
    watch = SightTracker()
    watch.follows(Snapshot(1, match_id="1", match_game=game, setup=setup, state=game.begin(setup)))
    watch.sees(Sighted(at=1, number=1))
    assert watch.judge(2) is None
    assert watch.sight == SightState()
