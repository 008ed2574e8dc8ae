"""Programs that make the pictures and films of the documentation."""
