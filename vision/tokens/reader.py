"""Reads the tokens that lie in a straightened picture of one place: beside and over one another, turned."""

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
"""Standard deviation of a camera's blur in its own pixels, rather too much: a face that is blurred more than the
picture still agrees, a sharper one does not."""
FINEST = 0.1
"""Steps of the blur in millimetres for which faces are kept."""
USUAL = 2.5
"""Pixels per millimetre of a picture of which nothing is said."""
RIVALS = 4
"""Other faces that are compared with an accepted one."""


class FoundToken(msgspec.Struct, frozen=True):
    """One token, or something in its stead, in a picture of a place."""

    name: str | None
    """None: not named, for the reason in `doubt`."""
    doubt: TokenDoubt
    x: float
    y: float
    """Its middle in millimetres of the picture."""
    turn: float = 0.0
    """Radians clockwise."""
    radius: float = 0.0
    """Of the circle around it, in millimetres."""
    visible: float = 1.0
    """The part of it that shows."""
    confidence: float = 0.0
    """From 0 to 1: how much nearer the picture is to it than to any other face."""
    outline: tuple[tuple[float, float], ...] = ()
    """Its outline in millimetres of the picture."""
    face: int = -1
    """The number of the set's face."""


class PlaceReading(msgspec.Struct, frozen=True):
    """What lies at a place in one picture."""

    tokens: tuple[FoundToken, ...] = ()
    legible: bool = True
    """Whether the picture says what lies there: without paper, or burnt out, it does not, and another one may."""


class _Candidate(msgspec.Struct, frozen=True):
    """A middle with the faces that differ least there, the nearest first."""

    middle: Middle
    faces: tuple[TurnedFace, ...]

    @property
    def distance(self) -> float:
        """How far the nearest face differs."""
        return self.faces[0].distance if self.faces else float("inf")


class _Guess(msgspec.Struct, frozen=True, eq=False):
    """A face that lies somewhere."""

    middle: Middle
    lying: Lying
    compared: Compared

    @property
    def fits(self) -> bool:
        """Whether enough of it shows and agrees, and it is no bare paper."""
        return self.agrees and self.compared.visible >= VISIBLE

    @property
    def agrees(self) -> bool:
        """Whether what shows of it agrees, and is no bare paper."""
        return self.resembles and self.compared.alike >= ALIKE_WHOLE

    @property
    def resembles(self) -> bool:
        """Whether most of what shows may be the face, and is no bare paper."""
        return self.compared.share >= SHARE and self.compared.bare >= BARE


class _Scene(msgspec.Struct, eq=False):
    """A place while it is read: what accepted tokens cover is believed no more."""

    look: PlaceLook
    fine: Floats
    soft: Floats
    """h × w × 4: the look and how far it may be believed; and the same blurred."""

    def cover(self, outline: Points, lean: tuple[float, float]) -> None:
        """Believe no more what an accepted token covers, its side and its shadow."""
        within = explained(self.fine.shape[:2], [outline], lean, SHADOW) > 0
        self.fine[:, :, 3][within] = 0
        self.soft[:, :, 3][within] = 0


