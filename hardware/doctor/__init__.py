"""Readings of pins and what they mean.

Enter at `readings.read_pins` and `diagnosis.judge`.
"""
