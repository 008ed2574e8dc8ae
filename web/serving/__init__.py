"""The web server: waitress with its own event loop, limits on connections, streams that hold no thread, joined files.

Imports nothing else of web. Enter at `server.Listener`.
"""
