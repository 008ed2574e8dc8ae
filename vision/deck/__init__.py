"""Enrolled decks: pictures of cards with computed data, in one file, and the decks of a data folder.

May import features. Enter at `making.enrol`, `deck_file.load`, `stored_decks.DeckLibrary`.
"""
