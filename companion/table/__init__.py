"""The live table: one writer thread, its session, and the snapshots it shows.

May import referee, match and below. Enter at `service.Table`.
"""
