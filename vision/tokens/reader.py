"""Read the tokens in a rectified picture of one place, side by side or overlapping, at any rotation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import msgspec
import numpy as np

from companion.messages import TokenDoubt
from vision.features.pixels import Floats
from vision.image import Image
from vision.tokens.comparison import READ_PX, Compared, KnownFace, Lying, aligned, compare
from vision.tokens.exposure import PLAIN, ExposedFaces, Gains
from vision.tokens.ground import Colour, PlaceLook, look_of, place_look
from vision.tokens.outline_votes import Middle, Outline, OutlineVotes, outlines_of
from vision.tokens.polar import SOFT, PolarFaces, TurnedFace
from vision.tokens.print_tones import PrintTones, fitted_tones, token_colours
from vision.tokens.remains import Points, Remains, explained, remains
from vision.tokens.rivals import decided
from vision.tokens.thresholds import (
    ALIKE_WHOLE,
    BARE,
    COVERED,
    FACES_TRIED,
    LEAST_VOTES,
    MOST_MIDDLES,
    SHARE,
    VISIBLE,
)
from vision.tokens.token_set import TokenSet

BLUR = 1.8
"""Sigma of a camera's blur in its own pixels, chosen rather high. A face that is too blurred still agrees, but not
one that is too sharp."""
FINEST = 0.1
"""The step in millimetres of blurs for which faces are cached."""
USUAL = 2.5
"""The assumed pixels per millimetre of a picture."""
RIVALS = 4
"""The number of other faces to compare with an accepted one."""


class FoundToken(msgspec.Struct, frozen=True):
    """A token, or an object that is not a named token, in a picture of a place."""

    name: str | None
    """The name, or None with the reason in `doubt`."""
    doubt: TokenDoubt
    x: float
    y: float
    """Its middle in millimetres of the picture."""
    turn: float = 0.0
    """Clockwise radians."""
    radius: float = 0.0
    """The radius of its enclosing circle in millimetres."""
    visible: float = 1.0
    """Its visible share."""
    confidence: float = 0.0
    """The picture's nearness to it over any other face, from 0 to 1."""
    outline: tuple[tuple[float, float], ...] = ()
    """Its outline in millimetres of the picture."""
    face: int = -1
    """The index of the set's face."""


class PlaceReading(msgspec.Struct, frozen=True):
    """The reading of a place in one picture."""

    tokens: tuple[FoundToken, ...] = ()
    legible: bool = True
    """Whether the picture can be read. Without paper, or burnt out, it cannot, but another one may."""


class _Candidate(msgspec.Struct, frozen=True):
    """A middle with its closest faces, closest first."""

    middle: Middle
    faces: tuple[TurnedFace, ...]

    @property
    def distance(self) -> float:
        """The distance of the closest face."""
        return self.faces[0].distance if self.faces else float("inf")


class _Guess(msgspec.Struct, frozen=True, eq=False):
    """A face at a pose."""

    middle: Middle
    lying: Lying
    compared: Compared

    @property
    def fits(self) -> bool:
        """Whether enough of it shows and agrees, and it is not bare paper."""
        return self.agrees and self.compared.visible >= VISIBLE

    @property
    def agrees(self) -> bool:
        """Whether its visible part agrees and is not bare paper."""
        return self.resembles and self.compared.alike >= ALIKE_WHOLE

    @property
    def resembles(self) -> bool:
        """Whether most of its visible part may be the face, and is not bare paper."""
        return self.compared.share >= SHARE and self.compared.bare >= BARE


class _Scene(msgspec.Struct, eq=False):
    """A place being read, without the areas covered by accepted tokens."""

    look: PlaceLook
    fine: Floats
    soft: Floats
    """h × w × 4: the look with each pixel's weight, and the same blurred."""

    def cover(self, outline: Points, lean: tuple[float, float]) -> None:
        """Ignore the area of an accepted token with its side and shadow."""
        within = explained(self.fine.shape[:2], [outline], lean, SHADOW) > 0
        self.fine[:, :, 3][within] = 0
        self.soft[:, :, 3][within] = 0


