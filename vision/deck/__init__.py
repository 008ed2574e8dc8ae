"""Enrolled decks: pictures of cards and what was computed from them, in one file; the decks of a data folder.

May import features. Enter at `enrol`, `load`, `stored_decks.DeckLibrary`.
"""

from vision.deck.deck import BACK as BACK
from vision.deck.deck import Card as Card
from vision.deck.deck import Deck as Deck
from vision.deck.deck import Shot as Shot
from vision.deck.making import EnrolmentReport as EnrolmentReport
from vision.deck.making import LookalikePair as LookalikePair
from vision.deck.making import PictureFinding as PictureFinding
from vision.deck.making import enrol as enrol
from vision.deck.making import lookalikes as lookalikes
from vision.deck.store import load as load
from vision.deck.store import pack as pack
from vision.deck.store import save as save
from vision.deck.store import unpack as unpack
from vision.enrolled_file import DeckError as DeckError
