"""Crowd: a small game for up to eight without options, words or any other part. Enter at `GAME`."""

from __future__ import annotations

from companion.engine import BadSetup, Seat, Setup, State, begin
from companion.mechanics.options import BAD_OPTION
from tests.support.market_town.rules import Market, Table, Visit


class Crowd(Market):
    """Market Town without choices."""

    name = "crowd"

    def begin(self, setup: Setup) -> State[Table]:
        """Begin with no money for anybody."""
        if setup.options:
            raise BadSetup(BAD_OPTION(option=", ".join(setup.options)), "there are no options")
        return begin(self, Table((0,) * len(setup.seated())), (Visit(Seat(0)),))


GAME = Crowd()
