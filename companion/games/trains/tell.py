"""Sentences and names of Trains that need code: effects of cards, empty returns, both editions."""

from __future__ import annotations

from typing import ClassVar

from companion.engine import Effect, Event, Seat
from companion.games.trains import events as ev
from companion.games.trains.table import Table
from companion.i18n import Words
from companion.mechanics.policy import Term
from companion.mechanics.telling import GameTeller, SentenceContext, Wording, listed, term


def cards(value: object, context: SentenceContext[Table]) -> str:
    """Return one card or several as people say them."""
    names = value if isinstance(value, tuple) else (value,)
    table = None if context.hide else context.table
    return listed([TELLER.card_name(str(name), context.words, table) for name in names], context.words)


def applies(event: Event) -> bool:
    """Return whether an event applies a text."""
    return not isinstance(event, ev.Declined)


def takes(event: Event) -> bool:
    """Return whether an event takes a revealed card."""
    return isinstance(event, ev.RevealedTaken) and event.card is not None


FELT = 0.05
"""The minimum number of points that advice mentions."""
BUY, END, PASS = ev.Bought | ev.BoughtOnDeck, ev.Ended, ev.TurnPassed


class TrainsTeller(GameTeller[Table]):
    """Makes the sentences of Trains."""

    signs: ClassVar = {
        "act": {
            "you": (ev.Played, BUY, END),
            "play": (ev.Played, END),
            "buy": (BUY, END),
            "end": (END,),
            "first": (ev.Played, PASS),
            "pass": (PASS,),
        },
        "apply_text": {
            "rail": (ev.RailLaid, ev.Declined),
            "station": (ev.StationBuilt, ev.Declined),
            "you": (applies, ev.Declined),
            "copied": (applies,),
            "decline": (ev.Declined,),
        },
        "take_revealed": {"you": (takes,), "none": (ev.RevealedTaken,)},
        "decide_top": {"you": (ev.TopKept, ev.TopDiscarded), "no_card": (ev.TopKept,)},
    }
    formatters: ClassVar = {
        **{name: term(f"{name}.{{}}") for name in ("does", "why", "rebuilds")},
        **dict.fromkeys(("gained", "back"), cards),
    }

    def wording(self, fact: Event | Effect, context: SentenceContext[Table]) -> Wording | None:
        """Return the wording of an event or effect; an empty return, discard or reveal has its own words."""
        match fact:
            case ev.TurnPassed(_, waste):
                return Wording("event.turn_passed", {"count": waste}) if waste else Wording("event.passed")
            case ev.WasteReturned(_, 0):
                return Wording("event.none_returned")
            case ev.CardsDiscarded(_, ()):
                return Wording("event.none_discarded")
            case ev.RevealedTaken(_, card, back) if not (card and back):
                key = "only_taken" if card else "all_put_back" if back else "nothing_revealed"
                return Wording(f"event.{key}")
        return super().wording(fact, context)

    def choice_wording(self, event: Event, context: SentenceContext[Table]) -> Wording | None:
        """Return the wording of a choice: the effect of applying the card, and passing without Waste."""
        table = context.table
        match event:
            case ev.TurnPassed(_, waste):
                return Wording("choice.turn_passed", {"count": waste}) if waste else Wording("choice.passed")
            case ev.WasteReturned(_, 0):
                return Wording("choice.none_returned")
            case ev.Applied() if table is not None and table.played:
                key = f"use.{table.in_play[-1].copied or table.played[-1]}"
                return Wording(key) if context.words.has(key) else super().choice_wording(event, context)
        return super().choice_wording(event, context)

    def term_key(self, term: Term, seat: Seat, best: bool) -> str:
        """Return the key of the sentence for a part of a move's value; points at the end have their own sentence."""
        if term.key == "bought" and term.amount > 0 and dict(term.fields)["points"]:
            return "bought_points"
        return "" if abs(term.amount) < FELT else super().term_key(term, seat, best)

    def card_name(self, card: str, words: Words, table: Table | None = None) -> str:
        """Return a card's name; the later edition's own name, if it has one."""
        if table is not None and table.fixed.options.later and words.has(key := f"later.card.{card}"):
            return words(key)
        return super().card_name(card, words, table)

    def cell_name(self, cell: str, words: Words, table: Table | None = None) -> str:
        """Return a cell with its name on the board of this match."""
        label = table.board.by_name[cell].label if table is not None and cell in table.board.by_name else ""
        return f"{label} ({cell})" if label else cell


TELLER = TrainsTeller()
