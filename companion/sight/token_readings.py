"""The camera's readings of one table's tokens, if they may be accepted as they lie."""

from __future__ import annotations

from collections import Counter

import msgspec
from msgspec.structs import replace

from companion.engine import tokens_seen
from companion.messages import SECOND, Sighted
from companion.sight.moves import takes_part
from companion.sight.token_scene import TokenScene, crowded_places, is_money_place, read_tokens
from companion.table.cues import tokens_readable
from companion.table.snapshot import Snapshot

REACHING = 6 * SECOND
"""How long after the signal an unchanged place must not be counted: its owner may still be reaching for it."""
MOVING = 8 * SECOND
"""How long an object must move over the table while sums are awaited before people are asked to remove it."""


class BlackPlaces(msgspec.Struct):
    """Which places of one match may be read, since when, and the tokens at each before the camera saw it black."""

    readable: frozenset[str] = frozenset()
    begun: int = 0
    """When we began to follow this match: after a restart, hands may just be opening."""
    turned: dict[str, int] = {}
    """When a place became readable, black, or open to a new count: older readings of it are invalid."""
    lay: dict[str, tuple[str, ...]] = {}
    """The tokens last seen at each place, even by a camera lost since."""
    closed: dict[str, tuple[str, ...]] = {}
    """The tokens at each place when it became black; nothing for a place seen empty since."""
    watched: bool = False
    """Whether the camera was present when places became black, and so remembers their tokens."""
    trusted: frozenset[str] = frozenset()
    """Black places where, according to their seats, no hand is open."""

    def turn(self, readable: frozenset[str], at: int, watched: bool) -> frozenset[str]:
        """Make other places readable; return those that became black. `watched`: whether there is a camera."""
        closing = self.readable - readable
        self.turned |= dict.fromkeys(self.readable ^ readable, at)
        self.readable = readable
        self.trusted -= readable
        self.watched = self.watched or (bool(closing) and watched)
        self.closed |= {place: self.lay[place] for place in closing if place in self.lay}
        return closing

    def see(self, scene: TokenScene) -> None:
        """Remember the tokens."""
        self.lay |= scene.seen.places
        self.closed = {place: lay for place, lay in self.closed.items() if place not in scene.empty}

    def opened(self, place: str) -> int:
        """Return the moment from which a place's owner may have opened a hand."""
        return max(self.turned.get(place, 0), self.begun)

    def is_hand(self, place: str, scene: TokenScene) -> bool:
        """Whether an unknown object at a black place is an open hand.

        It may also be a first fist that the camera could not read, has forgotten since, or that somebody picked up and
        laid back.
        """
        first = scene.game.lying_money(scene.state).get(place)
        if place in self.trusted:
            return False
        return not first or (self.watched and scene.worth(self.closed.get(place, ())) == first)

    def unchanged(self, scene: TokenScene) -> list[str]:
        """Return the places for money that were black and show nothing new.

        After a restart the earlier tokens are unknown, but a first fist's value is known.
        """
        known = scene.game.lying_money(scene.state)

        def is_unchanged(place: str) -> bool:
            tokens = Counter(scene.seen.places[place])
            return tokens in (Counter(), Counter(self.closed.get(place, ()))) or scene.money(place) == known.get(place)

        certain = [place for place in scene.seen.places if scene.seen.certain(place)]
        return [place for place in certain if is_money_place(place) and is_unchanged(place)]


class HandsAbove(msgspec.Struct):
    """Remembers movement above the table, and when to ask people to stop it."""

    moving: bool = False
    ask_at: int | None = None
    judged_at: int = 0

    def judge(self, now: int) -> None:
        """Note the moment: requests due by then are not due again."""
        self.judged_at = now
        self.ask_at = (self.ask_at or now + MOVING) if self.moving else None

    def due(self) -> list[int]:
        """Return the moment from which people are asked, if it is still in the future."""
        return [self.ask_at] if self.ask_at is not None and self.judged_at < self.ask_at else []

    def stay(self) -> bool:
        """Whether the movement has lasted long enough to ask people."""
        return self.ask_at is not None and not self.due()


