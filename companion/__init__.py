"""The table's core: rules, journal, match, live table, devices and commands."""
