"""Tests of Goods Yard."""
