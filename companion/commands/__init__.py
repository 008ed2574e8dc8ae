"""The commands of `companion`, one module each.

May import demo, ops and below; only `companion.cli` may import hardware, vision and web.
"""
