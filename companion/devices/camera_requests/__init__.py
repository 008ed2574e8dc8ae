"""Requests to the camera service and their answers: one type each, shared by both ends of the bus.

On the bus a request is `Asked(what, fields)` and its answer `Answered(done, key, fields)` (companion/messages.py). The
table sends with `CameraLink.ask`; the service reads with `exchange.read_request`. File names are those in the frames
folder.
"""
