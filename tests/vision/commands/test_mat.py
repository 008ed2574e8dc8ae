"""`companion mat print`: what it says beside the PDF."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from vision.commands import mat


def test_the_table_of_the_settings_is_named(tmp_path: Path) -> None:
    """A mat for cards of another size says where in companion.toml that size goes."""
    words = ["print", "--players", "2", "--card", "44x67", "--data", str(tmp_path), "--out", str(tmp_path / "mat.pdf")]
    made = CliRunner().invoke(mat.command, words)
    assert (made.exit_code, made.stdout) == (0, "")
    assert made.stderr.endswith('Add card = "44x67" under [camera] in companion.toml.\n')
