"""Presses and their moments become events and verdicts. Pure: time is handed in.

May import match and below. Enter at `referee.Referee`.
"""
