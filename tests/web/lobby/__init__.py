"""The lobby: arrivals, and what may happen to them."""
