"""A rule-based bot that chooses a decision for each step using only its seat's knowledge.

May import the game. Enter at `POLICY` and `WINNING`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from companion.engine import Event, Luck, Seat, State, Step, offers_of
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.bot import auctions, known, wagons
from companion.games.take_a_train.bot.known import Known
from companion.games.take_a_train.purposes import BY_ID, PURPOSES
from companion.games.take_a_train.steps import lots, preemption, sealed_auctions, spoken_auctions, twist
from companion.games.take_a_train.steps import round as rounds
from companion.games.take_a_train.steps import wagons as stage_two
from companion.games.take_a_train.steps.sealed_auctions import BreakTie
from companion.games.take_a_train.table import Table
from companion.mechanics.policy import Ranked, Ranking, term

DECISIONS: dict[type[Step[Table]], Callable[[Known, Luck], Sequence[Ranked]]] = {
    lots.Nominate: auctions.nominate,
    lots.Lone: auctions.lone,
    spoken_auctions.Opening: auctions.opening,
    spoken_auctions.Bidding: auctions.bidding,
    spoken_auctions.Calling: auctions.calling,
    spoken_auctions.CallTie: auctions.tie,
    sealed_auctions.Fists: auctions.fist,
    BreakTie: auctions.tie,
    sealed_auctions.OpenFists: auctions.hand,
    preemption.OrderTie: auctions.order,
    preemption.Choose: auctions.choose,
    twist.Pick: auctions.pick,
    twist.Flips: auctions.flip,
    stage_two.Act: wagons.act,
    rounds.ChooseWagon: wagons.pays_best,
    rounds.LastClaims: lambda own, luck: (Ranked(ev.ClaimsDone(own.seat), 0.0),),
}
"""The function that decides in each step."""


class Mind(Ranking):
    """Plays a seat of Take a Train."""

    asked = staticmethod(known.asked)
    look = staticmethod(known.look)

    def ranked(self, own: Known, luck: Luck) -> Sequence[Ranked]:
        """Return the seat's options, best first; nothing when it waits. Claims always come first (R-73)."""
        if own.claimable:
            prizes = [(PURPOSES[BY_ID[purpose]].prize, purpose) for purpose in own.claimable]
            return [Ranked(ev.Claimed(own.seat, each), prize, (term("prize", prize),)) for prize, each in prizes]
        if not own.offers:
            return ()
        return DECISIONS[own.moment](own, luck)

    def together(self, state: State[Table], luck: Luck) -> Event | None:
        """Return the signal at which all closed fists open."""
        offers = offers_of(state.agenda[0], state.table) if isinstance(state.head, sealed_auctions.Fists) else ()
        signal = ev.RevealSignalled()
        return signal if any(signal in offer for offer in offers) else None


class Winning(Mind):
    """Plays a seat to win: it bids less, and considers what the market leaves to the others."""

    @staticmethod
    def look(state: State[Table], seat: Seat) -> Known:
        """Return the seat's knowledge, marked to be weighed for winning."""
        return replace(known.look(state, seat), style=known.TO_WIN)


POLICY = Mind()
"""The bot that plays well."""
WINNING = Winning()
"""The bot that plays to win."""
