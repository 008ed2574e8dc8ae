"""Mechanics that several games share: money, pools of cards, seats, sentences.

May import the engine and `companion.i18n`. Enter at `plain.PlainGame`.
"""
