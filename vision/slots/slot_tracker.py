"""Track the cards of one slot from picture to picture: read changed parts again and remember the rest."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.features.pixels import Floats, brightest
from vision.image import Image
from vision.slots.background import Background
from vision.slots.slot_frame import Points, SlotFrame, area, fill_polygon, polygon_mask, shared_area
from vision.slots.slot_search import SlotSearch
from vision.slots.slot_view import GROWN, LEAST_SHOWN, LOOK, SlotView, visible_mask
from vision.slots.track_matching import HERE, KERNEL, agrees, distance_of, is_same_card, large_area
from vision.slots.tracks import ENOUGH, FoundCard, Track
from vision.slots.unread_ends import is_next_end_unread, strange_parts

CHANGED = 13.0
"""The difference in brightness that counts as a change, in levels of 255 averaged over `SPREAD`."""
SPREAD = 5
"""Window in millimetres for averaging differences, wider than noise and narrower than a tucked card's strip."""
TOUCHED = 0.02
"""The changed share of a card above which it is read again."""
REPLACED = 0.5
"""The changed share of a card's visible part above which another card may have replaced it."""
WORTH = 250.0
"""The minimum changed area in mm² for an end search, less than a tucked card shows."""
PRINTED = 40.0
"""The minimum printed area in mm² of such a change. A shadow has none, and a card's end has 80 or more."""
LARGE = 800.0
"""The minimum area in mm² of an unexplained object that covers a place."""
FREE = 1400.0
"""The minimum area in mm² for a free search, less than half a card."""
EMPTY = 0.88
"""The share of a card's visible area that must match the background before the card counts as gone. A phone with a
white page matches partly."""
BARE = 0.8
"""The share of a place that matches the background above which no card lies there."""
EDGE = 3.0
"""Margin in millimetres of a card's edge, ignored when checking whether the card is gone."""
TOUCHING = 20.0
"""The minimum shared area in mm² of two cards that lie on each other."""
BESIDE = 20
"""Distance in millimetres from an object within which a place does not count as empty."""
TRIES = 2
"""The number of further pictures to search before an unexplained area counts as an object."""
AWAY = 0.6
"""The share of another card's place that a new card must take to replace it."""


