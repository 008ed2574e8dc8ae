"""What a camera reads of the tokens of one table, as far as they may be taken as they lie."""

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
"""How long after the signal a place where nothing new lies may not be counted: its owner may still reach for it."""
MOVING = 8 * SECOND
"""How long something must move over the table, while sums are awaited, until people are asked to take it away."""


class BlackPlaces(msgspec.Struct):
    """Which places of one match may be read, since when, and what lay at each before it became black to the camera."""

    readable: frozenset[str] = frozenset()
    begun: int = 0
    """When this match was followed first: after a restart hands may just be opening."""
    turned: dict[str, int] = {}
    """When a place became readable, black, or open to a new count: older readings say nothing about it."""
    lay: dict[str, tuple[str, ...]] = {}
    """The tokens last seen at each place, also by a camera that has been lost since."""
    closed: dict[str, tuple[str, ...]] = {}
    """The tokens that lay at each place when it became black; nothing of a place that was seen empty since."""
    watched: bool = False
    """Whether the camera has been there since places became black, so that it remembers what lay there."""
    trusted: frozenset[str] = frozenset()
    """Black places about which their seats have said that no hand is open there."""

    def turn(self, readable: frozenset[str], at: int, watched: bool) -> frozenset[str]:
        """Have other places readable; return those that became black. `watched`: whether there is a camera."""
        closing = self.readable - readable
        self.turned |= dict.fromkeys(self.readable ^ readable, at)
        self.readable = readable
        self.trusted -= readable
        self.watched = self.watched or (bool(closing) and watched)
        self.closed |= {place: self.lay[place] for place in closing if place in self.lay}
        return closing

    def see(self, scene: TokenScene) -> None:
        """Remember what lies there."""
        self.lay |= scene.seen.places
        self.closed = {place: lay for place, lay in self.closed.items() if place not in scene.empty}

    def opened(self, place: str) -> int:
        """Return the moment from which a place's owner may have opened a hand."""
        return max(self.turned.get(place, 0), self.begun)

    def is_hand(self, place: str, scene: TokenScene) -> bool:
        """Whether what the camera does not know at a black place is an open hand.

        It may also be a first fist that the camera could not read, or has forgotten since, or that was taken up and
        laid back.
        """
        first = scene.game.lying_money(scene.state).get(place)
        if place in self.trusted:
            return False
        return not first or (self.watched and scene.worth(self.closed.get(place, ())) == first)

    def unchanged(self, scene: TokenScene) -> list[str]:
        """Return the places for money that were black and where nothing new lies.

        After a restart nobody knows which tokens lay there, but a first fist's worth is known.
        """
        known = scene.game.lying_money(scene.state)

        def is_unchanged(place: str) -> bool:
            tokens = Counter(scene.seen.places[place])
            return tokens in (Counter(), Counter(self.closed.get(place, ()))) or scene.money(place) == known.get(place)

        certain = [place for place in scene.seen.places if scene.seen.certain(place)]
        return [place for place in certain if is_money_place(place) and is_unchanged(place)]


class HandsAbove(msgspec.Struct):
    """Remembers that something moves above the table, and when people are to be asked to take it away."""

    moving: bool = False
    ask_at: int | None = None
    judged_at: int = 0

    def judge(self, now: int) -> None:
        """Note the moment: what is due by then is not due again."""
        self.judged_at = now
        self.ask_at = (self.ask_at or now + MOVING) if self.moving else None

    def due(self) -> list[int]:
        """Return the moment from which people are asked, if it is still to come."""
        return [self.ask_at] if self.ask_at is not None and self.judged_at < self.ask_at else []

    def stay(self) -> bool:
        """Whether something has moved there for so long that people are asked."""
        return self.ask_at is not None and not self.due()


class TokenReadings:
    """The tokens that lie on one table, and how they lay before."""

    def __init__(self) -> None:
        self.table = Snapshot(0)
        self.hands = HandsAbove()
        self.black = BlackPlaces()
        self.early: list[str] = []
        """Unchanged places whose owners may still lay something down."""
        self.untouched: dict[str, tuple[str, ...]] = {}
        """The tokens that lay at each place at an undo or before the match: they are not taken as they lie."""
        self._sighted: Sighted | None = None

    def accept(self, sighted: Sighted | None) -> None:
        """Accept what lies on the table now; None if the camera is lost."""
        self._sighted = sighted
        if sighted is None:
            self.black.watched = False
            return
        lies = _lying(sighted)
        self.untouched = {place: lay for place, lay in self.untouched.items() if lies.get(place, lay) == lay}

    def begin(self, again: bool) -> None:
        """Begin with another match, or again with one that was taken back: nothing is taken that lies there."""
        black = self.black
        begun, turned = (black.begun, black.turned) if again else (self.table.at, {})
        self.black = BlackPlaces(black.readable, begun, turned)
        self.untouched = {} if self._sighted is None else _lying(self._sighted)

    def follow(self, table: Snapshot) -> frozenset[str]:
        """Follow a table; return the places that became black."""
        self.table = table
        return self.black.turn(frozenset(tokens_readable(table).places), table.at, self._sighted is not None)

    def open_count(self) -> None:
        """Count anew what may be read: it lies there for another lot."""
        self.black.turned |= dict.fromkeys(self.black.readable, self.table.at)
        self.untouched = {place: lay for place, lay in self.untouched.items() if place not in self.black.readable}

    def due(self) -> list[int]:
        """Return the moments at which something is to be read otherwise."""
        early = [] if self.hands.moving else [self.black.opened(place) + REACHING for place in self.early]
        return self.hands.due() + early

    def look(self, now: int) -> TokenScene | None:
        """Return the tokens as they may be read now; None where no tokens are read at all."""
        self.hands.judge(now)
        scene, self.early = self._scene(), []
        if scene is not None:
            self.black.see(scene)
            unchanged, reached = self.black.unchanged(scene), now - REACHING
            self.early = [place for place in unchanged if self.hands.moving or self.black.opened(place) > reached]
        return scene

    def unread_money(self, scene: TokenScene) -> list[str]:
        """Return the places for money that may be read and cannot be counted yet."""
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
    """Return what lies at each place that was read, in alphabetical order."""
    found: dict[str, list[str]] = {place: [] for place in sighted.token_places}
    for each in sighted.tokens:
        if each.place in found:
            found[each.place].append(each.token or "?")
    return {place: tuple(sorted(tokens)) for place, tokens in found.items()}
