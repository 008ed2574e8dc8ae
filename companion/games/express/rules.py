"""The rules of Express: the start of a match, sides, ranking, and secrets (§6)."""

from __future__ import annotations

from msgspec import to_builtins
from msgspec.structs import replace

from companion.engine import BadSetup, Event, JsonObject, Seat, Setup, State, begin, events_in
from companion.games.express import events as ev
from companion.games.express import refusals, sight
from companion.games.express.ending import to_lay_nothing
from companion.games.express.fixed import RULINGS, SUM_OF_CARS, Fixed, Options
from companion.games.express.profile import Profile, given, require, unverified
from companion.games.express.steps.answers import Protect
from companion.games.express.steps.setup import DrawForDeal, start
from companion.games.express.table import PLAYERS, Table
from companion.games.express.view import View, view
from companion.mechanics.options import resolve
from companion.mechanics.plain import PlainGame
from companion.mechanics.sides import Sides
from companion.mechanics.view import Fact

SECRET: dict[type[Event], tuple[str, ...]] = {
    ev.HandsDealt: ("cards",),
    ev.CardsDrawn: ("cards",),
    ev.TrainBegun: ("locomotive",),
    ev.LocomotiveExchanged: ("card",),
}
"""Fields that only the seat which draws or lays may read; the fields of a deal are for nobody."""
DRAWING = ev.PileDrawn | ev.Reshuffled | ev.HandCalled
"""Events after which people draw real cards without entering them."""


class Express(PlainGame[Table]):
    """The rules of Express."""

    name = "express"
    seats = PLAYERS
    events = events_in(ev)
    rulings: tuple[str, ...] = RULINGS
    places = staticmethod(sight.places)
    resting_layouts = staticmethod(sight.resting_layouts)
    layout = staticmethod(sight.layout)
    candidate_events = staticmethod(sight.candidate_events)
    unseen_alternatives = staticmethod(sight.unseen_alternatives)
    with_other_card = staticmethod(sight.with_other_card)
    beside_mat = staticmethod(sight.beside_mat)

    def begin(self, setup: Setup) -> State[Table]:
        """Return the first state; raise `BadSetup` for wrong players, sides or figures (R-01)."""
        players, rulings = self.count_players(setup, options=True), setup.held(self.rulings)
        usual: JsonObject = {} if SUM_OF_CARS in rulings else {"scoring": "set_of_three"}
        options = resolve(Options, usual | setup.options, players)
        profile = given(setup.catalogue, options.profile)
        require(profile, options.variant == "family")
        fixed = Fixed(players, sides_of(options, profile, players), options, profile, setup.deck == "dealt", rulings)
        if (count := len(fixed.cards)) < fixed.deal * players + players:
            said = f"{count} cards are too few for {players} hands of {fixed.deal}."
            raise BadSetup(refusals.TOO_FEW_CARDS(count=count), said)
        return begin(self, *start(fixed))

    def resolve_setup(self, setup: Setup) -> Setup:
        players = setup.seated()
        options = resolve(Options, setup.options, len(players))
        return replace(setup, players=players, catalogue=to_builtins(given(setup.catalogue, options.profile)))

    def view(self, state: State[Table], seat: Seat | None) -> View:
        return view(state, seat, self.basics(state, seat))

    def secret(self, before: State[Table], event: Event) -> tuple[str, ...]:
        return SECRET.get(type(event), ())

    def reveals(self, event: Event, after: State[Table]) -> bool:
        """Return whether somebody learns a card that was unknown before."""
        if isinstance(event, DRAWING):
            return not after.table.fixed.dealt
        return not (event.facts.binding or isinstance(event, ev.DiscardTaken | ev.LaidTakenBack))

    def facts(self, state: State[Table]) -> tuple[Fact, ...]:
        """Return the number of unverified figures, the dealer, a first turn, and a pending disaster."""
        table, profile = state.table, state.table.fixed.profile
        found: list[Fact] = []
        if profile.name == "owner" and (count := unverified(profile)):
            found.append(Fact("unverified", {"count": count}))
        step = state.agenda[0] if state.agenda else None
        if not isinstance(step, DrawForDeal):
            found.append(Fact("dealer", {"seat": table.match.dealer}))
            if not state.over and table.first_round:
                found.append(Fact("first_round", {"seat": table.turn}))
            if (left := to_lay_nothing(table)) and not table.over:
                found.append(Fact("last_round", {"count": left}))
        if isinstance(step, Protect):
            hit = step.disaster
            found.append(Fact(f"threat.{hit.card}", {"seat": hit.target, "train": hit.train, "own": hit.own_train}))
        return tuple(found)

    def scores(self, state: State[Table]) -> tuple[int, ...]:
        """Return the points of every seat's side in the finished hands (R-29)."""
        return state.table.fixed.sides.each_seat(state.table.match.totals)

    def sides(self, setup: Setup) -> tuple[tuple[Seat, ...], ...]:
        """Return the sides: pairs with four and six players, unless the options say otherwise (R-01)."""
        players = len(setup.seated())
        options = resolve(Options, setup.options, players)
        return sides_of(options, given(setup.catalogue, options.profile), players).groups

    def ranking(self, state: State[Table]) -> tuple[tuple[Seat, ...], ...]:
        return state.table.fixed.sides.ranking(state.table.match.totals)


def sides_of(options: Options, profile: Profile, players: int) -> Sides:
    """Return the sides of a match, usually alternating partners; raise `BadSetup` for invalid sides (R-01)."""
    sizes = profile.side_sizes.get(str(players), ())
    if options.side:
        return chosen_sides(options.side, sizes)
    if options.partners == "sides" and not sizes:
        raise BadSetup(refusals.NO_SIDES(players=players), f"{players} players cannot form teams.")
    alone = options.partners == "alone" or not sizes
    return Sides.alone(players) if alone else Sides.alternating(players, players // sizes[0])


def chosen_sides(numbers: tuple[int, ...], sizes: tuple[int, ...]) -> Sides:
    """Return the sides that people chose by number; raise `BadSetup` unless they are equal and alternate (R-01)."""
    groups = [tuple([Seat(s) for s, own in enumerate(numbers) if own == side]) for side in dict.fromkeys(numbers)]
    sides, size = Sides(tuple(groups)), len(groups[0])
    if any(len(group) != size for group in groups):
        raise BadSetup(refusals.UNEQUAL_SIDES(), "All teams need equally many players.")
    if size > 1 and size not in sizes:
        raise BadSetup(refusals.SIDE_SIZE(size=size), f"Teams of {size} cannot play with {len(numbers)} players.")
    if len(groups) == 1 or not sides.alternate:
        raise BadSetup(refusals.SEATED_TOGETHER(), "Partners sit apart: the teams alternate around the table.")
    return sides


RULES = Express()
