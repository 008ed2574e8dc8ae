"""Readings of pins, and findings from them.

May import pins, wiring and buttons. Enter at `readings.read_pins` and `diagnosis.judge`.
"""
