"""People of a demonstration or a test: a truth of their own, and what they do with cards, buttons and tablets."""
