"""A tournament's arithmetic: who sits where, who stands where, lists of players, and tables for spreadsheets.

Knows no clock, file or thread; luck is handed in. Enter at `seating.seat_round` and `scoring.standings`.
"""
