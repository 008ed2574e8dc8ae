"""Updating the installed package: reading a `.deb` and its signature, trying it out, switching over, the way back.

May import what ops may. Enter at `updater.Updater`; pages ask by `asking.ask`, and root's service answers there.
"""
