"""The lobby: who arrives, and what may happen to them."""
