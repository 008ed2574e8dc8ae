"""The web server: waitress with an event loop of its own, limits on connections, and streams that hold no thread."""
