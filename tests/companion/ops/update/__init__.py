"""Tests of updates: packages, signatures, the steps of an update, and rollback."""
