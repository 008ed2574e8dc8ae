"""Enrolling cards and tokens by photograph: captured, named, kept on the disk, compared.

May import mat, deck, tokens and features. Enter at `enrolment.Enrolment`.
"""
