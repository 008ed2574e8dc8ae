"""Puts events into sentences, by the words of the game: `event.<name>` and `effect.<name>`.

A game with such words needs no code for its log. A game that counts, spells or hides something in its own way derives
from `GameTeller` and puts the instance as `TELLER` into its module `tell`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, Generic, TypeVar, get_args, get_type_hints

import msgspec

from companion.engine import Board, Effect, Event, Player, Refusal, Seat, fields_of, name_of
from companion.i18n import Words
from companion.mechanics.policy import Term
from companion.mechanics.signs import Sentences
from companion.mechanics.view import Fact

T = TypeVar("T")

GAP = "\N{NARROW NO-BREAK SPACE}"
"""Separates groups of digits in French numbers, and amounts from their sign, without a line break."""


class SentenceContext(msgspec.Struct, Generic[T], frozen=True):
    """The players, the language of the sentence, whether it omits amounts, and the game's own table."""

    players: Sequence[Player]
    words: Words
    hide: bool = False
    table: T | None = None


class Wording(msgspec.Struct, frozen=True):
    """The key of a sentence, and formatted fields that supplement or replace the event's own."""

    key: str
    fields: Mapping[str, object] = {}


AnyContext = SentenceContext[Any]
"""The context of any game's sentence, with an opaque table."""
Formatter = Callable[[object, AnyContext], object]
"""Returns a field's value for a sentence. It returns values of other types unchanged."""


# --- parts of sentences ---------------------------------------------------------------------------


def listed(parts: Sequence[str], words: Words) -> str:
    """Return phrases as a list in a sentence: Jane, Bill and Tom."""
    if not parts:
        return words("list.nobody")
    if len(parts) == 1:
        return parts[0]
    return words("list.and", first=", ".join(parts[:-1]), last=parts[-1])


def capital(sentence: str) -> str:
    """Return the sentence with its first letter in upper case."""
    return sentence[:1].upper() + sentence[1:]


def say_counted(key: str, fields: Mapping[str, object], words: Words) -> str:
    """Return a sentence with its fields; one with a `count` may have a singular form: `<key>_one`."""
    count = fields.get("count")
    rest = {name: value for name, value in fields.items() if name != "count"}
    return capital(words.plural(key, count, **rest) if isinstance(count, int) else words(key, **fields))


def refusal_key(rule: str, key: str, known: Callable[[str], bool]) -> str:
    """Return the key of a refusal's sentence: the rule's own, else the one shared by all games."""
    own, shared = f"refusal.{rule}.{key}", f"refusal.any.{key}"
    return shared if known(shared) and not known(own) else own


def format_money(amount: int, lang: str) -> str:
    """Return an amount in the notation of a language: $2,550 or 2 550 $."""
    figures = f"{abs(amount):,}"
    sign = "−" if amount < 0 else ""
    return f"{sign}{figures.replace(',', GAP)}{GAP}$" if lang == "fr" else f"{sign}${figures}"


# --- formatters of fields -------------------------------------------------------------------------


def seats(value: object, context: AnyContext) -> object:
    """Return the name of a seat or several; the number, from 1, of a seat that does not exist."""
    players = context.players
    if isinstance(value, int):
        return players[value].name if 0 <= value < len(players) else str(value + 1)
    if isinstance(value, tuple | list):
        return listed([str(seats(seat, context)) for seat in value], context.words)
    return value


def money(value: object, context: AnyContext) -> object:
    """Return an amount in the language's notation, or the word for an amount (`list.amount`) if amounts are hidden."""
    if not isinstance(value, int):
        return value
    return context.words("list.amount") if context.hide else format_money(value, context.words.lang)


def term(key: str) -> Formatter:
    """Return a formatter that looks up a value in the words: `term("kind.{}")` finds `kind.open` for `open`."""

    def look_up(value: object, context: AnyContext) -> object:
        known = isinstance(value, str) and context.words.has(key.format(value))
        return context.words(key.format(value)) if known else value

    return look_up


@cache
def seat_fields(kind: type[Event | Effect]) -> tuple[str, ...]:
    """Return the names of the fields that hold seats, found by their types."""
    hints = get_type_hints(kind)
    return tuple([name for name in kind.__struct_fields__ if Seat in (hints[name], *get_args(hints[name]))])


