"""The guided first turn: which steps a game has, what each says, when it is due and what it points at."""

from __future__ import annotations

from typing import NamedTuple

from companion.i18n import Words

ANY = "any"
"""Stands for every moment at which a seat is awaited."""
CHOICES = (
    ".action-bar:has(button)",
    "#region-actions:has(form.move)",
    "#region-actions form.move",
    "#region-actions form.move :is(label.choice, button:not([type=button]))",
)
PLACES = {
    "sign": ("#region-status .sign",),
    "hand": (
        ":is(#region-holdings, #region-picks, #region-actions) :is(.hand, .secret-cards)",
        "#region-holdings:has([data-card])",
    ),
    "money": ("#region-holdings .purse", "#region-holdings .cash"),
    "picks": ("#region-picks:has(button, input)", "#region-picks form.move", *CHOICES),
    "choices": CHOICES,
    "board": ("#region-board:has(.cell.lit) svg", "#region-board .cell.lit"),
    "supply": ("#region-supply [data-part]:has(button)", "#region-supply button"),
    "play": ("#region-play",),
    "seats": ("#region-seats",),
}
"""What a step can point at by its house name, from the whole to a part: the first that leaves room for words is it.
`picks` are things to choose from in the middle of the page, `choices` the buttons."""


class GuideStep(NamedTuple):
    """One step: the moment at which it is due, what it points at, as selectors in their order, and what it says."""

    name: str
    moment: str
    at: tuple[str, ...]
    text: str


def guide_steps(words: Words) -> list[GuideStep]:
    """Return a game's own steps in their order, or the house's where it has none in any language."""
    own = words.section("guide") or (words.fallback.section("guide") if words.fallback else {})
    named = own or {f"{ANY}.{place}": text for place, text in words.section("guide_page.house").items()}
    return [_step(name, text) for name, text in named.items()]


def _step(name: str, text: str) -> GuideStep:
    """Return the step `<moment>.<place>`; what a game has marked with `data-guide` goes before the house's places."""
    moment, _, place = name.partition(".")
    return GuideStep(name, moment, (f"[data-guide='{place}']", *PLACES.get(place, ())), text)
