"""The record of a lobby and its changes: people join, leave, change places and looks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from companion.engine import COLOURS, SHAPES, Player
from companion.engine.names import look_alike

FACES = (
    "fox", "owl", "bear", "cat", "frog", "rabbit", "penguin", "panda", "robot", "captain", "driver", "conductor",
)  # fmt: skip
"""The faces to choose from, each with a drawing in `faces.svg` and a word."""
PLATES = tuple(zip(COLOURS, SHAPES, strict=False))
"""The colours to choose from, each with its own shape, so that two seats never differ by colour alone."""
BOT_NAMES = ("Otto", "Mina", "Hugo", "Zoé", "Nils", "Lola", "Emil", "Rosa")
Device = Literal["phone", "tablet", "bot"]
"""A person's device: their own, the shared tablet, or none, as for a bot."""


class Taken(Exception):
    """Somebody else already has this name, colour or face; `what` says which of these."""

    def __init__(self, what: str, other: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.other = other


class Person(msgspec.Struct, frozen=True):
    """A person in a lobby. `token` is the hash of their own device's token, `pin` the hash of a PIN from the last
    match.
    """

    number: int
    name: str
    colour: str
    shape: str
    face: str
    device: Device = "phone"
    token: str = ""
    pin: str = ""

    @property
    def player(self) -> Player:
        """The person as a match's header has players."""
        return Player(self.name, self.colour, self.shape, self.face or msgspec.UNSET)


class Lobby(msgspec.Struct, frozen=True):
    """One lobby: its game, its room's PIN, the hash of its host's token, and its people in the order of seats."""

    id: str
    game: str
    room: str
    host: str
    people: tuple[Person, ...] = ()
    tablets: tuple[str, ...] = ()
    """The hashes of the tokens of shared tablets."""
    form: dict[str, list[str]] = {}
    """The options and cards that the host chose last."""
    before: tuple[Person, ...] = ()
    """The last match's players, who can be seated with one tap."""
    changes: int = 0
    """Counts changes, so that a page can detect a newer lobby."""
    match: str = ""
    """The match that began from here; empty while people still arrive."""

    def person(self, token: str) -> Person | None:
        """Return the person whose device has this token hash."""
        return next((each for each in self.people if token and each.token == token), None)


def changed(lobby: Lobby, people: Iterable[Person]) -> Lobby:
    """Return the lobby with other people."""
    return replace(lobby, people=tuple(people), changes=lobby.changes + 1)


def free_plates(people: Sequence[Person]) -> tuple[tuple[str, str], ...]:
    """Return the colours that are free, in both colour and shape."""
    colours, shapes = {each.colour for each in people}, {each.shape for each in people}
    return tuple([plate for plate in PLATES if plate[0] not in colours and plate[1] not in shapes])


def free_faces(people: Sequence[Person]) -> tuple[str, ...]:
    """Return the free faces."""
    return tuple([face for face in FACES if face not in {each.face for each in people}])


def check_free(people: Sequence[Person], new: Person) -> None:
    """Raise `Taken` if somebody has the name, colour, shape or face of a new person."""
    for each in people:
        if look_alike([each.name, new.name]):
            raise Taken("name", each.name)
        if each.colour == new.colour or each.shape == new.shape:
            raise Taken("colour", each.name)
        if each.face == new.face:
            raise Taken("face", each.name)


def joined(lobby: Lobby, new: Person, most: int) -> Lobby:
    """Return the lobby with a new person at the end; raise `Taken` for a conflict."""
    if len(lobby.people) >= most:
        raise Taken("seat")
    check_free(lobby.people, new)
    number = max([each.number for each in lobby.people], default=0) + 1
    return changed(lobby, (*lobby.people, replace(new, number=number)))


def with_looks(lobby: Lobby, new: Person) -> Lobby:
    """Return the lobby with a person's name, colour and face changed; raise `Taken` if somebody else has them."""
    check_free([each for each in lobby.people if each.number != new.number], new)
    return changed(lobby, [new if each.number == new.number else each for each in lobby.people])


def without(lobby: Lobby, number: int) -> Lobby:
    """Return the lobby without a person."""
    return changed(lobby, [each for each in lobby.people if each.number != number])


def moved(lobby: Lobby, number: int, place: int) -> Lobby:
    """Return the lobby with a person moved to another place in the order of seats, counted from 0."""
    found = next((each for each in lobby.people if each.number == number), None)
    if found is None:
        return lobby
    others = [each for each in lobby.people if each.number != number]
    place = max(0, min(place, len(others)))
    return changed(lobby, [*others[:place], found, *others[place:]])


def claimed(lobby: Lobby, number: int, token: str) -> Lobby:
    """Return the lobby with a device of their own for a person without one; raise `Taken` if they have one."""
    found = next((each for each in lobby.people if each.number == number), None)
    if found is None or found.device != "tablet":
        raise Taken("person", found.name if found else "")
    mine = replace(found, device="phone", token=token)
    return changed(lobby, [mine if each.number == number else each for each in lobby.people])


def newcomer(lobby: Lobby, name: str, device: Device, colour: str = "", face: str = "", token: str = "") -> Person:
    """Return a person with this name; missing choices become the first free ones."""
    plates, faces = free_plates(lobby.people), free_faces(lobby.people)
    shape = dict(PLATES).get(colour, "")
    if not shape:
        colour, shape = next(iter(plates), PLATES[0])
    face = face if face in FACES else next(iter(faces), FACES[0])
    return Person(0, name, colour, shape, face, device, token)


def new_bot(lobby: Lobby) -> Person:
    """Return a bot with a name that nobody in the lobby has."""
    here = [each.name for each in lobby.people]
    name = next((each for each in BOT_NAMES if not look_alike([*here, each])), f"Bot {len(here) + 1}")
    face = "robot" if "robot" in free_faces(lobby.people) else ""
    return newcomer(lobby, name, "bot", face=face)


def from_players(players: Sequence[Player]) -> tuple[Person, ...]:
    """Return the players of an earlier match as people, with a face for those without one."""
    people: list[Person] = []
    for number, each in enumerate(players, 1):
        face = each.face if isinstance(each.face, str) and each.face in FACES else ""
        face = face if face in free_faces(people) else next(iter(free_faces(people)), FACES[0])
        people.append(Person(number, each.name, each.colour, each.shape, face, "tablet"))
    return tuple(people)
