"""Tests of the example game Twenty Tons."""
