"""The camera service: one loop from camera to bus.

May import everything in vision but commands and bench. Enter at `loop.Service`.
"""
