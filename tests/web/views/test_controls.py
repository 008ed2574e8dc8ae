"""Test the controls of Take a Train: a seat's page offers all allowed moves, and none that the rules refuse."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from html.parser import HTMLParser
from typing import Any

import pytest
from werkzeug.datastructures import MultiDict

from companion.engine import Amounts, Choice, Event, Seat, Setup, rule
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.rules import RULES
from companion.games.take_a_train.steps.wagons import Exchanges, Takes
from companion.i18n import LANGUAGES
from companion.mechanics.offers import Sets
from companion.mechanics.telling import format_money
from tests.tools import preview
from tests.tools.preview import Moment, moments
from web.forms import event_of
from web.security.access import Viewer

GAMES: dict[str, tuple[int, tuple[str, str, str], int, dict[str, Any]]] = {
    "dealt": (3, ("pass", "blind", "double_blind"), 5, {"deck": "dealt"}),
    "dealt again": (4, ("preemption", "open", "twist"), 8, {"deck": "dealt"}),
    "ours": (3, ("pass", "twist", "preemption"), 3, {"deck": "ours"}),
    "box": (2, ("blind", "twist", "open"), 4, {"deck": "box", "catalogue": "box"}),
    "by hand": (3, ("blind", "open", "pass"), 4, {"deck": "ours", "options": {"bid_channel": "hand"}}),
}
LOOSE = ("claimed", "purposes_entered", "locos_revealed", "cards_revealed", "twist_revealed", "bids_revealed")
"""The events that people enter for real cards, tokens and fists, for which the page cannot know the right values."""
KEY = re.compile(r"\b(?:ui|moment|region|event|effect|card|cargo|drive|special|kind|kind_text|purpose|list)\.[a-z_]+")


ANY_AMOUNT = ("50", "50")
"""The amounts to enter where a page gives no bounds."""


class Forms(HTMLParser):
    """Reads the forms of a page: hidden fields, numbers with their bounds, ticks, and enabled buttons."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[dict[str, Any]] = []
        self.text: list[str] = []
        self.open = False
        self.bounds = ANY_AMOUNT
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record a form or a control of the open form."""
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append(
                {"hidden": [], "numbers": [], "ticks": [], "radios": {}, "buttons": [], "order": "", "pick": 0}
            )
            self.open = True
        if not self.open:
            return
        form = self.forms[-1]
        if tag == "fieldset" and "data-pick" in given:
            form["order"], form["pick"] = given.get("data-order", ""), int(given["data-pick"])
        elif tag == "input" and given.get("type") == "hidden":
            form["hidden"].append((given["name"], given["value"]))
        elif "data-amount" in given:
            self.bounds = given["data-low"], given["data-high"]
        elif tag == "input" and given.get("type") == "number":
            form["numbers"].append((given["name"], given["min"], given.get("max", given["min"])))
        elif tag == "input" and given.get("inputmode") == "numeric":
            form["numbers"].append((given["name"], *self.bounds))
            self.bounds = ANY_AMOUNT
        elif tag == "input" and given.get("type") == "checkbox":
            form["ticks"].append((given.get("name", ""), given["value"]))
        elif tag == "input" and given.get("type") == "radio":
            form["radios"].setdefault(given["name"], given["value"])
        elif tag == "button" and given.get("type") != "button" and "disabled" not in given:
            form["buttons"].append((given.get("name", ""), given.get("value", "")))

    def handle_endtag(self, tag: str) -> None:
        """Note that no form is open."""
        if tag == "form":
            self.open = False

    def handle_data(self, data: str) -> None:
        """Record visible text."""
        self.text.append(data)


@lru_cache(maxsize=512)
def forms(html: str) -> Forms:
    """Return the parsed forms of a page."""
    return Forms(html)


@cache
def played(name: str) -> tuple[Moment, ...]:
    """Return the first and the last moment of each kind in a game."""
    players, kinds, seed, setup = GAMES[name]
    first: dict[str, Moment] = {}
    last: dict[str, Moment] = {}
    for moment in moments(players, kinds, seed, **dict(setup)):
        first.setdefault(moment.name, moment)
        last[moment.name] = moment
    return (*first.values(), *[m for n, m in last.items() if m is not first[n]])


def page(moment: Moment, viewer: str, seat: int | None, lang: str = "en") -> str:
    """Return a page of the preview."""
    return preview.page(moment, viewer, seat, lang, "light", preview.environment())


def proposals(html: str, seat: int) -> Iterator[Event]:
    """Yield the events that the page's controls send: each button, numbers at both bounds, and one choice of ticks."""
    viewer = Viewer(role="seat", match="m", seat=Seat(seat))
    for form in forms(html).forms:
        if "event" not in dict(form["hidden"]):
            continue
        for button in form["buttons"]:
            for bound in (1, 2) if form["numbers"] else (1,):
                fields: MultiDict[str, str] = MultiDict(form["hidden"])
                for number in form["numbers"]:
                    fields.add(number[0], number[bound])
                for name, value in form["ticks"][: form["pick"]]:
                    fields.add(form["order"] or name, value)
                for name, value in form["radios"].items():
                    fields.add(name, value)
                if button[0]:
                    fields.add(*button)
                yield event_of(RULES, fields, viewer)


