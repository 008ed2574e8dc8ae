"""What the camera sees becomes events that it proposes, or questions.

May import table and below. Enter at `observer.Onlooker`.
"""
