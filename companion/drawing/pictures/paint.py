"""Colours that pictures share."""

INK, PAPER, STEEL, STONE, WOOD, BRICK, GLASS, GOLD, GREEN, RED, BLUE, EARTH = (
    "#1b2130", "#faf5e8", "#7d8794", "#b8ad9a", "#8a5a34", "#b5533c", "#bfe3ee", "#f2c230", "#4f8f4a", "#d2402f",
    "#2f6fb8", "#7b5c3c",
)  # fmt: skip
