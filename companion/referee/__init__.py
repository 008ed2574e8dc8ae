"""Turns presses and their moments into events and verdicts; time is passed in.

May import engine, mechanics and messages. Enter at `referee.Referee`.
"""
