"""Programs that play games, and whole games without a table.

May import match and below. Enter at `bot.policy_of` and `simulation.simulate`.
"""
