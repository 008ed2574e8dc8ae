"""The figures of Express as data: cards, deal, bonuses and limits, and the gaps in them."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from companion.engine import BadSetup, JsonObject, Refusal
from companion.games.express import refusals
from companion.mechanics.game_files import read_data

Group = Literal["freight", "passenger", "wild", "caboose", "diesel", "maintenance", "disaster", "turntable"]
STARTERS = ("freight", "passenger")
"""Cards that can be a train's first car (R-07)."""
JOINING = (*STARTERS, "wild", "caboose", "diesel")
"""Cards that can join a train (R-07, R-11)."""
ACTIONS = ("disaster", "turntable")
"""Cards to play into the slot (R-20)."""
FEW = range(1, 31)
BOUNDS = {"order": range(6), "deal_alone": FEW, "deal_sides": FEW, "hand_limit": FEW, "target": range(1, 1000)}
AMOUNT = range(100)
"""The range of figures that `BOUNDS` omits; an order has five passenger cars."""
COUNTED_BY = {"maintenance": "R-15", "disaster": "R-20", "turntable": "R-20"}
"""The rules that need the number of a card's copies, by its group; R-03 for all others."""
VALUED_BY = {"freight": "S-02", "passenger": "S-05", "maintenance": "S-07"}
"""The rules that need a card's value, by its group; other groups have no values."""


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of card. A figure is None until somebody has entered it."""

    id: str
    group: Group
    count: int | None = None
    value: int | None = None
    order: int = 0
    """A passenger car's place in the order of a whole train, from 1 (S-06)."""
    counters: str = ""
    """The disaster that a maintenance card prevents (R-15)."""
    by_players: dict[str, int] = {}
    """Different counts by number of players."""
    source: str = ""
    """The source of the figures; "owner": the owner entered or confirmed them."""

    @property
    def counted_by(self) -> str:
        """The rule that needs the number of copies."""
        return COUNTED_BY.get(self.group, "R-03")

    def copies(self, players: int) -> int:
        """Return the number of copies in the deck."""
        return self.by_players.get(str(players), self.count or 0)


class Profile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All figures of a match."""

    name: str
    cards: tuple[Card, ...]
    deal_alone: int | None = None
    deal_sides: int | None = None
    hand_limit: int | None = None
    target: int | None = None
    out_bonus: int | None = None
    out_bonus_four_sides: int | None = None
    hand_cost: Literal["printed"] | int | None = None
    """The cost of a card left in hand: its printed value, or a number of points (S-08)."""
    family_removes: tuple[Group, ...] = ()
    """The groups that the family variant omits."""
    side_sizes: dict[str, tuple[int, ...]] = {}
    """The allowed sizes of sides, by number of players; the first is the default (R-01)."""
    confirmed: tuple[str, ...] = ()
    """The figures outside the cards that the owner entered or confirmed."""

    def deck(self, players: int, family: bool = False) -> dict[str, int]:
        """Return the number of each card in the deck (R-03)."""
        left_out = self.family_removes if family else ()
        return {card.id: card.copies(players) for card in self.cards if card.group not in left_out}


FIGURES = dict.fromkeys(("deal_alone", "deal_sides"), "R-03") | {"hand_limit": "R-19", "target": "R-29"}
FIGURES |= dict.fromkeys(("out_bonus", "out_bonus_four_sides", "hand_cost"), "S-08")
"""The figures of a profile outside its cards, and the rule that needs each."""


class Hole(NamedTuple):
    """A missing figure: the rule that needs it, its name, and its card ("": none)."""

    rule: str
    figure: str
    card: str = ""

    def __str__(self) -> str:
        """Return it in English."""
        return f"{self.rule}: {self.figure.replace('_', ' ')}{f' of {self.card}' if self.card else ''} not entered."


def holes(profile: Profile, family: bool = False) -> list[Hole]:
    """Return the missing figures."""
    cards = [card for card in profile.cards if not (family and card.group in profile.family_removes)]
    valued = [card for card in cards if card.group in VALUED_BY]
    return [
        *[Hole(rule, name) for name, rule in FIGURES.items() if getattr(profile, name) is None],
        *[Hole(card.counted_by, "count", card.id) for card in cards if card.count is None],
        *[Hole(VALUED_BY[card.group], "value", card.id) for card in valued if card.value is None],
    ]


def unverified(profile: Profile) -> int:
    """Return how many of an owner's cards and other figures the owner has not confirmed."""
    return sum(card.source != "owner" for card in profile.cards) + len(FIGURES.keys() - set(profile.confirmed))


