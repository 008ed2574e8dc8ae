"""Test our rulings where the rulebook is silent, and who may know a revealed card."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.engine import CellName, Event, State, legal
from companion.games.trains.catalogue import EXPRESS, NORMAL, RAILS, WASTE
from companion.games.trains.events import (
    Applied,
    CardChosen,
    CardNamed,
    CardRevealed,
    CardsDiscarded,
    CardsDrawn,
    CrewSent,
    Declined,
    Ended,
    Gained,
    GuessedWrong,
    KingdomDrawn,
    MustShuffle,
    NotApplied,
    Played,
    RailLaid,
    Rebuilt,
    RevealedTaken,
    TopDiscarded,
    TopKept,
    TopSeen,
    WasteReturned,
)
from companion.games.trains.options import TOKYO
from companion.games.trains.rules import RULES
from companion.games.trains.steps.draws import top_cards
from companion.games.trains.table import Table, deck_of, discard_of, hand_of
from tests.games.proofs import proves
from tests.games.trains.build import (
    PLAYING,
    A,
    B,
    after,
    declines,
    draws,
    held,
    offered,
    on_small_map,
    plays,
    turn,
    waste_gained,
    why,
)

__all__ = ["on_small_map"]
pytestmark = pytest.mark.usefixtures("on_small_map")


@proves("A-06", "R-14", "K20")
def test_an_empty_deck_is_shuffled_before_somebody_looks() -> None:
    """An empty deck is shuffled before its owner looks at the top card."""
    state = plays(turn(["signals"], deck=[RAILS], discard=[WASTE, WASTE]), "signals", Applied(A))
    state = draws(state, RAILS)
    assert MustShuffle(A) in state.effects
    state = after(state, TopSeen(A, WASTE), TopKept(A))
    assert [state.table.zones.count(zone(A)) for zone in (deck_of, discard_of)] == [2, 0]


@proves("A-06", "R-14", "K06")
def test_an_empty_deck_is_shuffled_before_something_is_revealed() -> None:
    """An empty deck is shuffled before cards are revealed, and all three cards are shown."""
    state = plays(turn(["information_central"], deck=[RAILS], discard=[WASTE, WASTE]), "information_central")
    state = after(state, Applied(A), CardRevealed(A, RAILS))
    assert state.effects == (MustShuffle(A),)
    state = after(state, CardRevealed(A, WASTE), CardRevealed(A, WASTE))
    assert type(state.agenda[0]).__name__ == "TakeRevealed"


@proves("A-05", "K07", "K24")
def test_of_two_trains_the_idle_one_goes_back() -> None:
    """If one of two early trains leaves play, it is the one without an effect."""
    state = declines(turn(["early_train", "early_train", "switchback"]), "early_train")
    state = plays(plays(state, "early_train", Applied(A)), "switchback", CardChosen(A, "early_train"))
    assert (state.table.played, state.table.holds("early_train")) == (("early_train", "switchback"), 1)


@proves("A-10", "E-4", "K17")
def test_a_discard_pile_is_its_owners() -> None:
    """The owner may choose from its discard pile, while others see only the number of cards."""
    one, two = [turn(["pulling"], discard=pile) for pile in ((EXPRESS, RAILS), (EXPRESS, WASTE))]
    assert RULES.view(one, B).seats == RULES.view(two, B).seats
    assert RULES.view(one, None).seats[A].discard == 2
    assert held(plays(one, "pulling", CardChosen(A, EXPRESS))) == [EXPRESS]


@proves("A-11", "K27", "R-16", "R-20")
def test_a_rail_card_begins_with_its_lasting_effect() -> None:
    """A tunnel's effect applies to its own rail, so a shared mountain costs only the sharing."""
    state = plays(turn(["tunnel"], coins=1, rails=(("F4",), ("M1",))), "tunnel", RailLaid(A, CellName("M1")))
    assert (state.table.coins, waste_gained(state)) == (0, 2)
    assert state.effects == (Gained(A, WASTE, 2),)


@proves("A-15", "K09", "R-08")
@pytest.mark.parametrize(("hand", "deck", "possible"), [(0, 1, False), (1, 0, False), (1, 1, True), (0, 2, True)])
def test_a_garage_needs_two_cards_to_discard(hand: int, deck: int, possible: bool) -> None:
    """A garage's text needs two cards in hand and deck together, but its coin does not."""
    state = after(turn(["garage", *[NORMAL] * hand], deck=[NORMAL] * deck), Played(A, "garage"))
    assert state.table.coins == 1
    assert state.effects == (() if possible else (NotApplied(A, "garage"),))


@proves("E-3", "K20", "K04")
def test_a_card_looked_at_is_told_to_its_owner() -> None:
    """A card that its owner looked at stays hidden from all others."""
    state = draws(plays(turn(["signals"], deck=[RAILS, WASTE]), "signals", Applied(A)), RAILS)
    assert RULES.secret(state, TopSeen(A, WASTE)) == ("card",)
    seen = after(state, TopSeen(A, WASTE))
    zones = seen.table.zones
    assert [zones.view_of(deck_of(A), viewer) for viewer in (A, B, None)] == [(WASTE,), (None,), (None,)]
    assert RULES.secret(seen, TopDiscarded(A, WASTE)) == ()
    state = draws(plays(turn(["command_central"], deck=[RAILS, WASTE]), "command_central", Applied(A)), RAILS)
    assert RULES.secret(state, CardNamed(A, WASTE)) == ()


