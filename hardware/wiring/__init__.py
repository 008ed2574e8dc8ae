"""The pins of buttons, lamps and buzzer, and a diagram of them.

May import nothing of hardware. Enter at `wiring.Wiring`.
"""
