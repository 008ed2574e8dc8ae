"""The country of Hill and Harbour: the cost of a cube of track on each cell, and who may lay one there."""

from __future__ import annotations

from companion.engine import CostItem, edges, hex_board

RIVER = "A4-A5 A5-B4 B4-B5 B5-C5 C5-C6 C6-D5 D5-D6 D6-E6 D6-E7 D7-E7"
GORGES = "B1-C1 C3-D3 E5-F4"
KINDS = {"f": "field", "w": "forest", "m": "mountain", "c": "city", "s": "sea"}
CITIES = {
    "A1": ("Corvin", 4), "A7": ("Nolde", 4), "C2": ("Tarn", 3), "C8": ("Halport", 5), "D5": ("Midmar", 2),
    "E1": ("Oskery", 4), "F5": ("Brenn", 2), "F8": ("Cove", 5), "G3": ("Ulmen", 3), "G7": ("Sarle", 4),
}  # fmt: skip
"""Name of each city, and the reward of its first railway (R-06)."""
CONTRACTS = {
    "bricks-12": ("A1", "F5"), "cheese-11": ("C2", "G7"), "clocks-8": ("A7", "F5"), "cloth-12": ("A1", "A7"),
    "coal-10": ("D5", "E1"), "copper-14": ("C2", "F8"), "fish-9": ("F8", "G3"), "grain-10": ("C8", "G3"),
    "marble-13": ("C2", "C8"), "salt-7": ("C8", "F8"), "slate-8": ("E1", "F5"), "tea-14": ("C8", "E1"),
    "timber-12": ("A7", "G3"), "tin-8": ("C2", "D5"), "wine-8": ("A7", "G7"),
}  # fmt: skip
"""Goods, their pay, and the two cities of the contract (R-07)."""
GROUND = {"field": 1, "city": 1, "forest": 2, "mountain": 4}
"""The cost of a cube on each kind of ground (R-04)."""
ROOM = {"mountain": 1, "field": 2, "forest": 2}
"""The number of cubes that fit on each kind of ground; a city has no limit (R-05)."""
BRIDGE, PASSAGE = 1, 1
"""The extra cost of a river (R-04), and of each cube of another railway (R-05)."""


BOARD = hex_board(
    "country",
    ("cffmffcs", "fwmmfwfs", "wcfmwffc", "wmmfcwfs", "cfmmwffs", "fwfmcfwc", "ffcwffcs"),
    kinds=KINDS,
    cells={name: {"label": label, "figure": str(value)} for name, (label, value) in CITIES.items()},
    edges=(*edges("river", RIVER), *edges("barrier", GORGES, passable=False)),
)
Price = tuple[CostItem, ...]
Tracks = tuple[tuple[str, ...], ...]
"""The cells of each seat's cubes, in the order laid."""


def reachable(track: tuple[str, ...]) -> list[str]:
    """Return the cells where a seat could lay its next cube, ignoring their limits: at first every city (R-03)."""
    if not track:
        return list(CITIES)
    near = [cell for own in track for cell in BOARD.neighbours(own)]
    return [cell for cell in dict.fromkeys(near) if cell not in track and BOARD.by_name[cell].kind in GROUND]


def full(tracks: Tracks, cell: str) -> bool:
    """Return whether a cell has no room for another cube (R-05)."""
    kind = BOARD.by_name[cell].kind
    return kind in ROOM and sum([cell in track for track in tracks]) >= ROOM[kind]


def price(tracks: Tracks, seat: int, cell: str) -> Price:
    """Return the cost of a seat's cube on a cell, item by item (R-04, R-05)."""
    own, kind = tracks[seat], BOARD.by_name[cell].kind
    ways = [BOARD.edge_kinds(cell, near) for near in BOARD.neighbours(cell) if near in own]
    items = [CostItem(kind, GROUND[kind])]
    if ways and all("river" in way for way in ways):
        items.append(CostItem("river", BRIDGE))
    items += [CostItem("passage", PASSAGE) for other in hosts(tracks, seat, cell)]
    return tuple(items)


def hosts(tracks: Tracks, seat: int, cell: str) -> list[int]:
    """Return the seats that a cube on a cell pays for passage: the others there, but nobody in a city (R-05)."""
    return [other for other, track in enumerate(tracks) if other != seat and cell in track and cell not in CITIES]
