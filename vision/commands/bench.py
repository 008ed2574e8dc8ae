"""`companion bench`: what the camera reads rightly, what wrongly, and how fast. Figures are printed, never judged."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import click

from vision.commands.needs import opencv


@click.group("bench", short_help="Measure how well and how fast cards are read.")
def command() -> None:
    """Measure on this machine. Nothing is sent, nothing is kept."""


@command.command("vision", short_help="Rendered tables and photographs.")
@click.option(
    "--photographs",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder of photographs with labels.json, refs and scenes. [default: rendered tables]",
)
@click.option("--tables", type=click.IntRange(1, 1000), default=6, show_default=True, help="So many rendered tables.")
@click.option("--quick", is_flag=True, help="Two tables, a few layouts each.")
def vision(photographs: Path | None, tables: int, quick: bool) -> None:
    """Measure on rendered tables of our own deck, or on a folder of photographs."""
    opencv()
    if photographs is not None:
        import_module("vision.bench.photographs").run(photographs)
        return
    from vision.bench import tables as rendered

    rendered.run(tables, quick, click.echo)
