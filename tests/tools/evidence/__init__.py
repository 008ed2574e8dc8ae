"""Records the behaviour of games, pages and commands, so that a later tree can be compared with it.

Enter at `python -m tests.tools.evidence`; `games` records the games, `parts` everything else, and `changes.toml` lists
permitted differences.
"""