@pytest.mark.parametrize("name", GAMES)
def test_every_control_of_the_seat_asked_is_accepted(name: str) -> None:
    """The rules accept each button on an awaited seat's page, and both bounds of each amount."""
    tried = 0
    for moment in played(name):
        for seat in RULES.view(moment.state, None).awaited:
            for event in proposals(page(moment, "seat", seat), seat):
                if tag(event) in LOOSE:
                    continue
                tried += 1
                assert rule(RULES, moment.state, event) is None, (moment.name, event)
    assert tried > 30


def tag(event: Event) -> str:
    """Return an event's tag in the journal."""
    return str(event.__struct_config__.tag)


@pytest.mark.parametrize("name", GAMES)
def test_everything_a_seat_may_do_has_a_control(name: str) -> None:
    """A seat's page can send every choice that the rules offer, and the lowest and the highest amount.

    Counting is a button of its own, whose presses the referee judges.
    """
    seen: set[str] = set()
    for moment in played(name):
        for s in range(len(moment.setup.seated())):
            me = RULES.view(moment.state, Seat(s))
            there = list(proposals(page(moment, "seat", s), s))
            for offer in me.offers:
                match offer:
                    case Amounts():
                        wanted = [offer.kind(offer.by, offer.low), offer.kind(offer.by, offer.high - offer.high % 50)]
                    case Choice() | Takes() | Sets():
                        wanted = [event for event in offer if not isinstance(event, ev.Counted)]
                    case Exchanges():
                        wanted = [offer.pick(lambda: 0.0)]
                    case _:
                        wanted = [next(iter(offer))]
                for event in wanted:
                    assert event in there, (moment.name, s, event)
                    seen.add(tag(event))
            for purpose in me.claimable if me.purposes is not None else ():
                assert any(tag(e) == "claimed" and e.purpose == purpose for e in there)  # type: ignore[attr-defined]
    assert len(seen) > 5


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_pages_speak_in_sentences(name: str, lang: str) -> None:
    """No page shows the key of a missing sentence or an unfilled field."""
    for moment in played(name):
        for viewer, seat in (("table", None), ("seat", 0)):
            text = " ".join(forms(page(moment, viewer, seat, lang)).text)
            assert KEY.search(text) is None, (moment.name, KEY.search(text))
            assert "{" not in text


def test_names_are_shown_as_they_were_typed() -> None:
    """A name with special characters is escaped once."""
    moment = next(m for m in played("dealt") if m.name.endswith("-bidding"))
    setup = Setup("take-a-train", ("O'Brien & <b>", "Bill", "Tom"), deck="dealt")
    for viewer, seat in (("table", None), ("seat", 1)):
        html = page(moment._replace(setup=setup), viewer, seat)
        assert "<b>Bill" not in html
        assert "& <b>" not in html
        assert "&amp;amp;" not in html
        assert "&amp;lt;" not in html
        assert "&amp;#39;" not in html
        assert "O'Brien & <b>" in " ".join(Forms(html).text)


def test_a_hidden_hand_is_on_no_other_page() -> None:
    """A seat's hand appears on its own page only."""
    moment = next(m for m in played("dealt again") if m.name == "twist-pick")
    hand = RULES.view(moment.state, Seat(0)).hand
    assert hand
    own = page(moment, "seat", 0)
    assert all(f'value="{card.id}"' in own for card in hand)
    for viewer, seat in (("table", None), ("seat", 1)):
        other = page(moment, viewer, seat)
        assert not any(card.id in other for card in hand if card not in RULES.view(moment.state, Seat(1)).hand)


def test_money_on_a_page_is_its_own_seat_s() -> None:
    """A seat's page does not show another seat's cash."""
    moment = next(m for m in played("dealt") if m.name == "blind-fists")
    cash = moment.state.table.cash
    assert format_money(cash[0], "en") in page(moment, "seat", 0)
    table = moment.state.table
    for other in range(1, 3):
        if cash[other] not in (cash[0], table.bank):
            assert format_money(cash[other], "en") not in page(moment, "seat", 0).split("region-log")[0]
