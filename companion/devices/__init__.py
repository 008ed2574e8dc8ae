"""Devices around the table: the bus, who is alive, requests to the camera, pictures, child processes.

May import sight, table and below. Enter at `registry.Switchboard`.
"""
