"""The web server: uvicorn with limits on connections, streams without threads, and bundled files.

Imports nothing else of web. Enter at `server.Listener`.
"""
