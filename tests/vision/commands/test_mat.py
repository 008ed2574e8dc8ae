"""Tests of the messages of `companion mat print`."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from vision.commands import mat


def test_the_table_of_the_settings_is_named(tmp_path: Path) -> None:
    """A mat for cards of another size names the setting in companion.toml for that size."""
    words = ["print", "--players", "2", "--card", "44x67", "--data", str(tmp_path), "--out", str(tmp_path / "mat.pdf")]
    made = CliRunner().invoke(mat.command, words)
    assert (made.exit_code, made.stdout) == (0, "")
    assert made.stderr.endswith('Add card = "44x67" under [camera] in companion.toml.\n')


def test_every_camera_is_judged(tmp_path: Path) -> None:
    """Each camera of the docs is listed with its pixels per millimetre and a warning if they are too few."""
    words = ["print", "--players", "2", "--data", str(tmp_path), "--out", str(tmp_path / "mat.pdf")]
    said = CliRunner().invoke(mat.command, words).stderr
    assert "  Camera Module 3 (4608 × 2592): 5.5 px/mm.\n" in said
    assert "  USB Full HD (1920 × 1080): 2.3 px/mm: too few, reading needs 3.3.\n" in said
    assert "\nTokens need 2.5 px/mm, which have: Camera Module 3, Camera Module 2, USB 4K." in said


def test_places_for_tokens_can_be_left_out(tmp_path: Path) -> None:
    """A mat without places for tokens is smaller, shows its cards larger and is not described as having any."""
    words = ["print", "--players", "2", "--no-tokens", "--data", str(tmp_path), "--out", str(tmp_path / "mat.pdf")]
    said = CliRunner().invoke(mat.command, words).stderr
    assert "  Camera Module 3 (4608 × 2592): 6.3 px/mm.\n" in said
    assert said.endswith("  USB Full HD (1920 × 1080): 2.6 px/mm: too few, reading needs 3.3.\n")


def test_what_cannot_be_made_names_what_can(tmp_path: Path) -> None:
    """An impossible mat is refused with the table size that it needs and a mat that fits."""
    words = ["print", "--players", "6", "--card", "70x120", "--data", str(tmp_path), "--paper", "a3"]
    made = CliRunner().invoke(mat.command, words)
    assert made.exit_code == 1 and "needs a table of 118 × 88 cm" in made.stderr
    assert "On A3, with cards of 65 × 112 mm, it fits: " in made.stderr


def test_coasters_are_one_sheet(tmp_path: Path) -> None:
    """Coasters are printed on one sheet, and only for games whose cards identify their places."""
    path = tmp_path / "coasters.pdf"
    made = CliRunner().invoke(mat.command, ["coasters", "--players", "4", "--lang", "fr", "--out", str(path)])
    assert made.exit_code == 0 and "four coasters on one sheet A4 for 4 players" in made.stderr
    assert path.read_bytes().count(b"/Type /Page\n") == 1
    refused = CliRunner().invoke(mat.command, ["coasters", "--players", "4", "--game", "trains"])
    assert refused.exit_code == 2 and "is played on its mat" in refused.stderr
