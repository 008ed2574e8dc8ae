"""Reading cards in one picture."""

from vision.recogniser.recogniser import Recogniser

__all__ = ["Recogniser"]
