"""Benchmarks of the camera, which print figures without judging them.

May import everything in vision but commands. Enter at `tables.run`, `follow.run` and `photographs.run`.
"""
