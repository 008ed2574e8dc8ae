"""Our own decks on paper: shapes, cards, sheets.

May import image alone. Enter at `cards.decks.design` and `sheets.sheets`.
"""
