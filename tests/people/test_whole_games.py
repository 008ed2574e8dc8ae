"""Whole games with pins, pages, referee, rules and a camera: people play, and the companion knows what they know.

It hears pins that bounce, sees cards, and is tapped on; all in one time that nothing waits for. `make whole-games`
plays many, in pixels, and prints how they went.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from companion.messages import SECOND
from companion.people.acts import Moved
from companion.people.playing import Playing, Report
from tests.people.figures import figures, keep, sentence
from tests.people.world import Evening, people

TIMED = {"open_grace_ms": "150", "same_moment_ms": "150", "count_gap_ms": "1000"}
"""Options of a table at which presses are judged by their moments."""


def agreed(evening: Evening, playing: Playing, report: Report) -> None:
    """Check that the companion ends with the true money, trains, purposes, and winners."""
    assert report.differs == (), (report, evening.look().odd)
    state, true = evening.table.snapshot().state, playing.truth.state
    assert state is not None
    assert (state.table.cash, state.table.bank) == (true.table.cash, true.table.bank)
    assert (state.table.trains, state.table.claimed) == (true.table.trains, true.table.claimed)
    assert playing.truth.game.winners(state) == playing.truth.game.winners(true)


def test_a_whole_game_of_buttons_cards_and_tablets(tmp_path: Path) -> None:
    """Every press, tap and card of a game is understood; nothing is told to the companion that people do not do."""
    with Evening(tmp_path, 2, pixels=False) as evening:
        evening.sit_down(**TIMED)
        playing = people(evening, 3)
        report = playing.run()
        assert report.over
        agreed(evening, playing, report)
        by = {entry.by.partition(":")[0] for entry in evening.table.snapshot().entries}
        assert by == {"seat", "table", "camera"}


def test_what_goes_wrong_on_purpose_changes_no_result(tmp_path: Path) -> None:
    """A companion killed in a lot, buttons that die, a card that is taken away, a covered camera: all ends true."""
    with Evening(tmp_path, 2, pixels=False) as evening:
        evening.sit_down(**TIMED)
        playing = people(evening, 3)
        playing.run(14)
        assert evening.look().view["moment"] == "calling"
        evening.kill()
        playing.run(20)
        evening.lose_buttons(9.0)
        playing.run(70)
        card = playing.lying.spot("market").up[0]
        away = Moved(card, "market", "")
        evening.move(away)
        playing.lying.do(away)
        evening.settle()
        evening.rest(5)
        assert [each.place for each in evening.look().odd] == ["market"]
        playing.run(80)
        evening.cover(12.0)
        report = playing.run(120)
        assert playing.counts["broken"] + playing.counts["again"]
        agreed(evening, playing, report)


@pytest.mark.slow
def test_a_first_auction_and_wagons_in_pixels(tmp_path: Path) -> None:
    """From the token to the first wagons the camera reads pictures of a rendered table, as difficult as by default."""
    with Evening(tmp_path, 2, 3) as evening:
        evening.sit_down(**TIMED)
        playing = people(evening, 3)
        agreed(evening, playing, playing.run(68))


@pytest.mark.whole_games
@pytest.mark.parametrize("difficulty", ["told", "easy", "default", "hard"])
@pytest.mark.parametrize(("players", "seed"), [(2, 1), (2, 3), (3, 2), (4, 1), (4, 2), (6, 1), (6, 2)])
def test_whole_games(
    tmp_path: Path, players: int, seed: int, difficulty: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A whole game ends with the truth; how it went is printed."""
    pixels = difficulty != "told"
    with Evening(tmp_path, players, seed, difficulty=difficulty if pixels else "default", pixels=pixels) as evening:
        evening.sit_down(**TIMED)
        playing, began = people(evening, seed), time.process_time()
        report = playing.run()
        spent, passed = time.process_time() - began, evening.time / SECOND - 1000
        one = figures(evening.game, players, difficulty, seed, report, report.differs, processor=spent, people=passed)
        keep(one)
        with capsys.disabled():
            print(f"\n{sentence(one)}; {', '.join(playing.truth.state.table.used)}")
        agreed(evening, playing, report)