class TokenReadings:
    """The tokens on one table, now and before."""

    def __init__(self) -> None:
        self.table = Snapshot(0)
        self.hands = HandsAbove()
        self.black = BlackPlaces()
        self.early: list[str] = []
        """Unchanged places whose owners may still lay down tokens."""
        self.untouched: dict[str, tuple[str, ...]] = {}
        """The tokens at each place at an undo or before the match; they are not accepted as they lie."""
        self._sighted: Sighted | None = None

    def accept(self, sighted: Sighted | None) -> None:
        """Accept a reading of the table; None if the camera is lost."""
        self._sighted = sighted
        if sighted is None:
            self.black.watched = False
            return
        lies = _lying(sighted)
        self.untouched = {place: lay for place, lay in self.untouched.items() if lies.get(place, lay) == lay}

    def begin(self, again: bool) -> None:
        """Begin with another match, or again after an undo: present tokens are not accepted."""
        black = self.black
        begun, turned = (black.begun, black.turned) if again else (self.table.at, {})
        self.black = BlackPlaces(black.readable, begun, turned)
        self.untouched = {} if self._sighted is None else _lying(self._sighted)

    def follow(self, table: Snapshot) -> frozenset[str]:
        """Follow a table; return the places that became black."""
        self.table = table
        return self.black.turn(frozenset(tokens_readable(table).places), table.at, self._sighted is not None)

    def open_count(self) -> None:
        """Count readable places anew: their tokens are for another lot."""
        self.black.turned |= dict.fromkeys(self.black.readable, self.table.at)
        self.untouched = {place: lay for place, lay in self.untouched.items() if place not in self.black.readable}

    def due(self) -> list[int]:
        """Return the moments at which readings may change."""
        early = [] if self.hands.moving else [self.black.opened(place) + REACHING for place in self.early]
        return self.hands.due() + early

    def look(self, now: int) -> TokenScene | None:
        """Return the currently readable tokens; None if no tokens are read at all."""
        self.hands.judge(now)
        scene, self.early = self._scene(), []
        if scene is not None:
            self.black.see(scene)
            unchanged, reached = self.black.unchanged(scene), now - REACHING
            self.early = [place for place in unchanged if self.hands.moving or self.black.opened(place) > reached]
        return scene

    def unread_money(self, scene: TokenScene) -> list[str]:
        """Return the readable places for money that cannot be counted yet."""
        unread = [place for place in self.black.readable if place not in scene.seen.places or place in self.early]
        return [place for place in unread if is_money_place(place)]

    def _scene(self) -> TokenScene | None:
        table, sighted = self.table, self._sighted
        game, state, setup = table.match_game, table.state, table.setup
        if sighted is None or game is None or state is None or setup is None or not state.agenda:
            return None
        if not tokens_seen(game) or not takes_part(table, sighted):
            return None
        places = {place.name: place for place in game.token_places(len(setup.seated()))}
        recent = frozenset([name for name in places if sighted.at > self.black.turned.get(name, 0)])
        known, black = recent & self.black.readable, recent - self.black.readable
        seen, crowded = read_tokens(sighted, game.token_kinds, known), crowded_places(sighted, places, known)
        empty = tuple([place for place in sighted.empty_places if place in black])
        scene = TokenScene(game, state, places, known, seen, crowded, empty=empty)
        hands = [place for place in sighted.open_hands if place in black and self.black.is_hand(place, scene)]
        return replace(scene, open_hands=tuple(hands))


def _lying(sighted: Sighted) -> dict[str, tuple[str, ...]]:
    """Return the tokens at each place that was read, in alphabetical order."""
    found: dict[str, list[str]] = {place: [] for place in sighted.token_places}
    for each in sighted.tokens:
        if each.place in found:
            found[each.place].append(each.token or "?")
    return {place: tuple(sorted(tokens)) for place, tokens in found.items()}
