"""Locate the places in the camera's pictures: on a detected mat, or as set by hand."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from pathlib import Path

import msgspec
import numpy as np

from companion.engine import tell_by_cards
from companion.games import SEEN
from companion.messages import HangingAdvice
from vision.board.board_locator import board_mats, boards_of
from vision.board.pieces import FEWEST_PIXELS
from vision.deck.stored_decks import RequestRefused
from vision.image import Image
from vision.mat import PAPERS, Mat, MatDetector, MatError, MatPose, mat_of_game, players_of, token_places_of
from vision.mat import manual as hand
from vision.mat.arrangement import arrangements
from vision.mat.coasters import CoasterFault, coaster_mat, players_of_coasters
from vision.mat.detector import Found
from vision.mat.hanging import SIDES, advise, reflection, table_corners
from vision.service.live_picture import rotate_point
from vision.settings import CameraSettings

NEEDED = 3.3
"""The recommended pixels per millimetre: digits of 5 mm are then 16 pixels high and read reliably."""
ENOUGH = 3.0
"""Pixels per millimetre below which to warn players."""
UNREADABLE = 0.8
"""Pixels per millimetre below which even the markers cannot be read."""
BEYOND = 4.0
"""Millimetres that a place may extend beyond the picture without a warning."""


class CameraTrouble(msgspec.Struct, frozen=True):
    """A key of docs/reference/camera.md and its fields."""

    key: str = ""
    fields: dict[str, str | int | float] = {}


class PlaceLocator:
    """Locates the places from picture to picture."""

    def __init__(self, data: Path, settings: CameraSettings) -> None:
        self._data, self._settings = data, settings
        self._finder = MatDetector(self._candidates)
        self._hand = hand.load(data)
        self.mat: Mat | None = None
        self.pose: MatPose | None = None
        self._size = (0, 0)
        self._coaster_fault = CameraTrouble()
        """The trouble with the coasters in the last picture."""
        self.hanging: tuple[HangingAdvice, ...] = ()
        """Advice on hanging the camera, from the last picture."""

    @property
    def bumped(self) -> int:
        """The number of times that the camera was pushed."""
        return self._finder.bumped

    def look(self, picture: Image, at: int) -> bool:
        """Locate the places in a full picture, and return whether they are known."""
        self._size = (picture.shape[1], picture.shape[0])
        self._coaster_fault = CameraTrouble()
        pose = self._finder.look(picture, at)
        if pose is not None:
            self.mat, self.pose = self._finder.mat, pose
        elif self._hand is not None:
            self._use_hand(self._hand, (picture.shape[1], picture.shape[0]))
        else:
            self.mat = self.pose = None
        self.hanging = self._advise(picture)
        return self.pose is not None

    def _advise(self, picture: Image) -> tuple[HangingAdvice, ...]:
        """Return advice on hanging the camera, with the sides of the picture as players see it."""
        mat, pose = self.mat, self.pose
        if mat is None or pose is None or not mat.markers or not self._finder.in_sight:
            return ()
        needed = NEEDED if mat.board is None else FEWEST_PIXELS / mat.board.piece
        found = (*advise(pose, mat, needed), *reflection(picture, pose, mat))
        return tuple([msgspec.structs.replace(each, fields=self._turned(each.fields)) for each in found])

    def _turned(self, fields: dict[str, str | int | float]) -> dict[str, str | int | float]:
        """Return a sentence's fields with the side as players see it."""
        if "side" not in fields:
            return fields
        at = SIDES.index(str(fields["side"])) + self._settings.rotate // 90
        return {**fields, "side": SIDES[at % len(SIDES)]}

    def table(self) -> tuple[tuple[float, float], ...]:
        """Return the corners of the mat or coasters as fractions of the displayed picture, or nothing if unknown."""
        if self.mat is None or self.pose is None or not self.mat.markers:
            return ()
        parts = self.pose.project(table_corners(self.mat)) / self.pose.picture
        return tuple([rotate_point(float(x), float(y), self._settings.rotate) for x, y in np.round(parts, 2)])

    def forget(self) -> None:
        """Search for the mat from scratch."""
        self._finder.forget()

    def set_by_hand(self, by_hand: hand.ManualPlaces | None) -> None:
        """Use places set by hand, or forget them (None).

        Raise `MatError` if they do not fit, and `RequestRefused` while a mat is visible, because the mat takes
        precedence.
        """
        if by_hand is not None and self.pose is not None and self.mat is not None and self.mat.markers:
            raise RequestRefused("mat_seen")
        if by_hand is not None:
            self._make_mat(by_hand)
        hand.keep(self._data, by_hand)
        self._hand = by_hand
        self.mat = self.pose = None

    def default_size(self, players: int) -> tuple[float, float]:
        """Return the size of a rectangle in which the places just fit, for players who cannot measure theirs."""
        blocks = list(arrangements(SEEN[self._settings.game].places(players), self._settings.card))
        best = min(blocks, key=lambda block: block.width + block.height)
        return best.width + 10.0, best.height + 10.0

    def players(self) -> int:
        """Return the number of players, as far as it is known."""
        seats = SEEN[self._settings.game].seats
        return self._settings.players or (self.mat.players if self.mat is not None else 0) or seats[-1]

    def card_places(self) -> tuple[str, ...]:
        """Return the names of all the game's possible places for cards."""
        game = SEEN[self._settings.game]
        return tuple([place.name for place in game.places(game.seats[-1])])

    def trouble(self) -> CameraTrouble:
        """Return the worst trouble with the places."""
        if self._coaster_fault.key and (self.pose is None or not self._finder.in_sight):
            return self._coaster_fault
        if self.pose is None or self.mat is None:
            best = self._best_scale()
            return self._too_small(best) if 0 < best < UNREADABLE else CameraTrouble("no_mat")
        side = outside(self.pose, self.mat)
        if side:
            return CameraTrouble("mat_half", self._turned({"side": side}))
        if self.pose.off and self.mat.outline:
            return CameraTrouble("coaster_moved", {"coaster": self.pose.off[0]})
        if self.pose.off:
            return CameraTrouble("sheet_off", {"sheet": self.pose.off[0], "sheets": ", ".join(map(str, self.pose.off))})
        board = self.mat.board
        if self.pose.scale < (ENOUGH if board is None else FEWEST_PIXELS / board.piece):
            return self._too_small(self.pose.scale)
        return CameraTrouble()

    def _too_small(self, scale: float) -> CameraTrouble:
        width, height = self._size
        return CameraTrouble(
            "too_small", {"scale": round(scale, 1), "needed": NEEDED, "width": width, "height": height}
        )

    def _best_scale(self) -> float:
        """Return the pixels per millimetre of a mat that just fills the picture, or 0 if unknown."""
        game = SEEN[self._settings.game]
        try:
            size = mat_of_game(game, self._settings.players or game.seats[0], self._settings.card).size
        except MatError:
            return 0.0
        return min(max(self._size) / max(size), min(self._size) / min(size))

    def _candidates(self, found: Found) -> Iterable[Mat]:
        """Yield the mats to which these markers may belong."""
        game = SEEN[self._settings.game]
        players = players_of_coasters(found)
        if players:
            yield from self._within_coasters(found, players)
            return
        if not self.card_places():
            yield from board_mats(boards_of(game))  # no cards: the board is the mat
            return
        for players in players_of(found)[:2]:
            if players not in game.seats or (self._settings.players and players != self._settings.players):
                continue
            kinds = (True, False) if token_places_of(game, players) else (False,)
            for paper, tokens in product(PAPERS, kinds):
                try:
                    yield mat_of_game(game, players, self._settings.card, paper, tokens)
                except MatError:
                    continue

    def _within_coasters(self, found: Found, players: int) -> Iterable[Mat]:
        """Yield the table bounded by coasters, or record the trouble if they bound none."""
        game = SEEN[self._settings.game]
        if players not in game.seats or not tell_by_cards(game.places(players)):
            self._coaster_fault = CameraTrouble("coasters_unfit")
            return
        try:
            yield coaster_mat(found, self._size, self._settings.card, game.places(players))
        except CoasterFault as fault:
            self._coaster_fault = CameraTrouble(fault.key, self._turned(fault.fields))

    def _make_mat(self, by_hand: hand.ManualPlaces) -> Mat:
        return hand.mat_of(by_hand, SEEN[self._settings.game].places(by_hand.players), self._settings.card)

    def _use_hand(self, by_hand: hand.ManualPlaces, size: tuple[int, int]) -> None:
        if self.pose is not None and self.pose.picture == size and self.mat is not None and not self.mat.markers:
            return
        try:
            self.mat = self._make_mat(by_hand)
        except MatError:  # they were stored for another card size
            self.mat = self.pose = None
            return
        self.pose = hand.pose_of(by_hand, self.mat, size)


def outside(pose: MatPose, mat: Mat) -> str:
    """Return the side of the picture (`left`, `right`, `top`, `bottom`) beyond which a place extends, or ""."""
    hulls = [*[mat.hull(slot) for slot in mat.read()], *[slot.corners() for slot in mat.token_slots]]
    hulls += [mat.board_area()] if mat.board is not None else []
    points = pose.project(np.vstack([*hulls, np.array(mat.outline)] if mat.outline else hulls))
    width, height = pose.picture
    rim = BEYOND * max(pose.scale, 0.1)
    beyond = {
        "left": -points[:, 0].min(),
        "right": points[:, 0].max() - width,
        "top": -points[:, 1].min(),
        "bottom": points[:, 1].max() - height,
    }
    side = max(beyond, key=lambda each: beyond[each])
    return side if beyond[side] > rim else ""
