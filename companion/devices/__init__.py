"""Devices around the table: the bus, live services, requests to the camera, frames, child processes, a hall.

May import sight, table and below. Enter at `registry.DeviceRegistry`.
"""
