"""A seat's hand: each card once; playable cards are the buttons that play them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

import msgspec
from msgspec.structs import replace

from web.presenters.choices import ChoiceButton, ChoiceGroup
from web.presenters.places import CardShown


class HandCard(msgspec.Struct, frozen=True):
    """A card in hand; `event` and `fields` are what its button sends, empty if it cannot be played now.

    `chosen`: its owner has chosen it in secret, and it is not revealed yet.
    """

    card: str
    label: str
    event: str = ""
    fields: tuple[tuple[str, str], ...] = ()
    chosen: bool = False


def hand_and_rest(
    cards: Sequence[CardShown], groups: Sequence[ChoiceGroup], from_hand: Collection[str] | None = None
) -> tuple[tuple[HandCard, ...], tuple[ChoiceGroup, ...]]:
    """Return the hand, and the choices that none of its cards shows.

    A card is a button if exactly one choice names it and no other card of the hand; `from_hand`, if given, lists the
    only events that count. A card with two uses, such as playing or discarding it, has labelled buttons beside the
    hand. A hand with cards to tick is not shown twice.
    """
    held = {each.card for each in cards}
    whole = Counter([each.card for each in cards])
    if any(Counter([value for value, _ in field.values]) == whole for group in groups for field in group.picks):
        return (), tuple(groups)
    played = [group for group in groups if from_hand is None or group.event in from_hand]
    named = [(group.event, button, card_of(button, held)) for group in played for button in group.buttons]
    uses = Counter([card for _, _, card in named])
    plays = {card: (event, button) for event, button, card in named if card and uses[card] == 1}
    hand = tuple([
        HandCard(each.card, each.label, plays[each.card][0], plays[each.card][1].fields)
        if each.card in plays
        else HandCard(each.card, each.label)
        for each in cards
    ])  # fmt: skip
    in_hand = {button for _, button in plays.values()}
    rest = [(group, tuple([button for button in group.buttons if button not in in_hand])) for group in groups]
    return hand, tuple([replace(group, buttons=left) for group, left in rest if left or not group.buttons])


def marked(hand: Iterable[HandCard], chosen: Iterable[str]) -> tuple[HandCard, ...]:
    """Return a hand with the secretly chosen cards marked. Of equal cards, as many are marked as were chosen."""
    left = Counter(chosen)
    found = []
    for each in hand:
        found.append(replace(each, chosen=True) if left[each.card] > 0 else each)
        left[each.card] -= 1
    return tuple(found)


def card_of(button: ChoiceButton, held: set[str]) -> str:
    """Return the card of the hand that a choice names; empty if it names none or several."""
    found = [value for _, value in button.fields if value in held]
    return found[0] if len(found) == 1 else ""
