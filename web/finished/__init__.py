"""Finished matches: read from the journal, replayed step by step, and summarised in records.

May import `live`, presenters and what lies below. Enter at `matches.FinishedMatches`.
"""