class TokenReader:
    """Reads places with one set of tokens. Thread-safe."""

    def __init__(self, token_set: TokenSet) -> None:
        self._outlines = outlines_of([face.mask for face in token_set.faces])
        self._outline_numbers = {face: n for n, each in enumerate(self._outlines) for face in each.faces}
        self._votes = OutlineVotes(self._outlines)
        self._exposed = ExposedFaces(token_set.faces, self._outlines)

    def read(
        self,
        patch: Image,
        mask: Image,
        scale: float = USUAL,
        lean: tuple[float, float] = (0.0, 0.0),
        paper: Colour | None = None,
        before: Sequence[FoundToken] | None = None,
    ) -> PlaceReading:
        """Return the tokens in a picture of a place.

        patch: BGR, at `READ_PX` pixels per millimetre. mask: 255 where it may be examined. scale: pixels per millimetre
        of the camera's own picture. lean: the apparent shift of a point one millimetre above the table, in millimetres.
        paper: the colour of the paper beside the place, if known. before: the reading of another picture of the place,
        which saves time if this one agrees.
        """
        look = place_look(patch, mask, paper)
        if look is None:
            return PlaceReading(legible=False)
        soft = max(FINEST, round(BLUR / scale / FINEST) * FINEST)
        gains = self._gains(look, soft)
        known, polar = self._exposed.known(soft, gains), self._exposed.polar(soft, gains)
        if before is not None and all(token.name is not None for token in before):
            confirmed = self._confirmed(before, look, known, polar, lean)
            if confirmed is not None and not remains(look, _outlines_of(confirmed), lean):
                return PlaceReading(confirmed)
        scene, candidates = self._in_print(look, known, polar)
        accepted, unsure = self._peel(scene, candidates, known, polar, lean)
        found = [self._token(guess, known, certainty) for guess, certainty in accepted]
        found += [self._token(guess, known, 0.0) for guess in unsure]
        rest = remains(look, _outlines_of(found), lean)
        return PlaceReading(tuple([*_with_stacks(found, rest), *_strangers(rest)]))

    def _confirmed(
        self,
        before: Sequence[FoundToken],
        look: PlaceLook,
        known: list[KnownFace],
        polar: list[PolarFaces],
        lean: tuple[float, float],
    ) -> tuple[FoundToken, ...] | None:
        """Return named tokens at their current poses, or None if one is uncertain."""
        scene = _scene_of(look)
        poses = [Lying(token.face, token.x, token.y, token.turn) for token in before]
        colours = [token_colours(known[pose.face].coarse, scene.soft, pose) for pose in poses]
        tones = fitted_tones([each for each in colours if each is not None])
        if not tones.plain:
            scene = _scene_of(msgspec.structs.replace(look, look=look_of(tones.undone(look.even))))
        found: list[FoundToken] = []
        for pose in poses:
            lying = aligned(known[pose.face].coarse, scene.soft, READ_PX, pose)
            middle = Middle(self._outline_numbers[pose.face], lying.x, lying.y, 1.0)
            guess = _Guess(middle, lying, compare(known[pose.face].fine, scene.fine, READ_PX, lying))
            if np.hypot(lying.x - pose.x, lying.y - pose.y) > STRAY or not guess.fits:
                return None
            certainty = self._certainty(scene, guess, known, polar)
            if certainty <= 0:
                return None
            scene.cover(outline_of(self._outlines[middle.outline], lying), lean)
            found.append(self._token(guess, known, certainty))
        return tuple(found)

    def _in_print(
        self, look: PlaceLook, known: list[KnownFace], polar: list[PolarFaces]
    ) -> tuple[_Scene, list[_Candidate]]:
        """Return a place converted to the enrolled colours, and the candidates in it."""
        scene = _scene_of(look)
        middles = self._votes.middles(look.look, READ_PX, LEAST_VOTES, MOST_MIDDLES)
        tones = self._tones(scene, middles, known, polar)
        if not tones.plain:
            scene = _scene_of(msgspec.structs.replace(look, look=look_of(tones.undone(look.even))))
        return scene, [_candidate(scene, middle, polar) for middle in middles]

    def _gains(self, look: PlaceLook, soft: float) -> Gains:
        """Return the brightness of the set's faces in a place's picture, relative to white paper."""
        if not any(look.burnt):
            return PLAIN
        middles = self._votes.middles(look.look, READ_PX, LEAST_VOTES, MOST_MIDDLES)
        likely = [middle for middle in middles if middle.votes > MANY_VOTES]
        return self._exposed.find_gains(look.burnt, soft, _scene_of(look).soft, likely)

    def _tones(
        self, scene: _Scene, middles: Sequence[Middle], known: list[KnownFace], polar: list[PolarFaces]
    ) -> PrintTones:
        """Return the tones of the print, measured at the most likely middles."""
        chosen: list[Middle] = []
        found = []
        for middle in sorted(middles, key=lambda one: -one.votes):
            apart = [np.hypot(middle.x - each.x, middle.y - each.y) for each in chosen]
            if middle.votes <= MANY_VOTES or min(apart, default=FAR) < FAR:
                continue
            faces = _candidate(scene, middle, polar).faces
            if faces:
                chosen.append(middle)
                lying = Lying(faces[0].face, middle.x, middle.y, faces[0].turn)
                found.append(token_colours(known[lying.face].coarse, scene.soft, lying))
        return fitted_tones([each for each in found if each is not None])

    # --- the best first -------------------------------------------------------------------------------

    def _peel(
        self,
        scene: _Scene,
        waiting: list[_Candidate],
        known: list[KnownFace],
        polar: list[PolarFaces],
        lean: tuple[float, float],
    ) -> tuple[list[tuple[_Guess, float]], list[_Guess]]:
        """Return the tokens from the top down with their certainty, and those of which too little shows."""
        tried: list[tuple[_Candidate, _Guess | None]] = []
        accepted: list[tuple[_Guess, float]] = []
        while waiting:
            waiting.sort(key=lambda one: -one.distance)
            candidate = waiting.pop()
            guess = _guess(scene, candidate, known)
            if guess is None or not guess.fits:
                tried.append((candidate, guess))
                continue
            accepted.append((guess, self._certainty(scene, guess, known, polar)))
            scene.cover(outline_of(self._outlines[guess.middle.outline], guess.lying), lean)
            again = [one for one in waiting if self._touch(guess, one)]
            again += [one for one, _ in tried if self._touch(guess, one)]
            tried = [each for each in tried if not self._touch(guess, each[0])]
            waiting = [one for one in waiting if not self._touch(guess, one)]
            waiting += [_candidate(scene, one.middle, polar) for one in again]
        return accepted, _covered([guess for _, guess in tried if guess is not None])

    def _touch(self, guess: _Guess, other: _Candidate) -> bool:
        reach = self._outlines[guess.middle.outline].reach + self._outlines[other.middle.outline].reach
        return bool(np.hypot(guess.lying.x - other.middle.x, guess.lying.y - other.middle.y) < reach)

    def _certainty(self, scene: _Scene, guess: _Guess, known: list[KnownFace], polar: list[PolarFaces]) -> float:
        """Return the certainty of a guess's name against the most similar faces."""
        face = known[guess.lying.face]
        near = polar[guess.middle.outline].best(scene.soft, READ_PX, guess.lying.x, guess.lying.y, 2 * len(known))
        others = [one for one in near if known[one.face].name != face.name][:RIVALS]
        poses = [
            (known[one.face].fine, Lying(one.face, guess.lying.x, guess.lying.y, one.turn)) for one in others
        ]  # fmt: skip
        return decided(face.fine, guess.lying, guess.compared, poses)

    # --- results --------------------------------------------------------------------------------------

    def _token(self, guess: _Guess, known: list[KnownFace], certainty: float) -> FoundToken:
        lying, face = guess.lying, known[guess.lying.face]
        outline = self._outlines[guess.middle.outline]
        named = certainty > 0
        doubt: TokenDoubt = "" if named else "covered" if guess.compared.visible < WHOLE else "unknown"
        return FoundToken(
            face.name if named else None, doubt, lying.x, lying.y, lying.turn, outline.reach,
            guess.compared.visible, certainty, tuple([(float(x), float(y)) for x, y in outline_of(outline, lying)]),
            lying.face,
        )  # fmt: skip


