"""Programs join a running companion as people, play match after match, and follow the wishes of the stage's viewers."""

from __future__ import annotations

import logging
import random
import time

import msgspec

from companion.demo.ground_truth import GroundTruth
from companion.demo.http_world import Browser, HttpWorld, NotThere
from companion.demo.physical_table import PhysicalTable
from companion.demo.play_loop import OutOfStep, PlayLoop
from companion.demo_records import KEY_HEADER, REPORT_PATH, StageReport, StageWishes
from companion.engine import Seat, SeenGame, Setup, tokens_played
from companion.engine.board import board_of
from companion.engine.layout import cell_places

NAMES = ("Ada", "Ben", "Chloé", "Diego", "Emma", "Finn")
REPORT_EVERY = 0.7
"""Seconds between two reports while nothing happens."""
THINKING = 1.4
"""Seconds between two moves at normal speed; none at the highest speed."""
READY = 0.2
"""Seconds between two moves while cards are drawn and dealt at the beginning, which needs no thought."""
FASTEST = 16.0
END_SHOWN = 25.0
"""Seconds to show the end of a match before the next one begins."""
LOG = logging.getLogger(__name__)


class Director:
    """The people at one companion. `key` authorises them at the stage; `seed` deals the first match's cards."""

    def __init__(self, address: str, key: str, game: SeenGame[object], players: int, seed: int | None = None) -> None:
        self.browser = Browser(address)
        self.key, self.game, self.players = key, game, players
        self.seed = random.SystemRandom().randrange(1 << 30) if seed is None else seed
        self.report = StageReport()
        self.wishes = StageWishes()
        self._reported_at = 0.0

    def run(self) -> None:
        """Play until the companion stops; raise `Unreachable` then."""
        while True:
            self.report = StageReport(wrong=self.report.wrong)
            self._report("coming")
            world = HttpWorld(self.browser)
            world.interrupt()
            world.sit_down(self.game.name, NAMES[: self.players], **self._options())
            self.report.pages, self.report.table, self.report.host = world.seats, world.shared, world.host
            self._report("coming")
            self._report("playing")
            try:
                self._play(world)
            except OutOfStep as error:
                LOG.warning("the companion does not show what is on the table, %s", error)
                self.report.wrong += 1
                self._report("puzzled")
                world.clear()
                world.leave()
            else:
                # before the next match begins, whose camera would read the old cards as a deal
                world.clear()
            self.seed += 1

    def _options(self) -> dict[str, str]:
        """Return the options of the demonstration's matches: with real money if the game supports it."""
        return dict(self.game.token_options) if tokens_played(self.game) else {}

    def _play(self, world: HttpWorld) -> None:
        """Play one match to its end, and show the end for a while."""
        setup = Setup(self.game.name, self.players, self._options(), deck="ours")
        truth = GroundTruth(self.game, setup, self.seed)
        board = board_of(self.game, truth.state)
        playing = PlayLoop(world, truth, PhysicalTable((*self.game.places(self.players), *cell_places(board))))
        while not playing.truth.state.over:
            self._count(playing)
            self._exchange(playing)
            if self.wishes.speed <= 0:
                time.sleep(REPORT_EVERY)
                continue
            before = playing.counts["events"]
            try:
                playing.step()
            except NotThere as error:
                LOG.warning("laying the cards out again: %s", error)
                world.lay(playing.lying.cards)
                if playing.token_hands is not None:
                    playing.token_hands.lay_all_again()
            if playing.counts["events"] > before and self.wishes.speed < FASTEST:
                time.sleep((THINKING if playing.counts["moves"] else READY) / self.wishes.speed)
        self._count(playing)
        asked, end = self.wishes.again, time.monotonic() + END_SHOWN
        while time.monotonic() < end and self.wishes.again == asked:
            self._report("over")
            time.sleep(REPORT_EVERY)

    def _exchange(self, playing: PlayLoop) -> None:
        """Report progress, and hand seats over to persons and back."""
        now = time.monotonic()
        if now - self._reported_at < REPORT_EVERY and self.wishes.speed:
            return
        self._report("playing" if self.wishes.speed else "stopped")
        taken = {Seat(seat) for seat in self.wishes.taken}
        for seat in taken - (playing.taken - playing.leaving):
            playing.take_over(seat)
        for seat in playing.taken - taken:
            playing.give_back(seat)

    def _count(self, playing: PlayLoop) -> None:
        counts = playing.counts
        self.report.events, self.report.cards = counts["events"], counts["moves"]
        self.report.questions = counts["asked"] + counts["amended"]

    def _report(self, doing: str) -> None:
        self.report.doing = doing
        answer = self.browser.raw(REPORT_PATH, msgspec.json.encode(self.report), {KEY_HEADER: self.key})
        self.wishes = msgspec.json.decode(answer, type=StageWishes)
        self._reported_at = time.monotonic()
