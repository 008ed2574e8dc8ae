"""Tests of the examination of the machine around the table."""
