"""The web server: waitress with its own event loop, limits on connections, and streams that hold no thread.

Imports nothing else of web. Enter at `server.Listener`.
"""
