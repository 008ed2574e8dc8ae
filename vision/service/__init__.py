"""The camera service: one loop from camera to bus.

May import everything in vision but simulate, bench and commands. Enter at `loop.CameraService`.
"""
