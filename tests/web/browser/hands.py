"""Send a given event from a page, either by touch with doubled taps or by keyboard only."""

from __future__ import annotations

from typing import Any

import msgspec
from playwright.sync_api import ElementHandle, Error, Page

from companion.engine import Event
from tests.web.browser.devices import PATIENCE
from tests.web.browser.truth import script

WAY = script("way.js")
IDLE = "() => !document.querySelector('.htmx-request')"
FAR = 250
"""The maximum number of Tab presses that may be needed to reach a control."""
REACHED = """(at) => {
  const wanted = window.__way[at], now = document.activeElement;
  if (now === wanted) return "there";
  if (wanted.type === "radio" && now.type === "radio" && now.name === wanted.name && now.form === wanted.form)
    return "group";
  const question = wanted.closest(":popover-open"); // comes right after what opened it, wherever it stands
  if (question && !question.contains(now)) return "after";
  return wanted.compareDocumentPosition(now) & Node.DOCUMENT_POSITION_FOLLOWING ? "before" : "after";
}"""
"""Returns whether the focus is at its target or in the target's group, or in which direction to move it."""
OUTLINE = "() => getComputedStyle(document.activeElement).outlineStyle"


class Hands:
    """A person at one page."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def do(self, event: Event) -> None:
        """Send an event by finding it on the page."""
        way = self.page.evaluate(WAY, msgspec.to_builtins(event))
        assert way is not None, f"{self.page.url} does not offer {event}"
        try:
            for at, (kind, value) in enumerate(way):
                self.touch(at, kind, value)
        except Error as error:
            error.add_note(f"{event} by {way} on {self.page.url}")
            raise
        self.page.wait_for_function(IDLE, timeout=PATIENCE)

    def touch(self, at: int, kind: str, value: str) -> None:
        """Operate one control on the way to the event."""
        raise NotImplementedError


class ByTouch(Hands):
    """A person who taps each submit button twice, as impatient people do."""

    def element(self, at: int) -> ElementHandle:
        """Return one control on the way to the event."""
        found = self.page.evaluate_handle("(at) => window.__way[at].labels?.[0] || window.__way[at]", at).as_element()
        assert found is not None
        return found

    def touch(self, at: int, kind: str, value: str) -> None:
        """Tap the control, or type its value."""
        if kind == "amount":
            self.element(at).fill(value)
        elif kind == "send":
            self.element(at).dblclick()
        else:
            self.element(at).click()


class ByKeyboard(Hands):
    """A person who uses only Tab, arrows, Enter and Space."""

    def reach(self, at: int) -> None:
        """Move the focus to one control with Tab, and check that the focus is visible."""
        for _ in range(FAR):
            where = self.page.evaluate(REACHED, at)
            if where == "there":
                break
            self.page.keyboard.press({"group": "ArrowDown", "before": "Shift+Tab", "after": "Tab"}[where])
        else:
            told: Any = self.page.evaluate("(at) => window.__way[at].outerHTML", at)
            raise AssertionError(f"Tab does not reach {told}")
        assert self.page.evaluate(OUTLINE) != "none"

    def touch(self, at: int, kind: str, value: str) -> None:
        """Focus the control and press it, or type its value."""
        self.reach(at)
        if kind == "amount":
            self.page.keyboard.press("Control+A")
            self.page.keyboard.type(value)
        elif kind in ("radio", "check"):
            if not self.page.evaluate("(at) => window.__way[at].checked", at):
                self.page.keyboard.press("Space")
        else:
            self.page.keyboard.press("Enter")
