"""Tests of games in which people lay down real money and tokens and nobody types a number."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.demo.acts import LayTokens
from companion.demo.play_loop import PlayLoop
from companion.engine import Confirming, Seat, Unveiling, money_place, name_of
from companion.games.take_a_train.events import FistConfirmed, FistCounted, RevealSignalled
from companion.table.sight_records import TokenNotice
from tests.end_to_end.outcome import agreed
from tests.end_to_end.play import play
from tests.end_to_end.test_whole_games import BY_HAND
from tests.end_to_end.world import Evening, people

A, B = Seat(0), Seat(1)
WHOLE, PART = 1000, 160
"""A limit above the events of a game, with several lots of sealed bids among them."""


def evening(folder: Path, players: int) -> Evening:
    """Return a table of people who close fists around real money, before a perfect camera."""
    return Evening(folder, players, pixels=False)


def until(playing: PlayLoop, timing: type) -> None:
    """Play until a press has this meaning."""
    while not isinstance(playing.truth.timing, timing):
        playing.step()


def notices(table: Evening) -> list[TokenNotice]:
    """Return the notices about tokens."""
    return list(table.table.snapshot().sight.notices)


def counted(table: Evening) -> list[str]:
    """Return the names of the events since the last signal."""
    names = [name_of(entry.event) for entry in table.table.snapshot().entries]
    return names[len(names) - 1 - names[::-1].index("reveal_signalled") :]


@pytest.mark.parametrize(("players", "seed", "most"), [(2, 2, WHOLE), (4, 2, PART), (6, 2, PART)])
def test_nobody_types_a_number(tmp_path: Path, players: int, seed: int, most: int) -> None:
    """Auction tokens, fists, payments, sequence and goals need only presses and taps of choices."""
    with evening(tmp_path, players) as table:
        table.sit_down(**BY_HAND)
        playing = people(table, seed, slips=0.0)
        agreed(table, playing, play(playing, most))
        entries = table.table.snapshot().entries
        by = {name_of(entry.event): entry.by.role for entry in entries}
        assert (by["token_drawn"], by["fist_counted"], by["fist_confirmed"]) == ("camera", "camera", "seat")
        assert [playing.counts[name] for name in ("numbers", "typed", "heeded", "again")] == [0, 0, 0, 0]
        assert notices(table) == []


@pytest.mark.parametrize(
    ("players", "seed", "most"), [(3, 2, 270), (5, 4, 110), pytest.param(6, 3, 490, marks=pytest.mark.whole_games)]
)
def test_rare_money_is_laid_and_taken_up_in_time(tmp_path: Path, players: int, seed: int, most: int) -> None:
    """A first fist above its money, tokens forgotten twice and a lack of change are resolved in time."""
    with evening(tmp_path, players) as table:
        table.sit_down(**BY_HAND)
        playing = people(table, seed)
        agreed(table, playing, play(playing, most))
        assert [playing.counts[name] for name in ("numbers", "typed")] == [0, 0]


def test_what_people_do_wrong_is_said_and_put_right(tmp_path: Path) -> None:
    """Overlapping tokens, a fist opened early and money left lying are asked about, and no sum is wrong."""
    with evening(tmp_path, 2) as table:
        table.sit_down(**BY_HAND)
        playing = people(table, 2, slips=0.4)
        agreed(table, playing, play(playing, 60))
        assert playing.counts["heeded"] > 3
        assert playing.counts["numbers"] == playing.counts["typed"] == 0


def test_a_hand_opened_early_closes_again(tmp_path: Path) -> None:
    """A fist opened early cannot be ready, stays secret, and only the new fist counts after the signal."""
    with evening(tmp_path, 2) as table:
        table.sit_down(**BY_HAND)
        playing = people(table, 2, slips=0.0)
        until(playing, Unveiling)
        place = money_place(A)
        playing._do(LayTokens(place, ("money-1000", "money-50"), "early"))
        table.settle()
        assert notices(table) == [TokenNotice("open_hand", place, A)]
        table.press(A)
        table.rest(1)
        assert table.look().ready == ()
        before = len(table.table.snapshot().entries)
        playing.step()
        playing.step()
        assert [type(entry.event) for entry in table.table.snapshot().entries[before:]] == [
            RevealSignalled,
            FistCounted,
            FistCounted,
        ]
        agreed(table, playing, play(playing, playing.counts["events"] + 6))


def test_money_left_lying_keeps_fists_from_opening(tmp_path: Path) -> None:
    """Fists open only after the losers of a lot have taken back their money."""
    with evening(tmp_path, 2) as table:
        table.sit_down(**BY_HAND)
        playing = people(table, 2, slips=0.0)
        until(playing, Unveiling)
        until(playing, Confirming)
        until(playing, Unveiling)
        place = money_place(B)
        playing._do(LayTokens(place, ("money-500",), "early"))
        table.settle()
        assert [each.key for each in notices(table)] == ["open_hand"]
        agreed(table, playing, play(playing, playing.counts["events"] + 8))
        assert playing.counts["heeded"] == 1


def test_tokens_moved_after_the_count_change_nothing(tmp_path: Path) -> None:
    """A token added after the count is reported, and the sum stays."""
    with evening(tmp_path, 2) as table:
        table.sit_down(**BY_HAND)
        playing = people(table, 2, slips=0.0)
        until(playing, Confirming)
        playing.step()
        place, was = money_place(B), playing.lying.tokens[money_place(B)]
        table.lay_tokens(place, (*was, "money-500"))
        table.settle()
        table.rest(6)
        assert [each.key for each in notices(table)] == ["moved"]
        assert counted(table) == ["reveal_signalled", "fist_counted", "fist_counted"]
        table.lay_tokens(place, was)
        table.settle()
        agreed(table, playing, play(playing, playing.counts["events"] + 8))


class Hiding(Evening):
    """A table whose camera does not see the lowest token of a heap."""

    def lay_tokens(self, place: str, tokens: Sequence[str], heaped: bool = False) -> None:
        """Lay tokens, one of which is wholly hidden in a heap."""
        super().lay_tokens(place, tokens[1:] if heaped else tokens)


def test_a_wrong_sum_is_not_confirmed(tmp_path: Path) -> None:
    """A seat that reads a wrong sum, because a token was hidden, enters its own sum."""
    with Hiding(tmp_path, 2, pixels=False) as table:
        table.sit_down(**BY_HAND)
        playing = people(table, 2, slips=0.4)
        agreed(table, playing, play(playing, 60))
        counted, said_otherwise = {}, 0
        for event in [entry.event for entry in table.table.snapshot().entries]:
            if isinstance(event, FistCounted):
                counted[event.seat] = event.amount
            elif isinstance(event, FistConfirmed):
                said_otherwise += event.amount > counted[event.seat]
        assert said_otherwise == playing.counts["numbers"] > 0
        assert playing.counts["typed"] == 0


def test_hands_that_no_camera_counts_are_said(tmp_path: Path) -> None:
    """Without a camera between signal and count, each seat enters its sum, and a returning camera changes none."""
    with evening(tmp_path, 2) as table:
        table.sit_down(**BY_HAND)
        playing = people(table, 2, slips=0.0)
        until(playing, Confirming)
        table.lose_camera(30.0)
        playing.step()
        playing.step()
        playing.step()
        assert counted(table)[:3] == ["reveal_signalled", "fist_confirmed", "fist_confirmed"]
        assert playing.counts["numbers"] == 2
        table.rest(30)
        agreed(table, playing, play(playing, playing.counts["events"] + 20))
        assert playing.counts["numbers"] == 2


def test_a_killed_companion_counts_what_lies_there(tmp_path: Path) -> None:
    """After kills between signal and count and before the last confirmation, each hand is counted once."""
    with evening(tmp_path, 2) as table:
        table.sit_down(**BY_HAND)
        playing = people(table, 2, slips=0.0)
        until(playing, Confirming)
        table.kill()
        playing.step()
        playing.step()
        table.kill()
        playing.step()
        names = counted(table)[:5]
        assert names == ["reveal_signalled", *["fist_counted"] * 2, *["fist_confirmed"] * 2]
        words = [entry.event for entry in table.table.snapshot().entries if isinstance(entry.event, FistConfirmed)]
        assert len(words) == 2
        agreed(table, playing, play(playing, playing.counts["events"] + 20))


@pytest.mark.pixels
def test_fists_and_payments_in_pixels(tmp_path: Path) -> None:
    """From the auction token to the next lot, tokens are read from pictures of a rendered table."""
    with Evening(tmp_path, 2, 2) as table:
        table.sit_down(**BY_HAND)
        playing = people(table, 2, slips=0.0)
        agreed(table, playing, play(playing, 24))
        assert playing.counts["numbers"] == playing.counts["typed"] == 0
