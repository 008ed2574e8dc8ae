"""Reading cards in one picture."""

from vision.recognise.recogniser import Recogniser

__all__ = ["Recogniser"]
