"""A match's header: who plays what, with which options, cards and edition. Knows no game."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

FORMAT = 1
"""Version of the journal's format. A newer journal is refused, an older one is read."""

COLOURS = ("red", "blue", "green", "yellow", "purple", "black")
SHAPES = ("circle", "square", "triangle", "diamond", "star", "hexagon")

Deck = Literal["ours", "box", "dealt"]
"""ours: cards printed from here; box: the owner's bought deck; dealt: the companion shuffles and shows."""


class Player(msgspec.Struct, frozen=True):
    """A person at the table: seats are told apart by name, colour and shape together."""

    name: str
    colour: str = ""
    shape: str = ""


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of a journal. `players` may be a number, names or full players; `normalised` makes them players.

    `catalogue` is the name of a shipped catalogue or a whole catalogue as data.
    `seed_hash` is the SHA-256 of the dealer's seed, shown before the game, the seed after it.
    """

    game: str
    players: int | tuple[str | Player, ...]
    options: dict[str, Any] = {}
    catalogue: str | dict[str, Any] = "reconstruction"
    deck: Deck = "dealt"
    seed_hash: str = ""
    format: int = FORMAT

    def seated(self) -> tuple[Player, ...]:
        """Return the players in seat order, each with a name, a colour and a shape."""
        given = self.players
        if isinstance(given, int):
            given = tuple(f"Player {n + 1}" for n in range(given))
        return tuple(
            Player(
                p.name,
                p.colour or COLOURS[i % len(COLOURS)],
                p.shape or SHAPES[i % len(SHAPES)],
            )
            for i, p in enumerate(p if isinstance(p, Player) else Player(p) for p in given)
        )
