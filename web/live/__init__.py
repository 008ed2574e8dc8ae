"""Live updates: regions rendered once and sent to every open page as server-sent events.

May import presenters and serving. Enter at `hub.Hub` and `rendering.SceneRenderer`.
"""
