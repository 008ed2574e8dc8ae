"""One match: its history with undo, redo and amendment, chance, secrecy, notation.

May import journal, games and below. Enter at `match.Match`.
"""
