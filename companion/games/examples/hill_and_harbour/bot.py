"""A bot that pursues the contract with the best return. It uses only public information."""

from __future__ import annotations

from heapq import heappop, heappush

from companion.engine import CellName, Event, Luck, Seat
from companion.games.examples.hill_and_harbour.board import CONTRACTS, full, price, reachable
from companion.games.examples.hill_and_harbour.rules import RULES
from companion.games.examples.hill_and_harbour.steps import CUBES, PER_TURN, Delivered, Laid, Table, lay, pay_of
from companion.mechanics.policy import PlainPolicy
from companion.mechanics.seating import with_value
from companion.mechanics.view import OpenView


def way(table: Table, seat: Seat, goal: str) -> tuple[str, ...]:
    """Return the cells of the cheapest way from a seat's track to a goal; none if there is no way."""
    queue: list[tuple[int, tuple[str, ...]]] = [(0, ())]
    own, seen = table.tracks[seat], set(table.tracks[seat])
    while queue:
        paid, cells = heappop(queue)
        if goal in (*own, *cells):
            return cells
        if cells and cells[-1] in seen:
            continue
        seen.update(cells)
        tracks = with_value(table.tracks, seat, (*own, *cells))
        for cell in reachable(cells[-1:] or own):
            if cell not in seen and not full(tracks, cell):
                heappush(queue, (paid + sum([item.amount for item in price(tracks, seat, cell)]), (*cells, cell)))
    return ()


def plan(table: Table, seat: Seat, card: str) -> tuple[float, tuple[str, ...]]:
    """Return what a contract brings for each turn that it takes, and the cells that it needs."""
    cities, plans = CONTRACTS[card], []
    rivals = [len(set(cities) & set(track)) for other, track in enumerate(table.tracks) if other != seat]
    chance = 0.4 if max(rivals) > len(set(cities) & set(table.tracks[seat])) else 1.0
    for order in (cities, cities[::-1]):
        after = table
        cells: tuple[str, ...] = ()
        for goal in order:
            more = way(after, seat, goal)
            for cell in more:
                after, _ = lay(after, seat, cell)
            cells += more
        gain = after.coins[seat] - table.coins[seat] + pay_of(card) * chance
        possible = set(cities) <= set(after.tracks[seat]) and len(after.tracks[seat]) <= CUBES
        plans.append((gain / (1 + len(cells) / PER_TURN) if possible else -1.0, cells))
    return max(plans)


class Policy(PlainPolicy[Table]):
    """A bot for a seat of Hill and Harbour."""

    def choose(self, known: OpenView[Table], luck: Luck) -> Event | None:
        """Deliver; else lay the next cube of the best plan, if it brings more than waiting; else wait."""
        events = [event for offer in known.offers for event in offer]
        if not events:
            return None
        if delivered := [event for event in events if isinstance(event, Delivered)]:
            return max(delivered, key=lambda event: pay_of(event.card))
        seat = known.awaited[0]
        gain, cells = max([plan(known.table, seat, card) for card in known.table.open])
        wanted = Laid(seat, CellName(cells[0])) if cells else None
        return wanted if wanted in events and gain > 1 else events[-1]


POLICY = Policy(RULES)
