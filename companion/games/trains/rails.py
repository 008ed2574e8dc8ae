"""Rails and stations: their legal cells and costs, and the value of the map (R-15 to R-17, R-22)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from companion.engine import Board, Cell, CellName, CostItem, Refusal, Seat, Turn
from companion.games.trains import refusals
from companion.games.trains.catalogue import WASTE
from companion.games.trains.table import Table
from companion.mechanics.seating import with_value

TERRAIN = {"river": 1, "mountain": 2}
"""The cost of each terrain in coins (R-16)."""
BRIDGE, TUNNEL, VIADUCT, SUBWAY, SHARING = "steel_bridge", "tunnel", "viaduct", "subway_excavation", "collaboration"
"""The cards whose lasting effects waive a part of a price."""
DEPOT = "dump_site"
"""The card that stops Waste (K15)."""
WAIVED_BY = {"river": BRIDGE, "mountain": TUNNEL, "city": VIADUCT}
STATION_POINTS = (0, 2, 4, 8)
"""Points of a cube in a city, by the number of stations there (R-22)."""


def waivers(table: Table, playing: str = "") -> set[str]:
    """Return the cards whose lasting effects apply; `playing` is one whose effect begins now."""
    return {playing, *[each.active for each in table.in_play]}


def terrain_cost(table: Table, place: Cell, waived: set[str]) -> int:
    """Return the cost of a cell's terrain: river, mountain, city with its stations, or remote place (R-16)."""
    kind = place.kind
    if kind == "field":
        return 0
    if kind == "remote":
        return 0 if SUBWAY in waived and table.fixed.options.later else int(place.figure)
    if SUBWAY in waived or WAIVED_BY[kind] in waived:
        return 0
    return TERRAIN[kind] if kind in TERRAIN else 1 + table.stations.get(place.name, 0)


def paid_rails(table: Table, seat: Seat, waived: set[str]) -> tuple[tuple[str, ...], ...]:
    """Return the rails of the other seats whose cubes cost a seat a coin (R-16)."""
    if SHARING in waived or SUBWAY in waived:
        return ()
    return table.rails[:seat] + table.rails[seat + 1 :]


def costs(table: Table, seat: Seat, place: Cell, waived: set[str]) -> tuple[int, int]:
    """Return the cost of a seat's rail on a cell: for the terrain, and for the cubes of others (R-16)."""
    others = paid_rails(table, seat, waived)
    return terrain_cost(table, place, waived), [place.name in rails for rails in others].count(True)


def price(table: Table, seat: Seat, cell: str, playing: str = "") -> tuple[CostItem, ...]:
    """Return the cost of a seat's rail on a cell, part by part (R-16); `playing` is a card whose effect begins now."""
    place = table.board.by_name[cell]
    parts = zip((place.kind, "shared"), costs(table, seat, place, waivers(table, playing)), strict=True)
    return tuple([CostItem(key, amount) for key, amount in parts if amount])


def rail_cost(table: Table, seat: Seat, cell: str, waived: set[str]) -> int:
    """Return the total cost of a seat's rail on a cell (R-16)."""
    return sum(costs(table, seat, table.board.by_name[cell], waived))


def brings_waste(table: Table, seat: Seat, cell: str, playing: str = "") -> bool:
    """Return whether a rail on a cell brings Waste: somebody else is there (R-16), no effect stops it, and some is
    left."""
    shared = any(other != seat for other in table.on(cell))
    stopped = playing == SHARING or table.holds(SHARING) or table.holds(DEPOT)
    return shared and not stopped and table.supply[WASTE] > 0


def rail_refusal(table: Table, seat: Seat, cell: str, playing: str = "") -> Refusal | None:
    """Return why a seat cannot lay a rail on a cell, None if it can (R-15, R-16)."""
    own = table.rails[seat]
    place = table.board.by_name.get(cell)
    if place is None:
        return refusals.NO_SUCH_CELL(cell=cell)
    if not table.cubes_left(seat):
        return refusals.NO_CUBE()
    if place.kind == "sea":
        return refusals.SEA(cell=cell)
    if cell in own:
        return refusals.ALREADY_YOURS(cell=cell)
    if not any(near in own for near in place.neighbours):
        barred = any(frozenset((cell, near)) in barriers(table) for near in own)
        return (refusals.BARRIER if barred else refusals.NOT_ADJACENT)(cell=cell)
    cost = rail_cost(table, seat, cell, waivers(table, playing))
    return refusals.TOO_DEAR(cost=cost, coins=table.coins) if cost > table.coins else None


