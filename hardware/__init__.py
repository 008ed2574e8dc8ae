"""Buttons, lamps and buzzer on a Raspberry Pi. gpiozero is known only here."""
