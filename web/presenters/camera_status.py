"""The camera in words: its state and the cards that it sees at each place."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from companion.devices.camera_link import CameraSnapshot
from companion.devices.frames import CardOutline, LiveFrame
from companion.engine import Player, place_words
from companion.engine.layout import ON_BOARD
from companion.games import GAMES, drawn_for
from companion.i18n import Words
from companion.messages import CameraState, Sighted, Sighting
from web.words import package, words

ENOUGH = 3.3
"""Pixels per millimetre of the table that the full picture needs for reading values."""
SEEING = ("moving", "still")
"""The camera's states without trouble: pages do not change with every hand above the table."""


MINOR = ("too_small", "small_memory", "no_deck", "unfocused", "restless", "slow")
"""Troubles that do not stop the reading. Only the host sees them, who can fix them."""


class CameraStatus(msgspec.Struct, frozen=True):
    """The camera's state on pages, without values that change all the time."""

    expected: bool = False
    lost: bool = False
    back: bool = False
    """Whether it was lost and has just come back."""
    doing: str = ""
    """The state of a camera that does not see the table: `none`, `starting`, `blind` or `unplaced`; empty if it sees
    the table, or if there is no camera.
    """
    sees: bool = False
    trouble: str = ""
    fields: Mapping[str, object] = {}
    said: str = ""
    rendered: bool = False
    """The table is rendered, and a page moves its cards."""

    @property
    def there(self) -> bool:
        """Whether this table has a camera: a lost one counts, a service that finds none does not."""
        return self.expected and self.doing != "none"

    @property
    def stops(self) -> bool:
        """Whether a trouble stops the reading."""
        return self.trouble not in MINOR or self.doing == "unplaced"


def camera_status(camera: CameraSnapshot | None, back: bool = False) -> CameraStatus:
    """Return a camera's state for pages; None: there is no camera."""
    if camera is None:
        return CameraStatus()
    state = camera.state
    if not camera.alive:
        return CameraStatus(camera.expected, camera.lost)
    doing = "" if state.looking in SEEING else state.looking
    return CameraStatus(
        True, False, back, doing, camera.sees, state.trouble, state.fields, camera.said, camera.rendered
    )


def camera_sentence(say: Words, section: str, key: str, fields: Mapping[str, object] | None = None) -> str:
    """Return a sentence of the section `camera` (a trouble) or `answer` (a refusal), or a general one if none fits."""
    filled = dict(fields or {})
    if "side" in filled:
        filled["side"] = say(f"camera_page.side_{filled['side']}")
    if "deck" in filled:
        filled["deck"] = deck_name(str(filled["deck"]), say)
    try:
        sentence = say(f"{section}.{key}", **filled)
    except (KeyError, IndexError, ValueError):
        return say("camera_page.trouble", key=key)
    if sentence != f"{section}.{key}":
        return sentence
    return camera_sentence(say, "camera", key, fields) if section == "answer" else say("camera_page.trouble", key=key)


def trouble_sentence(say: Words, now: CameraStatus, mistakes: Mapping[str, str] = {}) -> str:
    """Return the camera's fault and its remedy in words; empty if there is none.

    `mistakes` translates a service's English sentences about its settings.
    """
    if now.lost:
        return say("camera.lost")
    if now.trouble:
        english = str(now.fields.get("said", ""))
        fields = {**now.fields, "said": mistakes[english]} if english in mistakes else now.fields
        return camera_sentence(say, "camera", now.trouble, fields)
    if now.doing in ("none", "blind", "unplaced"):
        return say(f"camera_page.looking_{now.doing}")
    return now.said


def deck_name(deck: str, say: Words) -> str:
    """Return a deck's worded name: our own printed decks are named after their game."""
    game = drawn_for(deck)
    return say("camera_page.deck_ours", game=words(say.lang, package(GAMES[game]))("game.title")) if game else deck


def place_name(place: str, players: tuple[Player, ...], say: Words) -> str:
    """Return a place in words: the market, Jane's second train."""
    if place.startswith(ON_BOARD):
        return say("cells.place", cell=place.removeprefix(ON_BOARD))
    key, numbers = place_words(place)
    fields: dict[str, object] = dict(numbers)
    if 0 < numbers.get("seat", 0) <= len(players):
        fields["seat"] = players[numbers["seat"] - 1].name
    known = f"place.{key}" if key else "camera_page.nowhere"
    try:
        sentence = say(known, **fields)
    except KeyError:
        return place
    return place if sentence == known else sentence


class SpottedCard(msgspec.Struct, frozen=True):
    """One card that the camera sees, in words. `sure`: `named`, `doubt` (a likely name and a "?") or `unknown`."""

    place: str
    at: int
    card: str
    """Its name in the deck; empty: not named."""
    where: str
    name: str
    sure: str
    percent: int
    why: str
    likeliest: tuple[tuple[str, str], ...]
    """Names in the deck and in words, the likeliest first."""
    outline: tuple[tuple[float, float], ...]


SayCard = Callable[[str], str]
"""Returns a card's name in words."""


def spot_card(drawn: CardOutline, players: tuple[Player, ...], say: Words, card: SayCard) -> SpottedCard:
    """Return a seen card in words."""
    one = drawn.sighting
    sure = "named" if one.card else "doubt" if one.likeliest else "unknown"
    name = card(one.card) if one.card else say("camera_page.unknown")
    if not one.card and one.likeliest:
        name = f"{card(one.likeliest[0])} ?"
    where = place_name(one.place, players, say)
    return SpottedCard(
        one.place,
        one.at,
        one.card or "",
        where,
        name,
        sure,
        round(100 * max(0.0, min(1.0, one.confidence))),
        say(f"camera_page.doubt_{one.doubt}") if one.doubt else "",
        tuple([(each, card(each)) for each in one.likeliest[:3]]),
        drawn.outline,
    )


def cards_to_show(live: LiveFrame | None, sighted: Sighted | None) -> tuple[CardOutline, ...]:
    """Return the cards to show: those in the picture, else those last read."""
    if live is not None:
        return live.cards
    return tuple([CardOutline(each, ()) for each in sighted.sightings]) if sighted else ()


def by_place(cards: tuple[CardOutline, ...]) -> list[CardOutline]:
    """Return cards by place; cards without a place come last."""

    def key(each: CardOutline) -> tuple[bool, str, int]:
        one: Sighting = each.sighting
        return (not one.place, one.place, one.at)

    return sorted(cards, key=key)


def camera_facts(state: CameraState, say: Words) -> dict[str, str]:
    """Return the facts on the camera's page: frames, size, scale, mat and deck."""
    scale = say("camera_page.scale", scale=f"{state.scale:.1f}", least=ENOUGH)
    return {
        "fps": say("camera_page.fps", fps=f"{state.fps:.1f}"),
        "size": say("camera_page.size", width=state.size[0], height=state.size[1]) if state.size[0] else "",
        "scale": scale if state.scale else "",
        "mat": say("camera_page.mat_found" if state.mat else "camera_page.mat_missing"),
        "deck": say("camera_page.deck", deck=deck_name(state.deck, say)) if state.deck else say("camera_page.no_deck"),
    }


def hanging_lines(state: CameraState, say: Words) -> list[str]:
    """Return the necessary changes to how the camera hangs, and their effect on play; none while no table is seen."""
    if not state.table:
        return []
    lines = [camera_sentence(say, "camera_page", each.key, each.fields) for each in state.hanging]
    if state.scale < ENOUGH:
        lines.append(say("camera_page.hang_often", scale=f"{state.scale:.1f}", least=ENOUGH))
    return lines or [say("camera_page.hang_good")]
