"""End-to-end tests: people play, and the companion learns of it only through pins, pictures and tablets."""
