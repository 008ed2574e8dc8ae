"""Test doubles and builders that several tests share."""
