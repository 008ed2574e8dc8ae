"""Slow clients: connections that have stalled, streams that are too far behind, and who gives way where there are many.

May import what is beside it in serving. Enter at `stalled_connections`, `pushed_streams` and `stream_places`.
"""