FARTHEST, NEARLY = 1000.0, 2.0
"""Limits of the look's mean square difference for a face at a middle: absolute, and relative to the closest face."""
SHADOW = 0.4
"""Millimetres around a token where its edge and shadow change what lies below it."""
WHOLE = 0.95
"""The visible share above which an unnamed token is unknown and not covered."""
CLEAR = 0.95
"""The agreeing share above which no other face is tried, because rivals are compared anyway."""
STRAY = 3.0
"""The maximum distance in millimetres between an aligned face and the middle that edges voted for."""
MANY_VOTES = 0.4
"""The minimum share of an outline with an edge at a middle for measuring the print. Single edges do not reach it."""
FAR = 8.0
"""The minimum distance in millimetres between two middles for measuring the print. Closer ones are the same token."""


def _scene_of(look: PlaceLook) -> _Scene:
    fine = np.dstack([look.look, look.legible.astype(np.float32)])
    soft = cv2.GaussianBlur(fine, (0, 0), SOFT * READ_PX)
    soft[:, :, 3] = fine[:, :, 3]
    return _Scene(look, fine, soft)


def _candidate(scene: _Scene, middle: Middle, polar: list[PolarFaces]) -> _Candidate:
    """Return the possible faces at a middle, or none if too little shows or nothing matches."""
    faces = polar[middle.outline].best(scene.soft, READ_PX, middle.x, middle.y, FACES_TRIED)
    near = [one for one in faces if one.visible > COVERED and one.distance < min(FARTHEST, NEARLY * faces[0].distance)]
    return _Candidate(middle, tuple(near))


