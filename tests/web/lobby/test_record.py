"""Test changes of the people in a lobby, without pages or a disk."""

from __future__ import annotations

import msgspec
import pytest

from companion.engine import Player
from web.lobby.keeper import credentials_of
from web.lobby.record import (
    BOT_NAMES,
    FACES,
    PLATES,
    Lobby,
    Person,
    Taken,
    claimed,
    free_faces,
    free_plates,
    from_players,
    joined,
    moved,
    new_bot,
    newcomer,
    with_looks,
    without,
)

EMPTY = Lobby("lobby-1", "trains", "123456", "host")


def with_people(*names: str) -> Lobby:
    """Return a lobby in which these people have arrived, each with a phone."""
    lobby = EMPTY
    for name in names:
        lobby = joined(lobby, newcomer(lobby, name, "phone", token=f"token of {name}"), 8)
    return lobby


def names(lobby: Lobby) -> list[str]:
    """Return the names of the people, in the order of seats."""
    return [each.name for each in lobby.people]


def test_who_chooses_nothing_gets_what_nobody_has() -> None:
    """A person who chooses nothing gets the first free colour with its shape and the first free face."""
    lobby = with_people("Ada", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal")
    assert [(each.colour, each.shape) for each in lobby.people] == list(PLATES)
    assert [each.face for each in lobby.people] == list(FACES[:8])
    assert free_plates(lobby.people) == () and free_faces(lobby.people) == FACES[8:]


@pytest.mark.parametrize(
    ("new", "what"),
    [
        (Person(0, "ada", "green", "triangle", "bear"), "name"),
        (Person(0, "Cy", "red", "triangle", "bear"), "colour"),
        (Person(0, "Cy", "green", "circle", "bear"), "colour"),
        (Person(0, "Cy", "green", "triangle", "fox"), "face"),
    ],
)
def test_two_people_never_have_the_same(new: Person, what: str) -> None:
    """A second person with the same name, colour or face is refused, and the refusal names the first one."""
    with pytest.raises(Taken) as refused:
        joined(with_people("Ada", "Bo"), new, 8)
    assert (refused.value.what, refused.value.other) == (what, "Ada")


def test_a_full_lobby_takes_nobody() -> None:
    """A lobby has as many places as the game has seats."""
    lobby = with_people("Ada", "Bo")
    with pytest.raises(Taken) as refused:
        joined(lobby, newcomer(lobby, "Cy", "phone"), 2)
    assert refused.value.what == "seat"


@pytest.mark.parametrize(("place", "order"), [(0, "CAB"), (1, "ACB"), (2, "ABC"), (99, "ABC"), (-3, "CAB")])
def test_somebody_moves_to_any_place(place: int, order: str) -> None:
    """A person can move to any place, and a place beyond an end counts as that end."""
    lobby = with_people("A", "B", "C")
    assert "".join(names(moved(lobby, 3, place))) == order
    assert moved(lobby, 9, 0) == lobby


def test_numbers_are_never_given_twice() -> None:
    """A removed person who returns gets a new number, so that an old page cannot move anybody else."""
    lobby = with_people("A", "B")
    again = joined(without(lobby, 1), newcomer(lobby, "C", "phone"), 4)
    assert [each.number for each in again.people] == [2, 3]


def test_looks_may_change_but_not_to_another_ones() -> None:
    """A person's own colour counts as free for that person."""
    lobby = with_people("A", "B")
    changed = with_looks(lobby, msgspec.structs.replace(lobby.people[0], name="Anna", face="cat"))
    assert names(changed) == ["Anna", "B"]
    with pytest.raises(Taken):
        with_looks(lobby, msgspec.structs.replace(lobby.people[0], face=lobby.people[1].face))


def test_only_who_has_no_device_can_be_claimed() -> None:
    """The first phone that claims a person gets them, and the second one is told."""
    lobby = joined(EMPTY, newcomer(EMPTY, "Ann", "tablet"), 4)
    found = claimed(lobby, 1, "phone")
    assert (found.people[0].device, found.people[0].token) == ("phone", "phone")
    with pytest.raises(Taken):
        claimed(found, 1, "other")
    with pytest.raises(Taken):
        claimed(found, 7, "other")


def test_bots_have_names_and_faces_of_their_own() -> None:
    """Each bot gets a different name and face, and the first one's face is the robot."""
    lobby = EMPTY
    for _ in range(8):
        lobby = joined(lobby, new_bot(lobby), 8)
    assert tuple(names(lobby)) == BOT_NAMES
    assert lobby.people[0].face == "robot" and len({each.face for each in lobby.people}) == 8


def test_people_of_an_older_match_get_faces() -> None:
    """People of a match without faces get some, and existing faces stay."""
    people = from_players([Player("A", "red", "circle"), Player("B", "blue", "square", "fox")])
    assert [each.face for each in people] == ["fox", "owl"]
    assert b"face" not in msgspec.json.encode(Player("A", "red", "circle"))


def test_devices_have_their_seats_and_nobody_has_a_pin() -> None:
    """The seats of phones and of the host open at once; a person without a phone plays at the shared tablet."""
    lobby = with_people("A", "B")
    lobby = joined(lobby, newcomer(lobby, "C", "tablet"), 4)
    lobby = joined(lobby, new_bot(lobby), 4)
    found = credentials_of(msgspec.structs.replace(lobby, tablets=("tablet",)))
    viewers = {hashed: (viewer.role, viewer.seat) for hashed, viewer in found.tokens.items()}
    assert viewers == {
        "host": ("host", None),
        "tablet": ("table", None),
        "token of A": ("seat", 0),
        "token of B": ("seat", 1),
    }
    assert (found.pins, found.bots, found.tablet, found.host) == ({0: "", 1: ""}, (3,), (2,), "")
    assert (found.room, found.spectators) == (lobby.room, lobby.id)
