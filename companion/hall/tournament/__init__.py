"""A tournament's arithmetic: seating, standings, lists of players, and tables for spreadsheets.

Knows no clock, file or thread; callers pass the random generator. Enter at `seating.seat_round` and
`scoring.standings`.
"""
