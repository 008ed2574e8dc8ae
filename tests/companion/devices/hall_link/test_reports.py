"""A table's reports fit the hall's limits and contain only what spectators may see."""

from __future__ import annotations

import random

import msgspec
import pytest

from companion.bots.simulation import play, policies_for
from companion.devices.hall_link import messages as m
from companion.devices.hall_link.reports import known_setup, names_of, result_of, summary_of, view_of
from companion.engine import AnyState, Event, Setup
from companion.games import GAMES
from companion.table.snapshot import Snapshot


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_moment_of_every_game_crosses_within_its_limits(name: str) -> None:
    """In every state of every game the summary and the view fit, and the view is the public one."""
    game = GAMES[name]
    players = max(game.seats)
    setup = game.resolve_setup(Setup(name, tuple([f"{'é' * 38}{seat}" for seat in range(players)])))
    sizes = []

    def look(before: AnyState, event: Event, after: AnyState) -> None:
        snapshot = Snapshot(1, "match-" + "x" * 30, 1, game, setup, after)
        summary = m.encode(summary_of(snapshot, 99, 100_000, ("buttons", "camera")))
        view = view_of(snapshot, lambda snapshot, lang: ["é" * 120] * 20)
        assert view is not None
        assert view.view == msgspec.to_builtins(game.view(after, None), str_keys=True)
        sizes.append((len(summary), len(m.encode(view))))

    state, _ = play(game, setup, policies_for(game, "sensible", players), random.Random(3).random, look)
    assert max(size for size, _ in sizes) <= m.SUMMARY_BYTES and max(size for _, size in sizes) <= m.VIEW_BYTES
    result = result_of(game, setup, state, hall="h", table="ab12cd34", match="m", round_number=1, sequence=1)
    assert m.read_result(msgspec.json.encode(result)) == result
    first = {seat for placing in result.placings if placing.place == 1 for seat in placing.seats}
    assert first == set(game.winners(state))


def test_between_games_a_table_is_free() -> None:
    """Without a match the summary is empty and there is no view."""
    assert summary_of(Snapshot(1), 0, 0, ()) == m.TableSummary() and view_of(Snapshot(1), lambda *_: ()) is None


def test_any_name_that_a_table_takes_crosses() -> None:
    """Emoji and flags in names stay whole, and unacceptable names are cleaned and shortened."""
    longest = ("👩🏽‍🚀" * 40, "நி" * 40, "🏴󠁧󠁢󠁳󠁣󠁴󠁿 Zoë")
    names = names_of(Setup("game-of-trains", (*longest, "a\u202eb", "x" * 50)))
    assert names == (*longest, "ab", "x" * 40)
    assert m.decode("assigned", m.encode(m.Assigned(1, 1, names))).players == names
    assert m.decode("players", m.encode(m.Players("m", names))).names == names


@pytest.mark.parametrize(
    ("assigned", "names"),
    [
        ((), ("Joan", "Bill")),
        (("Jane", "Bill"), ("Jane", "Bill")),
        (("JOAN", "Bill"), ("Joan", "Bill")),
        (("Tom", "Ann"), ("Jane", "Bill")),
    ],
)
def test_a_new_name_at_the_table_makes_nobody_another_player(assigned: tuple[str, ...], names: tuple[str, ...]) -> None:
    """A result uses a new name only if the hall knows it or has assigned no players."""
    begun, now = (Setup("game-of-trains", (name, "Bill")) for name in ("Jane", "Joan"))
    assert names_of(known_setup(begun, now, assigned)) == names