@proves("A-17", "E-2", "K06", "K24")
def test_the_order_of_open_cards_put_on_a_deck_is_told_to_all() -> None:
    """Everybody sees the order of open cards that return to a deck."""
    state = turn(["switchback"], deck=[RAILS, WASTE], play=[EXPRESS])
    told: tuple[Event, ...] = (RevealedTaken(A, None, (WASTE, EXPRESS)), CardChosen(A, EXPRESS))
    assert [RULES.secret(state, event) for event in told] == [(), ()]
    zones = plays(state, "switchback", CardChosen(A, EXPRESS)).table.zones
    assert [zones.view_of(deck_of(A), viewer) for viewer in (A, B, None)] == [(None, None, EXPRESS)] * 3


@proves("E-7")
def test_what_turned_up_cannot_be_unlearned() -> None:
    """Events that reveal a card are marked, and with real cards also those after which people draw."""
    dealt, real = turn(), turn(dealt=False)
    turned: tuple[Event, ...] = (
        CardsDrawn(A, (RAILS,)),
        TopSeen(A, RAILS),
        CardRevealed(A, RAILS),
        KingdomDrawn(TOKYO),
    )
    decided: tuple[Event, ...] = (Played(A, NORMAL), RailLaid(A, CellName("F1")), CardNamed(A, WASTE))
    assert [RULES.reveals(event, dealt) for event in (*turned, *decided)] == [True] * 4 + [False] * 3
    assert [RULES.reveals(event, real) for event in (*turned, *decided)] == [True] * 4 + [False] * 3
    assert [RULES.reveals(Ended(A), state) for state in (dealt, real)] == [False, True]


# --- claims about real cards ----------------------------------------------------------------------


def without_waste(*more: str) -> State[Table]:
    """Return a turn with three real cards that nobody entered. A Landfill has shown that none of them is Waste."""
    cards = [NORMAL] * 4 + [WASTE] * 2
    state = plays(turn(["control_room", "landfill", *more], deck=cards, dealt=False), "control_room", Applied(A))
    return plays(state, "landfill", WasteReturned(A, 0))


@proves("A-16", "K12", "K08")
def test_a_hand_without_waste_returns_none() -> None:
    """After a Landfill returned no Waste, no text may return Waste from the hand, until the seat draws new cards."""
    state = after(without_waste("freight_train", "passing_station"), Played(A, "freight_train"))
    assert why(state, WasteReturned(A, 1)) == ("R-08", "freight_train", A)
    assert offered(state, A) == [WasteReturned(A, 0), Declined(A)]
    drawn = plays(after(state, Declined(A)), "passing_station", Applied(A))
    assert drawn.table.zones.bounds(hand_of(A), WASTE) == (0, 1)


@proves("A-16")
def test_no_other_text_finds_waste_in_such_a_hand() -> None:
    """No card offers a choice that needs Waste from a hand known to have none."""
    texts = ("landfill", "station_crew", "mail_train", "conductors_station", "wagon_factory")
    for card in texts:
        state = after(without_waste(card), Played(A, card))
        for offer in legal(RULES, state):
            for event in offer:
                assert not waste_of(event), event


def waste_of(event: Event) -> bool:
    """Return whether an event needs Waste in the hand."""
    match event:
        case WasteReturned(_, count):
            return count > 0
        case CrewSent(_, does):
            return does == "waste"
        case CardsDiscarded(_, cards):
            return WASTE in cards
        case Rebuilt(_, old, _):
            return old == WASTE
    return False


@proves("A-16", "K04")
def test_a_wrong_guess_says_what_the_top_card_is_not() -> None:
    """After a wrong guess, the top card cannot be the named card until another card lies there."""
    state = turn(["command_central", "signals"], deck=[NORMAL, EXPRESS, NORMAL, EXPRESS, NORMAL], dealt=False)
    state = plays(state, "command_central", Applied(A), CardNamed(A, NORMAL), GuessedWrong(A))
    assert EXPRESS in top_cards(state.table, A) and NORMAL not in top_cards(state.table, A)
    state = plays(state, "signals", Applied(A))
    assert NORMAL in top_cards(state.table, A)


@proves("A-16")
def test_by_the_earlier_ruling_what_was_said_may_be_contradicted() -> None:
    """A match from before the ruling accepts contradictory claims."""
    state = turn(["control_room", "landfill", "freight_train"], deck=[NORMAL] * 3 + [WASTE] * 2, dealt=False)
    state = replace(state, table=replace(state.table, fixed=replace(state.table.fixed, rulings=())))
    state = plays(plays(state, "control_room", Applied(A)), "landfill", WasteReturned(A, 0))
    assert PLAYING.accepted(after(state, Played(A, "freight_train")), WasteReturned(A, 2))
