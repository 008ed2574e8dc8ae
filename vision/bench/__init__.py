"""Benchmarks of the camera: they print figures and never judge them.

May import everything in vision but commands. Enter at `tables.run`, `follow.run` and `photographs.run`.
"""
