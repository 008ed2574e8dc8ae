"""The live table: one writer thread, its session, the snapshots it shows, and seats that programs fill.

May import referee, bots, match and below. Enter at `table.Table`.
"""
