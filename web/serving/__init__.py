"""The web server: uvicorn with limits on connections, streams that hold no thread, joined files.

Imports nothing else of web. Enter at `server.Listener`.
"""
