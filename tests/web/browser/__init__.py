"""The live table in a browser: four pages at once, played by touch."""
