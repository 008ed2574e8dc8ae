"""The live table: one writer thread, its session, its snapshots, and seats played by programs.

May import referee, bots, match and below. Enter at `table.Table`.
"""
