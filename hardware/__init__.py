"""Buttons, lamps and buzzer on a Raspberry Pi. May import the companion; the only package that imports gpiozero."""
