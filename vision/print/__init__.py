"""Decks and drawings on paper and as pixels.

May import image and companion. Enter at `cards.design`, `sheets.sheets`, and `drawing` for renderers.
"""
