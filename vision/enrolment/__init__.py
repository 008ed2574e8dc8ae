"""Enrol cards and tokens by photograph: capture, name, store and compare them.

May import mat, deck, tokens and features. Enter at `enrolment.Enrolment`.
"""