class SlotTracker:
    """The tracks of one slot."""

    def __init__(self, search: SlotSearch) -> None:
        self.search = search
        self.frame: SlotFrame = search.frame
        self.tracks: list[Track] = []
        self.covered = False
        """Whether something other than a card covers the place."""
        self.readings = 0
        self._ground = Background()
        self._look: Image | None = None
        self._lost: list[Track] = []
        self._like: Image | None = None
        self._plain: Image | None = None
        """Masks (255) where the place matches the background: with its thin lines and words, and without."""
        self._unsolved: Image | None = None
        """A mask (255) of unexplained areas to search again."""
        self._tries = 0

    @property
    def wants_picture(self) -> bool:
        """Whether another picture is needed to search an unexplained area again."""
        return self._unsolved is not None

    def know_ground(self, look: Image) -> None:
        """Learn the empty place's appearance where there is no printed paper.

        look: a view at LOOK pixels per millimetre.
        """
        self._ground = Background(patterned=True)
        self._ground.learn(look, np.full(look.shape[:2], 255, np.uint8))

    def adopt(self, track: Track) -> None:
        """Take over a card that another tracker found."""
        self.tracks.append(track)

    def release(self, track: Track) -> None:
        """Hand a card over to another tracker."""
        self._drop(track)

    def bare(self) -> Image | None:
        """Return a mask (255) where the last picture showed the empty place, or None if it was not read."""
        if self.covered or self._like is None:
            return None
        bare = self._like.copy()
        for track in self.tracks:
            fill_polygon(bare, self._widen(track.corners, 4.0), LOOK, 0)
        return bare

    def missing(self) -> list[Track]:
        """Return the tracks that are out of sight but not yet dropped."""
        return list(self._lost)

    # --- reading ---

    def read(self, scene: SlotView, look: Image, typical: Floats | None) -> bool:
        """Process a new view of the frame at LOOK pixels per millimetre, and return whether it had to be read."""
        changed = self._find_changes(look)
        waiting = [track for track in self.tracks if not track.settled]
        if not changed.any() and not waiting and not self._lost and self._unsolved is None:
            return False
        self.readings += 1
        self._like, self._plain = self._ground.like(look, typical)
        self._verify(scene, changed, waiting)
        wanted = changed if self._unsolved is None else cv2.bitwise_or(changed, self._unsolved)
        strange = self._find_unexplained(wanted)
        if np.count_nonzero(strange) > WORTH * LOOK**2:
            self._search_new(scene, strange)
        self._drop_gone()
        self._plan_retry(wanted, bool(changed.any()))
        self._note_covered(look)
        self._remember(look)
        return True

    def _find_changes(self, look: Image) -> Image:
        """Return a mask (255) where the place differs from its last reading."""
        if self._look is None:
            return np.full(look.shape[:2], 255, np.uint8)
        difference = cv2.blur(brightest(cv2.absdiff(look, self._look)), (SPREAD, SPREAD))
        mask = (difference > CHANGED).astype(np.uint8) * 255
        return cv2.dilate(mask, np.ones((3, 3), np.uint8))

    def _remember(self, look: Image) -> None:
        """Store the view as the last reading's, and learn the background where it is bare."""
        self._look = look
        bare = self.bare()
        if bare is not None:
            self._ground.learn(look, bare)

    # --- known cards ---

    def _verify(self, scene: SlotView, changed: Image, waiting: Sequence[Track]) -> None:
        """Read each card again that is not settled or has changed."""
        self._lost = [track for track in self._lost if track in self.tracks]
        for track in self.tracks:
            share = self._share_changed(track, changed)
            touched = share > TOUCHED
            track.must_rename = track.must_rename or (share > REPLACED and track.name is not None)
            if touched and track.name is None and track.doubt == "unknown" and track not in self._lost:
                self._lost.append(track)  # there is nothing to recognise it by
            elif touched or track in waiting or track in self._lost:
                self._verify_one(scene, track, touched)

    def _verify_one(self, scene: SlotView, track: Track, touched: bool) -> None:
        names = [name for name in (track.asserted, *track.votes, *track.likeliest) if name]
        on_top = [other.corners for other in track.hiders]
        find = None
        still = bool(names) and not touched and track not in self._lost
        if not still or not track.votes:  # the search picked its end among many: compare it with the whole deck
            find = self.search.reread(scene, track.corners, on_top, names)
        if still and (find is None or find.card is None):  # nothing has moved there since the last comparison
            find = self.search.read_pose(scene, track.corners, on_top, self.search.with_relatives(names))
        if find is None:
            return  # nothing of it shows, so nothing can be learnt
        strange = find.doubt == "unknown" and (track in self._lost or self._shows_background(track))
        if agrees(track, find) and not strange:
            track.count(find)
            if track in self._lost:
                self._lost.remove(track)
        elif find.card is not None and not touched and track not in self._lost:
            track.count(find)  # nothing moved: several pictures must agree before renaming it
        elif track not in self._lost:
            self._lost.append(track)

    def _share_changed(self, track: Track, changed: Image) -> float:
        """Return the changed share of a card's visible part."""
        inside = polygon_mask(changed.shape, self.frame.from_mat(track.corners), LOOK)
        for hider in track.hiders:
            fill_polygon(inside, self.frame.from_mat(hider.corners), LOOK, 0)
        return int(np.count_nonzero(cv2.bitwise_and(inside, changed))) / max(1, int(np.count_nonzero(inside)))

    # --- new cards ---

    def _find_unexplained(self, changed: Image) -> Image:
        """Return a mask (255) of changes that no known card explains."""
        strange = changed.copy()
        for track in self.tracks:
            if track not in self._lost:
                fill_polygon(strange, self._widen(self.search.visible_part(track), 2.0), LOOK, 0)
        return strange

    def _search_new(self, scene: SlotView, strange: Image) -> None:
        assert self._like is not None and self._plain is not None
        # A card may have the background's colours, except for its many thin strokes of print.
        things = cv2.morphologyEx(strange, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
        things = cv2.bitwise_and(things, cv2.bitwise_not(self._plain))
        if np.count_nonzero(things) < PRINTED * LOOK**2:
            return
        lying = [track for track in self.tracks if track not in self._lost]
        finds = self.search.find_cards(scene, things, lying)
        finds = [find for find in finds if self._is_in_this_slot(find) and not self._is_only_background(find)]
        for find in finds:
            fill_polygon(strange, self._widen(self.search.visible_part(find), 2.0), LOOK, 0)
        left = cv2.bitwise_and(strange, cv2.bitwise_not(self._like))
        if large_area(left) > FREE:
            known = [track.corners for track in self.tracks if track.name is not None]
            known += [find.corners for find in finds]
            wide = cv2.dilate(left, np.ones((9, 9), np.uint8))
            for part in [self.search.visible_part(track) for track in lying] + [
                self.search.visible_part(find) for find in finds
            ]:
                fill_polygon(wide, self.frame.from_mat(part), LOOK, 0)
            more = self.search.search_freely(scene, wide, self._like, known)
            finds += [find for find in more if self._is_in_this_slot(find)]
        for find in finds:
            self._add_or_move(find, lying)

    def _plan_retry(self, wanted: Image, news: bool) -> None:
        """Plan another search where something is unexplained, because noise may have hidden it.

        news: whether anything has changed. If so, all `TRIES` are available again.
        """
        assert self._like is not None
        self._tries = TRIES if news else self._tries - 1
        left = cv2.bitwise_and(self._find_unexplained(wanted), cv2.bitwise_not(self._like))
        # Something covers a card's place, but no card was found there.
        gone = any(track.reportable for track in self._lost)
        self._unsolved = wanted if self._tries > 0 and (gone or large_area(left) > LARGE) else None

    def _is_in_this_slot(self, find: FoundCard) -> bool:
        """Whether a card's middle lies in this slot and not in a neighbour's."""
        x, y = self.frame.from_mat(find.corners).mean(axis=0)
        homes = np.vstack([self.frame.home(0), self.frame.home(self.frame.slot.most - 1)])
        reach = 9.0
        low, high = homes.min(axis=0) - reach, homes.max(axis=0) + reach
        if self.frame.slot.kind == "row":  # rows may grow longer than planned
            low[1] -= 40.0
        half = np.array(self.frame.card) / 2
        inside = (np.array([x, y]) > low + half - reach) & (np.array([x, y]) < high - half + reach)
        return bool(inside.all())

    def _is_only_background(self, find: FoundCard) -> bool:
        """Whether a supposed card is only background, whose lines and paper seams may resemble a card's end.

        A named card was compared as a whole and always counts: a grey card may have the colours of shaded paper.
        """
        assert self._like is not None
        if find.card is not None:
            return False
        inside = polygon_mask(self._like.shape, self.frame.from_mat(find.corners), LOOK)
        whole, bare = np.count_nonzero(inside), np.count_nonzero(cv2.bitwise_and(inside, self._like))
        return int(bare) > BARE * max(1, int(whole))

    def _add_or_move(self, find: FoundCard, lying: list[Track]) -> None:
        """Add a track for a found card, or move the track of a card that was pushed."""
        could = [old for old in self._lost if is_same_card(old, find)]
        track = min(could, key=lambda old: distance_of(old.corners, find.corners), default=None)
        if track is not None:
            self._lost.remove(track)
            track.count(find)
            track.corners = find.corners
        else:
            track = Track(find)
            self.tracks.append(track)
        touching = [other for other in lying if shared_area(other.corners, find.corners) > TOUCHING]
        track.hiders = [other for other in touching if self.search.lies_over(other, find.corners)]
        below = [other for other in touching if other not in track.hiders]
        below += [old for old in self._lost if shared_area(old.corners, find.corners) > TOUCHING]
        for other in below:
            if track not in other.hiders and other not in track.hiders:
                other.hiders.append(track)
        lying.append(track)

    # --- missing cards ---

    def _drop_gone(self) -> None:
        """Drop cards whose place is visibly empty or taken by another card, and keep hidden ones."""
        near = self._near_things() if self._lost else None
        for track in list(self._lost):
            instead = [other for other in self.tracks if other not in self._lost and self._replaces(other, track)]
            if any(other.reportable for other in instead):
                self._drop(track)
                continue
            above = [other.corners for other in track.hiders if other not in self._lost]
            visible = visible_mask(track.corners, above)
            if instead:
                continue  # decide at the next picture
            if np.count_nonzero(visible) < LEAST_SHOWN * visible.size:
                self._lost.remove(track)  # covered by cards, so nothing can be learnt
            # without a name it may not have been a card
            elif self._shows_background(track, near) or track.name is None:
                track.misses += 1
                if track.misses >= ENOUGH:
                    self._drop(track)
            else:
                track.misses = 0

    def _replaces(self, other: Track, track: Track) -> bool:
        """Whether a later card lies at another one's place: on its outline, or at its position in a row."""
        if other.number < track.number:
            return False
        if self.frame.slot.kind == "row":
            far, was = (self.frame.from_mat(one.corners)[:, 1].min() for one in (other, track))
            if abs(far - was) > HERE:
                return False
        shown = self.search.visible_part(track)
        return shared_area(self.search.visible_part(other), shown) > AWAY * area(shown)

    def _near_things(self) -> Image:
        """Return a mask (255) near large objects that are neither background nor a visible card, such as a white
        saucer."""
        assert self._like is not None
        seen = [self.search.visible_part(track) for track in self.tracks if track not in self._lost]
        strange = strange_parts(self._like, [self._widen(part, 3.0) for part in seen], self._home_area())
        things = cv2.morphologyEx(strange, cv2.MORPH_OPEN, np.ones((KERNEL, KERNEL), np.uint8))
        return cv2.dilate(things, np.ones((2 * BESIDE + 1, 2 * BESIDE + 1), np.uint8))

    def _shows_background(self, track: Track, near: Image | None = None) -> bool:
        """Whether the background shows at the card's place, and no object in the mask `near` may hide the card."""
        assert self._like is not None
        inside = polygon_mask(self._like.shape, self._widen(track.corners, -EDGE), LOOK)
        for other in self.tracks:
            above = other in track.hiders or (other not in self._lost and track not in other.hiders)
            if other is not track and above:
                fill_polygon(inside, self._widen(other.corners, GROWN), LOOK, 0)
        count = np.count_nonzero(inside)
        if near is not None and cv2.bitwise_and(inside, near).any():
            return False
        return bool(count > WORTH / 2 and np.count_nonzero(cv2.bitwise_and(inside, self._like)) > EMPTY * count)

    def _drop(self, track: Track) -> None:
        self.tracks.remove(track)
        if track in self._lost:
            self._lost.remove(track)
        for other in self.tracks:
            if track in other.hiders:
                other.hiders.remove(track)

    def _note_covered(self, look: Image) -> None:
        """Set whether an object covers the place or hides a row's next end."""
        assert self._like is not None
        lying = [track for track in self.tracks if track not in self._lost or track.asserted is None]
        strange = strange_parts(self._like, [self._widen(track.corners, 3.0) for track in lying], self._home_area())
        # An object that hides a card, whose place is not visibly empty, covers the place.
        hiding = any(track.misses == 0 and track.reportable for track in self._lost)
        self.covered = (
            hiding
            or large_area(strange) > LARGE
            or (self.frame.slot.kind == "row" and self._is_end_unread(look, strange))
        )

    def _is_end_unread(self, look: Image, strange: Image) -> bool:
        """Whether a row's next end may show print or glare without a card having been read."""
        assert self._plain is not None
        inside = [self.frame.from_mat(track.corners) for track in self.tracks]
        plain = self._plain
        if self._ground.patterned:  # without printed outlines cards are located less exactly, so an edge may stick out
            plain = plain.copy()
            for track in self.tracks:
                fill_polygon(plain, self._widen(track.corners, EDGE), LOOK)
        return is_next_end_unread(look, self.frame, inside, strange, plain)

    def _home_area(self) -> tuple[int, int, int, int]:
        homes = np.vstack([self.frame.home(0), self.frame.home(self.frame.slot.most - 1)]) * LOOK
        low, high = homes.min(axis=0), homes.max(axis=0)
        return max(0, int(low[0])), max(0, int(low[1])), int(high[0]), int(high[1])

    def _widen(self, corners: Points, much: float) -> Points:
        inside = self.frame.from_mat(corners)
        middle = inside.mean(axis=0)
        away = inside - middle
        grown: Points = middle + away * (1 + much / np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1.0))
        return grown
