"""The geometry of a camera above a plane, which maps millimetres of a table to pixels."""

from __future__ import annotations

import msgspec
import numpy as np
import numpy.typing as npt

from vision.image import Matrix

Map = npt.NDArray[np.float32]
Points = npt.NDArray[np.float64]
"""n × 2, millimetres or pixels. Pixel centres have integer coordinates."""
Area = tuple[float, float, float, float]
"""Left, top, right and bottom in millimetres of the table."""

FOCAL = 1.15
"""Focal length in widths of the picture: a field of view of 47°, as usual camera modules have."""
ROUNDS = 12
"""The number of iterations of the lens's inverse. Distortion moves a point by a few per cent, so each gains more
than a digit."""


class CameraAngles(msgspec.Struct, frozen=True):
    """The orientation of a camera above the table, in degrees."""

    tilt: float
    """The angle from the vertical."""
    toward: float
    """The direction of the tilt."""
    roll: float
    """The rotation about its own axis."""


class CameraGeometry(msgspec.Struct, frozen=True, eq=False):
    """A camera's view of the table's plane, in pictures of one size."""

    size: tuple[int, int]
    """Width and height of the picture in pixels."""
    matrix: Matrix
    """The homography from millimetres to undistorted pixels."""
    bend: float
    """The distortion. A distorted pixel p shows the point that a perfect lens has at p · (1 + bend · r²), with r its
    distance from the middle in half diagonals."""

    def project(self, points: Points) -> Points:
        """Return millimetres as undistorted pixels."""
        return through(self.matrix, points)

    def from_corner(self, x: float, y: float) -> CameraGeometry:
        """Return the view of a table with another origin: `x`, `y` is the point that was 0, 0."""
        moved = np.array([[1, 0, -x], [0, 1, -y], [0, 0, 1]], np.float64)
        return CameraGeometry(self.size, self.matrix @ moved, self.bend)

    def to_picture(self, points: Points) -> Points:
        """Return millimetres as pixels of the picture."""
        middle, half = self._middle()
        wanted = (self.project(points) - middle) / half
        at = wanted.copy()
        for _ in range(ROUNDS):
            at = wanted / (1 + self.bend * (at**2).sum(axis=1, keepdims=True))
        found: Points = at * half + middle
        return found

    def canvas(self) -> CameraGeometry:
        """Return the undistorted view, with a margin for points that distortion pulls into the picture."""
        rim = self._rim()
        moved = np.array([[1, 0, rim], [0, 1, rim], [0, 0, 1]])
        return CameraGeometry((self.size[0] + 2 * rim, self.size[1] + 2 * rim), moved @ self.matrix, 0.0)

    def _rim(self) -> int:
        return int(np.ceil(max(0.0, self.bend) * self._middle()[1])) + 1

    def lens(self, top: int, low: int) -> tuple[Map, Map]:
        """Return the source position on the canvas of each distorted pixel in these rows, as maps for `cv2.remap`."""
        (mx, my), half = self._middle()
        rim, bend = self._rim(), self.bend / (half * half)
        x, y = np.arange(self.size[0]) - mx, (np.arange(top, low) - my)[:, None]
        # x · (1 + bend · (x² + y²)) splits into a column's and a row's part: two passes over the pixels in place of
        # six.
        across = (bend * y * y).astype(np.float32) * x.astype(np.float32)
        across += (x + bend * x**3 + mx + rim).astype(np.float32)
        down = (bend * y).astype(np.float32) * (x * x).astype(np.float32)
        down += (y + bend * y**3 + my + rim).astype(np.float32)
        return across, down

    def scale(self, x: float, y: float) -> float:
        """Return the pixels per millimetre at a point of the table, along the better direction."""
        a, b, c = self.project(np.array([[x, y], [x + 1, y], [x, y + 1]]))
        return float(max(np.hypot(*(b - a)), np.hypot(*(c - a))))

    def _middle(self) -> tuple[Points, float]:
        return (np.array(self.size, np.float64) - 1) / 2, float(np.hypot(*self.size)) / 2


def through(matrix: Matrix, points: Points) -> Points:
    """Return points transformed by a homography."""
    spread: Points = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    found: Points = spread[:, :2] / spread[:, 2:]
    return found


def camera_above(
    area: tuple[float, float],
    size: tuple[int, int],
    angles: CameraAngles,
    margin: float,
    bend: float,
) -> CameraGeometry:
    """Return a view in which an area of the table (its width and height in mm) just fits.

    The camera is rotated by a quarter turn if that shows the area larger. margin: the free share of the picture's
    shorter side at each edge.
    """
    wide, tall = area
    standing = min(size[0] / tall, size[1] / wide) > 1.02 * min(size[0] / wide, size[1] / tall)
    turned = np.radians(angles.roll + (90 if standing else 0))
    tilt, toward = np.radians(angles.tilt), np.radians(angles.toward)
    corners = np.array([[0, 0], [wide, 0], [wide, tall], [0, tall]], np.float64)
    free = margin * min(size)
    near, far = 0.2 * max(area), 20.0 * max(area)
    for _ in range(50):
        distance = (near * far) ** 0.5
        view = CameraGeometry(size, _matrix(area, size, tilt, toward, turned, distance), bend)
        seen = view.to_picture(corners)
        middle = (seen.max(axis=0) + seen.min(axis=0)) / 2
        span = seen.max(axis=0) - seen.min(axis=0)
        fits = bool((span <= np.array(size) - 2 * free).all())
        near, far = (near, distance) if fits else (distance, far)
    # shift the camera so that the area is centred in the picture
    shift = (np.array(size) - 1) / 2 - middle
    moved = np.array([[1, 0, shift[0]], [0, 1, shift[1]], [0, 0, 1]])
    return CameraGeometry(size, moved @ view.matrix, bend)


def _matrix(
    area: tuple[float, float], size: tuple[int, int], tilt: float, toward: float, roll: float, distance: float
) -> Matrix:
    """Return the homography of a camera at a distance from the area's middle."""
    focal = FOCAL * max(size)

    def about_z(a: float) -> Matrix:
        return np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])

    lean = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    turn = about_z(roll) @ about_z(toward) @ lean @ about_z(-toward)
    lens = np.array([[focal, 0, (size[0] - 1) / 2], [0, focal, (size[1] - 1) / 2], [0, 0, 1]])
    plane = np.column_stack([turn[:, 0], turn[:, 1], np.array([0, 0, distance])])
    shifted = np.array([[1, 0, -area[0] / 2], [0, 1, -area[1] / 2], [0, 0, 1]])
    made = lens @ plane @ shifted
    found: Matrix = made / made[2, 2]
    return found
