"""Finished matches: opened from the journal, replayed step by step, summed up in records.

May import `live`, presenters and what lies below. Enter at `matches.FinishedMatches`.
"""
