"""Puts a bot's options into words for the seat that asks: a hint that names no move, then moves with their reasons.

The words of the game: `advice.hint.<event>`, `advice.move.<event>` (or else the words of the button),
`advice.why.<term>`, and `advice.event.<event>` if the best move has no terms. A key `<event>_<term>` with the move's
first term takes precedence over `<event>`.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.engine import Seat, fields_of, name_of
from companion.mechanics.policy import Ranked, Term
from companion.mechanics.telling import AnyContext, AnyTeller, capital, format_money

REASONS = 3
"""The maximum number of reasons for a move."""
ROUGH = 10
"""The step for amounts of money, and the limit from which figures have no decimals: both are estimates."""


class AdvisedMove(msgspec.Struct, frozen=True):
    """A move and its reasons, as sentences."""

    move: str
    reasons: tuple[str, ...]


class Advice(msgspec.Struct, frozen=True):
    """Advice in one language: the hint, the best move, and other moves with reasons."""

    hint: str
    moves: tuple[AdvisedMove, ...]


def said(found: Sequence[Ranked], teller: AnyTeller, context: AnyContext, seat: Seat, money: bool) -> Advice:
    """Return a bot's options in words; of other moves, only those with a reason."""
    best, *others = [_move(each, teller, context, seat, money, place == 0) for place, each in enumerate(found)]
    if len(found) == 1 and found[0].value < 0:
        best = AdvisedMove(best.move, (context.words("advice.event.only"),))
    hint = context.words(_key("hint", found[0], context), **_fields(found[0], teller, context, seat, money))
    return Advice(capital(hint), (best, *[each for each in others if each.reasons]))


def _move(ranked: Ranked, teller: AnyTeller, context: AnyContext, seat: Seat, money: bool, best: bool) -> AdvisedMove:
    """Return one move with its reasons; for other moves, omit reasons that support only the best one."""
    keys = [(each, f"advice.why.{teller.term_key(each, seat, best)}") for each in ranked.terms]
    reasons = [
        capital(context.words(key, **_term_fields(each, teller, context, money)))
        for each, key in keys
        if context.words.has(key)
    ][:REASONS]
    if best and not reasons:
        reasons = [capital(context.words(_key("event", ranked, context)))]
    move, say = _key("move", ranked, context), context.words
    if say.has(move):
        return AdvisedMove(capital(say(move, **_fields(ranked, teller, context, seat, money))), tuple(reasons))
    return AdvisedMove(teller.choice(ranked.event, context.players, say, context.table), tuple(reasons))


def _key(kind: str, ranked: Ranked, context: AnyContext) -> str:
    """Return the key of a sentence about a move: its event's with its first term, its event's, or any move's."""
    event = name_of(ranked.event)
    keys = [f"advice.{kind}.{event}_{ranked.terms[0].key}"] if ranked.terms else []
    return next(filter(context.words.has, [*keys, f"advice.{kind}.{event}"]), f"advice.{kind}.any")


def _fields(ranked: Ranked, teller: AnyTeller, context: AnyContext, seat: Seat, money: bool) -> dict[str, object]:
    """Return the fields of a move's sentences: its event's, with `<field>_nth` and `<field>_count`, and its term's."""
    found = _term_fields(ranked.terms[0], teller, context, money) if ranked.terms else {}
    own = fields_of(ranked.event)
    found |= {f"{name}_nth": value + 1 for name, value in own.items() if isinstance(value, int)}
    found |= {f"{name}_count": len(value) for name, value in own.items() if isinstance(value, tuple)}
    return found | teller.loose_fields(own, context)


def _term_fields(term: Term, teller: AnyTeller, context: AnyContext, money: bool) -> dict[str, object]:
    """Return the fields of a term's sentence; `amount` is rounded, `percent` is the amount as a chance."""
    fields = dict(term.fields)
    loose = {name: _figure(value, context) if isinstance(value, float) else value for name, value in fields.items()}
    said = _figure(term.amount, context)
    if money:
        said = format_money(round(abs(term.amount) / ROUGH) * ROUGH, context.words.lang)
    return {**teller.loose_fields(loose, context), "amount": said, "percent": round(100 * term.amount)}


def _figure(amount: float, context: AnyContext) -> str:
    """Return an estimate in the language's notation, with at most one decimal below ten."""
    text = f"{abs(amount):.1f}".removesuffix(".0") if abs(amount) < ROUGH else f"{abs(amount):.0f}"
    return text.replace(".", ",") if context.words.lang == "fr" else text
