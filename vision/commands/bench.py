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
@click.option("--values", type=click.IntRange(7, 100_000), help="So many cards of one artwork, told apart by values.")
@click.option("--speed", is_flag=True, help="Time and memory, by the size of pictures and decks.")
@click.option("--quick", is_flag=True, help="Two tables, a few layouts each.")
def vision(photographs: Path | None, tables: int, values: int | None, speed: bool, quick: bool) -> None:
    """Measure on rendered tables of our own deck, on a folder of photographs, on drawn values, or how fast it is."""
    opencv()
    if photographs is not None:
        import_module("vision.bench.photographs").run(photographs)
    if values is not None:
        import_module("vision.bench.photographs_values").run(values)
    if speed:
        import_module("vision.bench.speed").run()
    if photographs is not None or values is not None or speed:
        return
    from vision.bench import tables as rendered

    rendered.run(tables, quick, click.echo)
