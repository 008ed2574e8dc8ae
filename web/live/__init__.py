"""Live updates: regions rendered once, sent to every open page as server-sent events.

May import presenters and security. Enter at `hub.Hub`.
"""
