"""Hostile requests and messages, thousands of them, made from a seed."""
