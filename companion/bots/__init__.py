"""Bots that play games, and simulations of whole games.

May import match and below. Enter at `bot.policy_of` and `simulation.simulate`.
"""
