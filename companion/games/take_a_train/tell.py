"""Public sentences about what happened.

`tell` gets the event of one journal entry and its effects. Sealed amounts, dealt tokens, hands and corrected money are
left out by construction: a sentence names only what the secrecy table calls public.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.engine import Effect, Event, Moved, Player, Refusal
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.catalogue import SPECIALS
from companion.games.take_a_train.table import Table
from companion.i18n import Words
from companion.mechanics.telling import capital, listed, names, stale

__all__ = ["card_name", "differs", "listed", "money", "names", "refused", "score", "stale", "tell"]

GAP = "\N{NARROW NO-BREAK SPACE}"
"""Separates groups of digits in French numbers, and amounts from their sign, without a line break."""
MONEY_FIELDS = ("amount", "minimum", "price", "cash", "most", "total", "owed")
SEAT_FIELDS = ("seat",)
SEATS_FIELDS = ("tied", "seats")
LEAST_KNOWN = 2
"""A card's name is a word and a figure, such as `coal-200` or `steam-3`."""


# --- names ----------------------------------------------------------------------------------------


def money(amount: int, lang: str) -> str:
    """Return an amount in the notation of a language: $2,550 or 2 550 $."""
    figures = f"{abs(amount):,}"
    sign = "−" if amount < 0 else ""
    return f"{sign}{figures.replace(',', GAP)}{GAP}$" if lang == "fr" else f"{sign}${figures}"


def score(amount: int, words: Words) -> str:
    """Return a seat's score, which is its money, in the notation of the language."""
    return money(amount, words.lang)


def card_name(card: str, words: Words, table: Table | None = None) -> str:
    """Return a card's name, with its figures if the table knows them, else with its kind and number."""
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


# --- the log --------------------------------------------------------------------------------------


