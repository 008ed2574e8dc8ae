"""Updates the installed package: reads a `.deb` and its signature, tries it out, switches over, and goes back if
necessary.

May import what ops may. Enter at `updater.Updater`; pages ask through `asking.ask`, and root's service answers there.
"""
