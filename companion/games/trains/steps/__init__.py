"""What Trains waits for: set-up, turns, draws, and what the text of a card asks.

May import the game's table and rails. Enter at `setup` and `turn`.
"""
