"""Test the hand: playable cards are buttons, and no card appears twice."""

from __future__ import annotations

from web.presenters.choices import AmountField, ChoiceButton, ChoiceGroup, PickField
from web.presenters.hand import HandCard, hand_and_rest, marked
from web.presenters.places import CardShown

HAND = tuple([CardShown(name, name.title()) for name in ("coach", "coach", "diner", "mail")])


def button(label: str, *fields: tuple[str, str]) -> ChoiceButton:
    """Return a choice with these fields."""
    return ChoiceButton(label, fields)


def test_a_choice_that_names_one_card_is_that_card() -> None:
    """Equal cards share a button, and an offer that names no card or several stays a separate choice."""
    play = [button("Coach", ("card", "coach")), button("Diner", ("card", "diner"))]
    swap = button("Swap", ("cards", "coach"), ("cards", "mail"))
    hand, rest = hand_and_rest(
        HAND, (ChoiceGroup("played", "Play", (*play, swap)), ChoiceGroup("passed", "Pass", (button("Pass"),)))
    )
    assert hand == (
        HandCard("coach", "Coach", "played", (("card", "coach"),)),
        HandCard("coach", "Coach", "played", (("card", "coach"),)),
        HandCard("diner", "Diner", "played", (("card", "diner"),)),
        HandCard("mail", "Mail"),
    )
    assert rest == (ChoiceGroup("played", "Play", (swap,)), ChoiceGroup("passed", "Pass", (button("Pass"),)))


def test_a_card_with_two_uses_has_both_beside_the_hand() -> None:
    """A card that can be played or discarded has both choices beside the hand, because a tap could mean either."""
    groups = (
        ChoiceGroup("played", "Play", (button("Play the diner", ("card", "diner")),)),
        ChoiceGroup("thrown", "Discard", (button("Discard the diner", ("card", "diner")),)),
        ChoiceGroup("bid", "Bid", amounts=(AmountField("amount", 1, 3, 1),)),
    )
    assert hand_and_rest(HAND, groups) == (tuple([HandCard(each.card, each.label) for each in HAND]), groups)
    assert hand_and_rest((), groups) == ((), groups)


def test_a_game_says_what_a_tap_on_its_hand_means() -> None:
    """If a game defines the tap on its hand, a card is played by the tap and bought beside the hand."""
    played = ChoiceGroup("played", "Play", (button("Play the diner", ("card", "diner")),))
    bought = ChoiceGroup("bought", "Buy", (button("Buy a diner", ("card", "diner")),))
    hand, rest = hand_and_rest(HAND, (played, bought), {"played"})
    assert hand[2] == HandCard("diner", "Diner", "played", (("card", "diner"),))
    assert rest == (bought,)


def test_cards_to_tick_are_not_shown_a_second_time() -> None:
    """If any card of the hand can be discarded, the ticks replace the hand."""
    values = tuple([(each.card, each.label) for each in reversed(HAND)])
    groups = (ChoiceGroup("discarded", "Discard", picks=(PickField("cards", values, 0, 4, True),)),)
    assert hand_and_rest(HAND, groups) == ((), groups)


def test_a_card_chosen_in_secret_is_marked_in_the_hand() -> None:
    """One of two equal cards is marked as chosen, and a choice outside the hand marks nothing."""
    hand = (HandCard("coach", "Coach"), HandCard("coach", "Coach"), HandCard("mail", "Mail"))
    assert [each.chosen for each in marked(hand, ["coach", "oil"])] == [True, False, False]
    assert [each.chosen for each in marked(hand, ["mail", "coach", "coach"])] == [True, True, True]
    assert marked(hand, []) == hand
