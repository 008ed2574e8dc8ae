"""Turn the camera's readings into proposed events or questions.

May import table and below. Enter at `observer.SightObserver`.
"""
