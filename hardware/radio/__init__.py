"""Wireless buttons over MQTT.

May import wiring and doctor. Enter at `radio.Radio`.
"""
