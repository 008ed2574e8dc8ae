"""Turns what the camera sees into proposed events or questions.

May import table and below. Enter at `observer.SightObserver`.
"""
