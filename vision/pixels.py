"""The type of pictures."""

from __future__ import annotations

from typing import Any, TypeAlias

from numpy.typing import NDArray

Pixels: TypeAlias = NDArray[Any]
"""(h, w, 3) or (h, w) uint8, BGR. OpenCV's own types leave the element type open, so this one does too."""
