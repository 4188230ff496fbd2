"""A pinhole camera over the table.

World: x right and y down along the board, z away from the viewer (up is negative), in widths of a square; the origin
is the middle of the grid on the board's surface. A square is 1 wide and `aspect` high.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import SIZE

MIDDLE = SIZE / 2


@dataclass(frozen=True)
class Camera:
    """tilt: degrees from straight above; azimuth: degrees, where the camera stands, 0 right of the board, 90 below it
    roll: degrees, turn about the line of sight; distance: to the board's middle, in squares
    square_px: pixels per square at the board's middle, seen straight
    margins: picture left, top, right and below the grid's bounding box, as shares of its longer side
    distortion: radial, 0 none; lines at half the diagonal bend outwards (positive) by this share
    """

    tilt: float = 0.0
    azimuth: float = 90.0
    roll: float = 0.0
    distance: float = 30.0
    square_px: float = 36.0
    margins: tuple[float, float, float, float] = (0.1, 0.1, 0.1, 0.1)
    distortion: float = 0.0


class View:
    """A camera looking at a board with squares `aspect` high: size of its picture and all projections.

    foot: the grid point right under the camera
    """

    def __init__(self, camera: Camera, aspect: float = 1.0) -> None:
        self.camera, self.aspect = camera, aspect
        tilt, azimuth, roll = np.radians([camera.tilt, camera.azimuth, camera.roll])
        towards = np.array([np.sin(tilt) * np.cos(azimuth), np.sin(tilt) * np.sin(azimuth), -np.cos(tilt)])
        axis = np.cross([0.0, 0.0, 1.0], -towards)
        length = np.linalg.norm(axis)
        turn = cv2.Rodrigues(axis / length * tilt)[0] if length > 1e-12 else np.eye(3)
        u, v = turn @ [1.0, 0.0, 0.0], turn @ [0.0, 1.0, 0.0]
        self.rotation = np.array([np.cos(roll) * u + np.sin(roll) * v, -np.sin(roll) * u + np.cos(roll) * v, -towards])
        self.position = camera.distance * towards
        self.focal = camera.square_px * camera.distance
        self._centre = np.zeros(2)
        corners = self.project(np.array([(0, 0), (SIZE, 0), (SIZE, SIZE), (0, SIZE)], float))
        low, high = corners.min(axis=0), corners.max(axis=0)
        span = float((high - low).max())
        margins = np.array(camera.margins) * span
        self.width, self.height = (int(v) for v in np.ceil(high - low + margins[:2] + margins[2:]))
        self._centre = margins[:2] - low - 0.5
        foot = self.position[:2]
        self.foot = (foot[0] + MIDDLE, foot[1] / aspect + MIDDLE)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture in pixels."""
        return self.width, self.height

    def project(self, grid: NDArray[np.floating], height: float = 0.0) -> NDArray[np.float64]:
        """(..., 2) grid points (col, row), `height` squares above the board, to pixels of the undistorted picture."""
        flat = np.asarray(grid, np.float64).reshape(-1, 1, 2)
        return cv2.perspectiveTransform(flat, self.plane(height)).reshape(np.shape(grid))

    def plane(self, height: float = 0.0) -> NDArray[np.float64]:
        """3x3, grid points of the plane `height` above the board to pixels."""
        return self.world_plane(height) @ np.array(
            [[1, 0, -MIDDLE], [0, self.aspect, -MIDDLE * self.aspect], [0, 0, 1]]
        )

    def world_plane(self, height: float = 0.0) -> NDArray[np.float64]:
        """3x3, world (x, y) of the plane `height` above the board to pixels."""
        base = np.eye(3)
        base[:, 2] = np.array([0, 0, -height]) - self.position
        return self.intrinsics @ self.rotation @ base

    @property
    def intrinsics(self) -> NDArray[np.float64]:
        """3x3, directions in the camera's own axes (right, down, forward) to pixels."""
        return np.array([[self.focal, 0, self._centre[0]], [0, self.focal, self._centre[1]], [0, 0, 1]])

    def distort(self, points: NDArray[np.floating]) -> NDArray[np.float64]:
        """Pixels of the undistorted picture to those of the picture with the lens's distortion."""
        k = self.camera.distortion
        centre, scale = self._lens
        wanted = (np.asarray(points, np.float64) - centre) / scale
        moved = wanted.copy()
        for _ in range(20):
            moved = wanted / (1 + k * (moved**2).sum(axis=-1, keepdims=True))
        return moved * scale + centre

    @cached_property
    def _lens(self) -> tuple[NDArray[np.float64], float]:
        return np.array([(self.width - 1) / 2, (self.height - 1) / 2]), float(np.hypot(self.width, self.height) / 2)

    def bend(self, picture: NDArray) -> NDArray:
        """The picture as the lens's distortion shows it."""
        k = self.camera.distortion
        if not k:
            return picture
        centre, scale = self._lens
        x = (np.arange(self.width, dtype=np.float32) - np.float32(centre[0])) / np.float32(scale)
        y = (np.arange(self.height, dtype=np.float32) - np.float32(centre[1])) / np.float32(scale)
        factor = np.float32(scale) * (1 + np.float32(k) * (x[None, :] ** 2 + y[:, None] ** 2))
        return cv2.remap(
            picture,
            x[None, :] * factor + np.float32(centre[0]),
            y[:, None] * factor + np.float32(centre[1]),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
