"""Tests of `companion.games.take_a_train`."""
