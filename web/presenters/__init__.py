"""The content of pages, computed without HTTP.

May import forms, game pages, words and security. Enter at `scene.Scene`.
"""