def barriers(table: Table) -> set[frozenset[str]]:
    """Return the pairs of cells separated by a barrier."""
    return {frozenset(edge.cells) for edge in table.board.edges if not edge.passable}


def rail_cells(table: Table, seat: Seat, playing: str = "") -> Iterator[CellName]:
    """Yield the cells on which a seat can lay a rail now, in alphabetical order."""
    waived, coins = waivers(table, playing), table.coins
    others = paid_rails(table, seat, waived)
    for place in land_near(table.board, table.rails[seat]) if table.cubes_left(seat) else ():
        cell = place.name
        if terrain_cost(table, place, waived) + [cell in rails for rails in others].count(True) <= coins:
            yield cell  # type: ignore[misc]


@lru_cache(maxsize=4096)
def land_near(board: Board, own: tuple[str, ...]) -> tuple[Cell, ...]:
    """Return the cells beside a network on which rails can lie, in alphabetical order (R-15)."""
    near = {cell for each in own for cell in board.neighbours(each)}.difference(own)
    return tuple([place for place in map(board.by_name.__getitem__, sorted(near)) if place.kind != "sea"])


def lay_rail(table: Table, seat: Seat, cell: str) -> Turn[Table]:
    """Return the table after a seat laid and paid for a rail, and took its Waste and that for sharing (R-15, R-16)."""
    waste = 1 + brings_waste(table, seat, cell)
    table = table.pay(-rail_cost(table, seat, cell, waivers(table)))
    rails = with_value(table.rails, seat, (*table.rails[seat], cell))
    table, effects = replace(table, rails=rails).gain_waste(seat, waste)
    return table, (), effects


def station_refusal(table: Table, cell: str) -> Refusal | None:
    """Return why a station cannot be built on a cell, None if it can (R-17)."""
    place = table.board.by_name.get(cell)
    if place is None or place.kind != "city":
        return refusals.NOT_A_CITY(cell=cell)
    if not table.markers:
        return refusals.NO_MARKER()
    return refusals.CITY_FULL(cell=cell) if table.stations.get(cell, 0) >= place.sites else None


def station_cells(table: Table) -> Iterator[CellName]:
    """Yield the cities with room for a station (R-17)."""
    stations, open_to = table.stations, cities(table.board) if table.markers else ()
    return (city.name for city in open_to if stations.get(city.name, 0) < city.sites)  # type: ignore[misc]


@lru_cache
def cities(board: Board) -> tuple[Cell, ...]:
    """Return the cities of a board."""
    return tuple([cell for cell in board.cells if cell.kind == "city"])


def build_station(table: Table, cell: str) -> Table:
    """Return the table with one more station in a city (R-17)."""
    stations = table.stations | {cell: table.stations.get(cell, 0) + 1}
    return replace(table, stations=stations, markers=table.markers - 1)


def map_points(table: Table, seat: int) -> int:
    """Return the value of a seat's cubes: by stations in cities, by the number in remote places (R-22)."""
    cells = [table.board.by_name[name] for name in table.rails[seat]]
    return sum([cell_points(table, cell) for cell in cells])


def cell_points(table: Table, cell: Cell) -> int:
    """Return the value of a cube on a cell (R-22)."""
    if cell.kind == "city":
        return STATION_POINTS[table.stations.get(cell.name, 0)]
    return int(cell.figure) if cell.kind == "remote" else 0


def card_points(table: Table, seat: int) -> int:
    """Return the points on the cards that a seat owns (R-22)."""
    return sum(table.card(card).points * count for card, count in table.owned[seat].items())


def score(table: Table, seat: int) -> int:
    """Return a seat's points: track, map and cards (R-22)."""
    return table.track[seat] + map_points(table, seat) + card_points(table, seat)
