"""Pulled plugs, failing disks, jumping clocks: what was acknowledged is there again. `make faults` is the long form."""
