"""The commands of `companion`, one module each. None of them imports outwards: only the composition root may."""
