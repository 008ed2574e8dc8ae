"""Recognise cards in a single picture.

May import deck and features. Enter at `Recogniser`.
"""

from vision.recognise.recogniser import Recogniser as Recogniser
