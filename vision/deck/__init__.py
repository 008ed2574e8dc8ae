"""Enrolled decks: pictures of cards and what was computed from them, in one file; the decks of a data folder.

May import features. Enter at `making.enrol`, `deck_file.load`, `stored_decks.DeckLibrary`.
"""
