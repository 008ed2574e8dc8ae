"""The live table: one writer, its session, and the snapshots it shows.

May import referee, bots, match and below. Enter at `service.Table`.
"""
