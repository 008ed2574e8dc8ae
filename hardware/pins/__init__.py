"""GPIO pins by gpiozero, real or simulated.

Enter at `factory.open_pins`.
"""
