"""Public sentences about events that need code.

Sealed amounts, dealt tokens, hands and corrected money are left out by construction: a sentence names only information
that the secrecy table calls public.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from companion.engine import Effect, Event, Moved, Seat
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.catalogue import SPECIALS
from companion.games.take_a_train.table import Table
from companion.i18n import Words
from companion.mechanics.policy import Term
from companion.mechanics.signs import Sentences
from companion.mechanics.telling import GameTeller, SentenceContext, Wording, format_money, listed, money, seats, term

FELT = 40.0
"""The minimum amount in dollars of an effect, besides the pay itself, that advice mentions."""
MONEY_FIELDS = ("amount", "minimum", "price", "cash", "most", "total", "owed")


def card_name(card: str, words: Words, table: Table | None = None) -> str:
    """Return a card's name, with its figures if the table knows them, otherwise with its kind and number."""
    if card in SPECIALS:
        return words(f"special.{card}")
    kind, _, figure = card.partition("-")
    if f"cargo.{kind}" in words:
        cargo = words(f"cargo.{kind}")
        return words("card.wagon", cargo=cargo, value=figure) if figure else cargo
    if f"drive.{kind}" not in words:
        return card
    loco = table.fixed.book.locos.get(card) if table else None
    if loco is not None and loco.known:
        return words("card.loco_figures", drive=words(f"drive.{kind}"), multiplier=loco.multiplier, power=loco.power)
    return words("card.loco", drive=words(f"drive.{kind}"), number=figure)


def cards(value: Any, context: SentenceContext[Table]) -> object:
    """Return the names of cards, without figures if amounts are hidden, because figures would reveal the price.

    Refusals give several cards in one text.
    """
    if isinstance(value, str):
        value = value.split(", ")
    if not isinstance(value, tuple | list):
        return value
    table = None if context.hide else context.table
    return listed([card_name(card, context.words, table) for card in value], context.words)


def payment(moved: Moved, context: SentenceContext[Table]) -> Wording | None:
    """Return the wording of a payment; none for corrections, which concern only the seat and the bank (R-05)."""
    if moved.why == "correction" or not moved.amount:
        return None
    key = f"moved.{moved.why}"
    if not context.words.has(key):
        key = "moved.gets" if moved.amount > 0 else "moved.pays"
    return Wording(key, {"amount": money(abs(moved.amount), context)})


def opened_fists(amounts: tuple[int | None, ...], context: SentenceContext[Table]) -> Wording | None:
    """Return the wording of opened fists, seat by seat, without seats not taking part; none without amounts."""
    if context.hide:
        return None
    bids = [
        context.words("effect.fist", name=seats(seat, context), amount=money(amount, context))
        for seat, amount in enumerate(amounts)
        if amount is not None
    ]
    return Wording("effect.fists_opened", {"bids": listed(bids, context.words)})


FISTS: Sentences = {
    "you": (lambda event: isinstance(event, ev.Committed) and event.amount > 0,),
    "empty": (ev.Committed,),
}
SIGNS: Mapping[str, Sentences] = {
    "lone": {"you": (ev.Bought,), "too_dear": (ev.ReplacementTaken,)},
    "opening": {"may": (ev.Opened, ev.OpeningDeclined), "you": (ev.Opened,), "too_dear": (ev.OpeningDeclined,)},
    "bidding": {"you": (ev.Bid, ev.Passed), "too_dear": (ev.Passed,)},
    **dict.fromkeys(("fists", "fists_second", "fists_preemption"), FISTS),
    "flips": {"you": (lambda event: isinstance(event, ev.Flipped) and bool(event.cards),), "none": (ev.Flipped,)},
    "act": {
        "you": (ev.Took, ev.TurnPassed), "exchange": (ev.Exchanged, ev.TurnPassed), "nothing_fits": (ev.TurnPassed,)
    },
    "last_claims": {"you": (ev.Claimed, ev.ClaimsDone), "nothing": (ev.ClaimsDone,)},
}  # fmt: skip
"""The promises of the sign."""


class TakeATrainTeller(GameTeller[Table]):
    """Makes the sentences of Take a Train."""

    signs: ClassVar = SIGNS
    formatters: ClassVar = dict.fromkeys(MONEY_FIELDS, money) | {
        "card": cards,
        "cards": cards,
        "tied": seats,
        "cargo": term("cargo.{}"),
        "train": term("cargo.{}"),
        "kind": term("kind.{}"),
        "purpose": term("purpose.{}.title"),
    }

    def facts(self, event: Event, effects: Iterable[Effect]) -> Iterable[Event | Effect]:
        """Return the parts of an entry to tell; a sale only once if the event is the purchase itself."""
        yield event
        bought = (event.seat, event.card) if isinstance(event, ev.Bought | ev.LocoChosen) else None
        for effect in effects:
            if not (isinstance(effect, ev.Sold) and (effect.seat, effect.card) == bought):
                yield effect

    def wording(self, fact: Event | Effect, context: SentenceContext[Table]) -> Wording | None:
        """Return the wording of an event or effect. Figures read off cards and tokens are never hidden."""
        lang = context.words.lang
        match fact:
            case ev.FigureRead(card, power):
                fields = {"card": card_name(card, context.words), "power": format_money(power, lang)}
                return Wording("event.figure_read", fields)
            case ev.CostRead(_, amount):
                return Wording("event.cost_read", {"amount": format_money(amount, lang)})
            case ev.Counted(_, count):
                return Wording(f"event.counted_{count}")
            case ev.CorrectionAnswered(_, yes):
                return Wording("event.correction_agreed" if yes else "event.correction_refused")
            case ev.Flipped(_, turned):
                return Wording("event.flipped", {"count": len(turned)}) if turned else None
            case ev.Exchanged(_, slots):
                return Wording("event.exchanged", {"count": len(slots)})
            case Moved():
                return payment(fact, context)
            case ev.FistsOpened(amounts):
                return opened_fists(amounts, context)
            case ev.LotBegan(_, lone):
                return Wording("effect.lot_lone" if lone else "effect.lot_began")
            case ev.Reshuffled(deck):
                return Wording(f"effect.reshuffled_{deck}")
            case ev.OrderSet(order):
                return Wording("effect.order_set", {"order": ", ".join(str(seats(seat, context)) for seat in order)})
            case ev.Taken(_, _, train) if train is not None:
                return Wording("effect.taken_train", {"number": train + 1})
            case ev.RoundEnded(reason, seat):
                return Wording("effect.round_full" if reason == "full" and seat is not None else "effect.round_passed")
            case ev.Profited(_, train, amount):
                return Wording("effect.profited", {"number": train + 1}) if amount else None
        return super().wording(fact, context)

    def term_key(self, term: Term, seat: Seat, best: bool) -> str:
        """Return the key of the sentence for a part of a move's value; empty if it makes little difference."""
        felt = abs(term.amount) >= FELT or term.key not in ("prizes", "later", "others", "second")
        return super().term_key(term, seat, best) if felt else ""

    def card_name(self, card: str, words: Words, table: Table | None = None) -> str:
        return card_name(card, words, table)

    def score(self, amount: int, words: Words) -> str:
        return format_money(amount, words.lang)


TELLER = TakeATrainTeller()