class Teller:
    """Makes the sentences of one log entry, for given players, language, and visibility of amounts."""

    def __init__(self, players: Sequence[Player], words: Words, hide: bool, table: Table | None) -> None:
        self.players = players
        self.words = words
        self.hide = hide
        self.table = table

    def name(self, seat: int) -> str:
        """Return a seat's name."""
        return self.players[seat].name

    def names(self, seats: Iterable[int]) -> str:
        """Return several seats' names."""
        return names(seats, self.players, self.words)

    def money(self, amount: int) -> str:
        """Return an amount, or a word for it if amounts are hidden."""
        return self.words("list.amount") if self.hide else money(amount, self.words.lang)

    def card(self, card: str) -> str:
        """Return a card's name; without figures if amounts are hidden, as they would reveal the price."""
        return card_name(card, self.words, None if self.hide else self.table)

    def cards(self, cards: Iterable[str]) -> str:
        """Return several cards' names."""
        return listed([self.card(card) for card in cards], self.words)

    def say(self, key: str, **fields: Any) -> str:
        """Return a sentence, its first letter in upper case."""
        return capital(self.words(key, **fields))

    # --- events -----------------------------------------------------------------------------------

    def event(self, event: Event) -> list[str]:
        """Return the public sentences about an event."""
        say = self.say
        match event:
            case ev.PurposesEntered() | ev.BidsRevealed() | ev.Took():
                return []
            case ev.PurposesDealt():
                return [say("event.purposes_dealt")]
            case ev.TokenDrawn(kind):
                return [say("event.token_drawn", kind=self.words(f"kind.{kind}"))]
            case ev.LocosRevealed(cards):
                return [say("event.locos_revealed", cards=self.cards(cards))]
            case ev.FigureRead(card, power, speed, multiplier):
                plain = card_name(card, self.words)
                return [
                    say(
                        "event.figure_read",
                        card=plain,
                        power=money(power, self.words.lang),
                        speed=speed,
                        multiplier=multiplier,
                    )
                ]
            case ev.CostRead(token, amount):
                return [say("event.cost_read", token=token, amount=money(amount, self.words.lang))]
            case ev.TwistDealt():
                return [say("event.twist_dealt")]
            case ev.TwistRevealed():
                return [say("event.twist_revealed")]
            case ev.CardsRevealed(cards):
                return [say("event.cards_revealed", cards=self.cards(cards))]
            case ev.RaisedTogether(seats, amount):
                return [say("event.raised_together", names=self.names(seats), amount=self.money(amount))]
            case ev.RevealSignalled():
                return [say("event.reveal_signalled")]
            case ev.CountBroken():
                return [say("event.count_broken")]
        return self.seat_event(event)

    def seat_event(self, event: Event) -> list[str]:
        """Return the public sentences about an event of one seat."""
        say = self.say
        match event:
            case ev.StarterNamed(seat):
                return [say("event.starter_named", name=self.name(seat))]
            case ev.Nominated(seat, card):
                return [say("event.nominated", name=self.name(seat), card=self.card(card))]
            case ev.Opened(seat, amount):
                return [say("event.opened", name=self.name(seat), amount=self.money(amount))]
            case ev.OpeningDeclined(seat):
                return [say("event.opening_declined", name=self.name(seat))]
            case ev.Bid(seat, amount):
                return [say("event.bid", name=self.name(seat), amount=self.money(amount))]
            case ev.Passed(seat):
                return [say("event.passed", name=self.name(seat))]
            case ev.Committed(seat):
                return [say("event.committed", name=self.name(seat))]
            case ev.TieBroken(seat, winner):
                return [say("event.tie_broken", name=self.name(seat), winner=self.name(winner))]
            case ev.TieOrdered(seat, order):
                return [say("event.tie_ordered", name=self.name(seat), order=self.names(order))]
            case ev.LocoChosen(seat, card):
                return [say("event.loco_chosen", name=self.name(seat), card=self.card(card))]
            case ev.Bought(seat, card):
                return [say("event.bought", name=self.name(seat), card=self.card(card))]
            case ev.ReplacementTaken():
                return []
            case ev.Raised(seat, amount):
                return [say("event.raised", name=self.name(seat), amount=self.money(amount))]
            case ev.RaiseGrown(seat, amount):
                return [say("event.raise_grown", name=self.name(seat), amount=self.money(amount))]
            case ev.Counted(seat, count):
                return [say(f"event.counted_{count}", name=self.name(seat))]
            case ev.TwistPicked(seat):
                return [say("event.twist_picked", name=self.name(seat))]
            case ev.Flipped(seat, cards):
                return [say("event.flipped", name=self.name(seat), count=len(cards))] if cards else []
            case ev.Exchanged(seat, slots):
                return [say("event.exchanged", name=self.name(seat), count=len(slots))]
            case ev.TurnPassed(seat):
                return [say("event.turn_passed", name=self.name(seat))]
            case ev.WagonChosen(seat):
                return [say("event.wagon_chosen", name=self.name(seat))]
            case ev.Claimed(seat, purpose):
                title = self.words(f"purpose.{purpose}.title")
                return [say("event.claimed", name=self.name(seat), purpose=title)]
            case ev.ClaimsDone(seat):
                return [say("event.claims_done", name=self.name(seat))]
            case ev.CashCorrected(seat):
                return [say("event.cash_corrected", name=self.name(seat))]
        raise TypeError(f"no sentence for {type(event).__name__}")

    # --- effects ----------------------------------------------------------------------------------

    def effect(self, effect: Effect) -> list[str]:
        """Return the public sentences about an effect."""
        say = self.say
        match effect:
            case Moved():
                return self.payment(effect)
            case ev.RoundBegan(number, starter):
                return [say("effect.round_began", round=number, name=self.name(starter))]
            case ev.LotBegan(beginner, lone):
                return [say("effect.lot_lone" if lone else "effect.lot_began", name=self.name(beginner))]
            case ev.Reshuffled(deck, cards):
                return [say(f"effect.reshuffled_{deck}", cards=cards)]
            case ev.FistsOpened(amounts):
                if self.hide:
                    return []
                bids = [
                    self.words("effect.fist", name=self.name(seat), amount=self.money(amount))
                    for seat, amount in enumerate(amounts)
                    if amount is not None
                ]
                return [say("effect.fists_opened", bids=listed(bids, self.words))]
            case ev.Tied(seats, amount):
                return [say("effect.tied", names=self.names(seats), amount=self.money(amount))]
            case ev.Sold(seat, card):
                return [say("effect.sold", name=self.name(seat), card=self.card(card))]
            case ev.NoSale():
                return [say("effect.no_sale")]
            case ev.Stalled():
                return [say("effect.stalled")]
            case ev.Replaced(seat, count):
                return [capital(self.words.plural("effect.replaced", count, name=self.name(seat)))]
            case ev.OrderSet(order):
                return [say("effect.order_set", order=", ".join(self.name(seat) for seat in order))]
            case ev.Taken(seat, card, train):
                if train is None:
                    return [say("effect.taken", name=self.name(seat), card=self.card(card))]
                return [say("effect.taken_train", name=self.name(seat), card=self.card(card), number=train + 1)]
            case ev.BinCleared():
                return [say("effect.bin_cleared")]
            case ev.StockLengthened(limit):
                return [say("effect.stock_lengthened", limit=limit)]
            case ev.RoundEnded("full", seat) if seat is not None:
                return [say("effect.round_full", name=self.name(seat))]
            case ev.RoundEnded():
                return [say("effect.round_passed")]
            case ev.Profited(seat, train, amount):
                if not amount:
                    return []
                return [say("effect.profited", name=self.name(seat), number=train + 1, amount=self.money(amount))]
            case ev.Ended(_, winners):
                return [say("effect.ended", names=self.names(winners))]
        raise TypeError(f"no sentence for {type(effect).__name__}")

    def payment(self, moved: Moved) -> list[str]:
        """Return who paid whom, except for corrections, which are between the seat and the bank (R-05)."""
        if moved.why == "correction" or not moved.amount:
            return []
        key = f"moved.{moved.why}"
        if key not in self.words:
            key = "moved.gets" if moved.amount > 0 else "moved.pays"
        return [self.say(key, name=self.name(moved.seat), amount=self.money(abs(moved.amount)))]


