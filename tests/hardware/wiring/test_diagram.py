"""The diagram is drawn from the wiring, and the documents show the one of the default."""

from __future__ import annotations

import itertools
import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.wiring import currents, diagram, header
from hardware.wiring.wiring import DEFAULT, WiredPart, Wiring, uses
from tests.support.paths import ROOT

COMMITTED = ROOT / "docs" / "pictures" / "wiring.svg"
FREE = sorted(set(header.PLACES) - {*header.IDENTIFYING, *header.PULLED_UP})


@st.composite
def wirings(draw: st.DrawFn) -> Wiring:
    """Return a strategy for valid wirings."""
    pins = iter(draw(st.permutations(FREE)))
    seats = tuple(
        WiredPart(next(pins), next(pins) if draw(st.booleans()) else None) for _ in range(draw(st.integers(2, 6)))
    )
    return Wiring(seats, next(pins) if draw(st.booleans()) else None, next(pins) if draw(st.booleans()) else None)


def said(wiring: Wiring) -> list[str]:
    """Return all words of the drawing in the order of drawing."""
    return [element.text or "" for element in ElementTree.fromstring(diagram.picture(wiring)).iter() if element.text]


def test_the_documents_show_the_default_as_the_code_draws_it() -> None:
    """docs/pictures/wiring.svg is what `companion wiring --svg` draws."""
    assert COMMITTED.read_text(encoding="utf-8") == diagram.picture(DEFAULT)


@given(wirings())
def test_every_part_is_drawn_once_with_its_pin(wiring: Wiring) -> None:
    """Each part is drawn once, beside its place on the header."""
    found = said(wiring)
    for use in uses(wiring):
        name = {"buzzer": "Buzzer"}.get(use.part) or (
            f"Seat {use.seat + 1} {use.part}" if use.seat is not None else "Host's button"
        )
        assert found.count(name) == 1
        assert found[found.index(name) + 1] == f"pin {header.place(use.pin)}"


@given(wirings(), st.sampled_from((-1, 1)))
def test_no_two_wires_of_a_side_cross_and_no_parts_overlap(wiring: Wiring, way: int) -> None:
    """Parts follow the order of their pins, keep a distance, and stay within their side of the page."""
    rows = diagram.rows(wiring, way)
    heights = diagram.spread([row.pin_y for row in rows])
    assert [row.pin_y for row in rows] == sorted(row.pin_y for row in rows)
    assert all(below - above >= diagram.GAP - 0.001 for above, below in itertools.pairwise(heights))
    assert all(diagram.FIRST <= height <= diagram.LAST for height in heights)


def test_every_side_that_is_used_has_its_ground() -> None:
    """Each used row of the header has one ground pin, at an end where its wire crosses no other."""
    left, right = diagram.rows(DEFAULT, -1), diagram.rows(DEFAULT, 1)
    assert [row.place for row in left if row.use is None] == [39] and left[-1].use is None
    assert [row.place for row in right if row.use is None] == [6] and right[0].use is None
    assert diagram.rows(Wiring((WiredPart(17), WiredPart(27))), 1) == []


def test_the_picture_needs_nothing_from_elsewhere() -> None:
    """The file contains no script, link or external font, so that it opens anywhere."""
    assert not re.search(r"<script|href=|url\(", diagram.picture(DEFAULT))


def test_all_lamps_stay_below_what_the_header_can_give() -> None:
    """The drawing's calculation assumes 1.5 V across 330 ohms for a lamp and 2.6 V across 1000 ohms for the buzzer."""
    assert currents.lamp_ma() == pytest.approx(4.545, abs=0.001)
    assert currents.total_ma(DEFAULT) == pytest.approx(6 * 4.545 + 2.6, abs=0.01)
    assert currents.total_ma(DEFAULT) < currents.ALL_MA
    assert currents.total_ma(Wiring((WiredPart(17, 18), WiredPart(27)))) == pytest.approx(currents.lamp_ma())
    assert currents.lamp_ma() < min(currents.PIN_MA, currents.LED_MA)