class TokenReader:
    """Reads places with one set of tokens. Threads may share it."""

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

        `patch`: BGR, `READ_PX` pixels per millimetre; `mask`: 255 where it may be looked at; `scale`: pixels per
        millimetre of the camera's own picture; `lean`: how far a point one millimetre above the table seems moved, in
        millimetres; `paper`: the paper's colour beside the place, if it is known; `before`: what another picture of the
        place showed. If this one shows the same, that takes less time.
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
        """Return named tokens as a place shows them now; None if one is not certain."""
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
        """Return a place with the enrolled colours, however it was printed, and what may lie there."""
        scene = _scene_of(look)
        middles = self._votes.middles(look.look, READ_PX, LEAST_VOTES, MOST_MIDDLES)
        tones = self._tones(scene, middles, known, polar)
        if not tones.plain:
            scene = _scene_of(msgspec.structs.replace(look, look=look_of(tones.undone(look.even))))
        return scene, [_candidate(scene, middle, polar) for middle in middles]

    def _gains(self, look: PlaceLook, soft: float) -> Gains:
        """Return how much brighter the set's faces are in a place's picture than on white paper."""
        if not any(look.burnt):
            return PLAIN
        middles = self._votes.middles(look.look, READ_PX, LEAST_VOTES, MOST_MIDDLES)
        likely = [middle for middle in middles if middle.votes > MANY_VOTES]
        return self._exposed.find_gains(look.burnt, soft, _scene_of(look).soft, likely)

    def _tones(
        self, scene: _Scene, middles: Sequence[Middle], known: list[KnownFace], polar: list[PolarFaces]
    ) -> PrintTones:
        """Return how the print differs from the enrolled one, by what lies at the likeliest middles."""
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
        """Return the tokens from the top downwards with their certainty, and those of which too little shows."""
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
        """Return how certain the name of a guess is against the faces that look most like it."""
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
"""Mean squares of the look: a face that differs more is not laid over a middle, nor one that differs so many times
more than the nearest."""
SHADOW = 0.4
"""Millimetres around a token in which its edge and shadow change what lies below it."""
WHOLE = 0.95
"""The visible part from which a token that is not named is unknown, not covered."""
CLEAR = 0.95
"""The part that agrees from which no other face is tried: rivals are compared anyhow."""
STRAY = 3.0
"""Millimetres by which a face may be aligned away from the middle that edges voted for."""
MANY_VOTES = 0.4
"""The part of an outline with an edge from which a middle tells of the print: single edges make no such middle."""
FAR = 8.0
"""Millimetres between two middles that tell of the print: closer ones are the same token."""


def _scene_of(look: PlaceLook) -> _Scene:
    fine = np.dstack([look.look, look.legible.astype(np.float32)])
    soft = cv2.GaussianBlur(fine, (0, 0), SOFT * READ_PX)
    soft[:, :, 3] = fine[:, :, 3]
    return _Scene(look, fine, soft)


def _candidate(scene: _Scene, middle: Middle, polar: list[PolarFaces]) -> _Candidate:
    """Return what may lie at a middle: nothing if too little of it shows, or what shows looks like no face."""
    faces = polar[middle.outline].best(scene.soft, READ_PX, middle.x, middle.y, FACES_TRIED)
    near = [one for one in faces if one.visible > COVERED and one.distance < min(FARTHEST, NEARLY * faces[0].distance)]
    return _Candidate(middle, tuple(near))


def _guess(scene: _Scene, candidate: _Candidate, known: list[KnownFace]) -> _Guess | None:
    """Return which face agrees most with what lies at a candidate's middle."""
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
    """Return guesses of which too little shows, each place once: they agree, or much of an outline has an edge."""
    found: list[_Guess] = []
    for guess in sorted(guesses, key=lambda one: -one.compared.visible):
        likely = guess.agrees or (guess.resembles and guess.middle.votes > MANY_VOTES)
        near = [np.hypot(guess.lying.x - one.lying.x, guess.lying.y - one.lying.y) for one in found]
        if likely and guess.compared.visible < VISIBLE and min(near, default=99.0) > 5:
            found.append(guess)
    return found


def outline_of(outline: Outline, lying: Lying) -> Points:
    """Return where an outline lies, n × 2 in millimetres."""
    c, s = np.cos(lying.turn), np.sin(lying.turn)
    found: Points = outline.contour[:, :2].astype(np.float64) @ np.array([[c, s], [-s, c]]) + (lying.x, lying.y)
    return found


def _outlines_of(found: Sequence[FoundToken]) -> list[Points]:
    return [np.asarray(token.outline) for token in found]


def _with_stacks(found: list[FoundToken], rest: list[Remains]) -> Iterator[FoundToken]:
    """Yield tokens; beside which a second rim shows is stacked."""
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
