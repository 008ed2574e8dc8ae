"""Shows cues with lamps and the buzzer.

May import nothing of hardware. Enter at `renderer.LampRenderer`.
"""
