"""The tokens of a rendered table: laying and painting."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from zlib import crc32

import msgspec
import numpy as np

from vision.image import Image
from vision.mat import Mat
from vision.simulate.camera_geometry import CameraGeometry
from vision.simulate.difficulty import Difficulty
from vision.simulate.lying_tokens import LyingToken, LyingTokens
from vision.simulate.painted_tokens import PrintedToken, gleaming, paint_token


class TableTokens:
    """All tokens of a table in one session. `version` grows with every change."""

    def __init__(self, mat: Mat, difficulty: Difficulty, seed: int, inked: Callable[[Image], Image]) -> None:
        """Create the tokens.

        inked: applies the session's inks to a picture.
        """
        self._mat, self._difficulty, self._seed, self._inked = mat, difficulty, seed, inked
        self._printed: dict[str, PrintedToken] = {}
        self.lying = LyingTokens(mat, {}, difficulty, seed)
        self.version = 0
        luck = np.random.default_rng([seed, 10])
        self._shining = float(luck.uniform(*difficulty.glare))

    def use(self, faces: Mapping[str, PrintedToken]) -> None:
        """Set the faces of the session's tokens, by name, and remove all tokens."""
        self.lying = LyingTokens(self._mat, faces, self._difficulty, self._seed)
        self._printed.clear()
        self.version += 1

    def paint(self, picture: Image, view: CameraGeometry) -> None:
        """Paint all tokens."""
        for each in self.lying.all():
            paint_token(picture, view, self._session_face(each), each.pose)

    def _session_face(self, lying: LyingToken) -> PrintedToken:
        """Return a token's face in the inks of this session, in some cases with a highlight."""
        face = lying.face
        if face not in self._printed:
            drawn = self.lying.faces[face]
            self._printed[face] = msgspec.structs.replace(drawn, picture=self._inked(drawn.picture))
        key = f"{lying.place} {face} {lying.pose.x:.3f} {lying.pose.y:.3f}"
        luck = np.random.default_rng([self._seed, 11, crc32(key.encode())])
        if luck.random() < self._shining:
            return gleaming(self._printed[face], float(luck.uniform(*self._difficulty.gleam)), luck)
        return self._printed[face]
