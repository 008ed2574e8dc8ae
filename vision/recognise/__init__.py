"""Reading cards in one picture.

May import deck and features. Enter at `Recogniser`.
"""

from vision.recognise.recogniser import Recogniser as Recogniser
