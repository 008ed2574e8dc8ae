"""Outlines that may be cards: they live with the features, for a deck is enrolled by them too."""

from vision.features.quads import Outline, outlines

__all__ = ["Outline", "outlines"]
