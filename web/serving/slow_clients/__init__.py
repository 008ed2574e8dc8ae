"""Slow clients: stalled connections, streams too far behind, and who gives way when there are too many.

May import what is beside it in serving. Enter at `stalled_connections`, `pushed_streams` and `stream_places`.
"""
