"""Wireless buttons by MQTT.

Enter at `radio.Radio`.
"""
