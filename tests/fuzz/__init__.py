"""Tests with thousands of hostile requests and messages, generated from a seed."""
