"""Programs that make the pictures, films and reference pages of the documentation."""
