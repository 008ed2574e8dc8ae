"""A match's header: players, game, options, cards and edition."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.engine.event import JsonObject
from companion.engine.refusal import BadSetup, Reason

FORMAT = 1
"""The version of the journal's format. Older journals are accepted, newer ones refused."""

UNKNOWN_RULING = Reason("R-00", "unknown_ruling", "ruling")
COLOURS = ("red", "blue", "green", "yellow", "purple", "black", "orange", "turquoise", "grey")
SHAPES = ("circle", "square", "triangle", "diamond", "star", "hexagon", "cross", "heart")

PER_PLAYER = msgspec.Meta(extra={"per": "player"})
"""Marks an option with one value for each player, in seat order: `Annotated[tuple[int, ...], PER_PLAYER] = ()`."""

Deck = Literal["ours", "box", "dealt"]
"""`ours`: printed cards; `box`: the owner's bought deck; `dealt`: the companion shuffles and deals."""


class Player(msgspec.Struct, frozen=True):
    """A person at the table. Name, colour and shape together distinguish the seats; the face decorates.

    The header omits an empty face, as it did before players had faces.
    """

    name: str
    colour: str = ""
    shape: str = ""
    face: str | msgspec.UnsetType = msgspec.UNSET


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of a journal. `players` is a number, names or full players; `seated` completes them.

    `catalogue` is the name of a shipped catalogue or a whole catalogue as data.
    `seed_hash` is the SHA-256 of the dealer's seed: the hash is shown before the game, the seed after it.
    """

    game: str
    players: int | tuple[str | Player, ...]
    options: JsonObject = {}
    catalogue: str | JsonObject = "reconstruction"
    deck: Deck = "dealt"
    seed_hash: str = ""
    format: int = FORMAT
    rulings: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    """The names of the rulings that apply to the match, out of those that its game has made since its first journals.

    A set-up without this field begins a match by today's rulings, but a header without it is older than the rulings.
    """

    def held(self, current: tuple[str, ...]) -> tuple[str, ...]:
        """Return which of a game's current rulings apply to a match with this set-up."""
        return current if isinstance(self.rulings, msgspec.UnsetType) else self.rulings

    def recorded(self, current: tuple[str, ...]) -> Setup:
        """Return the set-up to store in a header, given a game's current rulings; raise `BadSetup` for an unknown
        one.
        """
        held = self.held(())
        newer = [name for name in held if name not in current]
        if newer:
            why = f"a newer companion wrote this: this one does not know the ruling {newer[0]!r}."
            raise BadSetup(UNKNOWN_RULING(ruling=newer[0]), why)
        return self if held == self.held(current) else msgspec.structs.replace(self, rulings=held)

    def seated(self) -> tuple[Player, ...]:
        """Return the players in seat order, each with a name, colour and shape."""
        given = self.players
        if isinstance(given, int):
            given = tuple(f"Player {n + 1}" for n in range(given))
        return tuple(
            Player(
                p.name,
                p.colour or COLOURS[i % len(COLOURS)],
                p.shape or SHAPES[i % len(SHAPES)],
                p.face,
            )
            for i, p in enumerate(p if isinstance(p, Player) else Player(p) for p in given)
        )
