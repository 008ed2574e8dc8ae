"""Everything around the table: the bus, live services, camera requests, frames, child processes, a hall.

May import sight, table and below. Enter at `registry.DeviceRegistry`.
"""
