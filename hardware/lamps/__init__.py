"""What lamps and the buzzer show for each cue.

May import nothing of hardware. Enter at `renderer.LampRenderer`.
"""
