"""Requests to the camera's service and their answers: one type for each, the same at both ends of the bus.

On the bus a request is `Asked(what, fields)` and its answer `Answered(done, key, fields)` (companion/messages.py). The
table sends with `CameraLink.ask`; the service reads with `exchange.read_request`. Files are named as in the frames
folder.
"""
