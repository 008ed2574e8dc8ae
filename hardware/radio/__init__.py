"""Wireless buttons by MQTT.

May import wiring and doctor. Enter at `radio.Radio`.
"""
