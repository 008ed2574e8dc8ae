"""Public sentences about events that need code.

Hands, rejected cards and a drawn card before its placement are left out by construction: a sentence names only
information that the secrecy table calls public.
"""

from __future__ import annotations

from typing import ClassVar

from companion.engine import Effect, Event, Seat
from companion.games.game_of_trains import events as ev
from companion.games.game_of_trains.table import LENGTH, Table
from companion.i18n import Words
from companion.mechanics.policy import Term
from companion.mechanics.telling import GameTeller, SentenceContext, Wording, listed, seats, term

FELT = 0.4
"""The minimum change in a line's distance from victory, in draws, that advice mentions."""
NEAR = 4.0
"""The maximum number of turns that the next player needs to win for which advice mentions them."""


class TrainsTeller(GameTeller[Table]):
    """Makes the sentences of Game of Trains."""

    formatters: ClassVar = {"ability": term("ability.{}.title")}
    signs: ClassVar = {"act": {"you": (ev.Drew, ev.Use), "draw": (ev.Drew,)}}

    def wording(self, fact: Event | Effect, context: SentenceContext[Table]) -> Wording | None:
        """Return the wording of an event or effect: a line by its wagons, a removal by everybody's losses."""
        match fact:
            case ev.LineDealt(_, cards):
                return Wording("event.line_dealt", {"cards": " ".join(map(str, cards))})
            case ev.Cleared(_, cards) if not any(cards):
                return Wording("effect.cleared_none")
            case ev.Cleared(_, cards):
                say = context.words
                lost = [say("effect.loss", name=seats(s, context), card=card) for s, card in enumerate(cards) if card]
                return Wording("effect.cleared", {"losses": listed(lost, say)})
        return super().wording(fact, context)

    def term_key(self, term: Term, seat: Seat, best: bool) -> str:
        """Return the key of the sentence for a part of a move's value; empty for small changes."""
        fields = dict(term.fields)
        more = term.amount - float(fields.get("before", term.amount))
        match term.key:
            case "chance":
                return "chance" if term.amount < 1 else "wins"
            case "line":
                return "" if abs(more) < FELT else "line" if more < 0 else "line_worse"
            case "next":
                return "next_ability" if fields["ability"] else "next" if term.amount <= NEAR else ""
            case "loses":
                own = "_own" if fields["seat"] == seat else ""
                return "" if abs(more) < FELT else f"loses{own}" if more > 0 else f"helps{own}"
        return super().term_key(term, seat, best)

    def score(self, amount: int, words: Words) -> str:
        """Return a seat's score: the longest rising sequence among its seven wagons (R-14)."""
        return words("score.of", count=amount, length=LENGTH)


TELLER = TrainsTeller()
