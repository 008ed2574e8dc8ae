"""Seats filled by programs, and whole games without a table.

May import match and below. Enter at `bot.BotSeat` and `simulation.simulate`.
"""
