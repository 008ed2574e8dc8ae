"""Finished matches: what is found about them later."""