# --- a game's log, refusals and corrections -------------------------------------------------------


class GameTeller(Generic[T]):
    """Makes a game's sentences. All are for everybody, except `refused`, which is for one seat.

    A sentence can name every field of its event or effect. `{name}` is also the player of the first field that holds a
    seat, `{names}` are those of the first that holds several. An event without a sentence is omitted. A sentence that
    names `{count}` may have a singular form: `<key>_one`.

    `table` is the game's own record of the table (`state.table`), None if there is none yet. Names of cards may depend
    on its public part, such as figures that people entered; sentences may use nothing else of it.
    """

    formatters: ClassVar[Mapping[str, Formatter]] = {}
    """The game's own formatters by field name, for the log and for refusals."""
    signs: ClassVar[Mapping[str, Sentences]] = {}
    """Moments whose sign depends on the seat's own offers: `moment.<moment>.<name>`, else `you`."""

    def __init__(self, boards: Iterable[Board] = ()) -> None:
        self.labels = {cell.name: cell.label for board in boards for cell in board.cells if cell.label}

    # --- the log ----------------------------------------------------------------------------------

    def tell(
        self,
        event: Event,
        effects: Iterable[Effect],
        players: Sequence[Player],
        words: Words,
        hide: bool = False,
        table: T | None = None,
    ) -> list[str]:
        """Return the public sentences of an event and its effects, in order; with `hide`, without amounts."""
        context = SentenceContext(players, words, hide, table)
        found = [(each, self.wording(each, context)) for each in self.facts(event, effects)]
        return [self._sentence(each, wording, context) for each, wording in found if wording is not None]

    def facts(self, event: Event, effects: Iterable[Effect]) -> Iterable[Event | Effect]:
        """Return the parts of an entry to tell, in order."""
        return (event, *effects)

    def wording(self, fact: Event | Effect, context: SentenceContext[T]) -> Wording | None:
        """Return the wording of an event or effect, or None to omit it: it has no sentence, or an empty one."""
        key = f"{'event' if isinstance(fact, Event) else 'effect'}.{name_of(fact)}"
        return Wording(key) if context.words.has(key) and context.words.sentences.get(key) != "" else None

    def choice(self, event: Event, players: Sequence[Player], words: Words, table: T | None = None) -> str:
        """Return an event as a choice, for a button: by `choice.<name>`, else as in the log, else its card."""
        context = SentenceContext(players, words, table=table)
        wording = self.choice_wording(event, context)
        if wording is not None:
            return self._sentence(event, wording, context)
        card = fields_of(event).get("card")
        return self.card_name(card, words, table) if isinstance(card, str) else name_of(event)

    def choice_wording(self, event: Event, context: SentenceContext[T]) -> Wording | None:
        """Return the wording of an event as a choice: by `choice.<name>`, else as in the log; None for neither."""
        key = f"choice.{name_of(event)}"
        return Wording(key) if context.words.has(key) else self.wording(event, context)

    def _sentence(self, fact: Event | Effect, wording: Wording, context: SentenceContext[T]) -> str:
        return say_counted(wording.key, {**self._fields(fact, context), **wording.fields}, context.words)

    def _fields(self, fact: Event | Effect, context: SentenceContext[T]) -> dict[str, object]:
        held = seat_fields(type(fact))
        fields: dict[str, object] = {}
        for name, value in fields_of(fact).items():
            if name in held and value is not None:
                fields[name] = seats(value, context)
                fields.setdefault("name" if isinstance(value, int) else "names", fields[name])
            else:
                fields[name] = self.format(name, value, context)
        return fields

    def format(self, field: str, value: object, context: SentenceContext[T]) -> object:
        """Return a field formatted for a sentence: by the game's formatter, cards by name, lists in the language."""
        if field in self.formatters:
            return self.formatters[field](value, context)
        if isinstance(value, tuple | list):
            return listed([str(self.format(field, each, context)) for each in value], context.words)
        if field in ("card", "cards") and isinstance(value, str):
            return self.card_name(value, context.words, None if context.hide else context.table)
        if field in ("cell", "cells") and isinstance(value, str):
            return self.cell_name(value, context.words, context.table)
        return value

    def fact(self, fact: Fact, players: Sequence[Player], words: Words, table: T | None = None) -> str:
        """Return a standing fact of a view as a sentence, by `fact.<key>`."""
        fields = self.loose_fields(fact.fields, SentenceContext(players, words, table=table))
        return say_counted(f"fact.{fact.key}", fields, words)

    def loose_fields(self, fields: Mapping[str, object], context: SentenceContext[T]) -> dict[str, object]:
        """Return untyped fields formatted for a sentence: `seat` and `seats` hold seats."""
        return {
            name: seats(value, context) if name in ("seat", "seats") else self.format(name, value, context)
            for name, value in fields.items()
        }

    # --- advice -----------------------------------------------------------------------------------

    def term_key(self, term: Term, seat: Seat, best: bool) -> str:
        """Return the key in `advice.why` for a part of a move's value; empty if a seat need not know it.

        `best`: whether the move is the advised one.
        """
        return f"{term.key}_less" if term.amount < 0 else term.key if term.amount else ""

    # --- names ------------------------------------------------------------------------------------

    def card_name(self, card: str, words: Words, table: T | None = None) -> str:
        """Return a card's name as people say it: wagon 42 (`card.wagon`) for `wagon-42`; an unknown name unchanged.

        A card unlike others of its kind has its own key: `card.wagon-7`.
        """
        if words.has(f"card.{card}"):
            return words(f"card.{card}", number=card.rpartition("-")[2])
        kind, _, number = card.partition("-")
        if (number.isdigit() or kind == card) and words.has(f"card.{kind}"):
            return words(f"card.{kind}", number=number)
        return card

    def cell_name(self, cell: str, words: Words, table: T | None = None) -> str:
        """Return a cell as people say it: Kyoto (A6), or C4 if it has no name of its own.

        A game in which one cell has a different name on each board uses the table's board.
        """
        label = self.labels.get(cell, "")
        own = words(f"cell.{label}") if words.has(f"cell.{label}") else label
        return f"{own} ({cell})" if own else cell

    def names(self, seats: Iterable[int], players: Sequence[Player], words: Words) -> str:
        """Return the names of seats as a list in a sentence: Jane, Bill and Tom."""
        return listed([players[seat].name for seat in seats], words)

    def score(self, amount: int, words: Words) -> str:
        """Return a score of `Game.scores` as people write it (`score.said`, `score.said_one`): 5 of 7; 1 point."""
        return words.plural("score.said", amount, amount=amount)

    # --- refusals and corrections -----------------------------------------------------------------

    def refused(self, refusal: Refusal, players: Sequence[Player], words: Words, table: T | None = None) -> str:
        """Return why something was not accepted, for the refusal's audience alone.

        Everybody else gets `correct.not_accepted`.
        """
        fields = self.loose_fields(refusal.fields, SentenceContext(players, words, table=table))
        return capital(words(refusal_key(refusal.rule, refusal.key, words.has), **fields))

    def stale(self, sentences: Sequence[str], words: Words) -> str:
        """Return the sentence that the table has changed since the page was shown, and how."""
        if not sentences:
            return words("correct.stale_plain")
        return words("correct.stale", what=" ".join(sentences))

    def differs(self, key: str, fields: Mapping[str, object], words: Words, table: T | None = None) -> str:
        """Return one change of a correction, and what people must do at the table.

        `card`: `old` and `new` are names of cards. `money` (only for games with money): `name` is a player's, `change`
        the amount that the seat gets from the bank; negative: gives back.
        """
        match key, fields:
            case "card", {"old": str(old), "new": str(new)}:
                named = {"old": self.card_name(old, words, table), "new": self.card_name(new, words, table)}
                return capital(words("correct.card", **named))
            case "money", {"name": name, "change": int(change)}:
                more = "correct.cash_more" if change > 0 else "correct.cash_less"
                return capital(words(more, name=name, amount=format_money(abs(change), words.lang)))
        raise TypeError(f"no sentence for {key} of {fields}")


AnyTeller = GameTeller[Any]
"""A maker of sentences, for code that does not look into its game's table."""
