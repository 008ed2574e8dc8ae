"""The guided first turn: a game's steps, with the text, moment and target of each."""

from __future__ import annotations

from typing import NamedTuple

from companion.i18n import Words

ANY = "any"
"""The key of steps for any moment at which a seat is awaited."""
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
"""Default targets of steps, from the whole to a part: the first with room for words is used. `picks` are things to
choose from in the middle of the page, `choices` the buttons.
"""


class GuideStep(NamedTuple):
    """One step: its moment, its targets as selectors in order, and its text."""

    name: str
    moment: str
    at: tuple[str, ...]
    text: str


def guide_steps(words: Words) -> list[GuideStep]:
    """Return a game's own steps in order, or the default ones if it has none in any language."""
    own = words.section("guide") or (words.fallback.section("guide") if words.fallback else {})
    named = own or {f"{ANY}.{place}": text for place, text in words.section("guide_page.house").items()}
    return [_step(name, text) for name, text in named.items()]


def _step(name: str, text: str) -> GuideStep:
    """Return the step `<moment>.<place>`; elements that a game marks with `data-guide` precede the default targets."""
    moment, _, place = name.partition(".")
    return GuideStep(name, moment, (f"[data-guide='{place}']", *PLACES.get(place, ())), text)
