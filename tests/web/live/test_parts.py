"""Test which parts of a region are sent."""

from __future__ import annotations

from web.live.parts import changed_parts

MAP = '<h2>Tokyo</h2><g data-part="A1"><!--part A1-->{}<!--/--></g><g data-part="A2"><!--part A2-->{}<!--/--></g>{}'


def test_only_changed_parts_are_sent() -> None:
    """A changed cell is sent alone; a region without parts, or with another frame, is sent whole."""
    assert changed_parts(MAP.format("field", "city", ""), MAP.format("field", "city with a cube", "")) == {
        "A2": "city with a cube"
    }
    assert changed_parts(MAP.format("field", "city", ""), MAP.format("field", "city", "<p>more</p>")) is None
    assert changed_parts("", MAP.format("field", "city", "")) is None
    assert changed_parts("<p>Jane</p>", "<p>Bill</p>") is None