def _guess(scene: _Scene, candidate: _Candidate, known: list[KnownFace]) -> _Guess | None:
    """Return the face that agrees best with the picture at a candidate's middle."""
    best: _Guess | None = None
    middle = candidate.middle
    for turned in candidate.faces:
        start = Lying(turned.face, middle.x, middle.y, turned.turn)
        lying = aligned(known[turned.face].coarse, scene.soft, READ_PX, start)
        if np.hypot(lying.x - middle.x, lying.y - middle.y) < STRAY:
            guess = _Guess(middle, lying, compare(known[turned.face].fine, scene.fine, READ_PX, lying))
            if best is None or guess.compared.share > best.compared.share:
                best = guess
            if guess.fits and guess.compared.share > CLEAR:
                break
    return best


def _covered(guesses: list[_Guess]) -> list[_Guess]:
    """Return guesses of which too little shows, once per place, if they agree or much of their outline has an edge."""
    found: list[_Guess] = []
    for guess in sorted(guesses, key=lambda one: -one.compared.visible):
        likely = guess.agrees or (guess.resembles and guess.middle.votes > MANY_VOTES)
        near = [np.hypot(guess.lying.x - one.lying.x, guess.lying.y - one.lying.y) for one in found]
        if likely and guess.compared.visible < VISIBLE and min(near, default=99.0) > 5:
            found.append(guess)
    return found


def outline_of(outline: Outline, lying: Lying) -> Points:
    """Return an outline at a pose, n × 2 in millimetres."""
    c, s = np.cos(lying.turn), np.sin(lying.turn)
    found: Points = outline.contour[:, :2].astype(np.float64) @ np.array([[c, s], [-s, c]]) + (lying.x, lying.y)
    return found


def _outlines_of(found: Sequence[FoundToken]) -> list[Points]:
    return [np.asarray(token.outline) for token in found]


def _with_stacks(found: list[FoundToken], rest: list[Remains]) -> Iterator[FoundToken]:
    """Yield the tokens, with those that show a second rim marked as stacked."""
    rims = {one.beside for one in rest if one.rim}
    for nth, token in enumerate(found):
        if nth in rims and token.name is not None:
            yield msgspec.structs.replace(token, name=None, doubt="stacked")
        else:
            yield token


def _strangers(rest: list[Remains]) -> Iterator[FoundToken]:
    for one in rest:
        if not one.rim:
            doubt: TokenDoubt = "covered" if one.beside >= 0 else "unknown"
            yield FoundToken(None, doubt, one.x, one.y, radius=one.radius)