def tell(
    event: Event,
    effects: Iterable[Effect],
    players: Sequence[Player],
    words: Words,
    hide: bool = False,
    table: Table | None = None,
) -> list[str]:
    """Return the public sentences about one journal entry, in order.

    `hide` leaves out bids and payments (`public_log = "round"`, once the round is over).
    """
    teller = Teller(players, words, hide, table)
    said = teller.event(event)
    known = {(e.seat, e.card) for e in (event,) if isinstance(e, ev.Bought | ev.LocoChosen)}
    for effect in effects:
        if isinstance(effect, ev.Sold) and (effect.seat, effect.card) in known:
            continue
        said += teller.effect(effect)
    return said


# --- refusals and corrections ---------------------------------------------------------------------


def refused(refusal: Refusal, players: Sequence[Player], words: Words, table: Table | None = None) -> str:
    """Return a refusal as a sentence, with names, cards and money in words.

    Only the refusal's audience may read it; everybody else gets `mend.not_accepted`.
    """
    fields = {key: _plain(key, value, players, words, table) for key, value in refusal.fields.items()}
    return capital(words(f"refusal.{refusal.rule}.{refusal.key}", **fields))


def _plain(key: str, value: Any, players: Sequence[Player], words: Words, table: Table | None) -> Any:
    """Return a refusal's field in words."""
    match key, value:
        case _, int() if key in MONEY_FIELDS:
            return money(value, words.lang)
        case _, int() if key in SEAT_FIELDS:
            return players[value].name if 0 <= value < len(players) else str(value + 1)
        case _, [*_] if key in SEATS_FIELDS:
            return names(value, players, words)
        case "card", str():
            return listed([card_name(card, words, table) for card in value.split(", ")], words)
        case "cards", str():
            return listed([card_name(card, words, table) for card in value.split(", ")], words)
        case "cargo" | "train", str():
            return words(f"cargo.{value}")
        case "kind", str():
            return words(f"kind.{value}")
        case "purpose", str():
            title = f"purpose.{value}.title"
            return words(title) if title in words else value
    return value


def differs(key: str, fields: Mapping[str, Any], words: Words, table: Table | None = None) -> str:
    """Return what a correction changes: which card it really was, or what a seat takes from or returns to the bank.

    `card` has the fields `old` and `new`; `money` has `name` and `change`, which is negative for a return.
    """
    match key, fields:
        case "card", {"old": old, "new": new}:
            return capital(words("mend.card", new=card_name(new, words, table), old=card_name(old, words, table)))
        case "money", {"name": name, "change": change}:
            more = "mend.cash_more" if change > 0 else "mend.cash_less"
            return capital(words(more, name=name, amount=money(abs(change), words.lang)))
    raise TypeError(f"no sentence for {key} of {fields}")
