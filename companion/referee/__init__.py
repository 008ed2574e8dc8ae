"""Turns presses and their moments into events and verdicts; time is passed in.

May import match and below. Enter at `referee.Referee`.
"""
