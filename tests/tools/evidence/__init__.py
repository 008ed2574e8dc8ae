"""Records how games, pages and commands behave, so that a later tree can be compared with it.

Enter at `python -m tests.tools.evidence`; `games` holds the games, `parts` all else, `changes.toml` what may differ.
"""
