"""Tests of `companion.hall.tournament`."""
