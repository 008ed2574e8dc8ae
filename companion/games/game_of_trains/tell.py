"""Public sentences about what happened.

`tell` gets the event of one journal entry and its effects. Hands, rejected cards and a drawn card not yet placed are
left out by construction: a sentence names only what the secrecy table calls public.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from companion.engine import Effect, Event, Player, Refusal
from companion.games.game_of_trains import events as ev
from companion.games.game_of_trains.table import LENGTH, Table
from companion.i18n import Words
from companion.mechanics.telling import capital, differs, listed, names, stale

__all__ = ["card_name", "differs", "listed", "names", "refused", "score", "stale", "tell"]


def card_name(card: str, words: Words, table: Table | None = None) -> str:
    """Return a card's name in words: wagon 42 for `wagon-42`."""
    kind, _, number = card.partition("-")
    return words("card.wagon", number=number) if kind == "wagon" and number else card


def score(amount: int, words: Words) -> str:
    """Return a seat's score: the longest rising sequence among its seven wagons (R-14)."""
    return words("score.of", count=amount, length=LENGTH)


class Teller:
    """Makes the sentences of one log entry, for given players and language."""

    def __init__(self, players: Sequence[Player], words: Words) -> None:
        self.players = players
        self.words = words

    def name(self, seat: int) -> str:
        """Return a seat's name."""
        return self.players[seat].name

    def cards(self, cards: Iterable[int]) -> str:
        """Return several wagons' numbers."""
        return listed([str(card) for card in cards], self.words)

    def say(self, key: str, **fields: Any) -> str:
        """Return a sentence, its first letter in upper case."""
        return capital(self.words(key, **fields))

    def event(self, event: Event) -> list[str]:
        """Return the public sentences about an event."""
        say = self.say
        match event:
            case ev.CardDrawn() | ev.Placed() | ev.Kept() | ev.Reshuffled():
                return []  # the effects tell it, or it is secret
            case ev.LineDealt(seat, cards):
                return [say("event.line_dealt", name=self.name(seat), cards=" ".join(map(str, cards)))]
            case ev.FirstNamed(seat):
                return [say("event.first_named", name=self.name(seat))]
            case ev.HandsDrawn():
                return [say("event.hands_drawn")]
            case ev.Drew(seat):
                return [say("event.drew", name=self.name(seat))]
            case ev.Swapped(seat, card, left, right):
                return [say("event.swapped", name=self.name(seat), card=card, left=left, right=right)]
            case ev.Shifted(seat, card, position):
                return [say("event.shifted", name=self.name(seat), card=card, position=position)]
            case ev.Removed(seat, card):
                return [say("event.removed", name=self.name(seat), card=card)]
            case ev.Protected(seat, card, position):
                return [say("event.protected", name=self.name(seat), card=card, position=position)]
            case ev.Refilled(seat, position, card):
                return [say("event.refilled", name=self.name(seat), card=card, position=position)]
            case ev.OddKept(card):
                return [say("event.odd_kept", card=card)]
            case ev.AbilityRead(card, ability):
                return [say("event.ability_read", card=card, ability=self.words(f"ability.{ability}.title"))]
        raise TypeError(f"no sentence for {type(event).__name__}")

    def effect(self, effect: Effect) -> list[str]:
        """Return the public sentences about an effect."""
        say = self.say
        match effect:
            case ev.Replaced(seat, position, card, by):
                return [say("effect.replaced", name=self.name(seat), position=position, card=card, by=by)]
            case ev.Rejected(seat, count):
                return [capital(self.words.plural("effect.rejected", count, name=self.name(seat)))]
            case ev.PairsDiscarded(cards):
                return [say("effect.pairs_discarded", cards=self.cards(cards))]
            case ev.LockLost(seat, position, card):
                return [say("effect.lock_lost", name=self.name(seat), position=position, card=card)]
            case ev.Cleared(position, cards):
                lost = [
                    self.words("effect.loss", name=self.name(seat), card=card)
                    for seat, card in enumerate(cards)
                    if card
                ]
                if not lost:
                    return [say("effect.cleared_none", position=position)]
                return [say("effect.cleared", position=position, losses=listed(lost, self.words))]
            case ev.PileMade(cards):
                return [say("effect.pile_made", cards=cards)]
            case ev.Won(seat):
                return [say("effect.won", name=self.name(seat))]
        raise TypeError(f"no sentence for {type(effect).__name__}")


def tell(
    event: Event,
    effects: Iterable[Effect],
    players: Sequence[Player],
    words: Words,
    hide: bool = False,
    table: Table | None = None,
) -> list[str]:
    """Return the public sentences about one journal entry, in order."""
    teller = Teller(players, words)
    said = teller.event(event)
    for effect in effects:
        said += teller.effect(effect)
    return said


# --- refusals -------------------------------------------------------------------------------------


def refused(refusal: Refusal, players: Sequence[Player], words: Words, table: Table | None = None) -> str:
    """Return a refusal as a sentence, with seats by name and abilities in words.

    Only for the refusal's audience; everybody else is told `mend.not_accepted`.
    """
    fields = {key: _plain(key, value, players, words) for key, value in refusal.fields.items()}
    return capital(words(f"refusal.{refusal.rule}.{refusal.key}", **fields))


def _plain(key: str, value: Any, players: Sequence[Player], words: Words) -> Any:
    """Return a refusal's field in words."""
    match key, value:
        case "seat", int():
            return players[value].name if 0 <= value < len(players) else str(value + 1)
        case "ability", str():
            return words(f"ability.{value}.title")
    return value
