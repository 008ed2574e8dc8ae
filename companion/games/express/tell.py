"""Sentences of Express that need code: conditions of going out, cars, targets of disasters."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any, ClassVar

from companion.engine import Effect, Event, Player, Seat
from companion.games.express import events as ev
from companion.games.express.table import Table
from companion.i18n import Words
from companion.mechanics.policy import Term
from companion.mechanics.telling import GameTeller, SentenceContext, Wording, listed, term


def conditions(value: Any, context: SentenceContext[Any]) -> object:
    """Return the unmet conditions of going out, as a list in a sentence."""
    return listed([context.words(f"missing.{each}") for each in value], context.words)


def missing_figures(value: Any, context: SentenceContext[Any]) -> object:
    """Return the missing figures: a sentence for each rule and kind of figure."""
    say, found = context.words, []
    for (rule, figure), holes in groupby(value, key=lambda hole: tuple(hole[:2])):
        cards = listed([say(f"card.{card}") for *_, card in holes if card], say)
        found.append(say("sheet.hole", rule=rule, figure=say(f"sheet.figure.{figure}", cards=cards)))
    return " ".join(found)


LAY = ev.TrainBegun | ev.CarLaid | ev.MaintenanceLaid
END = ev.Discarded | ev.DiscardedUnused | ev.TurntablePlayed | ev.DisasterPlayed


class ExpressTeller(GameTeller[Table]):
    """Makes the sentences of Express."""

    signs: ClassVar = {
        "draw": {"you": (ev.PileDrawn, ev.DiscardTaken), "pile": (ev.PileDrawn,)},
        "lay": {"out": (ev.WentOut,), "you": (LAY, END), "end": (END,), "stuck": ()},
        "protect": {"you": (ev.ProtectionPlayed, ev.ProtectionDeclined), "without": (ev.ProtectionDeclined,)},
    }
    formatters: ClassVar = {"missing": conditions, "car": term("card.{}"), "holes": missing_figures}

    def term_key(self, term: Term, seat: Seat, best: bool) -> str:
        """Return the key of the sentence for a part of a move's value; only the best move explains why a card goes."""
        fields = dict(term.fields)
        match term.key:
            case "train" if not fields["cars"]:
                return "maintenance"
            case "train":
                return "train" if term.amount > 0 else ""
            case "scores" if not fields["left"]:
                return "scores_now"
            case "keeps":
                return "keeps" if best else ""
            case "feeds":
                return "feeds_less" if term.amount else "feeds" if best else ""
            case "discard" if term.amount > 0 and fields["lays"]:
                return "discard_lays"
        return super().term_key(term, seat, best)

    def wording(self, fact: Event | Effect, context: SentenceContext[Table]) -> Wording | None:
        """Return the wording of an event or effect; each disaster has its own words."""
        if isinstance(fact, ev.DisasterPlayed):
            return Wording(f"event.disaster_played.{fact.card}")
        return super().wording(fact, context)

    def choice(self, event: Event, players: Sequence[Player], words: Words, table: Table | None = None) -> str:
        """Return an event as a choice: a disaster with its target, a card taken back with its place, A-05."""
        match event:
            case ev.DisasterPlayed(card=kind):
                key = f"choice.disaster_played.{kind}"
            case ev.LaidTakenBack(train=0):
                key = "choice.maintenance_taken_back"
            case ev.TrainBegun(locomotive=""):
                key = "choice.real_train_begun"
            case ev.MisdealCalled() if table is not None and not table.first_round:
                key = "choice.waiver_asked"
            case _:
                return super().choice(event, players, words, table)
        return self._sentence(event, Wording(key), SentenceContext(players, words, table=table))


TELLER = ExpressTeller()
