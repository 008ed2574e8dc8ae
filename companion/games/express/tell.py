"""Sentences of Express that its words alone cannot make: conditions of going out, cars, what a disaster hits."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any, ClassVar

from companion.engine import Effect, Event, Player
from companion.games.express import events as ev
from companion.games.express.table import Table
from companion.i18n import Words
from companion.mechanics.telling import GameTeller, SentenceContext, Wording, listed, term


def conditions(value: Any, context: SentenceContext[Any]) -> object:
    """Return the conditions of going out that fail, as a list in a sentence."""
    return listed([context.words(f"missing.{each}") for each in value], context.words)


def missing_figures(value: Any, context: SentenceContext[Any]) -> object:
    """Return the figures that nobody has entered: a sentence for each rule and kind of figure."""
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

    def wording(self, fact: Event | Effect, context: SentenceContext[Table]) -> Wording | None:
        """Return how an event or effect is told; each disaster has words of its own."""
        if isinstance(fact, ev.DisasterPlayed):
            return Wording(f"event.disaster_played.{fact.card}")
        return super().wording(fact, context)

    def choice(self, event: Event, players: Sequence[Player], words: Words, table: Table | None = None) -> str:
        """Return an event as a choice: a disaster with its target, what is taken back with its place, A-05."""
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
