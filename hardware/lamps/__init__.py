"""What lamps and the buzzer show for each cue.

Enter at `renderer.Desk`.
"""
