"""Rendered tables with payments: tokens beside and over one another, with the truth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from companion.games import SEEN
from vision.image import Image
from vision.mat import Mat, TokenSlot, mat_of_game
from vision.mat.mat import Points
from vision.print.token_pictures import OTHER, token_pictures
from vision.simulate.camera_geometry import CameraGeometry
from vision.simulate.difficulty import Difficulty
from vision.simulate.painted_tokens import THICK, PrintedToken, TokenPose, paint_token, token_outline
from vision.simulate.rendered_scene import Paint, RenderedScene

CARD = (63.0, 88.0)
"""The size of a card on the mat in millimetres."""
DRAWN_PX = 12.0
"""The pixels per millimetre at which tokens are drawn."""
MOST, OVER, LEAST = 14, 1 / 3, 0.6
"""The most tokens of a payment, the fraction that lies over others, and the least visible fraction of each."""
HIDDEN = 0.05
"""The fraction of payments with a token wholly hidden below another one."""
COUNT_PX = 2.0
"""The pixels per millimetre at which visible parts are counted."""
TRIES = 120
"""The number of attempts to lay a token before it stays in the hand."""
AWAY = 0.5
"""The largest distance in millimetres between a wholly hidden token and the one above it."""


class LaidToken(msgspec.Struct, frozen=True, eq=False):
    """A token on the table."""

    name: str
    pose: TokenPose
    face: PrintedToken


class LaidMoney(msgspec.Struct, frozen=True, eq=False):
    """The money laid down by a seat, the lowest first."""

    place: str
    tokens: tuple[LaidToken, ...]
    visible: tuple[float, ...]
    """The visible fraction of each token."""


class TokenTable:
    """A rendered table of a game with payments, seen by one camera in one light."""

    def __init__(self, game: str, players: int, difficulty: Difficulty, size: tuple[int, int], seed: int) -> None:
        self.mat: Mat = mat_of_game(SEEN[game], players, CARD)
        self._luck = Random(f"{seed} payments")
        kind = self._luck.choice(("oak", "walnut", "white", "felt", "cloth", "slate"))
        self._scene = RenderedScene(self.mat, None, difficulty, size, kind, seed)
        self._difficulty = difficulty
        self._faces = printed_tokens(game, difficulty, seed)
        self._version = 0
        self.payments: tuple[LaidMoney, ...] = ()

    @property
    def places(self) -> tuple[str, ...]:
        """Return the places for payments."""
        return tuple([slot.place for slot in self.mat.token_slots if slot.bar])

    def pay(self) -> None:
        """Let each seat lay down 1 to 14 money tokens."""
        slots = [slot for slot in self.mat.token_slots if slot.bar]
        self.payments = tuple([self._payment(slot, self._luck.randint(1, min(MOST, slot.most))) for slot in slots])
        self._version += 1

    def clear(self) -> None:
        """Remove all money."""
        self.payments = ()
        self._version += 1

    def picture(self, number: int, over: Paint | None = None) -> Image:
        """Return the camera's picture; `number` selects its noise.

        `over` paints things that move above the table.
        """
        return self._scene.picture(self._version, number, self._paint, over)

    def view(self) -> CameraGeometry:
        """Return the camera's true geometry."""
        return self._scene.view

    def _paint(self, picture: Image, view: CameraGeometry) -> None:
        for payment in self.payments:
            for token in payment.tokens:
                paint_token(picture, view, token.face, token.pose)

    def _payment(self, slot: TokenSlot, count: int) -> LaidMoney:
        names = [name for name in self._faces if name.startswith("money-")]
        laid: list[LaidToken] = []
        for _ in range(count):
            face = self._luck.choice(names)
            over = bool(laid) and self._luck.random() < OVER
            for nth in range(TRIES):
                token = self._thrown(slot, face, laid, over and nth < TRIES // 2)
                shares = shares_visible([*laid, token], slot)
                if min(shares) >= LEAST and (over or min(shares) > 0.99 or shares[:-1] == shares_visible(laid, slot)):
                    laid.append(token)
                    break
        if laid and self._luck.random() < HIDDEN:
            nth = self._luck.randrange(len(laid))
            laid.insert(nth, self._hidden(laid[nth], self._luck.choice(names)))
            laid[nth + 1 :] = [_raised(token, laid[: at + nth + 1]) for at, token in enumerate(laid[nth + 1 :])]
        return LaidMoney(slot.place, tuple(laid), tuple(shares_visible(laid, slot)))

    def _hidden(self, above: LaidToken, face: str) -> LaidToken:
        toward = self._luck.uniform(0, 2 * math.pi)
        x, y = above.pose.x + AWAY * math.cos(toward), above.pose.y + AWAY * math.sin(toward)
        pose = TokenPose(x, y, self._luck.uniform(0, 360), above.pose.low)
        return LaidToken(face.removesuffix(OTHER), pose, self._faces[face])

    def _thrown(self, slot: TokenSlot, face: str, laid: Sequence[LaidToken], over: bool) -> LaidToken:
        ground = slot.ground()
        reach = max(self._faces[face].size) / 2 + 0.5
        (left, top), (right, low) = ground.min(axis=0) + reach, ground.max(axis=0) - reach
        x, y = self._luck.uniform(left, right), self._luck.uniform(top, low)
        if over:
            below = self._luck.choice(laid)
            away, toward = self._luck.uniform(0.4, 0.95) * 2 * reach, self._luck.uniform(0, 2 * math.pi)
            x, y = below.pose.x + away * math.cos(toward), below.pose.y + away * math.sin(toward)
            x, y = min(max(x, left), right), min(max(y, top), low)
        aside = self._luck.uniform(*self._difficulty.cut) / 2
        turned = self._luck.uniform(0, 2 * math.pi)
        pose = TokenPose(x, y, self._luck.uniform(0, 360), 0.0, (aside * math.cos(turned), aside * math.sin(turned)))
        return _raised(LaidToken(face.removesuffix(OTHER), pose, self._faces[face]), laid)


def printed_tokens(game: str, difficulty: Difficulty, seed: int) -> dict[str, PrintedToken]:
    """Return a game's tokens as one printer prints them, with other tones and inks."""
    luck = np.random.default_rng([seed, 9])
    gamma = luck.uniform(*difficulty.gamma)
    inks = 1 + luck.uniform(*difficulty.ink) * luck.choice((-1.0, 1.0), 3)
    levels = np.arange(256) / 255.0
    table = np.clip(levels[:, None] ** gamma * inks, 0, 1)
    lookup = np.clip(table * 255, 0, 255).astype(np.uint8).reshape(256, 1, 3)
    found = {}
    for name, (picture, mask) in token_pictures(game, DRAWN_PX).items():
        printed = np.asarray(cv2.LUT(picture, lookup), np.uint8)
        found[name] = PrintedToken(printed, mask.astype(np.float32) / np.float32(255), DRAWN_PX)
    return found


def shares_visible(laid: Sequence[LaidToken], slot: TokenSlot) -> list[float]:
    """Return the visible fraction of each token, the lowest first."""
    corners = slot.corners()
    origin = corners.min(axis=0) - 20
    wide, high = (np.ceil((corners.max(axis=0) + 20 - origin) * COUNT_PX)).astype(int)
    top = np.full((high, wide), -1, np.int32)
    whole = []
    for nth, token in enumerate(laid):
        on = np.zeros((high, wide), np.uint8)
        cv2.fillPoly(on, [_pixels(token_outline(token.face, token.pose), origin)], (1,))
        whole.append(int(on.sum()))
        top[on > 0] = nth
    return [float((top == nth).sum()) / max(1, count) for nth, count in enumerate(whole)]


def _pixels(points: Points, origin: Points) -> npt.NDArray[np.int32]:
    found: npt.NDArray[np.int32] = np.round((points - origin) * COUNT_PX).astype(np.int32).reshape(-1, 1, 2)
    return found


def _raised(token: LaidToken, laid: Sequence[LaidToken]) -> LaidToken:
    """Return a token raised above the tokens that it overlaps."""
    low = 0.0
    for other in laid:
        reach = (max(token.face.size) + max(other.face.size)) / 2
        if math.dist((token.pose.x, token.pose.y), (other.pose.x, other.pose.y)) < 0.97 * reach:
            low = max(low, other.pose.low + THICK)
    return msgspec.structs.replace(token, pose=msgspec.structs.replace(token.pose, low=low))
