"""A picture in text form equals the shapes drawn with the brush."""

from __future__ import annotations

import pytest

from companion.drawing.pictures import brush
from companion.drawing.pictures.written import drawn
from companion.drawing.shapes import Fill, Mark, Stroke, arc, path, star, transform

BEND = ((1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("box 0 0.9 1.8 1.7 wood 0.1", brush.box(0, 0.9, 1.8, 1.7, brush.WOOD, 0.1)),
        ("disc 0 0 0.5 #8f6532", brush.disc(0, 0, 0.5, "#8f6532")),
        ("ring 0 1 0.5 0.2 ink", brush.ring(0, 1, 0.5, 0.2, brush.INK)),
        ("line 0.2 ink -1,0 0,1", brush.line(0.2, brush.INK, (-1, 0), (0, 1))),
        ("line 0.2 ink -1,0 0,0,1,180,360", brush.line(0.2, brush.INK, (-1, 0), *arc(0, 0, 1, 180, 360))),
        ("area red 0,0 1,0 1,1", brush.area(brush.RED, (0, 0), (1, 0), (1, 1))),
        ("star 0 0 1 0.5 5 gold", Fill((star(0, 0, 1, 0.5, 5),), brush.GOLD)),
        ("curve red 0,0 1,0;1,1;0,1", Fill((path((0, 0), BEND),), brush.RED)),
        ("trace 0.1 red 0,0 1,0;1,1;0,1", Stroke(path((0, 0), BEND), 0.1, brush.RED)),
        ("loop 0.1 red 0,0 1,0;1,1;0,1", Stroke(path((0, 0), BEND), 0.1, brush.RED, closed=True)),
        ("disc 0 0 0.5 ink @1,2,90", transform((brush.disc(0, 0, 0.5, brush.INK),), 1, 2, 90)[0]),
    ],
)
def test_a_line_is_what_the_brush_draws(text: str, mark: Mark) -> None:
    """Each kind of line draws the same mark as the brush."""
    assert drawn(text) == (mark,)


def test_a_text_draws_its_lines_in_order() -> None:
    """Lines are drawn in their order, so that later shapes cover earlier ones."""
    assert drawn("\ndisc 0 0 1 ink\ndisc 0 0 0.5 paper\n") == (*drawn("disc 0 0 1 ink"), *drawn("disc 0 0 0.5 paper"))


@pytest.mark.parametrize(("text", "error"), [("blob 0 0 1 ink", KeyError), ("disc 0 0 1 pink", ValueError)])
def test_what_nothing_stands_for_is_refused(text: str, error: type[Exception]) -> None:
    """An unknown shape or colour is refused."""
    with pytest.raises(error):
        drawn(text)