def faults(profile: Profile) -> list[str]:
    """Return the faults in a profile's figures as sentences; a gap is not a fault."""
    names = Counter([card.id for card in profile.cards])
    found = [f"{name} is listed {count} times." for name, count in sorted(names.items()) if count > 1]
    ours = {card.id: card.group for card in shipped("ours").cards}
    for card in profile.cards:
        if not card.id.replace("_", "").isalnum():
            found.append(f"{card.id!r} is no name of a card: use letters, digits and underscores.")
        elif card.id in ours and ours[card.id] != card.group:
            found.append(f"{card.id} belongs to {ours[card.id]}, not {card.group}.")
        elif card.id not in ours and card.group != "freight":
            found.append(f"{card.id} is no {card.group} card of Express.")
        for name in ("count", "value", "order"):
            found += out_of_bounds(name, getattr(card, name), f"The {name} of {card.id}")
        for players, count in card.by_players.items():
            found += out_of_bounds("count", count, f"The count for {players} players of {card.id}")
    for name in FIGURES:
        found += out_of_bounds(name, getattr(profile, name), name.replace("_", " ").capitalize())
    for players, sizes in profile.side_sizes.items():
        for size in sizes:  # this number of players must form two or more sides of this size
            if not (players.isdecimal() and 1 < size < int(players) and int(players) % size == 0):
                found.append(f"Sides of {size} cannot play with {players} players.")
    return found


def out_of_bounds(name: str, figure: int | str | None, title: str) -> list[str]:
    """Return a sentence if this figure is present and impossible, otherwise nothing."""
    bounds = BOUNDS.get(name, AMOUNT)
    wrong = isinstance(figure, int) and figure not in bounds
    return [f"{title} is {figure}, not {bounds[0]} to {bounds[-1]}."] if wrong else []


@cache
def shipped(name: str) -> Profile:
    """Return a shipped profile: `ours` or `reconstruction`."""
    return msgspec.convert(read_data(__package__, "profiles.toml")[name], Profile)


def unconfirmed() -> Profile:
    """Return the profile of an owner without entries: the reconstruction."""
    return replace(shipped("reconstruction"), name="owner")


def given(catalogue: str | JsonObject, name: str) -> Profile:
    """Return the profile of a set-up: the owner's data, or the one of that name; for a box without data, the owner's.

    Raise `BadSetup` for invalid data (R-01).
    """
    if isinstance(catalogue, str):
        return unconfirmed() if name == "owner" or catalogue == "box" else shipped(name)
    try:
        profile = msgspec.convert(catalogue, Profile)
    except msgspec.ValidationError as error:
        raise BadSetup(refusals.BAD_PROFILE(why=str(error)), f"The figures do not fit: {error}") from None
    found = faults(profile)
    if found:
        raise BadSetup(refusals.BAD_PROFILE(why=" ".join(found)), " ".join(found))
    return profile


def require(profile: Profile, family: bool) -> None:
    """Raise `BadSetup` that names every missing figure with the rule that needs it."""
    found = holes(profile, family)
    if found:
        said = " ".join(map(str, found))
        raise BadSetup(Refusal(found[0].rule, "not_entered", {"holes": [list(hole) for hole in found]}), said)
