"""How lamps and the buzzer show each cue.

May import nothing of hardware. Enter at `renderer.LampRenderer`.
"""
