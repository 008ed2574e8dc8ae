"""Examine the machine around the table: disk, clock, network, power, versions and services.

May import devices and below. In each module `read` touches the machine and `judge` is pure. Enter at `machine.examine`.
"""
