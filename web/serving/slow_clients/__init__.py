"""Slow clients: stalled connections, streams that are too far behind, and the choice of those that give way.

May import what is beside it in serving. Enter at `stalled_connections`, `pushed_streams` and `stream_places`.
"""
