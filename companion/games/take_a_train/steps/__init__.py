"""The steps of Take a Train. `round.py` follows the rulebook's list."""
