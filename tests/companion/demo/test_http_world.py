"""People who play over HTTP wait for the camera before the first card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from companion.demo.acts import MoveCard
from companion.demo.http_world import BUSY, GONE, Browser, HttpWorld, NotThere
from companion.demo_records import PageState


class Pages(Browser):
    """A companion with a starting camera, which refuses the first request for a card as busy."""

    def __init__(self, looking: list[str]) -> None:
        super().__init__("http://127.0.0.1:1")
        self.looking = looking
        self.asked: list[str] = []
        self.busy = 1

    def get(self, path: str) -> bytes:
        """Return the camera's next state."""
        self.asked.append(self.looking[0])
        return msgspec.json.encode(PageState(looking=self.looking.pop(0) if len(self.looking) > 1 else self.looking[0]))

    def post(self, page: str, action: str, fields: Mapping[str, Any] | bytes) -> tuple[int, str, str]:
        """Record a request and accept it, but refuse the first one for a card as busy."""
        assert isinstance(fields, Mapping)
        if action.endswith("laying/tokens"):
            self.asked.append(f"tokens: {dict(fields)}")
            return 200, "", ""
        self.asked.append(f"{fields['card']} to {fields['place']}")
        self.busy -= 1
        return (BUSY, "", "wait") if self.busy >= 0 else (200, "", "")


def test_the_first_card_waits_for_the_camera_and_the_others_for_nothing() -> None:
    """The first card waits until the camera sees the table, a busy hand is retried, and later cards do not wait."""
    pages, slept = Pages(["starting", "unplaced", "still"]), list[float]()
    room = HttpWorld(pages, slept.append)
    room.host = room.shared = "/t/x/"
    room.move(MoveCard("coal-200", "", "market"))
    room.move(MoveCard("twin", "", "market"))
    laid = ["coal-200 to market"] * 2 + ["twin to market"]
    assert pages.asked == ["starting", "unplaced", "still", *laid]
    assert len(slept) == 3


class Bare(Pages):
    """A rendered table from which another hand is just removing one card."""

    def get(self, path: str) -> bytes:
        """Return the state of the camera, or the cards on the table."""
        lies = {"market": [("coal-200", "up"), ("twin", "up")]}
        return msgspec.json.encode(lies) if path.endswith("laying.json") else super().get(path)

    def post(self, page: str, action: str, fields: Mapping[str, Any] | bytes) -> tuple[int, str, str]:
        """Take a card, unless another hand has it."""
        assert isinstance(fields, Mapping)
        return (GONE, "", "gone") if fields.get("card") == "coal-200" else super().post(page, action, fields)


def test_a_table_is_cleared_though_a_hand_has_the_last_card() -> None:
    """Clearing the table skips a card that is already gone, but any other move of a missing card is an error."""
    pages = Bare(["still", "still", "none"])
    room = HttpWorld(pages, lambda _: None)
    room.host = room.shared = "/t/x/"
    room.clear()
    assert pages.asked == ["still", "still", *["twin to "] * 2, "tokens: {'do': 'clear'}", "none"]
    with pytest.raises(NotThere):
        room.move(MoveCard("coal-200", "market", ""))


def test_tokens_are_laid_by_their_numbers() -> None:
    """Tokens are sent as counts per kind, and the first ones wait for the camera."""
    pages = Pages(["starting", "still"])
    room = HttpWorld(pages, lambda _: None)
    room.host = room.shared = "/t/x/"
    room.lay_tokens("seat.1.money", ("money-500", "money-500", "money-50"), heaped=True)
    form = {"place": "seat.1.money", "heaped": "1", "money-500": 2, "money-50": 1}
    assert pages.asked == ["starting", "still", f"tokens: {form}"]
