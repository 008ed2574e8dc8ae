"""The table's brain: rules, journal, match and the table's service. Knows no web, no pins and no pictures."""
