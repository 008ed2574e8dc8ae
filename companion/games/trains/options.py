"""The options of Trains: board, kingdom, and rulings on gaps in the rulebook (A-01 to A-13)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

CLAIMS_BIND, *_ = RULINGS = ("claims_bind",)
"""The ruling made since the first journals: people's statements about real face-down cards stay true (A-16)."""
YesNo = Literal["no", "yes"]
Kind = Literal[
    "amusement_park", "collaboration", "conductors_station", "command_central", "control_room", "information_central",
    "early_train", "freight_train", "garage", "holiday_timetable", "ironworks", "landfill", "mail_train",
    "maintenance_factory", "dump_site", "passing_station", "pulling", "bullet_train", "signaling_area", "signals",
    "station_crew", "stationmasters_office", "steel_bridge", "switchback", "temporary_timetable", "tourist_train",
    "tunnel", "subway_excavation", "viaduct", "wagon_factory",
]  # fmt: skip

TOKYO: tuple[Kind, ...] = (
    "amusement_park", "conductors_station", "holiday_timetable", "landfill", "maintenance_factory", "dump_site",
    "passing_station", "steel_bridge",
)  # fmt: skip
OSAKA: tuple[Kind, ...] = (
    "garage", "ironworks", "landfill", "bullet_train", "stationmasters_office", "temporary_timetable", "tourist_train",
    "tunnel",
)  # fmt: skip
REFORM: tuple[Kind, ...] = (
    "information_central", "early_train", "freight_train", "pulling", "signaling_area", "signals", "subway_excavation",
    "wagon_factory",
)  # fmt: skip
HOLIDAY: tuple[Kind, ...] = (
    "control_room", "holiday_timetable", "landfill", "mail_train", "maintenance_factory", "station_crew",
    "tourist_train", "viaduct",
)  # fmt: skip


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every option, with its default."""

    board: Literal["tokyo", "osaka"] = "tokyo"
    kingdom: Annotated[tuple[Kind, ...], msgspec.Meta(min_length=8, max_length=8)] = TOKYO
    draw_kingdom: YesNo = "no"
    """Whether preparation cards choose the kingdom instead: an event of chance."""
    edition: Literal["okazu", "later"] = "okazu"
    river_start: YesNo = "yes"
    ironworks_on: Literal["rail_cards", "lay_rails"] = "rail_cards"
    wagon_factory: Literal["any_card", "train_only", "up_to_3"] = "any_card"

    @property
    def later(self) -> bool:
        """Whether the cards and the tie rule of the later edition apply; they are unverified."""
        return self.edition == "later"

    @property
    def feeds_ironworks(self) -> str:
        """The cards that trigger the ironworks' coins; the later edition prints the rail icon (K11, A-12)."""
        return "rail_cards" if self.later else self.ironworks_on

    @property
    def rebuilds(self) -> str:
        """The cards that the wagon factory turns into a Train; in the later edition a Train, for one up to three more
        (K30, A-04).
        """
        return "up_to_3" if self.later else self.wagon_factory

    def ruling(self, card: str) -> str:
        """Return the ruling for a card's text; `ruled.<ruling>` has the words of unusual ones."""
        own = {"ironworks": self.feeds_ironworks, "wagon_factory": self.rebuilds}
        return own.get(card, self.edition)


FIRST_GAME: tuple[Kind, ...] = ("landfill",)
"""The rulebook's advice for a first game, with seven random cards."""
SETS = {"kingdom": {"first_game": FIRST_GAME, "tokyo": TOKYO, "osaka": OSAKA, "reform": REFORM, "holiday": HOLIDAY}}
WITH_SETS = {
    "kingdom": {name: {"draw_kingdom": "no"} for name in SETS["kingdom"]}
    | {name: {"draw_kingdom": "no", "board": name} for name in ("tokyo", "osaka")}
}
"""Choosing a set turns off the draw of kinds; the rulebook names two sets after the boards for beginners."""
