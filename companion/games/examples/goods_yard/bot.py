"""A bot with a rule of thumb: complete a train, or else stay away from sidings that are almost full."""

from __future__ import annotations

from companion.engine import Event, Luck
from companion.games.examples.goods_yard.rules import LONGEST, RULES, SIDINGS, Table, WagonChosen, number_of
from companion.mechanics.policy import PlainPolicy
from companion.mechanics.zones_game import ZonesView


class Policy(PlainPolicy[Table]):
    """A bot for a seat of Goods Yard."""

    def choose(self, known: ZonesView, luck: Luck) -> Event | None:
        """Prefer a wagon next to the end of a siding that lacks one wagon, then one far from every end."""
        events = [event for offer in known.offers for event in offer]
        wagons = [event for event in events if isinstance(event, WagonChosen)]
        if not wagons:
            return events[0] if events else None
        sidings = [known.lying.get(siding, ()) for siding in SIDINGS]
        ends = [number_of(siding[-1]) for siding in sidings if len(siding) == LONGEST - 1]

        def distance(event: WagonChosen) -> int:
            return min([abs(number_of(event.card) - end) for end in ends], default=0)

        best = min(wagons, key=distance)
        return best if distance(best) <= 2 and ends else max(wagons, key=distance)


POLICY = Policy(RULES)
