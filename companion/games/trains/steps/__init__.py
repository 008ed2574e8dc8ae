"""The steps of Trains: set-up, turns, draws, and the questions of cards' texts.

May import the game's table and rails. Enter at `setup` and `turn`.
"""
