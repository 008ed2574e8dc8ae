"""GPIO pins through gpiozero, real or simulated.

May import nothing of hardware. Enter at `factory.open_pins`.
"""
